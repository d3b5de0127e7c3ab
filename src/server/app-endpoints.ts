// The endpoints of an application besides those of its resources: batches, agents, live updates, pages for browsers.
import type { Type } from '@nestjs/common';
import { startLine } from '../errors/command-line.js';
import { couldEver } from '../engine/rights/coarse-policy.js';
import type { ResourceService } from '../engine/resource.service.js';
import { BATCH_PATH, batchControllerAt, batchRoute } from '../http/batch/batch.controller.js';
import { bodyLimits } from '../http/resource/body-limits.js';
import { EVENTS_PATH, eventsControllerAt, eventsRoute } from '../http/live/events.controller.js';
import { LiveStreams } from '../http/live/live-streams.js';
import { Positions } from '../http/live/position.js';
import { mcpControllerAt, mcpRoute, MCP_PATH } from '../http/mcp/mcp.controller.js';
import { serverInfo } from '../http/mcp/mcp-server.js';
import { Pages } from '../http/browse/pages.js';
import { rightsController } from '../http/browse/rights.controller.js';
import type { ApiRequest } from '../http/request/request-context.js';
import type { BodyLimit } from '../http/request/read-body.js';
import type { Actor } from '../model/actor.js';
import { SAMPLE_RESOURCES } from '../transfer/load/sample-content.js';
import type { AppParts, LiveParts, RequestParts, SharedServices } from './app-parts.js';
import type { ResourceModel } from '../model/model.js';
import { patternOf, type ResourceRoute } from '../http/routes/resource-route.js';

const WRITES = ['create', 'update', 'delete'] as const;

/** Controllers and index entries of an application, except those of resources. */
export type Endpoints = Required<Pick<AppParts, 'controllers' | 'undocumented' | 'routes'>>;

/** Makes the endpoints that belong to no single resource. Also gives the transport the body limits and the pages. */
export function otherEndpoints(parts: AppParts, requests: RequestParts, services: SharedServices): Endpoints {
  const { config, site } = parts;
  const { transport } = requests;
  const bodyLimit = bodyLimitsOf(parts, requests);
  transport.bodyLimit = bodyLimit;
  const batches = batchController(parts, requests, services, bodyLimit);
  const mcpUrl = `${site.apiRoot}${MCP_PATH}`;
  const agents = config.mcp ? [mcpControllerAt(config.apiRoot, mcpUrl, services.tools, serverInfo(site))] : [];
  const endpoints: Endpoints = {
    controllers: [batches, ...(parts.controllers ?? [])],
    undocumented: [...agents, ...(parts.undocumented ?? [])],
    routes: { [BATCH_PATH]: batchRoute(`${site.apiRoot}${BATCH_PATH}`), ...parts.routes },
  };
  if (config.mcp) endpoints.routes[MCP_PATH] = mcpRoute(mcpUrl);
  if (parts.live) {
    endpoints.controllers.push(eventsController(parts, requests.service, parts.live));
    endpoints.routes[EVENTS_PATH] = eventsRoute(`${site.apiRoot}${EVENTS_PATH}`);
  }
  if (config.pages) {
    const shown = requests.routes.filter(({ model }) => !model.view);
    const views = requests.routes.filter(({ model }) => model.view);
    const others = [...Object.keys(endpoints.routes), ...views.map((route) => patternOf(route, 'collection'))];
    const pages = pagesOf(parts, shown, others);
    transport.page = (request) => pages.responseTo(request);
    endpoints.undocumented.push(rightsController(config.apiRoot, shown, site, parts.refused));
  }
  return endpoints;
}

/** The limits of request bodies by path. */
function bodyLimitsOf({ models, config, bodies, modules = [] }: AppParts, { bound, routes }: RequestParts) {
  const mayWriteAnything: BodyLimit['mayWrite'] = (actor) =>
    bound.some(({ route: { model } }) => couldWrite(model, actor));
  const batchBody: BodyLimit = {
    limit: config.limits.contentBody,
    uploads: false,
    mayWrite: (actor) => [...models.byName.values()].some((model) => model.batch && couldWrite(model, actor)),
  };
  return bodyLimits(routes, {
    ...config.limits,
    raw: modules.length > 0,
    extra: {
      [`${config.apiRoot}${BATCH_PATH}`]: batchBody,
      ...(config.mcp ? { [`${config.apiRoot}${MCP_PATH}`]: { ...batchBody, mayWrite: mayWriteAnything } } : {}),
      ...bodies,
    },
  });
}

function couldWrite(model: ResourceModel, actor: Actor): boolean {
  return WRITES.some((kind) => model.operations.has(kind) && couldEver(model, kind, actor));
}

function batchController(
  { config, store, site, log, counter }: AppParts,
  { bound, service, operations, allowance }: RequestParts,
  { linkTargets, embedding, nested, outputs }: SharedServices,
  bodyLimit: ReturnType<typeof bodyLimits>,
): Type {
  return batchControllerAt({
    root: config.apiRoot,
    bound,
    linkTargets,
    service,
    operations,
    allowance,
    embedding,
    nested,
    outputs,
    store,
    site,
    log,
    limitFor: (request) => bodyLimit(request as ApiRequest),
    untrustedBody: config.limits.untrustedBody,
    admit: async (actor, isWrite) => (counter?.counts(isWrite) ? counter.admit(actor, isWrite) : undefined),
  });
}

function eventsController(
  { models, store, site, log, actors, config }: AppParts,
  service: ResourceService,
  live: LiveParts,
): Type {
  const positions = new Positions(live.key);
  const reads = { models, store, site, service };
  const streams = new LiveStreams({ log: live.log, reads, positions, logger: log, most: live.most });
  live.onStreams(streams);
  const identify = (request: ApiRequest) => actors.actorOf(request);
  const url = `${site.apiRoot}${EVENTS_PATH}`;
  return eventsControllerAt(config.apiRoot, url, { streams, positions, models, identify });
}

/** The pages for browsers; `patterns`: paths of saved queries, and of the endpoints that belong to no resource. */
function pagesOf({ site, config }: AppParts, routes: ResourceRoute[], patterns: string[]): Pages {
  const { publicUrl, apiRoot: root } = config;
  const sample = { resources: SAMPLE_RESOURCES, command: startLine('--sample') };
  return new Pages({ site, publicUrl, root, routes, patterns, sample });
}
