// Assembles the Nest application from compiled models and an open store.
import 'reflect-metadata';
import { Module, type DynamicModule, type NestApplicationOptions, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config/config.js';
import { ResourceService } from '../engine/resource.service.js';
import { authenticate, type ActorSource, type RequestCounter } from '../http/transport/authenticate.middleware.js';
import { AllowedMethods } from '../http/resource/allowed-methods.js';
import { ResponseCache } from '../http/resource/response-cache.js';
import { ApiAdapter } from '../http/transport/api-adapter.js';
import { bindControllers, type BoundController } from '../http/resource/bind-controllers.js';
import { BodyBudget, sharesOf } from '../http/memory/body-budget.js';
import { bodyRules } from '../http/resource/body-rules.js';
import { docsController } from '../http/endpoints/docs.controller.js';
import { HealthController, READINESS, type ReadinessProbe } from '../http/endpoints/health.controller.js';
import { IndexDocument } from '../http/endpoints/index-document.js';
import { indexControllers } from '../http/endpoints/index.controller.js';
import { limits } from '../http/limits.js';
import type { Log } from '../http/request/logger.js';
import { Outputs } from '../http/memory/output.js';
import { OpenApi } from '../http/openapi/openapi.js';
import { OperationFactory } from '../http/resource/operation.factory.js';
import type { RouteDocument } from '../http/resource/options-document.js';
import type { BodyRule } from '../http/request/read-body.js';
import { configureTransport } from '../http/transport/configure-transport.js';
import type { TransportOptions } from '../http/transport/transport-options.js';
import { UploadIntake } from '../http/resource/upload-intake.js';
import type { ModelSet } from '../model/model.js';
import type { Site } from '../model/site.js';
import type { Store } from '../model/store.js';

/** The settings that are used here. */
export type AppConfig = Pick<
  Config,
  'publicUrl' | 'apiRoot' | 'apiNamespace' | 'corsOrigins' | 'hsts' | 'trustProxy' | 'limits'
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
  /** Rate limits per caller. */
  counter?: RequestCounter;
  readiness: ReadinessProbe;
  /** Folder of incoming uploads before they are stored. */
  uploadDirectory: string;
  /** The service, when other code shares it (batch, embedding). */
  service?: ResourceService;
  /** Controllers that belong to no resource: tokens, batches, metrics. */
  controllers?: Type[];
  providers?: Provider[];
  /** Their index entries by pattern, and their body rules by path. */
  routes?: Record<string, RouteDocument>;
  bodies?: Record<string, BodyRule>;
  nest?: NestApplicationOptions;
}

/** Builds the application, ready for `listen()` or `init()`. */
export async function buildApp(parts: AppParts): Promise<NestExpressApplication> {
  const { config, store, site } = parts;
  const service = parts.service ?? new ResourceService(store);
  const operations = new OperationFactory(site, store);
  const allowance = new AllowedMethods(service, operations);
  const budget = bodyBudget(config);
  const uploads = new UploadIntake(
    {
      directory: parts.uploadDirectory,
      limit: config.limits.upload,
      formLimit: config.limits.body,
      formTimeout: limits.bodyTimeout,
      budget,
    },
    allowance,
  );
  const transport = transportOptions(parts, budget);
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
    { provide: AllowedMethods, useValue: allowance },
    { provide: ResponseCache, useValue: new ResponseCache(store) },
    { provide: Outputs, useValue: new Outputs(adapter.memory, config.limits.response) },
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
  configureTransport(app, authenticate(parts.actors, parts.counter, `${config.apiRoot}/auth/`));
  openApi.app = app;
  return app;
}

/** Holds the controllers of one application; Nest requires a class for it. */
@Module({})
class ApiModule {}

function apiModule(parts: AppParts, bound: BoundController[], openApi: OpenApi, providers: Provider[]): DynamicModule {
  const { config, site } = parts;
  const docsUrl = `${config.publicUrl}/docs`;
  const index = new IndexDocument({ site, publicUrl: config.publicUrl, bound, extra: parts.routes ?? {} });
  return {
    module: ApiModule,
    controllers: [
      // The router tries routes in turn; the resources with the most fields are requested most.
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

function bodyBudget({ limits: { bodyMemory, contentBody, body, untrustedBody } }: AppConfig): BodyBudget {
  return new BodyBudget(sharesOf(bodyMemory, Math.max(contentBody, body), untrustedBody));
}

function transportOptions({ config, site, log }: AppParts, budget: BodyBudget): TransportOptions {
  return {
    log,
    cors: config.corsOrigins,
    // Only with https: browsers that have seen the header refuse plain http for a year.
    hsts: config.publicUrl.startsWith('https:') ? config.hsts : 'off',
    apiRoot: `${site.apiRoot}/`,
    answerTimeout: config.timeouts.request,
    untrustedBody: config.limits.untrustedBody,
    bodyBudget: budget,
    responseMemory: config.limits.responseMemory,
    ...(config.trustProxy === false ? {} : { trustProxy: config.trustProxy as number | string[] }),
  };
}
