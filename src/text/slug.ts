// Slugs: the part of a URL that identifies an item.
import { plainLatin } from './transliterate.js';
import { tokens } from './html-tokens.js';
import { normalize } from './normalize.js';

const OCTETS = /(?:%[\da-f]{2})+/gi;
const DASH_ENTITIES = /&(?:nbsp|ndash|mdash|#160|#8211|#8212|#xa0|#x2013|#x2014);/gi;
const ENTITIES = /&(?:#\d{1,8}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;
const SEPARATORS = /[\s\p{Z}\p{Pd}./]+/gu;
const OTHER_SCRIPTS = /[\u{80}-\u{10ffff}]/u;
/** What needs none of the steps for markup, entities, octets and other scripts. */
const PLAIN_ASCII = /^[\x20-\x7e]*$/;
const MARKS = /[<&%]/;
/** A text that is a slug already. */
const IS_SLUG = /^[a-z\d]+(?:[-_][a-z\d]+)*$/;
const ASCII_SEPARATORS = /[\s./-]+/g;
const ASCII_REFUSED = /[^a-z\d_-]/g;
const REFUSED = /[^a-z\d_\-\u{80}-\u{10ffff}]|[\u{80}-\u{9f}£©®°™\p{C}\p{Sk}\ufffd]|(?![_-])\p{P}/gu;

/** Default maximum length of a slug. */
export const MAX_SLUG_LENGTH = 200;
/** Characters from which a slug is made: far more than fit, because tags and punctuation may be between them. */
const MAX_SOURCE_CHARACTERS = 4096;
/** Maximum number of characters of markup that are read for them. */
const MAX_MARKUP_CHARACTERS = 65_536;

/** Lower-case letters, digits, `_` and `-`; other scripts percent-encoded. Idempotent. */
export function slugify(text: string, maxLength = MAX_SLUG_LENGTH): string {
  if (text.length <= maxLength && IS_SLUG.test(text)) return text;
  if (PLAIN_ASCII.test(text) && !MARKS.test(text)) return asciiSlug(text, maxLength);
  const words = withoutTags(text)
    .slice(0, MAX_SOURCE_CHARACTERS)
    .replace(OCTETS, decodeOctets)
    .replace(DASH_ENTITIES, '-')
    .replace(ENTITIES, '')
    .toLowerCase();
  const once = keepLetters(words);
  // What was removed may have stood between a letter and its accent.
  const joined = normalize(OTHER_SCRIPTS.test(once) ? keepLetters(once) : once, 'NFC').replace(/-+/g, '-');
  return trimDashes(encodeUpTo(trimDashes(joined), maxLength));
}

/** The same for what most titles are made of, in less than half the time. */
function asciiSlug(text: string, maxLength: number): string {
  const words = text
    .slice(0, MAX_SOURCE_CHARACTERS)
    .toLowerCase()
    .replace(ASCII_SEPARATORS, '-')
    .replace(ASCII_REFUSED, '')
    .replace(/-+/g, '-');
  return trimDashes(trimDashes(words).slice(0, maxLength));
}

/** What of a text may be in a slug. */
function keepLetters(text: string): string {
  return plainLatin(text)
    .toLowerCase()
    .replaceAll('×', 'x')
    .replaceAll('€', 'e')
    .replace(SEPARATORS, '-')
    .replace(REFUSED, '');
}

/** `base` truncated so that `suffix` fits after it, at whole encoded characters. */
export function truncateSlug(base: string, suffix: string, maxLength = MAX_SLUG_LENGTH): string {
  const room = Math.max(0, maxLength - suffix.length);
  if (base.length <= room) return base + suffix;
  const decoded = base.replace(OCTETS, decodeOctets);
  return trimDashes(encodeUpTo(decoded, room)) + suffix;
}

function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  let out = '';
  for (const token of tokens(text.slice(0, MAX_MARKUP_CHARACTERS))) {
    if (token.kind === 'text' || token.kind === 'raw') out += token.text;
    if (out.length > MAX_SOURCE_CHARACTERS) break;
  }
  return out;
}

/** Decodes percent-encoded characters of a slug; octets that are not valid UTF-8 are removed. */
function decodeOctets(octets: string): string {
  return Buffer.from(octets.replaceAll('%', ''), 'hex').toString('utf8').replaceAll('\ufffd', '');
}

function encodeUpTo(text: string, maxLength: number): string {
  let out = '';
  for (const character of text) {
    const encoded = character <= '\x7f' ? character : encodeURIComponent(character).toLowerCase();
    if (out.length + encoded.length > maxLength) break;
    out += encoded;
  }
  return out;
}

function trimDashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '-') start++;
  while (end > start && text[end - 1] === '-') end--;
  return text.slice(start, end);
}
