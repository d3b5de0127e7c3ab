// Removes the accents of Latin letters, and writes other scripts in Latin letters.
import { createRequire } from 'node:module';
import type { transliterate as Transliterate } from 'transliteration';
import { normalize } from './normalize.js';

const NOT_ASCII = /[^\p{ASCII}]/u;
const LATIN_LETTER = /(\p{Script=Latin})[\u0300-\u036f]{0,30}/gu;
const known = new Map<string, string>([['ẞ', 'SS']]);

/** é becomes e, ß ss, æ ae; 日本 and Ж are unchanged. */
export function plainLatin(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return normalize(text, 'NFC').replace(LATIN_LETTER, (_, letter: string) => plainLetter(letter));
}

function plainLetter(letter: string): string {
  if (letter <= '\x7f') return letter;
  let plain = known.get(letter);
  if (plain === undefined) {
    plain = transliterate(letter);
    known.set(letter, plain);
  }
  return plain;
}

let loaded: typeof Transliterate | undefined;

/** The closest Latin letters of a text. The tables are read at the first use: most texts and names need none of them. */
export function transliterate(text: string): string {
  loaded ??= (createRequire(import.meta.url)('transliteration') as { transliterate: typeof Transliterate })
    .transliterate;
  return loaded(text);
}
