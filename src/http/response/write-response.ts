// Writes an HttpResponse: one flat list of headers, and the body at once or, if large, in chunks.
import type { ServerResponse } from 'node:http';
import type { HttpResponse } from './response.js';
import { LargeBody } from './large-body.js';
import { drainBody, isIncomplete } from '../request/drain-body.js';
import { limits } from '../limits.js';
import type { ApiRequest } from '../request/request-context.js';
import { contextOf, type RequestContext } from '../request/request-context.js';
import { sendChunks } from './send-chunks.js';
import { sendPieces, StreamedResponse } from './streamed-body.js';
import type { DefaultHeaders } from './response-headers.js';

/** A response whose headers may already be complete when writeHead() is called. */
export type ApiResponse = ServerResponse<ApiRequest> & { complete?: boolean };

/**
 * Sends a response; does nothing when one was sent already or the client has disconnected. `closing` closes the
 * connection after it.
 */
export function sendResponse(
  response: ApiResponse,
  httpResponse: HttpResponse,
  defaults: DefaultHeaders,
  closing: boolean,
): void {
  if (response.headersSent || response.destroyed || response.writableEnded) return;
  const request = response.req;
  const status = isUnchanged(request, httpResponse) ? 304 : httpResponse.status;
  const context = contextOf(request);
  const streamed = httpResponse instanceof StreamedResponse ? httpResponse : undefined;
  const body = status === 304 || status === 204 ? undefined : (httpResponse.body ?? '');
  const flat = defaults.assemble(context, httpResponse.headers, status, body !== undefined && body !== '');
  const caching = cachingOf(request, context, httpResponse);
  if (caching !== undefined) flat.push('Cache-Control', caching);
  if (body !== undefined && !streamed)
    flat.push('Content-Length', typeof body === 'string' ? Buffer.byteLength(body) : body.bytes);
  const incomplete = isIncomplete(request);
  if ((closing || incomplete) && httpResponse.headers['Connection'] === undefined) flat.push('Connection', 'close');
  response.complete = true;
  response.writeHead(status, flat as string[]);
  const sent = request.method === 'HEAD' ? undefined : body;
  if (streamed && sent === undefined) streamed.cancel();
  if (streamed && sent !== undefined) void sendPieces(response, streamed);
  else if (sent instanceof LargeBody) sendChunks(response, sent.chunks, context.output);
  else if (incomplete) endAfterDraining(response, sent);
  else if (sent) response.end(sent, 'utf8');
  else response.end();
}

// Node closes the connection at end(): with unread bytes that is a reset, and the client may lose the response.
function endAfterDraining(response: ApiResponse, body: string | undefined): void {
  if (body) response.write(body, 'utf8');
  else response.flushHeaders();
  const awaited = contextOf(response.req).awaitsContinue ? 0 : limits.drainTimeout;
  void drainBody(response.req, limits.drainBytes, awaited).then(() => response.end());
}

/** Browsers revalidate each time, with their ETag; shared caches may use it for a few seconds. */
const SHARED = 'public, max-age=0, s-maxage=5';

// Shared: only what every anonymous caller gets at the URL. The default headers take care of secrets.
function cachingOf(
  { method }: ApiRequest,
  { known, confidential, volatile }: RequestContext,
  { status, headers }: HttpResponse,
): string | undefined {
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD')) return undefined;
  if (known || confidential || headers['Cache-Control'] !== undefined) return undefined;
  return volatile ? 'no-store' : SHARED;
}

/** Whether the client has the response already, by its tag. */
export function isUnchanged(request: ApiRequest, httpResponse: HttpResponse): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined || httpResponse.status !== 200 || (request.method !== 'GET' && request.method !== 'HEAD'))
    return false;
  const tag = httpResponse.headers['ETag'] ?? httpResponse.headers['etag'];
  if (typeof tag !== 'string') return false;
  const strong = withoutWeakness(tag);
  return known === '*' || known.split(',').some((candidate) => withoutWeakness(candidate.trim()) === strong);
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
