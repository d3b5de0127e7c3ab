// The registered text pipelines of `rendered` fields: how raw text is cleaned for unprivileged writers and how it is shown.
import { commentHtml, contentHtml, inlineHtml } from '../text/html.js';
import {
  hasBlocks,
  renderCaption,
  renderComment,
  renderContent,
  renderDescription,
  renderExcerpt,
  renderTitle,
} from '../text/render.js';

/** One way from raw text to HTML. */
export interface Pipeline {
  /** Filters what a writer without `unfiltered_html` may store (decisions 25.1). */
  clean(raw: string, unfiltered: boolean): string;
  /** HTML of the raw text; `from` is the text of the field that stands in when it is empty. */
  render(raw: string, from: string): string;
  /** Whether the text holds block markup, for pipelines that tell. */
  blocks?(raw: string): boolean;
}

const wide = (raw: string, unfiltered: boolean) => (unfiltered ? raw : contentHtml(raw));

export const pipelines: ReadonlyMap<string, Pipeline> = new Map<string, Pipeline>([
  ['title', { clean: (raw, unfiltered) => (unfiltered ? raw : inlineHtml(raw)).trim(), render: renderTitle }],
  ['content', { clean: wide, render: renderContent, blocks: hasBlocks }],
  ['excerpt', { clean: wide, render: renderExcerpt }],
  ['caption', { clean: wide, render: renderCaption }],
  ['description', { clean: wide, render: renderDescription }],
  ['comment', { clean: (raw, unfiltered) => (unfiltered ? raw : commentHtml(raw)).trim(), render: renderComment }],
  ['plain', { clean: wide, render: (raw) => raw }],
]);
