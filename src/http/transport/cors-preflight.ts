// Handles CORS preflights before routing; any other OPTIONS request continues to its handler.
import { HttpResponse } from '../response/response.js';
import type { ApiRequest } from '../request/request-context.js';

const MAX_AGE = 600;

/** The response to a preflight; undefined when the request is none. Its other headers are the defaults. */
export function preflightResponse(request: ApiRequest): HttpResponse | undefined {
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return undefined;
  return new HttpResponse(204, { 'Access-Control-Max-Age': MAX_AGE }, undefined);
}
