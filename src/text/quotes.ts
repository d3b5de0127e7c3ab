// Classifies each straight quote of a text: opening or closing quote, apostrophe, prime.
export interface QuoteMark {
  /** Index of the output piece that receives the entity. */
  piece: number;
  quote: '"' | "'";
  /** `boundary` may close (a word ends after it), `loose` is unlikely to: `settle` decides about both. */
  role: 'open' | 'apostrophe' | 'close' | 'boundary' | 'loose';
  afterDigit: boolean;
  beforeFullStop: boolean;
}

const ENTITIES = {
  '"': { open: '&#8220;', close: '&#8221;', prime: '&#8243;', loose: '&#8221;' },
  "'": { open: '&#8216;', close: '&#8217;', prime: '&#8242;', loose: "'" },
};
const APOSTROPHE = '&#8217;';
const SPACES = ' \t\r\n\u00a0';
const QUOTED_YEAR = /'\d\d'/y;
const YEAR = /'\d\d(?![\d%]|[.,]\d)/y;
const QUOTED_NUMBER = /(["'])\d[\d.,]*\1/y;
const SHORTENED_WORD = /'(?:tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em|n')(?![\p{L}\p{N}])/iuy;

/** Reads the quotes of one text from left to right. */
export class QuoteReader {
  readonly marks: QuoteMark[] = [];
  private lastRead = -2;
  private readonly decided = new Map<number, QuoteMark['role']>();

  /** `carried`: the text continues a word that ended before an end tag. */
  constructor(
    private readonly text: string,
    private readonly carried: boolean,
  ) {}

  /** Records the quote at `at`; its entity will be written to `piece`. */
  read(at: number, piece: number): void {
    const quote = this.text[at] as '"' | "'";
    const afterDigit = isDigit(this.text[at - 1]);
    const role = this.decided.get(at) ?? (quote === '"' ? this.double(at) : this.single(at, afterDigit));
    this.marks.push({ piece, quote, role, afterDigit, beforeFullStop: this.text[at + 1] === '.' });
    this.lastRead = at;
  }

  private double(at: number): QuoteMark['role'] {
    if (!this.opensAfter(at, '([{-')) return this.ending(at);
    if (this.quotedNumber(at)) return 'open';
    return isSpaceAt(this.text, at + 1) ? this.ending(at) : 'open';
  }

  private single(at: number, afterDigit: boolean): QuoteMark['role'] {
    const opens = this.opensAfter(at, '([{-');
    if (!afterDigit && matches(QUOTED_YEAR, this.text, at) && this.endsAt(at + 4)) {
      this.decided.set(at + 3, 'close');
      return 'apostrophe';
    }
    if (!afterDigit && matches(YEAR, this.text, at)) return 'apostrophe';
    if (opens && matches(SHORTENED_WORD, this.text, at)) {
      if (this.text[at + 2] === "'") this.decided.set(at + 2, 'apostrophe');
      return 'apostrophe';
    }
    if (opens) {
      this.quotedNumber(at);
      return 'open';
    }
    const insideWord = this.followsWord(at) && !this.endsAt(at + 1) && !'([{'.includes(this.text[at + 1]!);
    if (insideWord) return afterDigit && isDigit(this.text[at + 1]) ? 'loose' : 'apostrophe';
    return this.ending(at);
  }

  private quotedNumber(at: number): boolean {
    if (!this.startsWord(at) || !matches(QUOTED_NUMBER, this.text, at)) return false;
    this.decided.set(QUOTED_NUMBER.lastIndex - 1, 'close');
    return true;
  }

  private ending(at: number): QuoteMark['role'] {
    return this.endsAt(at + 1) ? 'boundary' : 'loose';
  }

  private startsWord(at: number): boolean {
    return at === 0 ? !this.carried : isSpaceBefore(this.text, at);
  }

  private opensAfter(at: number, openers: string): boolean {
    if (this.startsWord(at)) return true;
    if (this.lastRead === at - 1) return this.marks.at(-1)?.role === 'open';
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

/** Writes the entity of every mark; finds the closing quote for each opening one. */
export function settle(marks: QuoteMark[], pieces: string[]): void {
  for (const quote of ['"', "'"] as const) {
    let sentence: QuoteMark[] = [];
    let opened = false;
    for (const mark of marks) {
      if (mark.quote !== quote) continue;
      if (mark.role === 'apostrophe') pieces[mark.piece] = APOSTROPHE;
      else if (mark.role === 'open') {
        settleSentence(sentence, opened, pieces);
        pieces[mark.piece] = ENTITIES[quote].open;
        sentence = [];
        opened = true;
      } else sentence.push(mark);
    }
    settleSentence(sentence, opened, pieces);
  }
}

function settleSentence(sentence: QuoteMark[], opened: boolean, pieces: string[]): void {
  const closing = opened ? closingMarks(sentence) : new Set<QuoteMark>();
  for (const mark of sentence) {
    const entities = ENTITIES[mark.quote];
    if (mark.role === 'close' || closing.has(mark)) pieces[mark.piece] = entities.close;
    else if (mark.afterDigit) pieces[mark.piece] = entities.prime;
    else pieces[mark.piece] = mark.role === 'boundary' ? entities.close : entities.loose;
  }
}

/** After a digit a quote may be an inch sign: the closing one is the one that ends the sentence, else the last. */
function closingMarks(sentence: QuoteMark[]): Set<QuoteMark> {
  if (sentence.some((mark) => mark.role === 'close')) return new Set();
  const candidates = sentence.filter((mark) => mark.role === 'boundary');
  const certain = candidates.filter((mark) => !mark.afterDigit);
  if (certain.length > 0 || candidates.length === 0) return new Set(certain);
  return new Set([candidates.findLast((mark) => mark.beforeFullStop) ?? candidates.at(-1)!]);
}

export function isSpaceBefore(text: string, at: number): boolean {
  return SPACES.includes(text[at - 1]!) || text.endsWith('&nbsp;', at);
}

export function isSpaceAt(text: string, at: number): boolean {
  return at < text.length && (SPACES.includes(text[at]!) || text.startsWith('&nbsp;', at));
}

export function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
