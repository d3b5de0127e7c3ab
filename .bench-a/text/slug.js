/**
 * The part of an address that names an item. Called by the slug behaviour and by the
 * list filter on slugs; uniqueness is decided there, not here.
 */
import { plainLatin } from './latin.js';
import { tokens } from './markup.js';
const OCTETS = /(?:%[\da-f]{2})+/gi;
const DASH_ENTITIES = /&(?:nbsp|ndash|mdash|#160|#8211|#8212|#xa0|#x2013|#x2014);/gi;
const ENTITIES = /&(?:#\d{1,8}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;
const SEPARATORS = /[\s\p{Z}\p{Pd}./]+/gu;
const REFUSED = /[^a-z\d_\-\u{80}-\u{10ffff}]|[\u{80}-\u{9f}£©®°™\p{C}\p{Sk}\ufffd]|(?![_-])\p{P}/gu;
/** Lower-case letters, digits, `_` and `-`; other scripts percent-encoded (11.17). Giving it its own answer changes nothing. */
export function slugify(text, maxLength = 200) {
    const words = withoutTags(text)
        .replace(OCTETS, decodeOctets)
        .replace(DASH_ENTITIES, '-')
        .replace(ENTITIES, '')
        .toLowerCase();
    const kept = plainLatin(words)
        .toLowerCase()
        .replaceAll('×', 'x')
        .replaceAll('€', 'e')
        .replace(SEPARATORS, '-')
        .replace(REFUSED, '')
        .normalize('NFC')
        .replace(/-+/g, '-');
    return trimDashes(encodeUpTo(trimDashes(kept), maxLength));
}
/** `base` shortened so that it fits with `suffix` behind it, no encoded character cut in two (11.20). */
export function truncateSlug(base, suffix, maxLength = 200) {
    const room = Math.max(0, maxLength - suffix.length);
    if (base.length <= room)
        return base + suffix;
    const decoded = base.replace(OCTETS, decodeOctets);
    return trimDashes(encodeUpTo(decoded, room)) + suffix;
}
function withoutTags(text) {
    if (!text.includes('<'))
        return text;
    let out = '';
    for (const token of tokens(text))
        if (token.kind === 'text' || token.kind === 'raw')
            out += token.text;
    return out;
}
/** A slug that comes back in encoded form means its characters; octets that are no UTF-8 mean nothing. */
function decodeOctets(octets) {
    return Buffer.from(octets.replaceAll('%', ''), 'hex').toString('utf8').replaceAll('\ufffd', '');
}
function encodeUpTo(text, maxLength) {
    let out = '';
    for (const character of text) {
        const encoded = character <= '\x7f' ? character : encodeURIComponent(character).toLowerCase();
        if (out.length + encoded.length > maxLength)
            break;
        out += encoded;
    }
    return out;
}
function trimDashes(text) {
    let start = 0;
    let end = text.length;
    while (text[start] === '-')
        start++;
    while (end > start && text[end - 1] === '-')
        end--;
    return text.slice(start, end);
}
