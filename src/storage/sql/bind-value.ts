// Converts a value of a predicate or row to a statement parameter. All parameters pass through here; non-scalar values
// are rejected.
import { canonicalDecimal, MAX_PRECISION, type DecimalShape } from '../../model/functions/decimal.js';
import type { Bound } from './connection.js';
import type { ColumnModel } from '../../model/table.js';

/**
 * The stored form of a value for a column: booleans 0 or 1, numbers of text columns as text.
 * Throws a TypeError, naming column and type but never the value, on anything else.
 */
export function toBound(value: unknown, column: ColumnModel): Bound {
  if (value === null) return null;
  switch (column.kind) {
    case 'integer':
    case 'boolean':
    case 'double':
      return toNumber(value, column);
    case 'decimal':
      return toDecimal(value, column);
    default:
      return toText(value, column);
  }
}

function toNumber(value: unknown, column: ColumnModel): number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  // A driver would store NaN as NULL, and a non-numeric text unchanged.
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw invalidValue(value, column);
  return number;
}

function toDecimal(value: unknown, column: ColumnModel): string {
  const text = canonicalDecimal(value, shapeOf(column));
  if (text === undefined) throw invalidValue(value, column);
  return text;
}

/** The digits of a decimal column. */
export function shapeOf({ precision = MAX_PRECISION, scale = 0 }: ColumnModel): DecimalShape {
  return { precision, scale };
}

function toText(value: unknown, column: ColumnModel): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  throw invalidValue(value, column);
}

function invalidValue(value: unknown, column: ColumnModel): TypeError {
  const type = Array.isArray(value) ? 'array' : typeof value;
  return new TypeError(`Column ${column.name} (${column.kind}) cannot take this ${type}`);
}
