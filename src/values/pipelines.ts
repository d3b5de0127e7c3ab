// The registered text pipelines of `rendered` fields: sanitizing of raw text by unprivileged writers, and rendering.
import type { Operation } from '../model/operation.js';
import type { Pipeline } from '../model/registry.js';
import { Registered } from '../model/registered.js';
import { runText, type TextWork } from '../model/runtime/texts.js';
import { differenceOf } from '../text/difference.js';
import { commentHtml, contentHtml, inlineHtml } from '../text/sanitize-html.js';
import {
  hasBlocks,
  renderCaption,
  renderComment,
  renderContent,
  renderDescription,
  renderExcerpt,
  renderTitle,
  STORED_RENDERINGS,
} from '../text/render.js';

/** The text as the pipeline stores it. */
export function clean(pipeline: Pipeline, raw: string, op: Operation): string {
  const text = op.actor.capabilities.has('unfiltered_html') ? raw : runText(op, pipeline.filter, raw);
  return pipeline.trims ? text.trim() : text;
}

/** HTML of a text. */
export function render(pipeline: Pipeline, raw: string, from: string, op: TextWork): string {
  return runText(op, pipeline.render, raw, replacement(raw, from));
}

/** What is stored of the HTML of a text. */
export function storedRendering({ render }: Pipeline, raw: string, from: string, op: TextWork): string {
  const other = replacement(raw, from);
  const stored = STORED_RENDERINGS.get(render);
  if (stored) return runText(op, stored, raw, other);
  // Of an extension: the threads do not have it.
  return runText(op, differenceOf, raw || other, runText(op, render, raw, other));
}

/** The replacement text is used only for an empty text, and may be large. */
function replacement(raw: string, from: string): string {
  return from === '' || raw.trim() !== '' ? '' : from;
}

const all: [string, Pipeline][] = [
  ['title', { filter: inlineHtml, trims: true, render: renderTitle }],
  ['content', { filter: contentHtml, render: renderContent, blocks: hasBlocks }],
  ['excerpt', { filter: contentHtml, render: renderExcerpt }],
  ['caption', { filter: contentHtml, render: renderCaption }],
  ['description', { filter: contentHtml, render: renderDescription }],
  ['comment', { filter: commentHtml, trims: true, render: renderComment }],
  ['plain', { filter: contentHtml, render: (raw) => raw }],
];

/** Pipelines by name. */
export const pipelines = new Registered<Pipeline>('pipelines', new Map(all));

/** Pipelines whose result shows all of the raw text. */
const SHOWING = new Set(['title', 'plain']);

/** Whether the rendered text of a field shows all of the raw text. */
export function showsWritten({ pipeline = 'content' }: { pipeline?: string | undefined }): boolean {
  return SHOWING.has(pipeline);
}
