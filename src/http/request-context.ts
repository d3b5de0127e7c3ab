// What the transport knows about one request, hung on it by the first middleware and read by everything after it.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Actor } from '../model/actor.js';
import type { BodyKind } from './media-type.js';
import type { Parameters } from './parse-query.js';

/** Data of one request. The fields a step fills later start at their neutral value, so that all contexts have one shape. */
export class RequestContext {
  readonly startedAt = performance.now();
  /** The method after an override. */
  method: string;
  overridden = false;
  query: Parameters = NO_PARAMETERS;
  /** The query string as sent, without `?`. */
  queryString = '';
  origin: string | undefined;
  mediaType = '';
  bodyKind: BodyKind = 'none';
  /** The parsed body of `json` and `form` kinds, without a prototype. */
  body: Record<string, unknown> | undefined;
  /** Set by authentication. */
  actor: Actor | undefined;
  /** The answer depends on a secret of the caller although he is anonymous (a post password): not to be cached. */
  confidential = false;
  /** The same request gives another answer next time, although nothing was written: chance decided the order. */
  volatile = false;
  pretty = false;
  envelope = false;
  /** The client waits for `100 Continue` before it sends the body. */
  awaitsContinue = false;
  /** The connection has had its share of requests: it closes after this answer. */
  last = false;
  /** When the whole request was first seen to be here; kept by the deadline. */
  waitingSince = 0;

  constructor(
    readonly id: string,
    method: string,
  ) {
    this.method = method;
  }

  /** Whether the caller has proved who he is. */
  get known(): boolean {
    return this.actor !== undefined && this.actor.id > 0;
  }
}

/** A request that passed the transport. */
export type ApiRequest = IncomingMessage & {
  context?: RequestContext;
  originalUrl?: string;
  route?: { path?: unknown };
};

const NO_PARAMETERS: Parameters = Object.freeze(Object.create(null));
const SANE_ID = /^[\w.:-]{1,64}$/;
const PREFIX = randomBytes(6).toString('hex');
let counter = 0;

/** An id nobody else in this process has, and hardly anybody elsewhere. */
export function newRequestId(): string {
  counter = (counter + 1) % Number.MAX_SAFE_INTEGER;
  return `${PREFIX}-${counter.toString(36)}`;
}

/** The context of a request; made on first use, so that a request refused early has one too. */
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
