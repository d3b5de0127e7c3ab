// The input of a resource request without its transport: the same shape serves HTTP requests and those inside a batch.
import { ANONYMOUS, type Actor } from '../../model/actor.js';
import type { Requester } from '../../model/store.js';
import type { Parameters } from '../request/parse-query.js';
import type { ApiRequest } from '../request/request-context.js';
import { contextOf } from '../request/request-context.js';

/** A request without its transport. */
export interface RequestInput {
  /** Path segments by the name of their parameter. */
  readonly segments: Readonly<Record<string, string>>;
  readonly query: Parameters;
  /** Parsed fields of the body, when there was one. */
  readonly body: Record<string, unknown> | undefined;
  readonly headers: Record<string, string | undefined>;
  /** Reserved names that have been removed from the query and the body. */
  readonly dropped?: readonly string[];
  readonly actor: Actor;
  /** The caller of its reads; absent for code of the same process. */
  readonly requester?: Requester | undefined;
}

/** A request that Express has routed. */
export type RoutedRequest = ApiRequest & { params?: Record<string, string> };

const NO_SEGMENTS = Object.freeze({});

/** Extracts the input of a routed request. */
export function requestInput(request: RoutedRequest): RequestInput {
  const context = contextOf(request);
  return {
    segments: request.params ?? NO_SEGMENTS,
    query: context.query,
    body: context.body,
    headers: request.headers as Record<string, string | undefined>,
    dropped: context.dropped,
    actor: context.actor ?? ANONYMOUS,
    requester: context,
  };
}

/** All sent fields, body over query; without a prototype. */
export function sentFields(query: Parameters, body: Record<string, unknown> | undefined): Record<string, unknown> {
  return body === undefined ? query : Object.assign(Object.create(null), query, body);
}
