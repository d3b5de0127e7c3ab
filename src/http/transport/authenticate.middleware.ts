// Authentication: a step of the transport before bodies are read, so that wrong credentials fail any request.
import type { ServerResponse } from 'node:http';
import { ANONYMOUS, type Actor } from '../../model/actor.js';
import type { ApiRequest } from '../request/request-context.js';
import { contextOf } from '../request/request-context.js';

/** Finds the caller of a request; rejects with a ResourceError when the credentials are wrong. */
export interface ActorSource {
  actorOf(request: ApiRequest): Promise<Actor> | Actor;
  /** IP address of the client. */
  clientAddressOf(request: ApiRequest): string;
}

/** Counts requests per caller; rejects with 429, otherwise returns the rate limit headers. */
export interface RequestCounter {
  /** Whether requests of this kind are counted at all. */
  counts(isWrite: boolean): boolean;
  admit(actor: Actor, isWrite: boolean): Promise<Record<string, string> | undefined>;
}

/** Open paths without authentication: they must respond to probes even when the database is down. */
const OPEN_PATHS = /^\/(?:livez|readyz|metrics|docs|docs-json|uploads)(?:[/?]|$)/;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A step that sets the caller of a request, or passes an error on. */
export type Identify = (request: ApiRequest, response: ServerResponse, next: Next) => void;

/**
 * Sets the actor of each request and counts it. Pass it to configureTransport(). The token endpoints below `tokens`
 * are counted by IP address alone, because clients that renew an expired token still send it. `before` runs first; what it
 * returns is waited for.
 */
export function authenticate(
  source: ActorSource,
  counter: RequestCounter | undefined,
  tokens: string,
  before?: () => Promise<void> | undefined,
): Identify {
  return function actor(request: ApiRequest, response: ServerResponse, next: Next): void {
    const url = request.url ?? '';
    if (OPEN_PATHS.test(url)) return next();
    const waiting = before?.();
    if (waiting) void waiting.then(() => identify(request, response, next), next);
    else identify(request, response, next);
  };

  function identify(request: ApiRequest, response: ServerResponse, next: Next): void {
    const url = request.url ?? '';
    const count = (caller: Actor, then: Next) => {
      const isWrite = !READS.has(request.method ?? 'GET');
      if (!counter?.counts(isWrite)) return then();
      void counter.admit(caller, isWrite).then((headers) => {
        for (const name in headers) response.setHeader(name, headers[name]!);
        then();
      }, next);
    };
    const anonymous = (): Actor => ({ ...ANONYMOUS, address: source.clientAddressOf(request) });
    if (url.startsWith(tokens)) return count(anonymous(), next);
    const proceed = (caller: Actor) => {
      const context = contextOf(request);
      context.actor = caller;
      if (caller.id > 0) context.identify = () => source.actorOf(request);
      count(caller, next);
    };
    // A caller with wrong credentials counts as anonymous.
    const rejectAsAnonymous = (error: unknown) => count(anonymous(), () => next(error));
    let found: Promise<Actor> | Actor;
    try {
      found = source.actorOf(request);
    } catch (error) {
      return rejectAsAnonymous(error);
    }
    if (found instanceof Promise) found.then(proceed, rejectAsAnonymous);
    else proceed(found);
  }
}

type Next = (error?: unknown) => void;
