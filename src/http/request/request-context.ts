// Per-request data of the transport, attached to the request by the first step and read by all later ones.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clientOf } from '../../auth/rate-limit/client-address.js';
import { ANONYMOUS, type Actor } from '../../model/actor.js';
import type { Requester } from '../../model/store.js';
import type { BodyBounds } from './body-bounds.js';
import type { BodyHold } from '../memory/body-budget.js';
import type { BodyKind } from './media-type.js';
import type { Output } from '../memory/output-budget.js';
import type { Parameters } from './parse-query.js';

/**
 * Data of one request. Fields that later steps fill start with a neutral value, so that all contexts share one hidden
 * class.
 */
export class RequestContext implements Requester {
  readonly startedAt = performance.now();
  /** The method after an override. */
  method: string;
  overridden = false;
  query: Parameters = NO_PARAMETERS;
  origin: string | undefined;
  mediaType = '';
  bodyKind: BodyKind = 'none';
  /** The parsed body of `json` and `form` kinds, without a prototype. */
  body: Record<string, unknown> | undefined;
  /** Its bytes, where the route keeps them. */
  rawBody: Buffer | undefined;
  /** Reserved names that have been removed from the query and the body. */
  dropped: readonly string[] = NONE_DROPPED;
  /** Limits of the body, for steps that read it later. */
  bounds: BodyBounds | undefined;
  /** Memory held by the body; released with the response. */
  hold: BodyHold | undefined;
  /** Set by authentication. */
  actor: Actor | undefined;
  /** Set by authentication for a caller with an account: finds out who that is now. */
  identify: (() => Promise<Actor> | Actor) | undefined;
  /** The response depends on a secret although the caller is anonymous (a post password): not cacheable. */
  confidential = false;
  /** The response is random (a random order) although the data has not changed: not cacheable. */
  volatile = false;
  /** The URL has other representations too, such as a page for browsers: the response depends on `Accept`. */
  negotiated = false;
  /** The route is that of an action, which takes POST alone. */
  isAction = false;
  pretty = false;
  envelope = false;
  /** The client waits for `100 Continue` before it sends the body. */
  awaitsContinue = false;
  /** The connection has reached its limit of requests: it closes after this response. */
  last = false;
  /** Memory held by the response, if any. */
  output: Output | undefined;
  /** The steps before routing are done; with an error, if one of them failed. */
  prepared: { error?: unknown } | undefined;
  /** The response has closed. */
  closed = false;
  /** What handled the request instead of a route: `browser`, `preflight`; '' where a route did. */
  handledBy = '';
  /** When the complete request was first seen; set by the deadline timer. */
  waitingSince = 0;

  constructor(
    readonly id: string,
    method: string,
  ) {
    this.method = method;
  }

  /** Whether the caller is authenticated. */
  get known(): boolean {
    return this.actor !== undefined && this.actor.id > 0;
  }

  /** Account or network of the caller, for shares of what all callers use. */
  get client(): string {
    return clientOf(this.actor ?? ANONYMOUS);
  }

  /** The client has left, and nothing is to be done for it any more: a write is completed. */
  get hasLeft(): boolean {
    return this.closed && (this.method === 'GET' || this.method === 'HEAD');
  }
}

/** A request that passed the transport. */
export type ApiRequest = IncomingMessage & {
  context?: RequestContext;
  originalUrl?: string;
  route?: { path?: unknown };
};

const NO_PARAMETERS: Parameters = Object.freeze(Object.create(null));
const NONE_DROPPED: readonly string[] = Object.freeze([]);
const SANE_ID = /^[\w.:-]{1,64}$/;
const PREFIX = randomBytes(6).toString('hex');
let counter = 0;

/** A unique id for logs and error responses. */
export function newRequestId(): string {
  counter = (counter + 1) % Number.MAX_SAFE_INTEGER;
  return `${PREFIX}-${counter.toString(36)}`;
}

/** The context of a request; created on first use, so that a request rejected early has one too. */
export function contextOf(request: ApiRequest): RequestContext {
  return (request.context ??= beginContext(request));
}

function beginContext(request: ApiRequest): RequestContext {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && SANE_ID.test(given) ? given : newRequestId();
  const context = new RequestContext(id, request.method ?? 'GET');
  context.origin = request.headers.origin;
  return context;
}
