// Strong entity tags (ETag): the version of an item, and a hash of the body.
import xxhash, { type XXHash } from 'xxhash-wasm';
import type { RequestContext } from '../request/request-context.js';
import type { HttpResponse } from './response.js';

const { h64ToString, create64 } = await xxhash();

/**
 * `"7-1f0c…"`: lists have version 0, items seen in part a digest as version. `body` is a text, or the hash of a body
 * made in chunks.
 */
export function etagOf(version: number | string, body: string | bigint): string {
  const hash = typeof body === 'string' ? h64ToString(body) : body.toString(16).padStart(16, '0');
  return `"${version}-${hash}"`;
}

/** Hashes the UTF-8 bytes of a text in chunks. */
export function hasher(): XXHash<bigint> {
  return create64();
}

/** Adds the ETag of a response that is not an item; those inside an envelope have none. */
export function tagged(response: HttpResponse, context: RequestContext): HttpResponse {
  const { body = '' } = response;
  if (!context.envelope) response.headers['ETag'] = etagOf(0, typeof body === 'string' ? body : body.hash);
  return response;
}
