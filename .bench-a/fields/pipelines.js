// The registered text pipelines of `rendered` fields: how raw text is cleaned for unprivileged writers and how it is shown.
import { commentHtml, contentHtml, inlineHtml } from '../text/html.js';
import { hasBlocks, renderCaption, renderComment, renderContent, renderDescription, renderExcerpt, renderTitle } from '../text/render.js';
const wide = (raw, unfiltered) => (unfiltered ? raw : contentHtml(raw));
export const pipelines = new Map([
    ['title', { clean: (raw, unfiltered) => (unfiltered ? raw : inlineHtml(raw)).trim(), render: renderTitle }],
    ['content', { clean: wide, render: renderContent, blocks: hasBlocks }],
    ['excerpt', { clean: wide, render: renderExcerpt }],
    ['caption', { clean: wide, render: renderCaption }],
    ['description', { clean: wide, render: renderDescription }],
    ['comment', { clean: (raw, unfiltered) => (unfiltered ? raw : commentHtml(raw)).trim(), render: renderComment }],
    ['plain', { clean: wide, render: (raw) => raw }],
]);
