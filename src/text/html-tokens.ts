// Tokenizes HTML into text, tags and comments without building a tree.
// Shared by all text functions that must leave markup unchanged.
export interface Token {
  /** `raw` is the content of script, style, textarea and title, where `<` has no meaning. */
  kind: 'text' | 'raw' | 'open' | 'close' | 'comment' | 'declaration';
  text: string;
  /** Lower-case element name; empty for tokens that are not tags. */
  name: string;
}

export const VOID_TAGS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

const RAW_TAGS = new Set(['script', 'style', 'textarea', 'title']);
const TAG_NAME = /[a-z][^\s/<>"']*/iy;
const GREATER = 62;
const LESS = 60;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;

/** Tokens in order; joined, their texts equal the input. Never throws, linear time. */
export function* tokens(html: string): Generator<Token> {
  const commentEnd = finder(html, '-->');
  const declarationEnd = finder(html, '>');
  let textStart = 0;
  let at = html.indexOf('<');
  while (at !== -1) {
    const token = markupAt(html, at, commentEnd, declarationEnd);
    if (!token) {
      at = html.indexOf('<', at + 1);
      continue;
    }
    if (at > textStart) yield { kind: 'text', text: html.slice(textStart, at), name: '' };
    yield token;
    textStart = at + token.text.length;
    if (token.kind === 'open' && RAW_TAGS.has(token.name)) {
      const end = rawEnd(html, textStart, token.name);
      if (end > textStart) yield { kind: 'raw', text: html.slice(textStart, end), name: '' };
      textStart = end;
    }
    at = html.indexOf('<', textStart);
  }
  if (textStart < html.length) yield { kind: 'text', text: html.slice(textStart), name: '' };
}

function markupAt(
  html: string,
  at: number,
  commentEnd: (from: number) => number,
  declarationEnd: (from: number) => number,
): Token | undefined {
  const next = html[at + 1];
  if (next === '!' && html.startsWith('--', at + 2)) {
    const end = commentEnd(at + 2);
    return end ? { kind: 'comment', text: html.slice(at, end), name: '' } : undefined;
  }
  if (next === '!' || next === '?') {
    const end = declarationEnd(at);
    return end ? { kind: 'declaration', text: html.slice(at, end), name: '' } : undefined;
  }
  const closing = next === '/';
  TAG_NAME.lastIndex = at + (closing ? 2 : 1);
  const name = TAG_NAME.exec(html)?.[0];
  if (name === undefined) return undefined;
  const end = tagEnd(html, TAG_NAME.lastIndex);
  if (!end) return undefined;
  return { kind: closing ? 'close' : 'open', text: html.slice(at, end), name: name.toLowerCase() };
}

/**
 * Position after the `>` that ends a tag, 0 if there is none. Quoted values may contain a `>`.
 * An unquoted `<` aborts: that bound prevents quadratic time for malicious quotes.
 */
function tagEnd(html: string, from: number): number {
  let quote = 0;
  let hidden = 0;
  for (let i = from; i < html.length; i++) {
    const code = html.charCodeAt(i);
    if (quote) {
      if (code === quote) quote = 0;
      else if (code === GREATER && !hidden) hidden = i + 1;
    } else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) quote = code;
    else if (code === GREATER) return i + 1;
    else if (code === LESS) break;
  }
  return hidden;
}

/** `indexOf` that remembers a miss, so that a thousand unterminated comments do not cause a thousand searches. */
function finder(html: string, what: string): (from: number) => number {
  let missed = false;
  return (from) => {
    const found = missed ? -1 : html.indexOf(what, from);
    missed = found === -1;
    return missed ? 0 : found + what.length;
  };
}

function rawEnd(html: string, from: number, name: string): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}
