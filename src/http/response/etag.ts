// Strong entity tags (ETag): the version of an item, and a hash of the body.
import xxhash, { type XXHash } from 'xxhash-wasm';

const { h64ToString, create64 } = await xxhash();

/** `"7-1f0c…"`: lists have version 0. The body is a text, or the hash of a body made in chunks. */
export function etagOf(version: number, body: string | bigint): string {
  const hash = typeof body === 'string' ? h64ToString(body) : body.toString(16).padStart(16, '0');
  return `"${version}-${hash}"`;
}

/** Hashes the UTF-8 bytes of a text in chunks. */
export function hasher(): XXHash<bigint> {
  return create64();
}
