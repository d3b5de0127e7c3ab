// Counts the parts of JSON text while its bytes arrive, so that bodies beyond the limits never reach the parser.
import type { BodyBounds } from './body-bounds.js';
import { limits } from '../limits.js';
import { invalidJson } from '../http-errors.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** One pass over the bytes with constant cost per byte and one byte of memory per level. Does not check syntax. */
export class JsonScanner {
  private depth = 0;
  private members = 0;
  private items = 0;
  private lines = 0;
  private escapes = 0;
  private inString = false;
  /** The previous byte was a backslash that escapes the next one. */
  private escaped = false;
  /** Whether the container of each level is an array. */
  private readonly lists: Uint8Array;

  constructor(private readonly bounds: BodyBounds) {
    this.lists = new Uint8Array(bounds.depth + 1);
  }

  /** Scans the next bytes; throws `rest_invalid_json` as soon as a limit is exceeded. */
  take(piece: Buffer): void {
    for (let at = 0; at < piece.length; at++) {
      if (this.inString) at = this.passString(piece, at);
      else this.structure(piece[at]!);
    }
    if (this.escapes > limits.jsonEscapes) throw tooMany(limits.jsonEscapes, 'escapes');
    if (this.lines > limits.jsonLines) throw tooMany(limits.jsonLines, 'lines');
  }

  private structure(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.inString = true;
        break;
      case 0x7b: // {
        this.open(0);
        break;
      case 0x5b: // [
        this.open(1);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (this.depth > 0) this.depth--;
        break;
      case 0x3a: // :
        if (++this.members > this.bounds.members) throw tooMany(this.bounds.members, 'members');
        break;
      case 0x2c: // ,
        if (this.lists[this.depth] === 1) this.countItem();
        break;
      case LINE_FEED:
      case CARRIAGE_RETURN:
        this.lines++;
    }
  }

  // Position of the closing quote, or of the last byte. A loop, because indexOf is slow where quotes are frequent.
  private passString(piece: Buffer, start: number): number {
    let { escaped } = this;
    let at = start;
    for (; at < piece.length; at++) {
      const byte = piece[at];
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) {
        escaped = true;
        this.escapes++;
      } else if (byte === QUOTE) {
        this.inString = false;
        break;
      } else if (byte === LINE_FEED || byte === CARRIAGE_RETURN) this.lines++;
    }
    this.escaped = escaped;
    return at;
  }

  private open(list: 0 | 1): void {
    if (++this.depth > this.bounds.depth) throw invalidJson(1, `it is nested deeper than ${this.bounds.depth} levels.`);
    this.lists[this.depth] = list;
    if (list) this.countItem();
  }

  private countItem(): void {
    if (++this.items > this.bounds.items) throw tooMany(this.bounds.items, 'list items');
  }
}

function tooMany(most: number, what: string) {
  return invalidJson(1, `it has more than ${most} ${what}.`);
}
