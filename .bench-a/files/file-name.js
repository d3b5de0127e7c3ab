// Turns the name a client gave its file into one that is safe in a path, a URL and a header (decision 13.19).
// Called before a key is reserved in the store; the result is for display and storage alike.
import { transliterate } from 'transliteration';
import { allowedType } from './media-types.js';
const MAX_BYTES = 200;
const MAX_EXTENSION = 20;
const SPECIAL = /[^\p{L}\p{M}\p{N}._-]/gu;
/**
 * A file name of at most 200 bytes: last path segment only, Latin letters without accents, other scripts kept,
 * blanks as `-`, special and invisible characters dropped, no leading dot or dash, never empty (`file`).
 * Extensions before the last one that are not allowed ones get a `_`, so that `x.php.jpg` becomes `x.php_.jpg`
 * and no web server takes it for a script. Applying it twice changes nothing. Decision 13.19.
 */
export function sanitizeFileName(name) {
    const plain = withoutSpecials(lastSegment(name));
    const parts = plain.split('.').map(trimDashes);
    const extension = parts.length > 1 ? parts.pop() : undefined;
    const [first = '', ...inner] = parts;
    const stem = [first, ...inner.filter(Boolean).map(disarm)].join('.').replace(/^[._-]+/, '');
    if (!extension)
        return fit(trimDashes(stem) || 'file', MAX_BYTES);
    const end = `.${shorten(extension, MAX_EXTENSION)}`;
    return fit(stem || 'file', MAX_BYTES - Buffer.byteLength(end)) + end;
}
function lastSegment(name) {
    return name.split(/[\\/]/).findLast((segment) => segment.trim() !== '') ?? '';
}
function withoutSpecials(name) {
    return name
        .replace(/%20|\+/g, '-')
        .replace(/[\s\p{Z}]/gu, '-')
        .replace(SPECIAL, '')
        .normalize('NFC')
        .replace(/\p{Script=Latin}[\p{Script=Latin}\p{M}]*/gu, withoutAccents)
        .replace(SPECIAL, '')
        .replace(/-{2,}/g, '-')
        .replace(/\.+$/, '');
}
function withoutAccents(letters) {
    return transliterate(letters).replace(/\p{M}/gu, '');
}
function trimDashes(part) {
    return part.replace(/^[-_]+/, '').replace(/-+$/, '');
}
function disarm(extension) {
    const looksLikeOne = /^[a-z]{2,5}\d?$/i.test(extension);
    return looksLikeOne && !allowedType(`x.${extension}`, false) ? `${extension}_` : extension;
}
// a cut in `a.phpx…` could leave a bare `.php` before the last extension, so a name that is cut keeps no inner dot
function fit(stem, bytes) {
    return Buffer.byteLength(stem) <= bytes ? stem : shorten(stem.replaceAll('.', '-'), bytes);
}
// cuts whole characters: a half surrogate would make the name unencodable in a URL
function shorten(text, bytes) {
    if (Buffer.byteLength(text) <= bytes)
        return text;
    let kept = '';
    let size = 0;
    for (const character of text) {
        size += Buffer.byteLength(character);
        if (size > bytes)
            break;
        kept += character;
    }
    return kept.replace(/[._-]+$/, '');
}
