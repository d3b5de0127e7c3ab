// Method override inside a POST, for clients that cannot send other methods. A step before routing.
import type { ApiRequest } from './request-context.js';
import { contextOf } from './request-context.js';

// Not HEAD: the client of a POST would wait for the body that Content-Length announces.
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Takes the method from `_method` in the query, else from X-HTTP-Method-Override; unknown ones are ignored. */
export function overrideMethod(request: ApiRequest): void {
  if (request.method !== 'POST') return;
  const context = contextOf(request);
  const header = request.headers['x-http-method-override'];
  const wanted = context.query['_method'] ?? header;
  if (header !== undefined) context.overridden = true;
  if (typeof wanted !== 'string') return;
  const method = wanted.trim().toUpperCase();
  if (!METHODS.has(method)) return;
  context.overridden = true;
  context.method = method;
  request.method = method;
}
