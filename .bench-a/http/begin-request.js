// The first step of every request: its outer bounds, then its context with the parsed query.
import { limits } from './limits.js';
import { parseQuery } from './parse-query.js';
import { badRequest, headersTooLarge, uriTooLong } from './refusals.js';
import { contextOf } from './request-context.js';
/** Checks the request line and headers, parses the query; throws the refusal. */
export function beginRequest(request) {
    const context = contextOf(request);
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    if (mark >= 0) {
        const query = url.slice(mark + 1);
        if (query.length > limits.queryBytes)
            throw uriTooLong(limits.queryBytes);
        boundHeaders(request);
        takeQuery(context, query);
    }
    else
        boundHeaders(request);
    return context;
}
function takeQuery(context, query) {
    context.queryString = query;
    context.query = parseQuery(query);
    context.pretty = '_pretty' in context.query;
    context.envelope = '_envelope' in context.query;
}
function boundHeaders(request) {
    const raw = request.rawHeaders;
    let bytes = 0;
    for (const part of raw)
        bytes += part.length + 2;
    if (raw.length > 2 * limits.headerCount || bytes > limits.headerBytes) {
        throw headersTooLarge(limits.headerBytes, limits.headerCount);
    }
    if (request.headers.host === undefined && request.httpVersion !== '1.0') {
        throw badRequest('The Host header is missing.');
    }
}
