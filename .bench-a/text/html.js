/**
 * Filters the HTML of callers who may not write any HTML they like (25.1, 25.6).
 * Called before a row is stored; what these functions give back is safe to show.
 */
import sanitizeHtml from 'sanitize-html';
import { COMMENT, INLINE, WIDE } from './allowed-tags.js';
import { ADDRESSES, SCHEMES } from './safe-attribute.js';
import { tidy } from './tidy.js';
// Two code points that no text may contain stand around a comment's number while tags are filtered.
const STAND_IN = /\ufdd0(\d+)\ufdd1/g;
const FORBIDDEN = /[\0\ufdd0\ufdd1]/g;
/** A title: inline tags only, everything else loses its tags and keeps its text (25.1). */
export function inlineHtml(html) {
    return filtered(html, INLINE);
}
/** Content, excerpt, caption and the description of a file: the wide set (25.1). */
export function contentHtml(html) {
    return filtered(html, WIDE);
}
/** A comment: inline tags, and links that vouch for nothing (25.6). */
export function commentHtml(html) {
    return filtered(html, COMMENT, { a: unvouched });
}
/** The description of a term or a user: the tags a comment may have (16.11). */
export function descriptionHtml(html) {
    return filtered(html, INLINE);
}
function filtered(html, allow, transformTags = {}) {
    if (!/[<>&\0\ufdd0\ufdd1]/.test(html))
        return html;
    const comments = [];
    const keepComment = (comment) => allow.comments && isHarmless(comment) ? `\ufdd0${comments.push(comment) - 1}\ufdd1` : '';
    return sanitizeHtml(tidy(html.replace(FORBIDDEN, ''), allow, keepComment), {
        allowedTags: [...allow.tags],
        allowedAttributes: allow.attributes,
        allowedSchemes: SCHEMES,
        allowedSchemesAppliedToAttributes: ADDRESSES,
        nonTextTags: [],
        // What says nothing when it is empty; `hidden` or `data-x` without a value say something.
        nonBooleanAttributes: [...ADDRESSES, 'class', 'id', 'style', 'srcset', 'title', 'rel', 'target'],
        parseStyleAttributes: false,
        transformTags,
        // References stay as they were written, so that filtering twice changes nothing.
        parser: { decodeEntities: false },
        // Comments come back in text only: inside an attribute they could end it.
        textFilter: (text) => text.replace(STAND_IN, (_, index) => comments[Number(index)] ?? ''),
    });
}
function isHarmless(comment) {
    return comment.length >= 7 && !/[<>]/.test(comment.slice(4, -3));
}
function unvouched(tagName, attribs) {
    const { rel: _, ...kept } = attribs;
    return { tagName, attribs: kept['href'] ? { ...kept, rel: 'nofollow ugc' } : kept };
}
