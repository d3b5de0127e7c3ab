// Parsers for short WXR texts: numbers, dates, usernames.
import { createHash } from 'node:crypto';
import { invalidParams } from '../../errors/resource-error.js';
import { normalize } from '../../text/normalize.js';

/** Largest id that is imported unchanged: not all databases can store larger ones. */
export const MAX_ID = 2_147_483_647;

/** A copy of a substring, so that its chunk of the file can be freed. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** Parses an integer; 0 for anything else. */
export function wholeNumber(text: string): number {
  const trimmed = text.trim();
  const number = /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : 0;
  return number === 0 ? 0 : number;
}

/** Parses `YYYY-MM-DD HH:MM:SS`; undefined for an empty or zero date; throws for dates that are not in the calendar. */
export function dateTime(text: string, name: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.startsWith('0000-00-00')) return undefined;
  const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(trimmed);
  const stamp = found && `${found[1]}T${found[2]}`;
  const time = stamp ? Date.parse(`${stamp}Z`) : NaN;
  // Date.parse accepts 30 February as 1 March.
  if (!stamp || Number.isNaN(time) || new Date(time).toISOString().slice(0, 19) !== stamp) {
    throw invalidParams([
      { param: name, code: 'rest_invalid_date', message: `${name} is not a date: "${trimmed.slice(0, 40)}".` },
    ]);
  }
  return stamp;
}

/** Characters of a username that are examined, and those of the result. */
const MAX_USERNAME_CHARACTERS = 1000;
const MAX_USERNAME = 60;

/** Letters and digits that a username cannot have. */
const OTHER_LETTER = /(?![A-Za-z0-9])[\p{L}\p{N}]/u;
/** Characters of the hash that takes the place of such letters. */
const HASH_CHARACTERS = 10;

/**
 * Sanitizes a username: exports edited by hand may contain invalid characters. Letters of other alphabets are left out; a
 * hash then keeps the names of two people apart.
 */
export function cleanUsername(text: string): string {
  const whole = normalize(text.slice(0, MAX_USERNAME_CHARACTERS), 'NFKD').trim();
  const clean = whole
    .replace(/[^A-Za-z0-9 _.@-]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (!OTHER_LETTER.test(whole)) return ownText(clean.slice(0, MAX_USERNAME));
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_CHARACTERS);
  return ownText(`${clean.slice(0, MAX_USERNAME - HASH_CHARACTERS - 1) || 'user'}-${hash}`);
}

/** Adds a value to the list under a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
