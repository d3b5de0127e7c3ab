// The text that a program has written to a stream of a test.
import type { Readable } from 'node:stream';

/** What was written to a stream so far. From Node.js 26 on one read returns no more than one piece. */
export function writtenText(stream: Readable): string {
  let text = '';
  for (let piece: unknown; (piece = stream.read()) !== null;) text += String(piece);
  return text;
}
