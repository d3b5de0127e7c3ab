// Dresses a result of the service for the wire: Allow, pagination links, totals (decisions 1.6, 1.7, 4.3). Called by ResourceController.
import { collectionPath } from '../model/paths.js';
import type { Operation, Result, View } from '../model/operation.js';
import type { Answer } from './answer.js';
import { toAnswer } from './answer.js';
import { etagOf } from './etag.js';
import { fieldSelection } from './field-selection.js';
import { pageLinks } from './pagination-links.js';
import type { RequestContext } from './request-context.js';

/** The answer for a result; `allow` are the methods the caller may use on its route. */
export function resourceAnswer(
  result: Result,
  op: Operation,
  allow: readonly string[],
  context: RequestContext,
): Answer {
  const headers: Record<string, string> = { ...result.headers };
  if (allow.length > 0) headers['Allow'] = allow.join(', ');
  const pages = op.kind === 'list' ? linksOf(result, op, context) : undefined;
  if (pages) headers['Link'] = headers['Link'] ? `${headers['Link']}, ${pages}` : pages;
  if (op.notes['confidential']) context.confidential = true;
  if (op.notes['volatile']) context.volatile = true;
  const answer = toAnswer({ ...result, body: bodyOf(result, op), headers }, context);
  if (isTagged(result, op, context)) answer.headers['ETag'] = etagOf(result.version ?? 0, answer.body ?? '');
  return answer;
}

/** Items always have a tag; lists only where everybody gets the same answer (decisions 0.8). */
function isTagged({ version, status }: Result, op: Operation, context: RequestContext): boolean {
  if (context.envelope || status >= 300) return false;
  return version !== undefined || (op.actor.id === 0 && (op.kind === 'list' || op.kind === 'retrieve'));
}

// What is left of a deleted item is not an item: `_fields` applies to the answer as a whole.
function bodyOf({ body }: Result, op: Operation): unknown {
  const fields = op.kind === 'delete' ? fieldSelection(op.raw['_fields']) : undefined;
  return fields ? fields.pick(body as View) : body;
}

function linksOf({ page, totalPages }: Result, op: Operation, context: RequestContext): string | undefined {
  if (page === undefined || totalPages === undefined) return undefined;
  const { parent } = op.model;
  const path = collectionPath(op.model, parent ? { [parent.field.column!]: op.parentId } : {});
  return pageLinks(op.site.base + path, context.query, { page, totalPages });
}
