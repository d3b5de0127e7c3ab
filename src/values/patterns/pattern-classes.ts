// Character classes of ECMAScript as ranges of code points and as RE2 classes.

/** Code points from the first to the second, both included. */
export type Range = readonly [number, number];

const LAST = 0x10ffff;

const DIGITS: readonly Range[] = [[0x30, 0x39]];
const WORDS: readonly Range[] = [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]; // prettier-ignore
/** White space and line terminators; `\s` of RE2 covers ASCII only. */
const SPACES: readonly Range[] = [
  [0x09, 0x0d], [0x20, 0x20], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f],
  [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff],
]; // prettier-ignore
const SHORTHANDS: Record<string, readonly Range[] | undefined> = { d: DIGITS, w: WORDS, s: SPACES };

/** Characters matched by `.`: all but line terminators. */
export const ANY_IN_LINE: readonly Range[] = complement([[0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]]); // prettier-ignore

/** The class of `\d`, `\W` and the like, by their letter; undefined for other letters. */
export function shorthand(letter: string): readonly Range[] | undefined {
  const ranges = SHORTHANDS[letter.toLowerCase()];
  return ranges && letter !== letter.toLowerCase() ? complement(ranges) : ranges;
}

const properties = new Map<string, readonly Range[]>();

/**
 * The class of `\p{…}` according to the Unicode tables of this process: names and versions of other libraries differ.
 */
export function property(name: string): readonly Range[] {
  const known = properties.get(name);
  if (known) return known;
  const has = new RegExp(`^\\p{${name}}$`, 'u');
  const ranges: [number, number][] = [];
  for (let point = 0; point <= LAST; point++) {
    if (!has.test(String.fromCodePoint(point))) continue;
    const last = ranges.at(-1);
    if (last && last[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  properties.set(name, ranges);
  return ranges;
}

/** The complement of a class. `ranges` are sorted and disjoint. */
export function complement(ranges: readonly Range[]): readonly Range[] {
  const others: Range[] = [];
  let next = 0;
  for (const [from, to] of ranges) {
    if (from > next) others.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) others.push([next, LAST]);
  return others;
}

/** One character, escaped for RE2. */
export function character(point: number): string {
  return /[a-z0-9]/i.test(String.fromCodePoint(point)) ? String.fromCodePoint(point) : `\\x{${point.toString(16)}}`;
}

/** A bracket expression. */
export function classText(ranges: readonly Range[], negated = false): string {
  // RE2 has no empty class.
  if (ranges.length === 0) return classText([[0, LAST]], !negated);
  const members = ranges.map(([from, to]) => (from === to ? character(from) : `${character(from)}-${character(to)}`));
  return `[${negated ? '^' : ''}${members.join('')}]`;
}
