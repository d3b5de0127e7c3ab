// Responds to GET and HEAD with an object of a bucket. It passes through this server, which sets the headers that make
// it harmless.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Delivery } from '../file-store.js';
import { describe, FOR_A_YEAR, missingFile, reject } from '../serve.js';
import { type ObjectStore, type ReadConditions, type ReadObject, statusOf, storageProblem } from './object-store.js';

/** A single range; requests for several get the entire file. */
const RANGE = /^bytes=(\d+-\d*|-\d+)$/;

/** Sends an object; supports ranges, conditions and HEAD. Errors of the service go to `fail`. */
export function deliverObject(objects: ObjectStore, name: string, delivery: Delivery): void {
  const { response, fail } = delivery;
  // When the client disconnects, the request to the service is aborted too.
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  send(objects, name, delivery, gone.signal).catch((error: unknown) => {
    if (gone.signal.aborted) return;
    if (response.headersSent) response.destroy();
    else fail(storageProblem(error));
  });
}

async function send(objects: ObjectStore, name: string, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const { request, response, key, cacheControl = FOR_A_YEAR } = delivery;
  const head = request.method === 'HEAD';
  const found = await read(objects, name, request, { head, signal }).catch(async (error: unknown) => {
    // The error of the service does not say how long the object is.
    if (statusOf(error) === 416) {
      const { length } = await objects.read(name, {}, { head: true, signal });
      response.setHeader('Content-Range', `bytes */${length}`);
    }
    return refused(error, delivery, cacheControl);
  });
  if (!found) return;
  describe(response, key);
  response.statusCode = found.status;
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Length', found.length);
  if (found.etag !== undefined) response.setHeader('ETag', found.etag);
  if (found.modified !== undefined) response.setHeader('Last-Modified', found.modified.toUTCString());
  if (found.range !== undefined) response.setHeader('Content-Range', found.range);
  if (head || !found.body) response.end();
  else await pipeline(found.body, response);
}

/** Reads an object; with `If-Range`, one that has changed is read completely. */
async function read(
  objects: ObjectStore,
  name: string,
  { headers }: IncomingMessage,
  options: { head: boolean; signal: AbortSignal },
): Promise<ReadObject> {
  const conditions = conditionsOf(headers);
  const range = !options.head && RANGE.test(headers.range ?? '') ? headers.range : undefined;
  if (range === undefined) return objects.read(name, conditions, options);
  const same = headers['if-range'];
  if (same === undefined) return objects.read(name, { ...conditions, range }, options);
  try {
    const since = dateOf(same);
    const ifSame = since ? { ifUnmodifiedSince: since } : { ifMatch: String(same) };
    return await objects.read(name, { ...conditions, ...ifSame, range }, options);
  } catch (error) {
    if (statusOf(error) !== 412) throw error;
    return objects.read(name, conditions, options);
  }
}

function conditionsOf(headers: IncomingMessage['headers']): ReadConditions {
  const { 'if-match': match, 'if-none-match': none } = headers;
  const since = none === undefined ? dateOf(headers['if-modified-since']) : undefined;
  const unchanged = match === undefined ? dateOf(headers['if-unmodified-since']) : undefined;
  return {
    ...(match === undefined ? {} : { ifMatch: match }),
    ...(none === undefined ? {} : { ifNoneMatch: none }),
    ...(since ? { ifModifiedSince: since } : {}),
    ...(unchanged ? { ifUnmodifiedSince: unchanged } : {}),
  };
}

function dateOf(text: string | string[] | undefined): Date | undefined {
  const time = typeof text === 'string' && !text.includes('"') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}

function refused(error: unknown, { request, response }: Delivery, cacheControl: string): undefined {
  const status = statusOf(error);
  if (status === 404) return void missingFile(request, response);
  if (status === 412 || status === 416) return void reject(response, status);
  if (status !== 304) throw error;
  notModified(response, request.headers['if-none-match'], cacheControl);
}

function notModified(response: ServerResponse, tag: string | undefined, cacheControl: string): void {
  response.statusCode = 304;
  response.setHeader('Cache-Control', cacheControl);
  if (tag !== undefined && /^"[^",]*"$/.test(tag)) response.setHeader('ETag', tag);
  response.end();
}
