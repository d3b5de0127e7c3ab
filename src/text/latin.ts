// Removes the accents of Latin letters; other scripts are unchanged.
import { transliterate } from 'transliteration';
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
