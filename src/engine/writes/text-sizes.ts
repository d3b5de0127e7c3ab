// Limits of the database: texts that are too long are rejected before they are processed, and the results before they
// are written.
import { invalidParams, type ParamIssue, ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation, Draft } from '../../model/operation.js';
import type { Row } from '../../model/query.js';
import type { FieldModel } from '../../model/field.js';

/**
 * Largest row, in bytes: it is written, read and sent in one piece, within the timeouts of a statement and a request.
 * Content of 8 MiB fits with its rendered form and its search text; what grows to several times its length does not.
 */
const MAX_ITEM_BYTES = 28 * 1024 ** 2;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** Maximum bytes of text per item, as limited by the database and this process. */
function itemLimit({ site }: Pick<Operation, 'site'>): number {
  return Math.min(MAX_ITEM_BYTES, site.statementBytes ?? Infinity);
}

/** Maximum bytes of a field's text: it is stored together with its derived copies, all in one statement. */
function textLimit(field: FieldModel, op: Pick<Operation, 'site' | 'model'>): number {
  return Math.floor(itemLimit(op) / copiesOf(field, op.model));
}

function copiesOf(field: FieldModel, model: ResourceModel): number {
  const written = model.schema.search;
  const combined = written && written.mode !== 'phrase' && written.fields.includes(field.name);
  const texts = field.columns.filter(({ kind }) => kind === 'text' || kind === 'json').length;
  return Math.max(1, texts) + (field.searchColumn ? 1 : 0) + (combined ? 1 : 0);
}

/**
 * Rejects values that are too large whatever is derived from them.
 * @throws ResourceError 400 that names the fields and their limits
 */
export function checkTexts(op: Operation): void {
  const issues = Object.entries(op.values).flatMap(([param, value]) => {
    const field = typeof value === 'string' ? op.model.fields.get(param) : undefined;
    const most = field && textLimit(field, op);
    if (most === undefined || !isLarger([value as string], most)) return [];
    const message = `${param} must have at most ${most} bytes: the database stores no longer ones.`;
    return [{ param, code: 'rest_too_long', message }];
  });
  if (issues.length > 0) throw invalidParams(issues);
}

/**
 * Rejects a complete draft that exceeds a column or the database's limit: sanitized and rendered texts are longer than
 * those that were sent.
 * @throws ResourceError 400 for a column, 413 for the whole item
 */
export function checkDraft(draft: Draft, op: Operation, current?: Row): void {
  const issues: ParamIssue[] = [];
  for (const [column, value] of Object.entries(draft.row)) {
    const most = typeof value === 'string' ? op.model.table?.columns.get(column)?.length : undefined;
    if (most === undefined || !isLonger(value as string, most)) continue;
    const param = [...op.model.fields.values()].find((field) => field.column === column)?.name ?? column;
    const message = `${param} must have at most ${most} characters as it is stored: what stands for &, < and > counts.`;
    issues.push({ param, code: 'rest_too_long', message });
  }
  if (issues.length > 0) throw invalidParams(issues);
  checkPairs(draft, op);
  const most = itemLimit(op);
  if ((unitsOf(draft.row) + (current ? unitsOf(current) : 0)) * MAX_BYTES_PER_UNIT <= most) return;
  const row = { ...current, ...draft.row };
  // An item that was larger before, after a `load`, may be changed as long as it does not grow.
  if (!isLarger(Object.values(row), most) || (current && !isLarger(Object.values(row), bytesOf(current)))) return;
  throw new ResourceError('rest_request_too_large', {
    message: `The texts of this item with what is made of them come to more than ${most} bytes, which is all that is stored of one item. Send shorter texts.`,
  });
}

/** Rejects strings of sets that exceed their column, which is in a table of its own. */
function checkPairs(draft: Draft, op: Operation): void {
  for (const [param, values] of Object.entries(draft.many)) {
    const table = op.model.fields.get(param)?.many?.table;
    const most = table === undefined ? undefined : op.model.site.tables?.get(table)?.columns.get('value')?.length;
    if (most === undefined || !values.some((value) => typeof value === 'string' && isLonger(value, most))) continue;
    const message = `${param} must hold strings of at most ${most} characters.`;
    throw invalidParams([{ param, code: 'rest_too_long', message }]);
  }
}

/** Whether texts exceed a size in UTF-8 bytes; counted only where their length does not decide. */
export function isLarger(values: readonly unknown[], most: number): boolean {
  const texts = values.filter((value) => typeof value === 'string');
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  if (units * MAX_BYTES_PER_UNIT <= most) return false;
  return units > most || texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) > most;
}

/** The UTF-16 code units of all texts of a row. */
function unitsOf(row: Row): number {
  let units = 0;
  for (const column in row) if (typeof row[column] === 'string') units += row[column].length;
  return units;
}

// Databases count code points.
function isLonger(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || [...text].length > most);
}

function bytesOf(row: Row): number {
  return Object.values(row).reduce(
    (sum: number, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
}
