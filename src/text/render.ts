// Rendering pipelines: from stored text to HTML.
// Runs when a row is written (the result is stored beside the raw text) and when rows are rendered again.
import { differenceOf } from './difference.js';
import { clickable } from './links.js';
import { tokens } from './html-tokens.js';
import { paragraphs } from './paragraphs.js';
import { StringBuilder } from './string-builder.js';
import { typography } from './typography.js';

const BLOCK_MARKER = /^<!--\s+\/?wp:[a-z]/;
const EXCERPT_WORDS = 55;
const SPACE = /^[\n\r\t ]/;
const PIECES = /[\n\r\t ]+|[^\n\r\t ]+/g;
const INLINE_TAGS = new Set(
  'a abbr acronym b bdo big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup tt u var'.split(
    ' ',
  ),
);

/** Whether the text contains block delimiters (block_version 1). */
export function hasBlocks(raw: string): boolean {
  return raw.includes('<!-- wp:');
}

/** Typography, trimmed; an empty title stays empty. */
export function renderTitle(raw: string): string {
  return typography(raw).trim();
}

/** Typography and paragraphs. Block markup has its own paragraphs: only the delimiters are removed. */
export function renderContent(raw: string): string {
  return hasBlocks(raw) ? typography(withoutBlockMarkers(raw)) : paragraphs(typography(raw));
}

/** The excerpt if there is one, else the first 55 words of the content. */
export function renderExcerpt(excerpt: string, content: string): string {
  return paragraphs(typography(excerpt.trim() === '' ? firstWords(content) : excerpt));
}

/** Links, typography, paragraphs. */
export function renderComment(raw: string): string {
  return paragraphs(typography(clickable(raw)));
}

/** The description of a file, rendered as content. */
export function renderDescription(raw: string): string {
  return renderContent(raw);
}

/** A caption, rendered as an excerpt that is never generated. */
export function renderCaption(raw: string): string {
  return paragraphs(typography(raw));
}

function withoutBlockMarkers(raw: string): string {
  const out = new StringBuilder();
  for (const token of tokens(raw)) {
    if (token.kind !== 'comment' || !BLOCK_MARKER.test(token.text)) out.add(token.text);
  }
  return out.joined();
}

const MORE = /^<!--\s*more\b/;

/** Stops as soon as there are enough words: an excerpt must not require reading megabytes. */
function firstWords(content: string): string {
  const words: string[] = [];
  let word = '';
  for (const piece of readable(content)) {
    if (!SPACE.test(piece)) word += piece;
    else if (word !== '') {
      words.push(word);
      word = '';
    }
    if (words.length > EXCERPT_WORDS) break;
  }
  if (word !== '') words.push(word);
  return words.length > EXCERPT_WORDS ? `${words.slice(0, EXCERPT_WORDS).join(' ')} [&hellip;]` : words.join(' ');
}

/** Runs of letters and runs of spaces, as displayed: a block tag separates words, an inline tag does not. */
function* readable(content: string): Generator<string> {
  let opened = '';
  for (const token of tokens(content)) {
    // `<!--more-->` ends the summary of a text.
    if (token.kind === 'comment' && MORE.test(token.text)) return;
    if (token.kind === 'open') opened = token.name;
    if (token.kind === 'text' || (token.kind === 'raw' && opened !== 'script' && opened !== 'style')) {
      // As in plain.ts: a lone `<` must not form a tag with the following text.
      for (const [piece] of token.text.matchAll(PIECES)) yield piece.replaceAll('<', '&lt;');
    } else if (token.name !== '' && !INLINE_TAGS.has(token.name)) yield ' ';
  }
}

type Render = (raw: string, from: string) => string;

/**
 * The renderings above with what is stored of their HTML, the difference from the text it was made of, so that a large text
 * goes to a thread once. `from` replaces an empty text.
 */
export const STORED_RENDERINGS: ReadonlyMap<Render, Render> = new Map(
  [renderCaption, renderComment, renderContent, renderDescription, renderExcerpt, renderTitle].map((render: Render) => [
    render,
    (raw, from) => differenceOf(raw || from, render(raw, from)),
  ]),
);
