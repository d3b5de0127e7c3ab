// Classifies each straight quote of a text: opening or closing quote, apostrophe, prime.
// A mark is one byte, because a text may have millions of them.

/** Roles of a quote. `BOUNDARY` may close (a word ends after it), `LOOSE` is unlikely to: `settle` decides about both. */
const OPEN = 0;
const APOSTROPHE = 1;
const CLOSE = 2;
const BOUNDARY = 3;
const LOOSE = 4;
/** What `settle` makes of a boundary or loose mark after a digit. */
const PRIME = 5;
type Role = typeof OPEN | typeof APOSTROPHE | typeof CLOSE | typeof BOUNDARY | typeof LOOSE;

const ROLE = 7;
const DOUBLE = 8;
const AFTER_DIGIT = 16;
const BEFORE_FULL_STOP = 32;

/** Entities by role; a boundary mark closes. */
const DOUBLES = ['&#8220;', '&#8217;', '&#8221;', '&#8221;', '&#8221;', '&#8243;'];
const SINGLES = ['&#8216;', '&#8217;', '&#8217;', '&#8217;', "'", '&#8242;'];
const SPACES = ' \t\r\n\u00a0';
const QUOTED_YEAR = /'\d\d'/y;
const YEAR = /'\d\d(?![\d%]|[.,]\d)/y;
const QUOTED_NUMBER = /(["'])\d[\d.,]*\1/y;
const SHORTENED_WORD = /'(?:tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em|n')(?![\p{L}\p{N}])/iuy;

/** Reads the quotes of one text from left to right. */
export class QuoteReader {
  private marks = new Uint8Array(64);
  private count = 0;
  private lastRead = -2;
  private readonly decided = new Map<number, Role>();

  /** `carried`: the text continues a word that ended before an end tag. */
  constructor(
    private readonly text: string,
    private readonly carried: boolean,
  ) {}

  /** Records the quote at `at`. */
  read(at: number): void {
    const isDouble = this.text[at] === '"';
    const afterDigit = isDigit(this.text[at - 1]);
    const decided = this.decided.get(at);
    if (decided !== undefined) this.decided.delete(at);
    const role = decided ?? (isDouble ? this.double(at) : this.single(at, afterDigit));
    if (this.count === this.marks.length) {
      const grown = new Uint8Array(2 * this.count);
      grown.set(this.marks);
      this.marks = grown;
    }
    this.marks[this.count++] =
      role |
      (isDouble ? DOUBLE : 0) |
      (afterDigit ? AFTER_DIGIT : 0) |
      (this.text[at + 1] === '.' ? BEFORE_FULL_STOP : 0);
    this.lastRead = at;
  }

  /** The entities of all quotes, by their number; finds the closing quote for each opening one. */
  entities(): (index: number) => string {
    const marks = this.marks.subarray(0, this.count);
    settle(marks, DOUBLE);
    settle(marks, 0);
    return (index) => {
      const mark = marks[index]!;
      return ((mark & DOUBLE) === 0 ? SINGLES : DOUBLES)[mark & ROLE]!;
    };
  }

  private double(at: number): Role {
    if (!this.opensAfter(at, '([{-')) return this.ending(at);
    if (this.quotedNumber(at)) return OPEN;
    return isSpaceAt(this.text, at + 1) ? this.ending(at) : OPEN;
  }

  private single(at: number, afterDigit: boolean): Role {
    const opens = this.opensAfter(at, '([{-');
    if (!afterDigit && matches(QUOTED_YEAR, this.text, at) && this.endsAt(at + 4)) {
      this.decided.set(at + 3, CLOSE);
      return APOSTROPHE;
    }
    if (!afterDigit && matches(YEAR, this.text, at)) return APOSTROPHE;
    if (opens && matches(SHORTENED_WORD, this.text, at)) {
      if (this.text[at + 2] === "'") this.decided.set(at + 2, APOSTROPHE);
      return APOSTROPHE;
    }
    if (opens) {
      this.quotedNumber(at);
      return OPEN;
    }
    const insideWord = this.followsWord(at) && !this.endsAt(at + 1) && !'([{'.includes(this.text[at + 1]!);
    if (insideWord) return afterDigit && isDigit(this.text[at + 1]) ? LOOSE : APOSTROPHE;
    return this.ending(at);
  }

  private quotedNumber(at: number): boolean {
    if (!this.startsWord(at) || !matches(QUOTED_NUMBER, this.text, at)) return false;
    this.decided.set(QUOTED_NUMBER.lastIndex - 1, CLOSE);
    return true;
  }

  private ending(at: number): Role {
    return this.endsAt(at + 1) ? BOUNDARY : LOOSE;
  }

  private startsWord(at: number): boolean {
    return at === 0 ? !this.carried : isSpaceBefore(this.text, at);
  }

  private opensAfter(at: number, openers: string): boolean {
    if (this.startsWord(at)) return true;
    if (this.lastRead === at - 1) return (this.marks[this.count - 1]! & ROLE) === OPEN;
    return at > 0 && (openers.includes(this.text[at - 1]!) || this.text.endsWith('&lt;', at));
  }

  private followsWord(at: number): boolean {
    if (at === 0) return this.carried;
    return !this.startsWord(at) && !'.,:;!?"\'(){}[]-'.includes(this.text[at - 1]!);
  }

  private endsAt(at: number): boolean {
    if (at >= this.text.length || isSpaceAt(this.text, at)) return true;
    return '.,:;!?)}-]"\''.includes(this.text[at]!) || this.text.startsWith('&gt;', at);
  }
}

/** Settles the boundary and loose marks of one kind of quote, sentence by sentence: an opening quote begins one. */
function settle(marks: Uint8Array, kind: number): void {
  let start = 0;
  let opened = false;
  for (let at = 0; at < marks.length; at++) {
    if ((marks[at]! & DOUBLE) !== kind || (marks[at]! & ROLE) !== OPEN) continue;
    settleSentence(marks, kind, start, at, opened);
    start = at + 1;
    opened = true;
  }
  settleSentence(marks, kind, start, marks.length, opened);
}

function settleSentence(marks: Uint8Array, kind: number, from: number, to: number, opened: boolean): void {
  const closes = opened ? closing(marks, kind, from, to) : () => false;
  for (let at = from; at < to; at++) {
    const role = marks[at]! & ROLE;
    if ((marks[at]! & DOUBLE) !== kind || (role !== BOUNDARY && role !== LOOSE)) continue;
    if (closes(at)) marks[at] = (marks[at]! & ~ROLE) | CLOSE;
    else if (marks[at]! & AFTER_DIGIT) marks[at] = (marks[at]! & ~ROLE) | PRIME;
  }
}

/** After a digit a quote may be an inch sign: the closing one is the one that ends the sentence, else the last. */
function closing(marks: Uint8Array, kind: number, from: number, to: number): (at: number) => boolean {
  let lastBoundary = -1;
  let lastFullStop = -1;
  let isCertain = false;
  for (let at = from; at < to; at++) {
    const mark = marks[at]!;
    if ((mark & DOUBLE) !== kind) continue;
    if ((mark & ROLE) === CLOSE) return () => false;
    if ((mark & ROLE) !== BOUNDARY) continue;
    lastBoundary = at;
    if (mark & BEFORE_FULL_STOP) lastFullStop = at;
    if (!(mark & AFTER_DIGIT)) isCertain = true;
  }
  if (isCertain) return (at) => (marks[at]! & (ROLE | AFTER_DIGIT)) === BOUNDARY;
  const only = lastFullStop === -1 ? lastBoundary : lastFullStop;
  return (at) => at === only;
}

/** Whether white space, or the entity of a non-breaking space, ends at `at`. */
export function isSpaceBefore(text: string, at: number): boolean {
  return SPACES.includes(text[at - 1]!) || text.endsWith('&nbsp;', at);
}

/** Whether white space, or the entity of a non-breaking space, begins at `at`. */
export function isSpaceAt(text: string, at: number): boolean {
  return at < text.length && (SPACES.includes(text[at]!) || text.startsWith('&nbsp;', at));
}

/** ASCII digits only: a mark after one may be a prime (feet, inches). */
export function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
