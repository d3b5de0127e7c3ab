// Assembles the Nest application from compiled models and an open store.
import 'reflect-metadata';
import { Module, type DynamicModule, type NestApplicationOptions, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config/config.js';
import { startLine } from '../errors/command-line.js';
import { couldEver } from '../engine/rights/coarse-policy.js';
import { CompiledReads } from '../engine/reads/compiled-reads.js';
import { ResourceService } from '../engine/resource.service.js';
import { authenticate, type ActorSource, type RequestCounter } from '../http/transport/authenticate.middleware.js';
import { AllowedMethods } from '../http/resource/allowed-methods.js';
import { ResponseCache } from '../http/resource/response-cache.js';
import { ApiAdapter } from '../http/transport/api-adapter.js';
import { bindControllers, type BoundController } from '../http/resource/bind-controllers.js';
import { BATCH_PATH, batchControllerAt, batchRoute } from '../http/batch/batch.controller.js';
import { BodyBudget, sharesOf } from '../http/memory/body-budget.js';
import { bodyRules } from '../http/resource/body-rules.js';
import { Addresses } from '../http/resource/addresses.js';
import { Embedding } from '../http/resource/embedding.js';
import { docsController } from '../http/endpoints/docs.controller.js';
import { HealthController, READINESS, type ReadinessProbe } from '../http/endpoints/health.controller.js';
import { IndexDocument } from '../http/endpoints/index-document.js';
import { indexControllers } from '../http/endpoints/index.controller.js';
import { DirectReads } from '../http/reads/direct-reads.js';
import { RouteErrorFilter } from '../http/resource/route-error.filter.js';
import { InProcess } from '../http/batch/in-process.js';
import { EVENTS_PATH, eventsControllerAt, eventsRoute } from '../http/live/events.controller.js';
import { LiveStreams, type LiveLog } from '../http/live/live-streams.js';
import { Positions } from '../http/live/position.js';
import { OwnActions } from '../http/batch/own-actions.js';
import { OWN_ACTIONS } from '../http/resource/resource.controller.js';
import { KnownRoutes } from '../http/resource/known-routes.js';
import { mcpControllerAt, MCP_PATH } from '../http/mcp/mcp.controller.js';
import { serverInfo } from '../http/mcp/mcp-server.js';
import { ToolCalls } from '../http/mcp/tool-calls.js';
import { limits } from '../http/limits.js';
import { Pages } from '../http/browse/pages.js';
import { rightsController, type RefusedFiles } from '../http/browse/rights.controller.js';
import type { RequestCounts } from '../http/metrics/request-counts.js';
import type { Log } from '../http/request/logger.js';
import { Outputs } from '../http/memory/output.js';
import type { ApiRequest } from '../http/request/request-context.js';
import { forgetBodyClass } from '../http/resource/dto.factory.js';
import { NestedCreation } from '../http/resource/nested-create.js';
import { OpenApi } from '../http/openapi/openapi.js';
import { OperationFactory } from '../http/resource/operation.factory.js';
import type { RouteDocument } from '../http/resource/options-document.js';
import type { BodyRule } from '../http/request/read-body.js';
import { configureTransport } from '../http/transport/configure-transport.js';
import type { RequestTrace, TransportOptions } from '../http/transport/transport-options.js';
import { UploadIntake } from '../http/resource/upload-intake.js';
import { systemActor, type Actor } from '../model/actor.js';
import type { ModelSet } from '../model/model.js';
import type { Site } from '../model/site.js';
import type { Store } from '../model/store.js';
import type { ExtensionSet } from './extensions/collect.js';
import { shareBody } from './extensions/caller.js';
import { SiteContext } from './extensions/site-context.js';
import { extensionImports } from './extensions/site-module.js';
import { SAMPLE_RESOURCES } from '../transfer/load/sample-content.js';

/** The settings that are used here. */
export type AppConfig = Pick<
  Config,
  'publicUrl' | 'apiRoot' | 'apiNamespace' | 'corsOrigins' | 'hsts' | 'trustProxy' | 'limits'
> & {
  /** Absent: no pages. */
  pages?: boolean;
  /** Absent: agents get no tools over HTTP. */
  mcp?: boolean;
  timeouts: Pick<Config['timeouts'], 'request'>;
};

const WRITES = ['create', 'update', 'delete'] as const;

/** The parts of an application that are made before Nest. */
export interface AppParts {
  models: ModelSet;
  config: AppConfig;
  site: Site;
  store: Store;
  log: Log;
  actors: ActorSource;
  /** Runs before each request: follows what other processes changed. */
  follow?: () => Promise<void> | undefined;
  /** Rate limits per caller. */
  counter?: RequestCounter;
  readiness: ReadinessProbe;
  /** Why the schemas that were saved last are not served, for administrators. */
  refused?: RefusedFiles;
  /** Folder of incoming uploads before they are stored. */
  uploadDirectory: string;
  /** The service, when other code shares it (batch, embedding). */
  service?: ResourceService;
  /** Controllers that belong to no resource: tokens, batches, metrics. */
  controllers?: Type[];
  /** Controllers that the OpenAPI document does not describe. */
  undocumented?: Type[];
  providers?: Provider[];
  /** The log of events, where clients may follow them. */
  live?: LiveParts | undefined;
  /** Modules of extensions. */
  modules?: ExtensionSet['modules'];
  /** The cache of responses, when other code looks at it. */
  responseCache?: ResponseCache | undefined;
  /** Counts the requests; absent: nobody asks. */
  counts?: RequestCounts | undefined;
  /** Follows the requests; absent: nobody does. */
  trace?: RequestTrace | undefined;
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
  const mayWriteAnything: BodyRule['mayWrite'] = (actor) =>
    bound.some(({ route: { model } }) =>
      WRITES.some((kind) => model.operations.has(kind) && couldEver(model, kind, actor)),
    );
  const batchBody: BodyRule = {
    limit: config.limits.contentBody,
    uploads: false,
    mayWrite: (actor) =>
      [...parts.models.byName.values()].some(
        (model) => model.batch && WRITES.some((kind) => model.operations.has(kind) && couldEver(model, kind, actor)),
      ),
  };
  const routes = bound.map(({ route }) => route);
  allowance.routes = new KnownRoutes(routes);
  transport.allowed = (request) => allowance.beforeRouting(request);
  transport.onClosed = () => {
    for (const { bodies } of bound) Object.values(bodies).forEach(forgetBodyClass);
  };
  const bodyRule = bodyRules(routes, {
    ...config.limits,
    extra: {
      [`${config.apiRoot}${BATCH_PATH}`]: batchBody,
      ...(config.mcp ? { [`${config.apiRoot}${MCP_PATH}`]: { ...batchBody, mayWrite: mayWriteAnything } } : {}),
      ...parts.bodies,
    },
  });
  transport.bodyRule = bodyRule;
  const addresses = new Addresses(routes, site.base);
  const embedding = new Embedding(service, operations, addresses, store);
  const outputs = new Outputs(adapter.memory, config.limits.response);
  const admit = async (actor: Actor, isWrite: boolean) =>
    parts.counter?.counts(isWrite) ? parts.counter.admit(actor, isWrite) : undefined;
  const batches = batchControllerAt(config.apiRoot, {
    bound,
    addresses,
    service,
    operations,
    allowance,
    embedding,
    outputs,
    store,
    site,
    log: parts.log,
    ruleFor: (request) => bodyRule(request as ApiRequest),
    untrustedBody: config.limits.untrustedBody,
    admit,
  });
  const inProcess = new InProcess({ bound, operations, service, store, everything: systemActor() });
  const nested = new NestedCreation({ bound, operations, store, site });
  const tools = new ToolCalls({ bound, operations, service, nested, outputs, store, log: parts.log });
  const agents = config.mcp ? [mcpControllerAt(config.apiRoot, tools, serverInfo(site))] : [];
  const undocumented = [...agents, ...(parts.undocumented ?? [])];
  const openApi = new OpenApi(bound, { site, publicUrl: config.publicUrl, hidden: undocumented });
  const whole: AppParts = {
    ...parts,
    controllers: [batches, ...(parts.controllers ?? [])],
    undocumented,
    routes: { [BATCH_PATH]: batchRoute(`${site.apiRoot}${BATCH_PATH}`), ...parts.routes },
  };
  const live = parts.live && liveEvents(whole, service, parts.live);
  if (live) {
    whole.controllers = [...(whole.controllers ?? []), live.controller];
    whole.routes = { ...whole.routes, [EVENTS_PATH]: eventsRoute(`${site.apiRoot}${EVENTS_PATH}`) };
  }
  if (config.pages) {
    const patterns = Object.keys(whole.routes ?? {});
    const { publicUrl, apiRoot: root } = config;
    const sample = { resources: SAMPLE_RESOURCES, command: startLine('--sample') };
    const shown = routes.filter(({ model }) => !model.view);
    const pages = new Pages({ site, publicUrl, root, routes: shown, patterns, sample });
    transport.page = (request) => pages.answer(request);
    undocumented.push(rightsController(root, shown, site, parts.refused));
  }
  const module = apiModule(whole, bound, openApi, [
    { provide: ResourceService, useValue: service },
    { provide: OperationFactory, useValue: operations },
    { provide: AllowedMethods, useValue: allowance },
    { provide: ResponseCache, useValue: parts.responseCache ?? new ResponseCache(store, site) },
    { provide: Outputs, useValue: outputs },
    { provide: CompiledReads, useValue: new CompiledReads(site) },
    { provide: Embedding, useValue: embedding },
    { provide: NestedCreation, useValue: nested },
    { provide: ToolCalls, useValue: tools },
    { provide: InProcess, useValue: inProcess },
    { provide: OWN_ACTIONS, useValue: new OwnActions({ store, site, service, inProcess }) },
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
  const reads = directReads(app, bound, adapter, allowance);
  configureTransport(app, authenticate(parts.actors, parts.counter, `${config.apiRoot}/auth/`, parts.follow), reads);
  if (parts.modules?.length) app.use(shareBody);
  openApi.app = app;
  return app;
}

/** What live updates are made with. */
export interface LiveParts {
  log: LiveLog;
  /** Key of the positions that clients are given. */
  key: Buffer;
  most: number;
  /** Is given the streams. */
  onStreams(streams: LiveStreams): void;
}

function liveEvents({ models, store, site, log, actors, config }: AppParts, service: ResourceService, live: LiveParts) {
  const positions = new Positions(live.key);
  const sight = { models, store, site, service };
  const streams = new LiveStreams({ log: live.log, sight, positions, logger: log, most: live.most });
  live.onStreams(streams);
  const url = `${site.apiRoot}${EVENTS_PATH}`;
  const identify = (request: ApiRequest) => actors.actorOf(request);
  return { controller: eventsControllerAt(config.apiRoot, url, { streams, positions, models, identify }) };
}

function directReads(
  app: NestExpressApplication,
  bound: readonly BoundController[],
  adapter: ApiAdapter,
  allowance: AllowedMethods,
): DirectReads {
  const resources = bound.map(({ controller, route }) => ({
    route,
    controller: app.get(controller, { strict: false }),
    errors: new RouteErrorFilter(route, adapter, allowance),
  }));
  return new DirectReads(resources, (response, answer) => adapter.reply(response, answer));
}

/** What modules of extensions may inject. */
const OFFERED = [DataSource, ResourceService, SiteContext];

/** Holds the controllers of one application; Nest requires a class for it. */
@Module({})
class ApiModule {}

function apiModule(parts: AppParts, bound: BoundController[], openApi: OpenApi, providers: Provider[]): DynamicModule {
  const { config, site } = parts;
  const docsUrl = `${config.publicUrl}/docs`;
  const index = new IndexDocument({ site, publicUrl: config.publicUrl, bound, extra: parts.routes ?? {} });
  const offered = providers.filter(
    (provider) => 'provide' in provider && OFFERED.some((token) => token === provider.provide),
  );
  return {
    module: ApiModule,
    imports: extensionImports(parts.modules ?? [], offered) ?? [],
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
      ...(parts.undocumented ?? []),
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

function transportOptions({ config, site, log, counts, trace }: AppParts, budget: BodyBudget): TransportOptions {
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
    counts,
    trace,
    ...(config.trustProxy === false ? {} : { trustProxy: config.trustProxy as number | string[] }),
  };
}
