// Unicode normalization in linear time. Sorting a run of combining marks takes time quadratic in its length, so runs
// are first truncated to the length of the Stream-Safe Text Format (UAX #15).
/** Maximum number of marks after one character; more than any language uses. */
const MAX_MARKS = 30;
/** The last four are letters that become combining marks in a compatibility form. */
const MARK = /[\p{M}\u0e33\u0eb3\uff9e\uff9f]/u;
const FIRST_MARK = 0x300;
/** Hangul letters, and those for compatibility with old encodings. */
const HANGUL_START = 0x1100;
const HANGUL_END = 0x11ff;
const HANGUL_LETTERS = 0x3130;
const IDEOGRAPHS = 0x3400;
const IDEOGRAPHS_END = 0x9fff;

/** The text in a normalization form, with every run of combining marks truncated to 30. */
export function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return streamSafe(text).normalize(form);
}

/**
 * The text with every run of combining marks truncated to 30. A loop instead of a pattern, because a repetition over
 * millions of characters overflows the stack of the pattern matcher.
 */
export function streamSafe(text: string): string {
  let out = '';
  let kept = 0;
  let run = 0;
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at)!;
    const next = at + (code > 0xffff ? 2 : 1);
    run = isMark(code) ? run + 1 : 0;
    if (run === MAX_MARKS + 1) out += text.slice(kept, at);
    if (run > MAX_MARKS) kept = next;
    at = next;
  }
  return kept === 0 ? text : out + text.slice(kept);
}

/**
 * Cuts a text into pieces of about `length` characters that can be normalized one by one: a piece begins with a
 * character that never combines with the one before it.
 */
export function* separablePieces(text: string, length: number): Generator<string> {
  let start = 0;
  for (let at = length; at < text.length; at++) {
    if (!isSeparate(text.codePointAt(at)!)) continue;
    yield text.slice(start, at);
    start = at;
    at += length - 1;
  }
  yield text.slice(start);
}

// Whatever is not known to begin a piece continues one: Hangul letters combine, and low surrogates are half a character.
function isSeparate(code: number): boolean {
  if (code < HANGUL_START) return !isMark(code);
  return (
    (code > HANGUL_END && code < HANGUL_LETTERS && !isMark(code)) || (code >= IDEOGRAPHS && code <= IDEOGRAPHS_END)
  );
}

/** Cached class of each code point: 0 unknown, 1 not a mark, 2 a mark. */
let known: Uint8Array | undefined;

function isMark(code: number): boolean {
  if (code < FIRST_MARK) return false;
  known ??= new Uint8Array(0x110000);
  if (known[code] === 0) known[code] = MARK.test(String.fromCodePoint(code)) ? 2 : 1;
  return known[code] === 2;
}
