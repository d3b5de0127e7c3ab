// What an application is built from (build-app.ts): the parts that are made before Nest.
import type { NestApplicationOptions, Provider, Type } from '@nestjs/common';
import type { ResourceService } from '../engine/resource.service.js';
import type { ActorSource, RequestCounter } from '../http/transport/authenticate.middleware.js';
import type { AllowHeader } from '../http/resource/allow-header.js';
import type { ResponseCache } from '../http/resource/response-cache.js';
import type { ApiAdapter } from '../http/transport/api-adapter.js';
import type { BoundController } from '../http/resource/bind-controllers.js';
import type { LinkTargets } from '../http/resource/link-targets.js';
import type { Embedding } from '../http/resource/embedding.js';
import type { ReadinessProbe } from '../http/endpoints/health.controller.js';
import type { InProcess } from '../http/batch/in-process.js';
import type { LiveStreams, LiveLog } from '../http/live/live-streams.js';
import type { ToolCalls } from '../http/mcp/tool-calls.js';
import type { RefusedFiles } from '../http/browse/rights.controller.js';
import type { RequestCounts } from '../http/metrics/request-counts.js';
import type { Log } from '../http/request/logger.js';
import type { NestedCreation } from '../http/resource/nested-create.js';
import type { OperationFactory } from '../http/resource/operation.factory.js';
import type { RouteDocument } from '../http/resource/options-document.js';
import type { BodyLimit } from '../http/request/read-body.js';
import type { RequestTrace, TransportOptions } from '../http/transport/transport-options.js';
import type { ResourceRoute } from '../http/routes/resource-route.js';
import type { ModelSet } from '../model/model.js';
import type { Site } from '../model/site/site.js';
import type { Store } from '../model/store.js';
import type { ExtensionSet } from './extensions/collect.js';
import type { Config } from '../config/settings.js';
import type { Outputs } from '../http/memory/output-admission.js';

/** The settings that an application uses. */
export type AppConfig = Pick<
  Config,
  'publicUrl' | 'apiRoot' | 'apiNamespace' | 'corsOrigins' | 'hsts' | 'trustProxy' | 'limits'
> & {
  /** Absent: no pages. */
  pages?: boolean;
  /** Absent: responses are compressed. */
  compression?: boolean;
  /** Absent: responses are cached. */
  responseCache?: boolean;
  /** Absent: agents get no tools over HTTP. */
  mcp?: boolean;
  timeouts: Pick<Config['timeouts'], 'request'>;
};

/** The parts of an application that are made before Nest. */
export interface AppParts {
  models: ModelSet;
  config: AppConfig;
  site: Site;
  store: Store;
  /** Whether the database is still open; absent: it always is. */
  isOpen?: () => boolean;
  log: Log;
  actors: ActorSource;
  /** Runs before each request: takes over changes of other processes. */
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
  /** The cache of responses, when other code reads from it. */
  responseCache?: ResponseCache | undefined;
  /** Counts the requests; absent: they are not counted. */
  counts?: RequestCounts | undefined;
  /** Traces the requests; absent: they are not traced. */
  trace?: RequestTrace | undefined;
  /** Index entries of the controllers by pattern, and their body rules by path. */
  routes?: Record<string, RouteDocument>;
  bodies?: Record<string, BodyLimit>;
  nest?: NestApplicationOptions;
}

/** What live updates depend on. */
export interface LiveParts {
  log: LiveLog;
  /** Key that seals the positions that clients receive. */
  key: Buffer;
  most: number;
  /** Receives the streams. */
  onStreams(streams: LiveStreams): void;
}

/** The components that process requests for resources. */
export interface RequestParts {
  service: ResourceService;
  operations: OperationFactory;
  allowance: AllowHeader;
  transport: TransportOptions;
  adapter: ApiAdapter;
  bound: BoundController[];
  routes: ResourceRoute[];
}

/** What controllers share with each other and with code of extensions. */
export interface SharedServices {
  linkTargets: LinkTargets;
  embedding: Embedding;
  outputs: Outputs;
  nested: NestedCreation;
  inProcess: InProcess;
  tools: ToolCalls;
}
