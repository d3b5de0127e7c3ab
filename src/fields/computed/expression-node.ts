// Parts of compiled expressions: their types, and the values that they have in a row.
import { decimalOf, decimalText, round, shapeOfDecimal, unitsOf, type Decimal } from '../../model/functions/decimal.js';
import type { Row } from '../../model/query.js';
import { DEFAULT_CLOCK } from '../../values/date-time.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';

/** Type of a value; `number`: a double, or calculated from one. */
export interface ExpressionType {
  kind: 'integer' | 'decimal' | 'number' | 'text' | 'date' | 'datetime';
  /** Decimal places, of a decimal. */
  scale?: number;
  /** Of a datetime. */
  clock?: FieldSchema['clock'];
}

/** Numbers of every type as exact decimals, dates and date-times as they are stored; null: there is no value. */
export type Value = Decimal | string | null;

/** A compiled part of an expression. */
export interface Node {
  type: ExpressionType;
  /** `zone`: the time zone of the site. */
  value(row: Row, zone: string): Value;
}

const KINDS: Readonly<Record<string, ExpressionType['kind']>> = {
  id: 'integer',
  integer: 'integer',
  number: 'number',
  decimal: 'decimal',
  date: 'date',
  datetime: 'datetime',
  string: 'text',
  text: 'text',
  slug: 'text',
  time: 'text',
  uuid: 'text',
  email: 'text',
  uri: 'text',
};

/** Types of fields that an expression takes. */
export const FIELD_TYPES: readonly string[] = Object.keys(KINDS);

/** Type of the values of a field, one of `FIELD_TYPES`. */
export function typeOfField(field: FieldSchema): ExpressionType {
  const { type, clock = DEFAULT_CLOCK } = field;
  const kind = KINDS[type] ?? 'text';
  if (kind === 'decimal') return { kind, scale: shapeOfDecimal(field).scale };
  return kind === 'datetime' ? { kind, clock } : { kind };
}

/** Whether values of the type can be calculated with. */
export function isNumeric({ kind }: ExpressionType): boolean {
  return kind === 'integer' || kind === 'decimal' || kind === 'number';
}

/** The value of a column with values of a type. */
export function valueOfColumn({ kind }: ExpressionType, stored: unknown): Value {
  if (stored === null || stored === undefined) return null;
  if (kind === 'text') return String(stored);
  if (kind === 'date' || kind === 'datetime') return stored === '' ? null : String(stored);
  return decimalOf(stored) ?? null;
}

/** A value as responses show it; integers beyond 53 bits and numbers beyond a double are null. */
export function toView(value: Value, { kind, scale = 0, clock }: ExpressionType): string | number | null {
  if (value === null) return null;
  if (typeof value === 'string') return kind === 'datetime' && clock === 'offset' ? `${value}+00:00` : value;
  if (kind === 'decimal') return decimalText(unitsOf(round(value, scale), scale).units, scale);
  const number = Number(decimalText(value.units, value.scale));
  return (kind === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)) ? number : null;
}

/** JSON Schema of the values of a type. */
export function schemaOf({ kind }: ExpressionType): ValueSchema {
  if (kind === 'integer' || kind === 'number') return { type: [kind, 'null'] };
  const format = { text: undefined, decimal: 'decimal', date: 'date', datetime: 'date-time' }[kind];
  return { type: ['string', 'null'], ...(format && { format }) };
}
