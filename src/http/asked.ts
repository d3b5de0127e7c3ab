// What a caller asks of a route, taken off the request once: the same shape serves requests from outside and those inside a batch.
import { ANONYMOUS, type Actor } from '../model/actor.js';
import type { Parameters } from './parse-query.js';
import type { ApiRequest } from './request-context.js';
import { contextOf } from './request-context.js';

/** A request without its transport. */
export interface Asked {
  /** Path segments by the name of their parameter. */
  readonly segments: Readonly<Record<string, string>>;
  readonly query: Parameters;
  /** Parsed fields of the body, when there was one. */
  readonly body: Record<string, unknown> | undefined;
  readonly headers: Record<string, string | undefined>;
  readonly actor: Actor;
}

/** A request that Express has routed. */
export type RoutedRequest = ApiRequest & { params?: Record<string, string> };

const NO_SEGMENTS = Object.freeze({});

/** Takes a routed request apart. */
export function askedOf(request: RoutedRequest): Asked {
  const context = contextOf(request);
  return {
    segments: request.params ?? NO_SEGMENTS,
    query: context.query,
    body: context.body,
    headers: request.headers as Record<string, string | undefined>,
    actor: context.actor ?? ANONYMOUS,
  };
}

/** Everything that was sent, body fields over query fields (decisions 2.2, 2.3); without a prototype. */
export function sentFields(query: Parameters, body: Record<string, unknown> | undefined): Record<string, unknown> {
  return body === undefined ? query : Object.assign(Object.create(null), query, body);
}
