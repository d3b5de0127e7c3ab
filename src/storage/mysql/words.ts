// Splits folded texts and search terms into words, so that a text that contains a term has certain words. The
// separators are fixed here rather than taken from Unicode's tables, which differ between Node releases: after an
// upgrade an index would miss words.

/** Longest word in characters; longer ones are split into pieces of this length that overlap by half. */
export const LONGEST = 32;
const STEP = LONGEST / 2;
/** Texts with more characters, or more different words, are not indexed: every search reads them. */
const MAX_TEXT = 4_000_000;
export const MAX_WORDS = 20_000;
/** Maximum number of patterns of a term that are looked up. */
const MAX_PATTERNS = 3;

/** Characters that separate words: ASCII except letters and digits, and the punctuation of other scripts. */
const BETWEEN =
  '\\u0000-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f\\u2e00-\\u2e7f\\u3000-\\u3004' +
  '\\u3008-\\u3020\\u3030\\ud800-\\udfff\\ufe10-\\ufe6f\\ufeff\\ufff0-\\uffff\\u{10fffe}-\\u{10ffff}';
/** Scripts that are written without spaces: Thai, Lao, Tibetan, Burmese, Khmer, Chinese, Japanese. */
const UNSPACED =
  '\\u0e00-\\u109f\\u1780-\\u17ff\\u2e80-\\u2fff\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u4dbf\\u4e00-\\u9fff' +
  '\\uf900-\\ufaff\\u{20000}-\\u{3ffff}';
const RUNS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}${BETWEEN}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/** How a word of a text relates to a word of a term that the text contains. */
export interface Pattern {
  how: 'is' | 'begins' | 'ends' | 'has';
  word: string;
}

/** The different words of a text; undefined for one that is too large to be indexed. */
export function wordsOf(text: string): Set<string> | undefined {
  const words = new Set<string>();
  if (text.length > MAX_TEXT) return undefined;
  for (const run of text.match(RUNS) ?? []) {
    if (run.length <= LONGEST && !IS_UNSPACED.test(run)) words.add(run);
    else addPieces(Array.from(run), IS_UNSPACED.test(run) ? 2 : LONGEST, words);
    if (words.size > MAX_WORDS) return undefined;
  }
  return words;
}

/** The suffixes of a word, the word itself first. */
export function endsOf(word: string): string[] {
  const characters = Array.from(word);
  return characters.map((_, at) => characters.slice(at).join(''));
}

/**
 * Patterns for a term, the most selective first: a text that contains the term has a matching word for each. Empty if
 * the term has no words.
 */
export function patternsOf(term: string): Pattern[] {
  const found: Pattern[] = [];
  for (const match of term.matchAll(RUNS)) {
    const [run] = match;
    const closed = { left: match.index > 0, right: match.index + run.length < term.length };
    const characters = Array.from(run);
    if (IS_UNSPACED.test(run) && characters.length > 1) found.push(...pairsOf(characters));
    else found.push(patternOf(characters, closed));
  }
  return found.sort((a, b) => b.word.length - a.word.length).slice(0, MAX_PATTERNS);
}

/** Adds pieces of this length, the last one at the end. Pairs begin at every character, longer pieces at every half. */
function addPieces(characters: readonly string[], length: number, words: Set<string>): void {
  const step = length > 2 ? STEP : 1;
  const last = Math.max(0, characters.length - length);
  for (let at = 0; at < last; at += step) words.add(characters.slice(at, at + length).join(''));
  words.add(characters.slice(last).join(''));
}

/** The pattern of a word of a term. On a side where the term continues with other characters, the word is complete. */
function patternOf(characters: readonly string[], { left, right }: { left: boolean; right: boolean }): Pattern {
  // A part of this length lies within one piece, wherever it begins.
  const long = characters.length > STEP;
  const word = characters.join('');
  if (left && right) return { how: 'is', word: characters.slice(0, LONGEST).join('') };
  const part = long ? characters.slice(0, STEP).join('') : word;
  if (left) return { how: 'begins', word: part };
  if (right) return { how: 'ends', word: long ? characters.slice(-STEP).join('') : word };
  return { how: 'has', word: part };
}

/** The first, the middle and the last pair. */
function pairsOf(characters: readonly string[]): Pattern[] {
  const last = characters.length - 2;
  const places = new Set([0, Math.floor(last / 2), last]);
  return [...places].map((at) => ({ how: 'is', word: characters.slice(at, at + 2).join('') }));
}
