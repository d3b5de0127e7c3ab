// Who is asking: a step after the transport and before routing, so that wrong credentials fail any request (decisions 0.3).
import type { ServerResponse } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { Actor } from '../model/actor.js';
import type { ApiRequest } from './request-context.js';
import { contextOf } from './request-context.js';

/** Finds the caller of a request; rejects with a ResourceError when his credentials are wrong. */
export interface ActorSource {
  actorOf(request: ApiRequest): Promise<Actor> | Actor;
}

/** Counts the requests of callers; rejects with 429, else gives the headers that tell how many are left. */
export interface RequestCounter {
  /** Whether a request of this kind is counted at all. */
  counts(isWrite: boolean): boolean;
  admit(actor: Actor, isWrite: boolean): Promise<Record<string, string> | undefined>;
}

/** Addresses that probes ask: they answer whoever asks, and when the database is away. */
const OPEN = /^\/(?:livez|readyz|metrics|docs|docs-json|uploads)(?:[/?]|$)/;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Sets the actor of each request and counts it. Call after configureTransport().
 * The token endpoints below `tokens` are left alone: who renews an expired token still sends it along.
 */
export function authenticate(
  app: INestApplication,
  source: ActorSource,
  counter: RequestCounter | undefined,
  tokens: string,
): void {
  app.use(function actor(request: ApiRequest, response: ServerResponse, next: (error?: unknown) => void): void {
    const url = request.url ?? '';
    if (OPEN.test(url) || url.startsWith(tokens)) return next();
    let found: Promise<Actor> | Actor;
    try {
      found = source.actorOf(request);
    } catch (error) {
      return next(error);
    }
    const proceed = (caller: Actor) => {
      contextOf(request).actor = caller;
      const isWrite = !READS.has(request.method ?? 'GET');
      if (!counter?.counts(isWrite)) return next();
      void counter.admit(caller, isWrite).then((headers) => {
        for (const name in headers) response.setHeader(name, headers[name]!);
        next();
      }, next);
    };
    if (found instanceof Promise) found.then(proceed, next);
    else proceed(found);
  });
}
