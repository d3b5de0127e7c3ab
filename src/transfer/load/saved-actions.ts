// Decides what is done with a saved row, given the current row of the same id.
import { canonicalDecimal, MAX_PRECISION } from '../../model/functions/decimal.js';
import { type Change, equals, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Transaction } from '../../model/store.js';
import type { SavedRow } from './saved-line.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

const VERSION = 'row_version';

/** The action for a row: insert it, set columns, or none: the row is there already, its item is gone, or it is refused. */
export type Action = { insert: Row } | { set: Row; id: number } | 'there' | 'gone' | { refused: string };

/** Whether the action for a row changes the table. */
export function isWrite(action: Action): action is Exclude<Action, string | { refused: string }> {
  return typeof action === 'object' && !('refused' in action);
}

/** Carries out the action for a row. */
export async function runAction(table: TableModel, action: Action, tx: Transaction): Promise<void> {
  if (!isWrite(action)) return;
  if ('insert' in action) return tx.insertMany(table.name, [action.insert]);
  const version: Record<string, Change> = table.columns.has(VERSION) ? { [VERSION]: { increment: 1 } } : {};
  await tx.update(table.name, { ...action.set, ...version }, equals('id', action.id));
}

/** The action for a complete saved row. */
export function rowAction({ row, table }: SavedRow, stored: ReadonlyMap<unknown, Row>): Action {
  const found = stored.get(row['id']);
  if (!found) return { insert: filled(table, row) };
  const other = Object.keys(row).filter((name) => name !== VERSION && row[name] !== found[name]);
  if (other.length === 0) return 'there';
  return {
    refused: `the id ${row['id']} belongs to another row of ${table.name} by now (it differs in ${other.join(', ')})`,
  };
}

/** The action for saved columns of a row. */
export function updateAction({ row: { id, ...saved }, table }: SavedRow, stored: ReadonlyMap<unknown, Row>): Action {
  const found = stored.get(id);
  if (!found) return 'gone';
  const set = Object.fromEntries(Object.entries(saved).filter(([name, value]) => found[name] !== value)) as Row;
  const written = Object.keys(set).filter((name) => !isBlank(table.columns.get(name)!, found[name]));
  if (written.length > 0)
    return {
      refused: `${written.join(', ')} of item ${id} was written since it was dropped; what is there would be lost`,
    };
  return Object.keys(set).length === 0 ? 'there' : { set, id };
}

/** Whether a value is empty or the column's default, so that a saved value may replace it. */
function isBlank(column: ColumnModel, value: unknown): boolean {
  const isNumber =
    column.kind === 'integer' || column.kind === 'boolean' || column.kind === 'double' || column.kind === 'decimal';
  const blanks = [null, isNumber ? 0 : '', column.default, column.backfill];
  return blanks.some((blank) => blank !== undefined && value === asStored(column, blank));
}

/** The value as it is read from the database: decimals as texts with all their digits, booleans as numbers. */
function asStored({ kind, precision = MAX_PRECISION, scale = 0 }: ColumnModel, value: Scalar): Scalar | undefined {
  return kind === 'decimal' && value !== null ? canonicalDecimal(value, { precision, scale }) : booleanAsNumber(value);
}

function booleanAsNumber(value: Scalar | undefined): Scalar | undefined {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** The row with a value for each column, so that all rows of a table have the same columns. */
export function filled(table: TableModel, row: Row): Row {
  const blank = [...table.columns.values()]
    .filter(({ name }) => name !== 'id')
    .map((column) => [column.name, booleanAsNumber(column.default) ?? null]);
  return { ...Object.fromEntries(blank), ...row };
}
