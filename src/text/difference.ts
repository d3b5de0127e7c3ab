// A text as its difference from another one that it was made of: rendered HTML repeats nearly all of the raw text.

/** What a difference starts with; a text that starts with it is stored as a difference even where that is longer. */
const MARK = '\u0001';
/**
 * Maximum number of steps: `few` and one more per `each` characters, up to `most`; texts with more have little in
 * common.
 */
const STEPS = { few: 500, each: 64, most: 20_000 };
/** Characters that both texts must have in common for a step to end. */
const PIECE = 8;
/**
 * Searches for the next common piece: how many starts in one text, within how many characters of the other. Near first,
 * because words recur.
 */
const WINDOWS = [
  { starts: 10, length: 64 },
  { starts: 64, length: 1_024 },
];

/**
 * What to store of `text` beside `source`: their difference, or the text itself where that is no longer. A difference is
 * the length of the source and any number of steps `skipped.copied.inserted.`, each followed by the inserted text; without
 * steps both are the same. Numbers are base 36. Takes time in proportion to both lengths. Implements
 * docs/architecture.md, "Storage".
 */
export function differenceOf(source: string, text: string): string {
  if (text === '') return '';
  if (text === source && text.length > header(source).length) return header(source);
  const difference = steps(source, text);
  if (difference !== undefined && difference.length < text.length) return difference;
  return text.startsWith(MARK) ? header(source) + step(0, 0, text) : text;
}

/**
 * The text that `differenceOf` stored; undefined where the source has another length now, because something other than
 * the engine changed it.
 */
export function withDifference(source: string, stored: string): string | undefined {
  if (!stored.startsWith(MARK)) return stored;
  const numbers = new Numbers(stored);
  if (numbers.next() !== source.length) return undefined;
  if (numbers.at === stored.length) return source;
  let text = '';
  let at = 0;
  while (numbers.at < stored.length) {
    at += numbers.next();
    const copied = numbers.next();
    const inserted = numbers.next();
    if (copied > 0) text += source.slice(at, (at += copied));
    if (inserted > 0) text += stored.slice(numbers.at, (numbers.at += inserted));
  }
  return text;
}

/** Reads numbers that end with a dot. */
class Numbers {
  at = MARK.length;

  constructor(private readonly text: string) {}

  next(): number {
    let number = 0;
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code === DOT) break;
      number = number * 36 + (code >= LETTERS ? code - LETTERS + 10 : code - DIGITS);
    }
    this.at++;
    return number;
  }
}

const DOT = '.'.charCodeAt(0);
const DIGITS = '0'.charCodeAt(0);
const LETTERS = 'a'.charCodeAt(0);

function header(source: string): string {
  return `${MARK}${source.length.toString(36)}.`;
}

function step(skipped: number, copied: number, inserted: string): string {
  return `${skipped.toString(36)}.${copied.toString(36)}.${inserted.length.toString(36)}.${inserted}`;
}

/** The steps with their header; undefined where they are too many. */
function steps(source: string, text: string): string | undefined {
  let out = header(source);
  // Up to here both are in the steps.
  let from = 0;
  let to = 0;
  let skipped = 0;
  const most = Math.min(STEPS.most, STEPS.few + text.length / STEPS.each);
  for (let n = 0; n < most; n++) {
    const start = from;
    while (to < text.length && from < source.length && source.charCodeAt(from) === text.charCodeAt(to)) {
      from++;
      to++;
    }
    // The steps must be well-formed texts, too: no step begins or ends between two surrogates.
    if (from > start && to < text.length && isHigh(text.charCodeAt(to - 1))) {
      from--;
      to--;
    }
    const copied = from - start;
    if (to === text.length) return out + step(skipped, copied, '');
    const next = nextCommon(source, text, from, to);
    out += step(skipped, copied, text.slice(to, next?.to));
    if (!next) return out;
    skipped = next.from - from;
    ({ from, to } = next);
  }
  return undefined;
}

/** The next places from which on both texts are the same. */
function nextCommon(source: string, text: string, from: number, to: number): { from: number; to: number } | undefined {
  for (const { starts, length } of WINDOWS) {
    const [removed, inserted] = [source.slice(from, from + length), text.slice(to, to + length)];
    for (let by = 0; by < starts; by++) {
      const after = place(source, from + by, inserted);
      if (after >= 0) return alignToCharacters(text, from + by, to + after);
      const before = place(text, to + by, removed);
      if (before >= 0) return alignToCharacters(text, from + before, to + by);
    }
  }
  return undefined;
}

/** Where a text has the piece of another one that starts at a place; -1 where it does not. */
function place(of: string, start: number, within: string): number {
  return start + PIECE <= of.length ? within.indexOf(of.slice(start, start + PIECE)) : -1;
}

/** The places, or those after them where they are between two surrogates. */
function alignToCharacters(text: string, from: number, to: number): { from: number; to: number } {
  return isLow(text.charCodeAt(to)) ? { from: from + 1, to: to + 1 } : { from, to };
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
