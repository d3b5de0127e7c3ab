// A site inside another NestJS application, or as an application of its own.
import {
  Inject,
  Module,
  Optional,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Server } from 'node:http';
import { DataSource } from 'typeorm';
import type { TypecaseOptions } from '../../config/options.js';
import { ResourceService } from '../../engine/resource.service.js';
import { StartupError } from '../../errors/problem.js';
import { createLogger } from '../../http/request/logger.js';
import type { ApiAdapter } from '../../http/transport/api-adapter.js';
import { inFlightOf } from '../../http/transport/in-flight.js';
import { startSite, type RunningSite } from '../start-site.js';
import { mount } from './mount.js';
import { quietly } from './quietly.js';
import { Typecase } from './typecase.js';
import type { Config } from '../../config/settings.js';
import { configOf } from '../../config/read-options.js';

/** Options of a site in another application. */
export interface TypecaseModuleOptions extends TypecaseOptions {
  /** Path of the host application that the site is served at: `/content`. Default: the path of `publicUrl`. */
  mount?: string;
  /** Distinguishes several sites of one application: they are injected with `@Inject(typecaseToken(name))`. */
  name?: string;
}

/** The module of a site. */
export interface SiteModule extends DynamicModule {
  /**
   * Closes the site after a failed start of the application: Nest calls no shutdown hooks then, so that the connections
   * to the database would keep the process alive. Has no effect once the application is closed.
   */
  close(): Promise<void>;
}

const MOUNTABLE = /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;
/** Default origin of the host application. */
const HOST = 'http://127.0.0.1:3000';

/** The injection token of the site with this name. */
export function typecaseToken(name: string): string {
  return `typecase:${name}`;
}

/**
 * A module that serves a site at a path of the application that imports it. It provides `Typecase`, and for a site
 * without a `name` also `DataSource` and `ResourceService`. The site starts and ends with the application
 * (docs/embedding.md).
 * @throws StartupError with every mistake in the options
 */
export function createTypecase(options: TypecaseModuleOptions = {}): SiteModule {
  const { name, mount: given, ...rest } = options;
  const { config, path } = placed(rest, given);
  const token = name === undefined ? Typecase : typecaseToken(name);
  const starts = new Set<Promise<NestExpressApplication>>();
  const apps = new Set<NestExpressApplication>();

  const open = async (): Promise<Typecase> => {
    const starting = start(config);
    starts.add(starting);
    try {
      const app = await starting;
      apps.add(app);
      return app.get(Typecase);
    } finally {
      starts.delete(starting);
    }
  };
  const end = async (app: NestExpressApplication): Promise<void> => {
    if (apps.delete(app)) await app.close();
  };
  const close = async (): Promise<void> => {
    // When another provider fails, Nest does not wait for a site that is still starting.
    await Promise.allSettled(starts);
    for (const app of apps) await end(app);
  };

  @Module({})
  class TypecaseModule implements OnModuleInit, BeforeApplicationShutdown {
    constructor(
      @Inject(token) private readonly typecase: Typecase,
      @Optional() @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost | undefined,
    ) {}

    onModuleInit(): void {
      const { typecase } = this;
      // An application context without HTTP uses only the services.
      const server = this.host?.httpAdapter?.getHttpServer() as Server | undefined;
      const adapter = typecase.app.getHttpAdapter() as unknown as ApiAdapter;
      if (server) mount(server, path, adapter, () => typecase.begin());
    }

    beforeApplicationShutdown(): void {
      this.typecase.stop();
      const inFlight = inFlightOf(this.typecase.app.getHttpServer() as Server);
      if (inFlight) inFlight.draining = true;
    }

    /** At this point the server of the host is closed, so that no more requests arrive. */
    onApplicationShutdown(): Promise<void> {
      return end(this.typecase.app);
    }
  }

  const providers = siteProviders(open, token, name === undefined);
  const exported = name === undefined ? [Typecase, DataSource, ResourceService] : [token];
  return { module: TypecaseModule, providers, exports: exported, close };
}

/** The providers of a site: itself, and without a name (`unnamed`) also its data source and service. */
function siteProviders(open: () => Promise<Typecase>, token: typeof Typecase | string, unnamed: boolean): Provider[] {
  const site: Provider = { provide: token, useFactory: open };
  if (!unnamed) return [site];
  return [
    site,
    { provide: DataSource, useFactory: (typecase: Typecase) => typecase.dataSource, inject: [Typecase] },
    { provide: ResourceService, useFactory: (typecase: Typecase) => typecase.service, inject: [Typecase] },
  ];
}

/**
 * A site as an application of its own: call `listen`. `app.get(Typecase)` gives its services, `app.close()` ends it.
 * @throws StartupError with every mistake in options, schemas, roles and database
 */
export async function createTypecaseApp(options: TypecaseOptions = {}): Promise<NestExpressApplication> {
  return start(configOf(options));
}

async function start(config: Config): Promise<NestExpressApplication> {
  const providers = (site: RunningSite) => [{ provide: Typecase, useValue: new Typecase(site) }];
  return quietly(async () => {
    const { app } = await startSite(config, createLogger(config.log), { providers });
    // Modules of extensions may fail here.
    await app.init().catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    return app;
  });
}

function placed(options: TypecaseOptions, given: string | undefined): { config: Config; path: string } {
  const wrong = (message: string) => new StartupError([{ file: 'options', path: 'mount', message }]);
  if (given !== undefined && !MOUNTABLE.test(given))
    throw wrong(`"${given}" is not a path such as /content, without a slash at its end`);
  const config = configOf(given === undefined ? options : { ...options, publicUrl: options.publicUrl ?? HOST + given });
  const path = given ?? new URL(config.publicUrl).pathname.replace(/\/+$/, '');
  if (path === '') throw wrong('missing: the path that the site is served at, such as /content');
  return { config, path };
}
