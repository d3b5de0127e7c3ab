// Converts values of a line to column values. Values of a dump are taken as stored, others as sent by a client.
import { canonicalDecimal, MAX_PRECISION } from '../../model/functions/decimal.js';
import type { Scalar } from '../../model/schema/schema.js';
import { missingForm } from '../stored-form.js';
import type { StoredField } from '../dump/dump-shape.js';
import { BrokenLine } from './load-problems.js';
import type { ColumnModel } from '../../model/table.js';
import type { FieldModel } from '../../model/field.js';

/** Largest id of a line of one's own: generated ids follow the largest one, and must stay exact numbers. */
export const MAX_OWN_ID = 2_147_483_647;
const MAX_STRING_CHARACTERS = 191;

/** The column value for a value of a dump. Throws BrokenLine. */
export function storedValue({ name, column, field }: StoredField, value: unknown): Scalar {
  const refuse = (reason: string): never => {
    throw new BrokenLine(`${name} ${reason}`);
  };
  if (field?.type === 'password') return hashOf(name, value);
  if (column.kind === 'json' && value === null) return null;
  if (value === null) return column.nullable ? null : refuse('must not be null');
  if (column.kind === 'boolean')
    return value === true || value === 1 ? 1 : value === false || value === 0 ? 0 : refuse('must be true or false');
  const plain = column.kind === 'json' ? JSON.stringify(value) : plainValue(column, value, column.length, refuse);
  const missing = missingForm(column, value);
  return missing === undefined ? plain : refuse(`must be ${missing}`);
}

/**
 * A number, or a text of at most `most` characters, as a column of this type stores it; otherwise calls `refuse`,
 * which throws.
 */
export function plainValue(
  column: ColumnModel,
  value: unknown,
  most: number | undefined,
  refuse: (reason: string) => never,
): Scalar {
  const { kind } = column;
  if (kind === 'integer') return Number.isSafeInteger(value) ? (value as number) : refuse('must be a whole number');
  if (kind === 'double') return Number.isFinite(value) ? (value as number) : refuse('must be a number');
  if (kind === 'decimal')
    return decimalOf(column, value) ?? refuse('must be a decimal number of the digits of its field');
  if (typeof value !== 'string') return refuse('must be a string');
  if (isBroken(value)) return refuse(BROKEN);
  if (most !== undefined && value.length > most && [...value].length > most)
    return refuse(`has more than ${most} characters`);
  return value;
}

function decimalOf({ precision = MAX_PRECISION, scale = 0 }: ColumnModel, value: unknown): string | undefined {
  return typeof value === 'string' ? canonicalDecimal(value, { precision, scale }) : undefined;
}

/** Lone surrogates cannot be stored in any database, NUL not in all. */
export function isBroken(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/** Reason for texts that `isBroken` detects. */
export const BROKEN = 'contains a NUL or a broken character';

function hashOf(name: string, value: unknown): string {
  const hash = (value as { hash?: unknown } | null)?.hash;
  if (typeof hash === 'string' && hash.length <= 255 && !isBroken(hash)) return hash;
  throw new BrokenLine(`${name} must be a plain password, or {"hash": "…"} as a dump has it`);
}

/** Whether a password is plain text and must be hashed. */
export function isPlain(field: FieldModel, value: unknown): value is string {
  return field.type === 'password' && typeof value === 'string';
}

/** The value parsed by the field like a client's. Throws BrokenLine with the message of the field. */
export function sentValue(field: FieldModel, value: unknown): unknown {
  const checked = field.rule(value, field.name);
  if ('issue' in checked) throw new BrokenLine(checked.issue.message.replace(/\.$/, ''));
  return checked.value;
}

/** Parses an id of at most `most`. Throws BrokenLine. */
export function idOf(name: string, value: unknown, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= most) return value as number;
  throw new BrokenLine(`${name} must be a whole number from 1 to ${most}`);
}

/** Parses the version of a row; 0 where another program has written it. Throws BrokenLine. */
export function versionOf(name: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new BrokenLine(`${name} must be a whole number from 0`);
}

/** Members of a to-many relation without duplicates. Throws BrokenLine. */
export function manyOf({ name, many }: FieldModel, value: unknown): Scalar[] {
  if (!Array.isArray(value)) throw new BrokenLine(`${name} must be a list`);
  const strings = many!.value === 'value';
  for (const entry of value) {
    if (strings && !(typeof entry === 'string' && [...entry].length <= MAX_STRING_CHARACTERS))
      throw new BrokenLine(`${name} must be a list of strings of at most ${MAX_STRING_CHARACTERS} characters`);
    if (strings && isBroken(entry as string)) throw new BrokenLine(`${name} ${BROKEN}`);
    if (!strings) idOf(`each member of ${name}`, entry);
  }
  const values = [...new Set(value as Scalar[])];
  return strings ? values : values.sort((a, b) => (a as number) - (b as number));
}

/** Whether a value is an object, not null or an array. */
export function isObject(value: unknown): value is Record<string, any> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
