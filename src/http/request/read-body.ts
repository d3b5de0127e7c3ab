// Reads and parses the bodies of writes, once the caller is known. Multipart and raw media stay unread, for the upload
// receiver.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { networkOf } from '../../auth/rate-limit/client-address.js';
import { ResourceError } from '../../errors/resource-error.js';
import type { Actor } from '../../model/actor.js';
import { untrustedBounds, writerBounds, type BodyBounds } from './body-bounds.js';
import { BodyBuffer } from './body-buffer.js';
import type { BodyBudget, BodyHold } from '../memory/body-budget.js';
import { reserveForBody } from '../memory/output-budget.js';
import type { ResponseMemory } from '../memory/response-memory.js';
import { decodeText } from './body-text.js';
import { identifyLate } from './caller-now.js';
import { collectBody } from './collect-body.js';
import { drainBody } from './drain-body.js';
import { FormScanner } from './form-scanner.js';
import { bodyEncoding } from './inflate.js';
import { JsonScanner } from './json-scanner.js';
import { bodyKind, hasBody, mediaTypeOf, requireUtf8 } from './media-type.js';
import { parseJsonObject } from './parse-json.js';
import { parseForm } from './parse-query.js';
import { badParameters, invalidJson, tooLarge, tooLargeForUntrusted, unsupportedMedia } from '../http-errors.js';
import type { ApiRequest, RequestContext } from './request-context.js';
import { contextOf } from './request-context.js';

/** What a route accepts as body, determined from method and path before routing. */
export interface BodyLimit {
  /** Largest body in bytes, after inflation, of a caller who may write here. */
  limit: number;
  /** Whether raw media is accepted here; its size is limited by the upload receiver. */
  uploads: boolean;
  /** Whether the raw bytes are kept with the parsed body, for code that verifies a signature of them. */
  raw?: boolean;
  /** Whether a caller could write here at all, whatever the item; absent: no caller can. */
  mayWrite?(actor: Actor, method: string): boolean;
}

/** Configuration of body reading. */
export interface BodyReading {
  limitFor(request: ApiRequest): BodyLimit;
  /** Milliseconds for a body to arrive. */
  timeout: number;
  /** Bytes of bodies of callers who may not write on the route. */
  untrusted: number;
  budget: BodyBudget;
  /** Memory for the work on large bodies and for large responses. */
  memory: ResponseMemory;
}

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const SMALL = 64 * 1024;

/**
 * Fills `body`, `mediaType`, `bodyKind` and `bounds` of the context. Returns a promise only when there is something to
 * read. Rejects when a body is too large, too complex, too slow or does not match its media type.
 */
export function readBody(
  request: ApiRequest,
  response: ServerResponse,
  reading: BodyReading,
): Promise<void> | undefined {
  const context = contextOf(request);
  if (!WITH_BODY.has(context.method)) {
    if (hasBody(request)) request.resume();
    return undefined;
  }
  context.mediaType = mediaTypeOf(request);
  return hasBody(request) ? receive(request, response, reading) : undefined;
}

/** After an error, receives the rest of a small body first, so that the connection can stay open. */
export async function letSmallBodyEnd(request: IncomingMessage, awaitsContinue: boolean): Promise<void> {
  if (!awaitsContinue && Number(request.headers['content-length']) <= SMALL) await drainBody(request, SMALL, 1_000);
}

/** Starts to account for the memory of a request's body; it is released with the response. */
export function holdBody(request: ApiRequest, budget: BodyBudget): BodyHold {
  const context = contextOf(request);
  const { socket } = request;
  const caller = context.client || networkOf(socket.remoteAddress ?? '');
  return (context.hold ??= budget.open(caller, context.known, () => socket.destroyed));
}

async function receive(request: ApiRequest, response: ServerResponse, reading: BodyReading): Promise<void> {
  const context = contextOf(request);
  try {
    const limit = reading.limitFor(request);
    context.bodyKind = bodyKind(context.mediaType, limit.uploads);
    const bounds = (context.bounds = boundsFor(context, limit, reading.untrusted));
    const encoding = bodyEncoding(request);
    const isRead = context.bodyKind === 'json' || context.bodyKind === 'form';
    if (isRead) requireUtf8(request);
    else if (encoding !== undefined) throw encodedUpload();
    if (isRead && Number(request.headers['content-length'] ?? 0) > bounds.bytes) throw overLimit(bounds, limit);
    if (context.awaitsContinue) {
      context.awaitsContinue = false;
      response.writeContinue();
    }
    if (isRead) context.body = await parseBody(request, bounds, encoding, reading);
    await identifyLate(request);
  } catch (error) {
    context.hold?.release();
    if (!isTimeout(error)) await letSmallBodyEnd(request, context.awaitsContinue);
    throw error;
  }
}

function boundsFor({ actor, method }: RequestContext, limit: BodyLimit, untrusted: number): BodyBounds {
  const mayWrite = actor !== undefined && actor.id > 0 && limit.mayWrite?.(actor, method) === true;
  return mayWrite ? writerBounds(limit.limit) : untrustedBounds(Math.min(untrusted, limit.limit));
}

// It would be stored as it was sent, under the name and type of what it decodes to.
function encodedUpload(): ResourceError {
  return unsupportedMedia('Files and multipart forms are sent without Content-Encoding. Send the bytes as they are.');
}

function overLimit(bounds: BodyBounds, limit: BodyLimit): ResourceError {
  return bounds.bytes < limit.limit ? tooLargeForUntrusted(bounds.bytes) : tooLarge(bounds.bytes);
}

async function parseBody(
  request: ApiRequest,
  bounds: BodyBounds,
  encoding: string | undefined,
  { limitFor, timeout, budget, memory }: BodyReading,
): Promise<Record<string, unknown>> {
  const isJson = contextOf(request).bodyKind === 'json';
  const scanner = isJson ? new JsonScanner(bounds) : new FormScanner(bounds.members);
  const hold = holdBody(request, budget);
  const gathered = new BodyBuffer();
  const broken = (reason: string, code: 4 | 5) =>
    isJson ? invalidJson(code, reason) : badParameters(`The body cannot be read: ${reason}`);
  await collectBody(request, {
    limit: bounds.bytes,
    timeout,
    encoding,
    take: (piece) => {
      hold.take(piece.length);
      scanner.take(piece);
      gathered.append(piece);
    },
    tooLarge: () => overLimit(bounds, limitFor(request)),
    broken: () => broken(`it does not inflate as ${encoding}.`, 4),
  });
  await reserveForBody(memory, contextOf(request), gathered.bytes.length);
  const text = await decodeText(gathered.bytes);
  if (text === undefined) throw broken('it is not valid UTF-8.', 5);
  const context = contextOf(request);
  if (limitFor(request).raw) context.rawBody = gathered.bytes;
  const noteDropped = (names: readonly string[]) => {
    context.dropped = [...context.dropped, ...names];
  };
  return isJson ? parseJsonObject(text, noteDropped) : parseForm(text, noteDropped);
}

function isTimeout(error: unknown): boolean {
  return error instanceof ResourceError && error.status === 408;
}
