// Typographic quotes, dashes and ellipses as numeric entities, in text and never in tags or code.
import { encodeAmpersands } from './entity.js';
import { type Token, tokens } from './html-tokens.js';
import { StringBuilder } from './string-builder.js';
import { isDigit, isSpaceAt, isSpaceBefore, QuoteReader } from './quotes.js';

const VERBATIM_TAGS = new Set(['pre', 'code', 'kbd', 'tt', 'script', 'style']);
const WORTH_READING = /[&'"`(x]|--|\.\.\.|-/;
const SPECIAL = /\.\.\.|``|''|["'x]|-+|\(tm\)|&(?!(?:#\d{1,8}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/gi;
/** The quotes that `SPECIAL` finds, and the pair of apostrophes that it takes for something else. */
const QUOTES = /''|["']/g;
const URL_TEXT = /^(?:https?|ftp):\/\/\S+$/;
const FIXED: Record<string, string> = { '...': '&#8230;', '``': '&#8220;', "''": '&#8221;', '&': '&#038;' };
const EN_DASH = '&#8211;';
const EM_DASH = '&#8212;';

/**
 * Applies typography to the text of HTML. Deterministic, linear, with a fast path for text without anything to replace.
 */
export function typography(html: string): string {
  if (!WORTH_READING.test(html)) return html;
  const verbatim = new VerbatimDepth();
  const out = new StringBuilder();
  let carried = false;
  let endsWord = false;
  for (const token of tokens(html)) {
    if (token.kind === 'text' && !verbatim.inside) {
      out.add(setText(token.text, carried));
      endsWord = /[\p{L}\p{N}.,!?)]$/u.test(token.text.slice(-2));
    } else {
      const isTag = token.kind === 'open' || token.kind === 'close';
      out.add(isTag ? encodeAmpersands(token.text, '&#038;') : token.text);
    }
    verbatim.pass(token);
    // A quote after `</em>` belongs to the word before it; after `<em>` it more likely opens.
    carried = token.kind === 'close' && endsWord;
  }
  return out.joined();
}

/** Nesting depth of elements whose text is displayed verbatim. */
class VerbatimDepth {
  private depth = 0;

  get inside(): boolean {
    return this.depth > 0;
  }

  pass(token: Token): void {
    if (!VERBATIM_TAGS.has(token.name)) return;
    if (token.kind === 'open') this.depth++;
    else if (this.depth > 0) this.depth--;
  }
}

function setText(text: string, carried: boolean): string {
  if (!WORTH_READING.test(text)) return text;
  // A URL that is the only text between tags is not changed.
  if (URL_TEXT.test(text)) return encodeAmpersands(text, '&#038;');
  const entity = quoteEntities(text, carried);
  const out = new StringBuilder();
  let done = 0;
  let quote = 0;
  for (const match of text.matchAll(SPECIAL)) {
    const at = match.index;
    const isQuote = match[0] === '"' || match[0] === "'";
    out.add(text.slice(done, at), isQuote ? entity(quote++) : (FIXED[match[0]] ?? setOther(text, at, match[0])));
    done = at + match[0].length;
  }
  out.add(text.slice(done));
  return out.joined();
}

function quoteEntities(text: string, carried: boolean): (index: number) => string {
  const quotes = new QuoteReader(text, carried);
  for (const match of text.matchAll(QUOTES)) if (match[0] !== "''") quotes.read(match.index);
  return quotes.entities();
}

function setOther(text: string, at: number, written: string): string {
  if (written[0] === '-') return dashes(text, at, written.length);
  if (written === 'x') return isTimes(text, at) ? '&#215;' : written;
  return written === '(tm)' && text[at - 1] === ' ' ? '&#8482;' : written;
}

function dashes(text: string, at: number, length: number): string {
  const end = at + length;
  const free = (at === 0 || isSpaceBefore(text, at)) && (end === text.length || isSpaceAt(text, end));
  if (length === 1) return free ? EN_DASH : '-';
  if (length === 2) return free ? EM_DASH : text.endsWith('xn', at) ? '--' : EN_DASH;
  return EM_DASH.repeat(Math.floor(length / 3)) + ['', '-', EN_DASH][length % 3];
}

/** `3x4` is a multiplication; `0x4` is a number and `a3x4` a name. */
function isTimes(text: string, at: number): boolean {
  if (!isDigit(text[at - 1]) || !isDigit(text[at + 1])) return false;
  let start = at - 1;
  while (isNumberPart(text[start - 1])) start--;
  while (!isDigit(text[start])) start++;
  let end = at + 1;
  while (isNumberPart(text[end])) end++;
  const zero = start === at - 1 && text[start] === '0';
  return !zero && !isWord(text[start - 1]) && !isWord(text[end]);
}

function isNumberPart(character: string | undefined): boolean {
  return isDigit(character) || character === '.' || character === ',';
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}
