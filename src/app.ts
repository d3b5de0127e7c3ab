// Puts the application together: the models are compiled, the store is open, Nest comes last. Called by main.ts, cli.ts and tests.
import 'reflect-metadata';
import { Module, type DynamicModule, type NestApplicationOptions, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from './config.js';
import { ResourceService } from './engine/resource.service.js';
import { authenticate, type ActorSource, type RequestCounter } from './http/actor-source.js';
import { Allowance } from './http/allowance.js';
import { AnswerCache } from './http/answer-cache.js';
import { ApiAdapter } from './http/api-adapter.js';
import { bindControllers, type BoundController } from './http/bind-controllers.js';
import { bodyRules } from './http/body-rules.js';
import { docsController } from './http/docs.controller.js';
import { HealthController, READINESS, type ReadinessProbe } from './http/health.controller.js';
import { IndexDocument } from './http/index-document.js';
import { indexControllers } from './http/index.controller.js';
import type { Log } from './http/logger.js';
import { OpenApi } from './http/openapi.js';
import { OperationFactory } from './http/operation.factory.js';
import type { RouteDocument } from './http/options-document.js';
import type { BodyRule } from './http/read-body.js';
import { configureTransport } from './http/transport.js';
import type { TransportOptions } from './http/transport-options.js';
import { UploadIntake } from './http/upload-intake.js';
import type { ModelSet } from './model/model.js';
import type { Site } from './model/site.js';
import type { Store } from './model/store.js';

/** What the configuration has to say here. */
export type AppConfig = Pick<
  Config,
  'publicUrl' | 'apiRoot' | 'apiNamespace' | 'corsOrigins' | 'trustProxy' | 'limits'
> & {
  timeouts: Pick<Config['timeouts'], 'request'>;
};

/** The parts of an application that are made before Nest. */
export interface AppParts {
  models: ModelSet;
  config: AppConfig;
  site: Site;
  store: Store;
  log: Log;
  actors: ActorSource;
  /** Limits how much one caller asks for. */
  counter?: RequestCounter;
  readiness: ReadinessProbe;
  /** Folder where uploads wait until they are stored. */
  uploadDirectory: string;
  /** The service when somebody else needs it too (batch, embedding). */
  service?: ResourceService;
  /** Controllers that are no resource: tokens, batches, metrics. */
  controllers?: Type[];
  providers?: Provider[];
  /** What the index says about them, by pattern, and which bodies they take, by path. */
  routes?: Record<string, RouteDocument>;
  bodies?: Record<string, BodyRule>;
  nest?: NestApplicationOptions;
}

/** The application, ready for `listen()` or `init()`. */
export async function buildApp(parts: AppParts): Promise<NestExpressApplication> {
  const { config, store, site } = parts;
  const service = parts.service ?? new ResourceService(store);
  const operations = new OperationFactory(site, store);
  const allowance = new Allowance(service, operations);
  const uploads = new UploadIntake(
    { directory: parts.uploadDirectory, limit: config.limits.upload, formLimit: config.limits.body },
    allowance,
  );
  const transport = transportOptions(parts);
  const adapter = new ApiAdapter(transport);
  const bound = bindControllers(parts.models, { adapter, allowance, uploads, site, root: config.apiRoot });
  transport.bodyRule = bodyRules(
    bound.map(({ route }) => route),
    { ...config.limits, ...(parts.bodies ? { extra: parts.bodies } : {}) },
  );
  const openApi = new OpenApi(bound, { site, publicUrl: config.publicUrl });
  const module = apiModule(parts, bound, openApi, [
    { provide: ResourceService, useValue: service },
    { provide: OperationFactory, useValue: operations },
    { provide: Allowance, useValue: allowance },
    { provide: AnswerCache, useValue: new AnswerCache(store) },
    { provide: OpenApi, useValue: openApi },
    { provide: READINESS, useValue: parts.readiness },
    ...(parts.providers ?? []),
  ]);
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
    ...parts.nest,
  });
  configureTransport(app);
  authenticate(app, parts.actors, parts.counter, `${config.apiRoot}/auth/`);
  openApi.app = app;
  return app;
}

/** Holds the controllers of one application; Nest wants a class for it. */
@Module({})
class ApiModule {}

function apiModule(parts: AppParts, bound: BoundController[], openApi: OpenApi, providers: Provider[]): DynamicModule {
  const { config, site } = parts;
  const docsUrl = `${config.publicUrl}/docs`;
  const index = new IndexDocument({ site, publicUrl: config.publicUrl, bound, extra: parts.routes ?? {} });
  return {
    module: ApiModule,
    controllers: [
      // The router tries routes in turn, and the richest resources are those that are asked most.
      ...richestFirst(bound),
      HealthController,
      ...indexControllers(index, {
        root: config.apiRoot,
        namespace: config.apiNamespace,
        apiUrl: `${site.apiRoot}/`,
        docsUrl,
      }),
      docsController(openApi),
      ...(parts.controllers ?? []),
    ],
    providers,
  };
}

function richestFirst(bound: BoundController[]): Type[] {
  const size = ({ route }: BoundController) => route.model.fields.size;
  return [...bound].sort((a, b) => size(b) - size(a)).map(({ controller }) => controller);
}

function transportOptions({ config, site, log }: AppParts): TransportOptions {
  return {
    log,
    cors: config.corsOrigins,
    apiRoot: `${site.apiRoot}/`,
    answerTimeout: config.timeouts.request,
    ...(config.trustProxy === false ? {} : { trustProxy: config.trustProxy as number | string[] }),
  };
}
