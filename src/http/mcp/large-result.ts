// The large result of a tool: the SDK gets a mark in its place, because it would write the text of the result, and that text
// once more as a part of its message, without a pause.
import { randomUUID } from 'node:crypto';
import { TimeSlice } from '../../model/runtime/time-slice.js';
import { LARGE } from '../memory/output-budget.js';
import { exceeds, jsonPieces } from '../request/json-pieces.js';
import { LargeBody } from '../response/large-body.js';

/** Characters that become a chunk. */
const CHUNK = 32 * 1024;

/** The results of one request. */
export class LargeResults {
  private readonly marked = new Map<string, unknown>();

  /** The JSON text of a result, or the mark of a large one. */
  readonly textOf = (data: unknown): string => {
    if (!exceeds(data, LARGE)) return JSON.stringify(data);
    const mark = randomUUID();
    this.marked.set(mark, data);
    return mark;
  };

  /** A message with the results in the place of their marks: made in time slices, where there are any. */
  async inserted(message: string): Promise<string | LargeBody> {
    if (this.marked.size === 0) return message;
    const slice = new TimeSlice();
    const chunks: Buffer[] = [];
    let text = '';
    const flush = () => {
      chunks.push(Buffer.from(text));
      text = '';
    };
    let rest = message;
    for (const [mark, data] of this.marked) {
      const at = rest.indexOf(mark);
      text += rest.slice(0, at);
      rest = rest.slice(at + mark.length);
      for (const piece of jsonPieces(data, false)) {
        // The text of the result is a text in the message.
        text += JSON.stringify(piece).slice(1, -1);
        if (text.length < CHUNK) continue;
        flush();
        const pause = slice.pause();
        if (pause) await pause;
      }
    }
    text += rest;
    flush();
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
    return new LargeBody(chunks, bytes, 0n);
  }
}
