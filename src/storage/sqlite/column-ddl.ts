// Names, types and values of columns as SQL text.
import type { ColumnType } from '../sql/dialect.js';
import { shapeOf, toBound } from '../sql/bind-value.js';
import type { ColumnModel } from '../../model/table.js';

const quoted = new Map<string, string>();

/** Quotes an identifier; results are cached, because all names come from the models. */
export function quote(name: string): string {
  let known = quoted.get(name);
  if (known === undefined) quoted.set(name, (known = `"${name.replaceAll('"', '""')}"`));
  return known;
}

/** Date-times are stored as text of 19 characters, whose order is chronological. */
export function columnType(column: ColumnModel): ColumnType {
  switch (column.kind) {
    case 'varchar':
      return column.length === undefined ? { type: 'varchar' } : { type: 'varchar', length: column.length };
    case 'datetime':
      return { type: 'varchar', length: 19 };
    case 'json':
      return { type: 'text' };
    case 'boolean':
      return { type: 'boolean' };
    case 'decimal':
      return { type: 'decimal', ...shapeOf(column) };
    default:
      return { type: column.kind };
  }
}

/** A column definition for CREATE and ALTER TABLE. */
export function columnText(column: ColumnModel): string {
  const fallback =
    column.default === undefined || column.default === null ? '' : ` DEFAULT ${literal(column, column.default)}`;
  return `${quote(column.name)} ${typeText(column)}${column.nullable ? '' : ' NOT NULL'}${fallback}`;
}

/** SQL type of a column with its length or digits. */
export function typeText(column: ColumnModel): string {
  const { type, length, precision, scale } = columnType(column);
  if (precision !== undefined) return `${type}(${precision},${scale})`;
  return length === undefined ? type : `${type}(${length})`;
}

/** The text of a decimal, which is stored as an integer in units of its last digit. */
export function decimalText(column: string, scale: number): string {
  const step = `1${'0'.repeat(scale)}`;
  const fraction = scale > 0 ? `.%0${scale}d', ` : `', `;
  const parts = `ABS(${column}) / ${step}${scale > 0 ? `, ABS(${column}) % ${step}` : ''}`;
  return `CASE WHEN ${column} IS NOT NULL THEN printf('%s%d${fraction}CASE WHEN ${column} < 0 THEN '-' ELSE '' END, ${parts}) END`;
}

/** A value of a column as a literal. */
export function literal(column: ColumnModel, said: unknown): string {
  const value = toBound(said, column);
  if (typeof value === 'string' && column.kind === 'decimal') return String(BigInt(value.replace('.', '')));
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** A name as a literal. */
export function literalName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}
