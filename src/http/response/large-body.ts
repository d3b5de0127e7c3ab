// The body of a large response: serialized and hashed in chunks, in time slices.
import { encodeError } from '../../errors/encode-error.js';
import { TimeSlice } from '../../model/runtime/time-slice.js';
import { hasher } from './etag.js';
import { jsonPieces } from '../request/json-pieces.js';
import type { Output } from '../memory/output-budget.js';

/** Characters that become a chunk. */
const CHUNK = 32 * 1024;

/** JSON text as UTF-8 chunks. */
export class LargeBody {
  constructor(
    readonly chunks: readonly Buffer[],
    readonly bytes: number,
    /** The hash for `etagOf`. */
    readonly hash: bigint,
  ) {}
}

/**
 * The JSON text of a value.
 * @throws ResourceError 413 when it is larger than the output allows
 */
export function largeBody(value: unknown, pretty: boolean, output: Output | undefined): Promise<LargeBody> {
  return bodyOfPieces(jsonPieces(value, pretty), output);
}

/**
 * The text of which `pieces` are the parts.
 * @throws ResourceError 413 when it is larger than the output allows
 */
export async function bodyOfPieces(pieces: Iterable<string>, output?: Output): Promise<LargeBody> {
  const slice = new TimeSlice();
  const hash = hasher();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let text = '';
  const add = (part: string) => {
    const chunk = Buffer.from(part);
    hash.update(chunk);
    bytes += chunk.length;
    output?.check(bytes);
    chunks.push(chunk);
  };
  for (const piece of pieces) {
    // Long pieces are chunks of their own: joining them would copy them once more.
    const isLong = piece.length >= CHUNK;
    if (!isLong) text += piece;
    if (!isLong && text.length < CHUNK) continue;
    if (text !== '') add(text);
    if (isLong) add(piece);
    text = '';
    const pause = slice.pause();
    if (pause) await pause;
  }
  add(text);
  return new LargeBody(chunks, bytes, hash.digest());
}

/**
 * Finds out whether a value can be sent, in time slices and without keeping its text.
 * @throws ResourceError 500
 */
export async function requireEncodableInSlices(value: unknown): Promise<void> {
  const slice = new TimeSlice();
  try {
    for (const _piece of jsonPieces(value, false)) {
      const pause = slice.pause();
      if (pause) await pause;
    }
  } catch (cause) {
    throw encodeError(cause);
  }
}
