// Sanitizes a file name sent by a client, for use in paths, URLs and headers.
// Runs before a key is reserved in the store; the result is used for display and storage.
import { normalize } from '../text/normalize.js';
import { transliterate } from '../text/transliterate.js';
import { allowedType } from './media-types.js';

const MAX_BYTES = 200;
const MAX_EXTENSION = 20;
/** Maximum number of characters that are processed at the beginning and at the end of a name. */
const MAX_SIDE_CHARACTERS = 1000;
const SPECIAL = /[^\p{L}\p{M}\p{N}._-]/gu;

/**
 * A file name of at most 200 bytes: last path segment only, Latin letters without accents, other scripts kept, white
 * space as `-`, special and invisible characters removed, no leading dot or dash, never empty (`file`). Inner
 * extensions that are not allowed get a `_`, so that `x.php.jpg` becomes `x.php_.jpg` and no web server executes it.
 * Names that Windows reserves (`con`) get `-file`. Idempotent.
 */
export function sanitizeFileName(name: string): string {
  const plain = withoutSpecials(lastSegment(name));
  const parts = plain.split('.').map(trimDashes);
  const extension = parts.length > 1 ? parts.pop() : undefined;
  const [first = '', ...inner] = parts;
  const stem = unreserved([first, ...inner.filter(Boolean).map(disarm)].join('.').replace(/^[._-]+/, ''));
  if (!extension) return fit(trimDashes(stem) || 'file', MAX_BYTES);
  const end = `.${shorten(extension, MAX_EXTENSION)}`;
  return fit(stem || 'file', MAX_BYTES - Buffer.byteLength(end)) + end;
}

function lastSegment(name: string): string {
  const segment = name.split(/[\\/]/).findLast((part) => part.trim() !== '') ?? '';
  if (segment.length <= 2 * MAX_SIDE_CHARACTERS) return segment;
  return (segment.slice(0, MAX_SIDE_CHARACTERS) + segment.slice(-MAX_SIDE_CHARACTERS)).toWellFormed();
}

function withoutSpecials(name: string): string {
  const allowed = name
    .replace(/%20|\+/g, '-')
    .replace(/[\s\p{Z}]/gu, '-')
    .replace(SPECIAL, '');
  return normalize(allowed, 'NFC')
    .replace(/\p{Script=Latin}[\p{Script=Latin}\p{M}]*/gu, withoutAccents)
    .replace(SPECIAL, '')
    .replace(/-{2,}/g, '-')
    .replace(/\.+$/, '');
}

function withoutAccents(letters: string): string {
  if (/^[a-z]*$/i.test(letters)) return letters;
  return transliterate(letters).replace(/\p{M}/gu, '');
}

// Windows reserves the names of devices, with any extension: files with such names could not be copied there.
function unreserved(stem: string): string {
  return stem.replace(/^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, '$1-file');
}

function trimDashes(part: string): string {
  return part.replace(/^[-_]+/, '').replace(/-+$/, '');
}

function disarm(extension: string): string {
  const looksLikeOne = /^[a-z]{2,5}\d?$/i.test(extension);
  return looksLikeOne && !allowedType(`x.${extension}`, false) ? `${extension}_` : extension;
}

// Truncating `a.phpx…` could leave a bare `.php` before the last extension, so a truncated name has no inner dot.
function fit(stem: string, bytes: number): string {
  return Buffer.byteLength(stem) <= bytes ? stem : shorten(stem.replaceAll('.', '-'), bytes);
}

// Truncates at whole characters: a lone surrogate would make the name unencodable in a URL.
function shorten(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let shortened = '';
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    shortened += character;
  }
  return shortened.replace(/[._-]+$/, '');
}
