// The text that a program has written to a stream of a test.
import type { Readable } from 'node:stream';

/** The text that was written to a stream so far. From Node.js 26 on, one read returns at most one chunk. */
export function writtenText(stream: Readable): string {
  let text = '';
  for (let piece: unknown; (piece = stream.read()) !== null;) text += String(piece);
  return text;
}
