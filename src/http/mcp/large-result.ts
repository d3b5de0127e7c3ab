// The large result of a tool: the SDK gets a mark in its place, because it would write the text of the result, and that text
// once more as a part of its message, without a pause.
import { randomUUID } from 'node:crypto';
import { LARGE } from '../memory/output-budget.js';
import { exceeds, jsonPieces } from '../request/json-pieces.js';
import { bodyOfPieces, type LargeBody } from '../response/large-body.js';

/** The result of one request, which calls one tool at most. */
export class LargeResult {
  private readonly mark = randomUUID();
  private data: unknown;

  /** The JSON text of a result, or the mark of a large one. */
  readonly textOf = (data: unknown): string => {
    if (!exceeds(data, LARGE)) return JSON.stringify(data);
    this.data = data;
    return this.mark;
  };

  /** A message with the result in the place of its mark: made in time slices, if there is one. */
  async inserted(message: string): Promise<string | LargeBody> {
    return message.includes(this.mark) ? bodyOfPieces(this.pieces(message)) : message;
  }

  private *pieces(message: string): Generator<string> {
    const [before, after] = message.split(this.mark);
    yield before!;
    // The text of the result is a text in the message.
    for (const piece of jsonPieces(this.data, false)) yield JSON.stringify(piece).slice(1, -1);
    yield after!;
  }
}
