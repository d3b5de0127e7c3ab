// The first step of every request: checks the limits of request line and headers, then creates the context with the
// parsed query.
import { limits } from '../limits.js';
import { parseQuery } from './parse-query.js';
import { badRequest, headersTooLarge, pathTooLong, uriTooLong } from '../http-errors.js';
import type { ApiRequest, RequestContext } from './request-context.js';
import { contextOf } from './request-context.js';

/** Checks the request line and headers and parses the query; throws a ResourceError. */
export function beginRequest(request: ApiRequest): RequestContext {
  const context = contextOf(request);
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  if ((mark < 0 ? url.length : mark) > limits.pathBytes) throw pathTooLong(limits.pathBytes);
  if (mark >= 0) {
    const query = url.slice(mark + 1);
    if (query.length > limits.queryBytes) throw uriTooLong(limits.queryBytes);
    boundHeaders(request);
    takeQuery(context, query);
  } else boundHeaders(request);
  return context;
}

function takeQuery(context: RequestContext, query: string): void {
  context.query = parseQuery(query, (names) => {
    context.dropped = [...context.dropped, ...names];
  });
  context.pretty = '_pretty' in context.query;
  context.envelope = '_envelope' in context.query;
}

function boundHeaders(request: ApiRequest): void {
  const raw = request.rawHeaders;
  let bytes = 0;
  let hosts = 0;
  for (let at = 0; at < raw.length; at++) {
    const part = raw[at]!;
    bytes += part.length + 2;
    if (part.length === 4 && at % 2 === 0 && part.toLowerCase() === 'host') hosts++;
  }
  if (raw.length > 2 * limits.headerCount || bytes > limits.headerBytes) {
    throw headersTooLarge(limits.headerBytes, limits.headerCount);
  }
  if (request.headers.host === undefined && request.httpVersion !== '1.0') {
    throw badRequest('The Host header is missing.');
  }
  if (hosts > 1) throw badRequest('There is more than one Host header.');
}
