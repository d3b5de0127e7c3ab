/**
 * Judges the two kinds of attribute value that can run something: addresses and styles (25.1).
 * Called for every attribute of a filtered tag, before sanitize-html sees it.
 */
export const SCHEMES = 'http https ftp ftps mailto tel sms xmpp webcal news irc ircs urn'.split(' ');
export const ADDRESSES = ['href', 'src', 'cite', 'longdesc', 'poster'];
const MAX_ADDRESS = 8192;
const NUMERIC_REFERENCE = /&#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi;
const HARMLESS_REFERENCE = /&(?:amp|lt|gt|quot);/gi;
const IGNORED_BY_BROWSERS = /[\s\p{Cc}\p{Cf}]/gu;
const STYLE_NAMES = /^(?:--[\w-]+|background(?:-(?:color|position|size|repeat|attachment|blend-mode))?|border(?:-[a-z-]+)?|margin(?:-[a-z-]+)?|padding(?:-[a-z-]+)?|font(?:-[a-z-]+)?|text-[a-z-]+|(?:min-|max-)?(?:width|height|block-size|inline-size)|flex(?:-[a-z-]+)?|grid(?:-[a-z-]+)?|column(?:s|-[a-z-]+)?|(?:row-)?gap|align-(?:content|items|self)|justify-(?:content|items|self)|list-style(?:-type|-position)?|color|opacity|direction|display|float|clear|overflow|vertical-align|white-space|word-(?:spacing|wrap|break)|letter-spacing|line-height|object-(?:fit|position)|aspect-ratio|caption-side|empty-cells|table-layout|order|writing-mode|box-shadow|list-style)$/;
const STYLE_VALUE = /^[\w\s#%.,+*/'()!-]+$/;
const STYLE_CALLS = /([a-z-]*)\(/gi;
const SAFE_CALLS = new Set('calc min max clamp var rgb rgba hsl hsla repeat minmax linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient'.split(' '));
/** The value if it may stay, possibly shortened, else undefined. Values are as written, references undecoded. */
export function safeAttribute(name, value) {
    if (ADDRESSES.includes(name))
        return isSafeAddress(value) ? value : undefined;
    if (name === 'srcset')
        return isSafeSrcset(value) ? value : undefined;
    if (name === 'style')
        return safeStyle(value) || undefined;
    return value;
}
function isSafeAddress(value) {
    if (value.length > MAX_ADDRESS)
        return false;
    const plain = value
        .replace(NUMERIC_REFERENCE, character)
        .replace(HARMLESS_REFERENCE, '')
        .replace(IGNORED_BY_BROWSERS, '');
    const beforePath = /^[^/?#]*/.exec(plain)[0].toLowerCase();
    // Named references such as &colon; have no place in front of a path.
    if (/&[a-z\d#]+;/.test(beforePath))
        return false;
    const colon = beforePath.indexOf(':');
    return colon === -1 || SCHEMES.includes(beforePath.slice(0, colon));
}
function isSafeSrcset(value) {
    return value.length <= MAX_ADDRESS && value.split(/[\s,]+/).every(isSafeAddress);
}
function character(_, hex, decimal) {
    const code = hex ? parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
function safeStyle(value) {
    return value
        .slice(0, MAX_ADDRESS)
        .replace(/&quot;|&#0*3[49];/gi, "'")
        .split(';')
        .map((declaration) => declaration.trim())
        .filter(isSafeDeclaration)
        .join(';');
}
function isSafeDeclaration(declaration) {
    const colon = declaration.indexOf(':');
    const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    if (!STYLE_NAMES.test(name) || !STYLE_VALUE.test(value))
        return false;
    return [...value.matchAll(STYLE_CALLS)].every(([, call]) => call === '' || SAFE_CALLS.has(call.toLowerCase()));
}
