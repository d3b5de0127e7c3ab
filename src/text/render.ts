/**
 * From the text as stored to the text as shown: the pipelines of section 25.
 * Called when a row is written (the result is stored beside the raw text) and when rows are rendered again.
 */
import { clickable } from './links.js';
import { tokens } from './markup.js';
import { paragraphs } from './paragraphs.js';
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

/** 10.3: block_version is 1 for a text with block markers. */
export function hasBlocks(raw: string): boolean {
  return raw.includes('<!-- wp:');
}

/** 25.3: typography, trimmed; an empty title stays empty. */
export function renderTitle(raw: string): string {
  return typography(raw).trim();
}

/** 25.4: typography and paragraphs. Block markup brings its own paragraphs: it only loses its markers. */
export function renderContent(raw: string): string {
  return hasBlocks(raw) ? typography(withoutBlockMarkers(raw)) : paragraphs(typography(raw));
}

/** 25.5: the excerpt that was given, or the first 55 words of the content. */
export function renderExcerpt(excerpt: string, content: string): string {
  return paragraphs(typography(excerpt.trim() === '' ? firstWords(content) : excerpt));
}

/** 25.6: clickable addresses, typography, paragraphs. */
export function renderComment(raw: string): string {
  return paragraphs(typography(clickable(raw)));
}

/** 13.28: the description of a file is content. */
export function renderDescription(raw: string): string {
  return renderContent(raw);
}

/** 13.28: a caption is an excerpt that is never made up. */
export function renderCaption(raw: string): string {
  return paragraphs(typography(raw));
}

function withoutBlockMarkers(raw: string): string {
  let out = '';
  for (const token of tokens(raw)) {
    if (token.kind !== 'comment' || !BLOCK_MARKER.test(token.text)) out += token.text;
  }
  return out;
}

const MORE = /^<!--\s*more\b/;

/** Stops reading as soon as it has enough: an excerpt must not cost a pass over megabytes. */
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

/** Runs of letters and runs of spaces, as a reader sees them: a block tag separates words, an inline tag does not. */
function* readable(content: string): Generator<string> {
  let opened = '';
  for (const token of tokens(content)) {
    // Authors mark where the summary of a text ends.
    if (token.kind === 'comment' && MORE.test(token.text)) return;
    if (token.kind === 'open') opened = token.name;
    if (token.kind === 'text' || (token.kind === 'raw' && opened !== 'script' && opened !== 'style')) {
      // As in plain.ts: a lone `<` must not meet the rest of a tag.
      for (const [piece] of token.text.matchAll(PIECES)) yield piece.replaceAll('<', '&lt;');
    } else if (token.name !== '' && !INLINE_TAGS.has(token.name)) yield ' ';
  }
}
