// Limits an urlencoded body while its bytes arrive, and replaces plus signs with spaces: the parser takes seconds for
// millions of them.
import { limits } from '../limits.js';
import { badParameters } from '../http-errors.js';

const AMPERSAND = 0x26;
const PLUS = 0x2b;
const BLANK = 0x20;

/** Counts parameters; encoded plus signs are left to the decoder. */
export class FormScanner {
  private parameters = 1;
  private readonly most: number;

  constructor(most: number) {
    this.most = Math.min(most, limits.formParameters);
  }

  /** Scans the next bytes and changes them in place; throws 400 when there are too many parameters. */
  take(piece: Buffer): void {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (byte === PLUS) piece[at] = BLANK;
      else if (byte === AMPERSAND && ++this.parameters > this.most) throw tooManyParameters(this.most);
    }
  }
}

/** 400: more parameters, or longer lists, than allowed. */
export function tooManyParameters(most: number) {
  return badParameters(`At most ${most} parameters and ${limits.arrayItems} items of one list are read. Send fewer.`);
}
