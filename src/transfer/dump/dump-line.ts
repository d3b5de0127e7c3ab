// Serializes a stored item as a line of a dump: its fields in the order of the schema, then the internal members.
import type { Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import { missingForm } from '../stored-form.js';
import type { ColumnModel } from '../../model/table.js';
import { COLUMNS, VERSION, VERSION_COLUMN, type MetaShape, type Shape, type StoredField } from './dump-shape.js';
import type { StoredItem } from './stored-items.js';

/** The line of an item, without its line break. */
export function lineOf(shape: Shape, { row, many, entries }: StoredItem): string {
  const line: Record<string, unknown> = {};
  const columns: Record<string, unknown> = {};
  for (const part of shape.parts) {
    if (part.kind === 'many') line[part.field.name] = many.get(part.field.name) ?? [];
    else if (part.kind === 'entries') line[part.meta.name] = metaOf(part.meta, entries);
    else putField(part.field, row[part.field.column.name], line, columns);
  }
  if (VERSION_COLUMN in row) line[VERSION] = row[VERSION_COLUMN];
  for (const other of shape.others.values()) putOther(other, row[other.column.name], columns);
  if (Object.keys(columns).length > 0) line[COLUMNS] = columns;
  return JSON.stringify(line);
}

function putField(
  field: StoredField,
  stored: Scalar,
  line: Record<string, unknown>,
  columns: Record<string, unknown>,
): void {
  if (field.internal && plain(stored) === plain(field.fallback)) return;
  const value = serialized(field, stored);
  if (value === undefined) columns[field.column.name] = stored;
  else line[field.name] = value;
}

/** Adds a column of another resource; structures stay JSON texts, as they are stored. */
function putOther(field: StoredField, stored: Scalar, columns: Record<string, unknown>): void {
  if (field.column.kind !== 'json') putField(field, stored, columns, columns);
  else if (plain(stored) !== plain(field.fallback)) columns[field.column.name] = stored;
}

/** The value as written into a line; undefined for a value that fields of its type cannot represent, which is written as stored. */
function serialized({ field, column }: StoredField, stored: Scalar): unknown {
  if (field?.type === 'password') return { hash: stored };
  if (stored === null || stored === undefined) return null;
  const value = plainOf(column, stored);
  return field && missingForm(column, value) !== undefined ? undefined : value;
}

function plainOf(column: ColumnModel, stored: Scalar): unknown {
  switch (column.kind) {
    case 'boolean':
      return Boolean(stored);
    case 'integer':
    case 'double':
      return Number(stored);
    case 'json':
      return parsed(stored);
    default:
      return String(stored);
  }
}

function parsed(stored: Scalar): unknown {
  if (typeof stored !== 'string') return stored;
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}

/**
 * Meta entries by key, keys in the order of their first entry. An entry is written as an object only where it has
 * more than its text.
 */
function metaOf({ field, entries: shape }: MetaShape, entries: readonly Row[]): Record<string, unknown[]> {
  const structured = new Set(field.meta!.keys.filter((key) => key.structured).map(({ key }) => key));
  // A key may be called `__proto__`.
  const meta: Record<string, unknown[]> = Object.create(null);
  for (const entry of entries) {
    const key = String(entry['key']);
    const marked = Boolean(entry['structured']) !== structured.has(key);
    const id = shape ? { id: entry['id'] } : {};
    const more = {
      ...(marked ? { structured: Boolean(entry['structured']) } : {}),
      ...(shape ? changesOf(shape, entry) : {}),
    };
    const bare = !shape && Object.keys(more).length === 0;
    const written = bare ? entry['value'] : { ...id, value: entry['value'], ...more };
    (meta[key] ??= []).push(written);
  }
  return meta;
}

/** The columns of an entry besides key, value and owner that differ from their default. */
function changesOf(shape: Shape, entry: Row): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  const columns: Record<string, unknown> = {};
  for (const name of shape.columns) {
    if (ENTRY_COLUMNS.has(name) || plain(entry[name]) === plain(shape.blank[name])) continue;
    if (name === VERSION_COLUMN) changes[VERSION] = entry[name];
    else columns[name] = entry[name];
  }
  return Object.keys(columns).length > 0 ? { ...changes, [COLUMNS]: columns } : changes;
}

/** Columns that every table of meta entries has. */
const ENTRY_COLUMNS: ReadonlySet<string> = new Set(['id', 'owner_id', 'key', 'value', 'structured']);

/** Booleans as 0 or 1, however the default was written. */
export function plain(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : (value ?? null);
}
