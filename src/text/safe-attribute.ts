// Checks the two kinds of attribute values that can execute code: URLs and styles.
// Runs for every attribute of a filtered tag, before sanitize-html.
import { decodeHTMLAttribute } from 'entities/decode';

export const SCHEMES = 'http https ftp ftps mailto tel sms xmpp webcal news irc ircs urn'.split(' ');
/** Attributes that contain a URL, whether or not an allow-list includes them. */
export const URL_ATTRIBUTES =
  'href src cite longdesc poster action formaction background data xlink:href codebase classid icon manifest profile dynsrc lowsrc'.split(
    ' ',
  );
/** Attributes that contain several URLs. */
const URL_LIST_ATTRIBUTES = ['srcset', 'imagesrcset', 'ping', 'archive'];
/** Attributes that contain several images: each a URL, and its size or density. */
const IMAGE_LISTS = ['srcset', 'imagesrcset'];
const IMAGE = /[ \t\n\r\f,]*([^ \t\n\r\f,][^ \t\n\r\f]*)/y;
const AFTER_IMAGE = /[^,]*/y;
// So few digits that JavaScript writes the number as it may be read again.
const LENGTH = '0*[1-9]\\d{0,14}';
const DENSITY = '(?:\\d{1,15}|\\d{0,15}\\.\\d+)(?:e-\\d{1,3})?';
const IMAGE_SIZE = new RegExp(`^(?:|${LENGTH}w(?: ${LENGTH}h)?|${LENGTH}h ${LENGTH}w|${DENSITY}x)$`);

const MAX_URL_LENGTH = 8192;
/** Maximum nesting of character references that are decoded; a value with more is rejected. */
const MAX_ROUNDS = 4;
const HARMLESS_REFERENCE = /&(?:amp|lt|gt|quot);/gi;
const IGNORED_BY_BROWSERS = /[\s\p{Cc}\p{Cf}]/gu;

const STYLE_NAMES =
  /^(?:--[\w-]+|background(?:-(?:color|position|size|repeat|attachment|blend-mode))?|border(?:-[a-z-]+)?|margin(?:-[a-z-]+)?|padding(?:-[a-z-]+)?|font(?:-[a-z-]+)?|text-[a-z-]+|(?:min-|max-)?(?:width|height|block-size|inline-size)|flex(?:-[a-z-]+)?|grid(?:-[a-z-]+)?|column(?:s|-[a-z-]+)?|(?:row-)?gap|align-(?:content|items|self)|justify-(?:content|items|self)|list-style(?:-type|-position)?|color|opacity|direction|display|float|clear|overflow|vertical-align|white-space|word-(?:spacing|wrap|break)|letter-spacing|line-height|object-(?:fit|position)|aspect-ratio|caption-side|empty-cells|table-layout|order|writing-mode|box-shadow|list-style)$/;
const STYLE_VALUE = /^[\w\s#%.,+*/'()!-]+$/;
// The look-behind prevents rereading a long word from each of its letters.
const STYLE_CALLS = /(?<![a-z-])([a-z-]*)\(/gi;
const SAFE_CALLS = new Set(
  'calc min max clamp var rgb rgba hsl hsla repeat minmax linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient'.split(
    ' ',
  ),
);

/** The safe value, possibly shortened, or undefined. Values are as written, with character references not decoded. */
export function safeAttribute(name: string, value: string): string | undefined {
  if (URL_ATTRIBUTES.includes(name)) return isSafe(value, isSafeUrl) ? value : undefined;
  if (IMAGE_LISTS.includes(name)) return isSafe(value, isSafeList) ? usableImages(value) || undefined : undefined;
  if (URL_LIST_ATTRIBUTES.includes(name)) return isSafe(value, isSafeList) ? value : undefined;
  if (name === 'style') return safeStyle(value) || undefined;
  return value;
}

/** Whether a value is safe as written and after each round of decoding character references. */
function isSafe(value: string, test: (plain: string) => boolean): boolean {
  if (value.length > MAX_URL_LENGTH) return false;
  let plain = value;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (!test(plain)) return false;
    const decoded = decodeHTMLAttribute(plain);
    if (decoded === plain) return true;
    plain = decoded;
  }
  return false;
}

function isSafeUrl(url: string): boolean {
  const plain = url.replace(HARMLESS_REFERENCE, '').replace(IGNORED_BY_BROWSERS, '');
  const beforePath = /^[^/?#]*/.exec(plain)![0].toLowerCase();
  // Named references such as &colon; are not valid before a path.
  if (/&[a-z\d]+;/.test(beforePath)) return false;
  const colon = beforePath.indexOf(':');
  return colon === -1 || SCHEMES.includes(beforePath.slice(0, colon));
}

function isSafeList(urls: string): boolean {
  return urls.split(/[\s,]+/).every(isSafeUrl);
}

/** The images that browsers use. sanitize-html writes the list to the output of the process for each of the others. */
function usableImages(list: string): string {
  const kept: string[] = [];
  IMAGE.lastIndex = 0;
  for (let image = IMAGE.exec(list); image; image = IMAGE.exec(list)) {
    const written = image[1]!;
    let end = written.length;
    while (written[end - 1] === ',') end--;
    let size = '';
    if (end === written.length) {
      AFTER_IMAGE.lastIndex = IMAGE.lastIndex;
      size = AFTER_IMAGE.exec(list)![0]
        .split(/[ \t\n\r\f]+/)
        .filter(Boolean)
        .join(' ');
      IMAGE.lastIndex = AFTER_IMAGE.lastIndex;
    }
    if (IMAGE_SIZE.test(size)) kept.push(size === '' ? written.slice(0, end) : `${written} ${size}`);
  }
  return kept.join(', ');
}

function safeStyle(value: string): string {
  return value
    .slice(0, MAX_URL_LENGTH)
    .replace(/&quot;|&#0*3[49];/gi, "'")
    .split(';')
    .map((declaration) => declaration.trim())
    .filter(isSafeDeclaration)
    .join(';');
}

function isSafeDeclaration(declaration: string): boolean {
  const colon = declaration.indexOf(':');
  const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
  const value = declaration.slice(colon + 1).trim();
  // A comment may be placed between the name of a function and its bracket.
  if (!STYLE_NAMES.test(name) || !STYLE_VALUE.test(value) || value.includes('/*')) return false;
  return [...value.matchAll(STYLE_CALLS)].every(([, call]) => call === '' || SAFE_CALLS.has(call!.toLowerCase()));
}
