// Strong entity tags: the version of an item, and a hash of the bytes that were sent (decisions 0.8, 0.22).
import xxhash from 'xxhash-wasm';

const { h64ToString } = await xxhash();

/** `"7-1f0c…"`: lists have version 0. */
export function etagOf(version: number, body: string): string {
  return `"${version}-${h64ToString(body)}"`;
}
