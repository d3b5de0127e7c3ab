// Assembles the Nest application from compiled models and an open store.
import 'reflect-metadata';
import type { Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CompiledReads } from '../engine/reads/compiled-reads.js';
import { ResourceService } from '../engine/resource.service.js';
import { authenticate } from '../http/transport/authenticate.middleware.js';
import { AllowHeader } from '../http/resource/allow-header.js';
import { ResponseCache } from '../http/resource/response-cache.js';
import { ApiAdapter } from '../http/transport/api-adapter.js';
import { bindControllers, type BoundController } from '../http/resource/bind-controllers.js';
import { BodyBudget, sharesOf } from '../http/memory/body-budget.js';
import { LinkTargets } from '../http/resource/link-targets.js';
import { Embedding } from '../http/resource/embedding.js';
import { READINESS } from '../http/endpoints/health.controller.js';
import { DirectReads } from '../http/reads/direct-reads.js';
import { RouteErrorFilter } from '../http/resource/route-error.filter.js';
import { InProcess } from '../http/batch/in-process.js';
import { OwnActions } from '../http/batch/custom-actions.js';
import { OWN_ACTIONS } from '../http/resource/resource.controller.js';
import { KnownRoutes } from '../http/routes/known-routes.js';
import { ToolCalls } from '../http/mcp/tool-calls.js';
import { limits } from '../http/limits.js';
import { forgetBodyClass } from '../http/validation/dto.factory.js';
import { NestedCreation } from '../http/resource/nested-create.js';
import { OpenApi } from '../http/openapi/openapi.js';
import { OperationFactory } from '../http/resource/operation.factory.js';
import { configureTransport } from '../http/transport/configure-transport.js';
import type { TransportOptions } from '../http/transport/transport-options.js';
import { UploadIntake } from '../http/resource/upload-intake.js';
import { systemActor } from '../model/actor.js';
import { shareBody } from './extensions/caller.js';
import { apiModule } from './app-module.js';
import { otherEndpoints } from './app-endpoints.js';
import type { AppConfig, AppParts, RequestParts, SharedServices } from './app-parts.js';
import { Outputs } from '../http/memory/output-admission.js';

/** Builds the application, ready for `listen()` or `init()`. */
export async function buildApp(parts: AppParts): Promise<NestExpressApplication> {
  const { config, site } = parts;
  const requests = requestParts(parts);
  const { bound, adapter, allowance } = requests;
  const services = sharedServices(parts, requests);
  const endpoints = otherEndpoints(parts, requests, services);
  const openApi = new OpenApi(bound, {
    site,
    publicUrl: config.publicUrl,
    hidden: endpoints.undocumented,
    countsReads: parts.counter?.counts(false) === true,
  });
  const providers = [...providersOf(parts, requests, services), { provide: OpenApi, useValue: openApi }];
  const module = apiModule({ ...parts, ...endpoints }, bound, openApi, [...providers, ...(parts.providers ?? [])]);
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
    ...parts.nest,
  });
  const reads = directReads(app, bound, adapter, allowance);
  configureTransport(app, authenticate(parts.actors, parts.counter, `${config.apiRoot}/auth/`, parts.follow), reads);
  if (parts.modules?.length) app.use(shareBody);
  openApi.app = app;
  return app;
}

/** Binds the resources to their routes, and gives the adapter the checks that precede routing. */
function requestParts(parts: AppParts): RequestParts {
  const { config, site, store } = parts;
  const service = parts.service ?? new ResourceService(store);
  const operations = new OperationFactory(site, store);
  const allowance = new AllowHeader(service, operations);
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
  const routes = bound.map(({ route }) => route);
  allowance.routes = new KnownRoutes(routes);
  transport.allowed = (request) => allowance.beforeRouting(request);
  transport.onClosed = () => {
    for (const { bodies } of bound) Object.values(bodies).forEach(forgetBodyClass);
  };
  return { service, operations, allowance, transport, adapter, bound, routes };
}

/** The services that controllers share with each other and with the code of extensions. */
function sharedServices(
  { store, site, config, log, isOpen = () => true }: AppParts,
  { service, operations, adapter, bound, routes }: RequestParts,
): SharedServices {
  const linkTargets = new LinkTargets(routes, site.base);
  const outputs = new Outputs(adapter.memory, config.limits.response);
  const nested = new NestedCreation({ bound, operations, store, site });
  return {
    linkTargets,
    embedding: new Embedding(service, operations, linkTargets, store),
    outputs,
    nested,
    inProcess: new InProcess({ bound, operations, service, nested, store, site, isOpen, everything: systemActor() }),
    tools: new ToolCalls({ bound, operations, service, nested, outputs, store, log }),
  };
}

function providersOf(
  { config, store, site, readiness, responseCache }: AppParts,
  { service, operations, allowance }: RequestParts,
  { outputs, embedding, nested, tools, inProcess }: SharedServices,
): Provider[] {
  return [
    { provide: ResourceService, useValue: service },
    { provide: OperationFactory, useValue: operations },
    { provide: AllowHeader, useValue: allowance },
    { provide: ResponseCache, useValue: responseCache ?? new ResponseCache(store, site, config.responseCache ?? true) },
    { provide: Outputs, useValue: outputs },
    { provide: CompiledReads, useValue: new CompiledReads(site) },
    { provide: Embedding, useValue: embedding },
    { provide: NestedCreation, useValue: nested },
    { provide: ToolCalls, useValue: tools },
    { provide: InProcess, useValue: inProcess },
    { provide: OWN_ACTIONS, useValue: new OwnActions({ store, site, service, inProcess }) },
    { provide: READINESS, useValue: readiness },
  ];
}

function directReads(
  app: NestExpressApplication,
  bound: readonly BoundController[],
  adapter: ApiAdapter,
  allowance: AllowHeader,
): DirectReads {
  const resources = bound.map(({ controller, route }) => ({
    route,
    controller: app.get(controller, { strict: false }),
    errors: new RouteErrorFilter(route, adapter, allowance),
  }));
  return new DirectReads(resources, (response, httpResponse) => adapter.reply(response, httpResponse));
}

function bodyBudget({ limits: { bodyMemory, contentBody, body, untrustedBody } }: AppConfig): BodyBudget {
  return new BodyBudget(sharesOf(bodyMemory, Math.max(contentBody, body), untrustedBody));
}

function transportOptions({ config, site, log, counts, trace }: AppParts, budget: BodyBudget): TransportOptions {
  return {
    log,
    cors: config.corsOrigins,
    // Only with https: browsers that have seen the header refuse plain http for a year.
    hsts: config.publicUrl.startsWith('https:') ? config.hsts : 'off',
    apiRoot: `${site.apiRoot}/`,
    responseTimeout: config.timeouts.request,
    untrustedBody: config.limits.untrustedBody,
    bodyBudget: budget,
    responseMemory: config.limits.responseMemory,
    compression: config.compression ?? true,
    counts,
    trace,
    ...(config.trustProxy === false ? {} : { trustProxy: config.trustProxy as number | string[] }),
  };
}
