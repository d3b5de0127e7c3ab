// Content-Encoding of bodies: gzip, deflate and br, inflated as they arrive.
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { unsupportedMedia } from '../http-errors.js';

type MakeInflater = (first: Buffer) => Transform;

/** Each chunk costs a round trip to the thread pool and a turn of the event loop: larger chunks need fewer. */
const OPTIONS = { chunkSize: 64 * 1024 };
const gunzip: MakeInflater = () => zlib.createGunzip(OPTIONS);

const INFLATERS = new Map<string, MakeInflater>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  // Many clients send raw deflate data without the zlib wrapper.
  ['deflate', (first) => ((first[0] ?? 0) % 16 === 8 ? zlib.createInflate(OPTIONS) : zlib.createInflateRaw(OPTIONS))],
  ['br', () => zlib.createBrotliDecompress(OPTIONS)],
]);

/** The encoding of a body, or undefined for none; 415 for others. */
export function bodyEncoding(request: IncomingMessage): string | undefined {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return undefined;
  if (INFLATERS.has(encoding)) return encoding;
  throw unsupportedMedia('Bodies may be encoded with gzip, deflate or br, one of them, or not at all.');
}

/** A stream that decodes an encoding; `first` are the first bytes of the body. */
export function inflaterFor(encoding: string, first: Buffer): Transform {
  return INFLATERS.get(encoding)!(first);
}
