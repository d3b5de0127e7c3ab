// Exports of a list: `Accept: application/x-ndjson` and `text/csv`.
import { csvColumns, csvItem, csvLine, csvName } from '../../engine/perform/csv.js';
import { exportViews } from '../../engine/perform/export.js';
import type { ResourceService } from '../../engine/resource.service.js';
import { collectionPath } from '../../model/functions/paths.js';
import type { Operation, OutputBudget, View } from '../../model/operation.js';
import { TimeSlice } from '../../model/runtime/time-slice.js';
import { acceptWeights, JSON_RANGES } from '../request/accept.js';
import type { HttpResponse, HeaderValues } from '../response/response.js';
import { StreamedResponse } from '../response/streamed-body.js';

/** The forms of an export, by media type. */
const FORMATS = { 'application/x-ndjson': 'ndjson', 'application/ndjson': 'ndjson', 'text/csv': 'csv' } as const;
export type ExportFormat = (typeof FORMATS)[keyof typeof FORMATS];

/** The form that an `Accept` header prefers to JSON; a form must be named. */
export function exportFormat(accept: string | undefined): ExportFormat | undefined {
  if (accept === undefined || !/csv|ndjson/i.test(accept)) return undefined;
  const weights = acceptWeights(accept);
  const named = (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).filter((name) => (weights.get(name) ?? 0) > 0);
  const best = named.sort((a, b) => weights.get(b)! - weights.get(a)!)[0];
  const range = JSON_RANGES.find((name) => weights.has(name));
  const isBest = best !== undefined && (range === undefined || weights.get(best)! >= weights.get(range)!);
  return isBest ? FORMATS[best] : undefined;
}

/** What an export is made with. */
export interface ExportParts {
  service: ResourceService;
  begin(single: boolean): OutputBudget;
  /** Rejects when the caller has no longer the rights that the export began with. */
  confirm(): Promise<void>;
  allow: readonly string[];
  /** Headers that the list has too. */
  headers: HeaderValues;
}

/**
 * The response with every item that the list has for its caller. Its first items are loaded before it begins.
 * @throws ResourceError like the list
 */
export async function exportResponse(
  op: Operation,
  format: ExportFormat,
  { service, begin, confirm, allow, headers }: ExportParts,
): Promise<HttpResponse> {
  const batches = exportViews(service, op, begin, confirm);
  const first = await batches.next();
  const lines = format === 'csv' ? csvText(op) : { head: '', line: ndjsonLine };
  const pieces = piecesOf(lines, first.done ? [] : first.value, batches);
  return new StreamedResponse(200, { ...headers, ...headersOf(op, format, allow) }, pieces);
}

interface Lines {
  head: string;
  line(view: View): string;
}

/** Characters from which lines are handed on: those of a whole batch would hold the event loop. */
const PIECE = 64 * 1024;

async function* piecesOf(
  { head, line }: Lines,
  first: readonly View[],
  others: AsyncIterable<readonly View[]>,
): AsyncGenerator<string> {
  const slice = new TimeSlice();
  let text = head;
  for await (const views of withFirst(first, others)) {
    for (const view of views) {
      text += line(view);
      if (text.length < PIECE) continue;
      yield text;
      text = '';
      const pause = slice.pause();
      if (pause) await pause;
    }
    if (text !== '') yield text;
    text = '';
  }
}

async function* withFirst<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* others;
}

function ndjsonLine(view: View): string {
  return `${JSON.stringify(view)}\n`;
}

function csvText(op: Operation): Lines {
  const columns = csvColumns(op);
  return {
    head: csvLine(columns.map((path) => path.join('.'))),
    line: (view) => csvItem(view, columns),
  };
}

function headersOf({ model, parentId, site }: Operation, format: ExportFormat, allow: readonly string[]): HeaderValues {
  const { parent } = model;
  const path = collectionPath(model, parent ? { [parent.field.column!]: parentId } : {});
  return {
    'Content-Type': format === 'csv' ? 'text/csv; charset=UTF-8; header=present' : 'application/x-ndjson',
    ...(format === 'csv' ? { 'Content-Disposition': `attachment; filename="${csvName(model)}"` } : {}),
    ...(allow.length > 0 ? { Allow: allow.join(', ') } : {}),
    Link: `<${site.base}${path}>; rel="collection"`,
    'Cache-Control': 'no-store',
  };
}
