// Aggregates as SQL text, and their values in a result.
import type { Aggregate } from '../../model/query.js';
import type { ColumnModel, TableModel } from '../../model/table.js';
import type { Bound } from './connection.js';
import type { Dialect } from './dialect.js';
import { columnOf, type Scope, type SqlText } from './predicate-sql.js';

/** A power of two, by which doubles are multiplied without rounding; values below `TINY` would become too small. */
const DOWN = 2 ** -64;
const TINY = '1e-250';

/** Kinds of columns with dates and times of day. */
const TEXTS: readonly ColumnModel['kind'][] = ['varchar', 'datetime'];

/** An aggregate of a column. Sums of doubles are scaled by `DOWN`, so that none overflows. */
export function aggregateOf(text: SqlText, scope: Scope, { operation, column }: Aggregate): string {
  const { kind, scale = 0 } = columnOf(scope.table, column);
  const expression = text.column(scope, column);
  // A missing date is null or an empty text, which would be the minimum.
  const given =
    (operation === 'min' || operation === 'max') && TEXTS.includes(kind) ? `NULLIF(${expression}, '')` : expression;
  const found = `${operation.toUpperCase()}(${given})`;
  if (operation === 'count') return found;
  if (operation !== 'sum') return kind === 'decimal' ? text.dialect.decimal.read(found, scale) : found;
  if (kind !== 'double') return text.dialect.sum.of(expression);
  return `SUM(CASE WHEN ABS(${expression}) > ${TINY} THEN ${expression} * ${text.bind(DOWN)} ELSE 0 END)`;
}

/** The value of such an aggregate. */
export function aggregated(
  dialect: Dialect,
  table: TableModel,
  { operation, column }: Aggregate,
  found: Bound,
): string | number | null {
  const { kind, scale = 0 } = columnOf(table, column);
  if (operation === 'count') return Number(found);
  if (found === null || operation !== 'sum') return found as string | number | null;
  if (kind !== 'double') return dialect.sum.text(String(found), scale);
  const sum = Number(found) / DOWN;
  return Number.isFinite(sum) ? sum : null;
}
