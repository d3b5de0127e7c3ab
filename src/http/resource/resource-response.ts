// Turns a result of the service into an HTTP response: Allow, pagination links, totals.
import { collectionPath } from '../../model/functions/paths.js';
import type { Operation, Result, View } from '../../model/operation.js';
import { isReading } from '../../model/schema/schema.js';
import type { HttpResponse, Shown } from '../response/response.js';
import { toResponse, toLargeResponse } from '../response/response.js';
import { etagOf } from '../response/etag.js';
import { fieldSelection } from './field-selection.js';
import { exceeds } from '../request/json-pieces.js';
import { LARGE } from '../memory/output-budget.js';
import { cursorLink, pageLinks, withoutMembers } from '../response/pagination-links.js';
import { preferenceHeaders } from './strict-handling.js';
import type { RequestContext } from '../request/request-context.js';

/** The response for a result; `allow` are the methods the caller may use on its route. */
export function resourceResponse(
  result: Result,
  op: Operation,
  allow: readonly string[],
  context: RequestContext,
): HttpResponse | Promise<HttpResponse> {
  const sent = isReading(op.kind) ? context.query : op.raw;
  const headers: Record<string, string> = {
    ...preferenceHeaders(op.model, op.kind, sent, op.headers, context.dropped),
    ...result.headers,
  };
  if (allow.length > 0) headers['Allow'] = allow.join(', ');
  const pages = op.kind === 'list' ? linksOf(result, op, context) : undefined;
  if (pages) headers['Link'] = headers['Link'] ? `${headers['Link']}, ${pages}` : pages;
  if (op.state.confidential) context.confidential = true;
  if (op.state.volatile) context.volatile = true;
  const { status, total, totalPages } = result;
  const shown = { status, body: bodyOf(result, op), headers, total, totalPages };
  const tagged = (response: HttpResponse) => (isTagged(result, op, context) ? tag(response, result.version) : response);
  return isLarge(result, shown.body, op)
    ? toLargeResponse(shown, context).then(tagged)
    : tagged(toResponse(shown, context));
}

/** The response with a body of any size, such as one that an extension has made. */
export function responseOfAnySize(shown: Shown, context: RequestContext): HttpResponse | Promise<HttpResponse> {
  return exceeds(shown.body, LARGE) ? toLargeResponse(shown, context) : toResponse(shown, context);
}

function tag(response: HttpResponse, version: number | string = 0): HttpResponse {
  const { body = '' } = response;
  response.headers['ETag'] = etagOf(version, typeof body === 'string' ? body : body.hash);
  return response;
}

// The size of a list is known from loading it; a single item is measured.
function isLarge({ isSmall }: Result, body: unknown, { kind, budget }: Operation): boolean {
  if (kind === 'list') return budget !== undefined && budget.bytes > LARGE;
  return !isSmall && exceeds(body, LARGE);
}

/** Items and lists have an ETag: that of a list is a hash of what its caller gets. */
function isTagged({ version, status }: Result, op: Operation, context: RequestContext): boolean {
  if (context.envelope || status >= 300) return false;
  return version !== undefined || isReading(op.kind);
}

// The result of a deletion is not an item: `_fields` applies to the response as a whole.
function bodyOf({ body }: Result, op: Operation): unknown {
  const fields = op.kind === 'delete' ? fieldSelection(op.raw['_fields']) : undefined;
  return fields ? fields.pick(body as View) : body;
}

function linksOf({ page, totalPages, next }: Result, op: Operation, context: RequestContext): string | undefined {
  const byCursor = next !== undefined;
  if (!byCursor && (page === undefined || totalPages === undefined)) return undefined;
  const { parent } = op.model;
  const path = collectionPath(op.model, parent ? { [parent.field.column!]: op.parentId } : {});
  const query = withoutMembers(context.query, op.model.list.notInLinks);
  if (byCursor) return next === null ? undefined : cursorLink(op.site.base + path, query, next);
  if (page === undefined || totalPages === undefined) return undefined;
  return pageLinks(op.site.base + path, query, { page, totalPages });
}
