// Compares the words of a changed text with those of the previous one, without splitting the shared parts into words.
import { numbersOf } from './word-tables.js';
import { LONGEST, wordsOf } from './words.js';

/** CRC-32 lookup table, by byte: zlib would need a string per word, and a text has many words. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});

/** Whether an ASCII character is part of words, by its code. */
const OF_WORD = Array.from({ length: 128 }, (_, code) => wordsOf(String.fromCharCode(code))!.size > 0);

const [SPACE, NEW_LINE] = [32, 10];

/** Lengths of the common prefix and suffix of two texts, each up to a space or a line break, so that no word is cut. */
export function sharedEnds(before: string, text: string): { start: number; end: number } {
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === text.charCodeAt(start)) start += 1;
  while (start > 0 && !isSpace(text.charCodeAt(start - 1))) start -= 1;
  const most = shorter - start;
  let end = 0;
  while (end < most && before.charCodeAt(before.length - 1 - end) === text.charCodeAt(text.length - 1 - end)) end += 1;
  while (end > 0 && !isSpace(text.charCodeAt(text.length - end))) end -= 1;
  return { start, end };
}

/** Deletes the numbers of a text's words from `numbers`. */
export function deleteNumbers(place: number, text: string, numbers: Set<number>): void {
  if (!deleteSums(place, text, numbers)) for (const number of numbersOf(place, wordsOf(text))) numbers.delete(number);
}

/**
 * The same for an ASCII text; false, with only some deleted, for other characters or a word that is stored in pieces.
 */
function deleteSums(place: number, text: string, numbers: Set<number>): boolean {
  let length = 0;
  let sum = -1;
  for (let at = 0; at <= text.length; at += 1) {
    // The end of the text ends a word.
    const code = at < text.length ? text.charCodeAt(at) : SPACE;
    if (code > 127) return false;
    if (OF_WORD[code]) {
      sum = TABLE[(sum ^ code) & 255]! ^ (sum >>> 8);
      if ((length += 1) > LONGEST) return false;
    } else if (length > 0) {
      numbers.delete(place + (~sum >>> 0));
      length = 0;
      sum = -1;
    }
  }
  return true;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === NEW_LINE;
}
