// Sanitizes HTML of callers without `unfiltered_html`.
// Runs before a row is stored; the results are safe to output.
import { createRequire } from 'node:module';
import type sanitizeHtml from 'sanitize-html';
import { type AllowList, COMMENT, INLINE, WIDE } from './allowed-tags.js';
import { URL_ATTRIBUTES, SCHEMES } from './safe-attribute.js';
import { tidy } from './tidy.js';

// Placeholders of comments during filtering: the number is enclosed in two code points that no text may contain.
const STAND_IN = /\ufdd0(\d+)\ufdd1/g;
const FORBIDDEN = /[\0\ufdd0\ufdd1]/g;

/** A title: inline tags only; other tags are removed and their text is kept. */
export function inlineHtml(html: string): string {
  return filterTags(html, INLINE);
}

/** Content, excerpt, caption and the description of a file: the wide list of tags. */
export function contentHtml(html: string): string {
  return filterTags(html, WIDE);
}

/** A comment: inline tags, and links with `rel="nofollow"`. */
export function commentHtml(html: string): string {
  return filterTags(html, COMMENT, { a: addNofollow });
}

/** The description of a term or a user: the tags of comments. */
export function descriptionHtml(html: string): string {
  return filterTags(html, INLINE);
}

let loaded: typeof sanitizeHtml | undefined;

/** Loaded with the first text that needs filtering, because loading takes a good part of the start. */
function sanitizer(): typeof sanitizeHtml {
  return (loaded ??= createRequire(import.meta.url)('sanitize-html') as typeof sanitizeHtml);
}

function filterTags(
  html: string,
  allow: AllowList,
  transformTags: sanitizeHtml.IOptions['transformTags'] = {},
): string {
  if (!/[<>&\0\ufdd0\ufdd1]/.test(html)) return html;
  const comments: string[] = [];
  const keepComment = (comment: string): string =>
    allow.comments && isHarmless(comment) ? `\ufdd0${comments.push(comment) - 1}\ufdd1` : '';
  return sanitizer()(tidy(html.replace(FORBIDDEN, ''), allow, keepComment), {
    allowedTags: [...allow.tags],
    allowedAttributes: allow.attributes,
    allowedSchemes: SCHEMES,
    allowedSchemesAppliedToAttributes: URL_ATTRIBUTES,
    nonTextTags: [],
    // Attributes without meaning when empty; `hidden` or `data-x` have one without a value.
    nonBooleanAttributes: [...URL_ATTRIBUTES, 'class', 'id', 'style', 'srcset', 'title', 'rel', 'target'],
    parseStyleAttributes: false,
    transformTags,
    // Character references are kept as written, so that filtering is idempotent.
    parser: { decodeEntities: false },
    // Comments are restored in text only: inside an attribute they could end it.
    textFilter: (text) => text.replace(STAND_IN, (_, index: string) => comments[Number(index)] ?? ''),
  });
}

function isHarmless(comment: string): boolean {
  return comment.length >= 7 && !/[<>]/.test(comment.slice(4, -3));
}

function addNofollow(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const { rel: _, ...rest } = attribs;
  return { tagName, attribs: rest['href'] ? { ...rest, rel: 'nofollow ugc' } : rest };
}
