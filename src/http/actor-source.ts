// Who is asking: a step after the transport and before routing, so that wrong credentials fail any request (decisions 0.3).
import type { INestApplication } from '@nestjs/common';
import type { Actor } from '../model/actor.js';
import type { ApiRequest } from './request-context.js';
import { contextOf } from './request-context.js';

/** Finds the caller of a request; rejects with a ResourceError when his credentials are wrong. */
export interface ActorSource {
  actorOf(request: ApiRequest): Promise<Actor> | Actor;
}

/** Addresses that probes ask: they answer whoever asks, and when the database is away. */
const OPEN = /^\/(?:livez|readyz|metrics|docs|docs-json|uploads)(?:[/?]|$)/;

/** Sets the actor of each request. Call after configureTransport(). */
export function authenticate(app: INestApplication, source: ActorSource): void {
  app.use(function actor(request: ApiRequest, _response: unknown, next: (error?: unknown) => void): void {
    if (OPEN.test(request.url ?? '')) return next();
    let found: Promise<Actor> | Actor;
    try {
      found = source.actorOf(request);
    } catch (error) {
      return next(error);
    }
    if (found instanceof Promise) found.then((actor) => proceed(request, actor, next), next);
    else proceed(request, found, next);
  });
}

function proceed(request: ApiRequest, actor: Actor, next: () => void): void {
  contextOf(request).actor = actor;
  next();
}
