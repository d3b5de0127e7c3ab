// Parses and validates one line as an item.
import type { Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import { COLUMNS, RESOURCE, VERSION, VERSION_COLUMN, type Shape, type StoredField } from '../dump/dump-shape.js';
import { BrokenLine, type Place } from './load-problems.js';
import {
  BROKEN,
  idOf,
  isBroken,
  isObject,
  isPlain,
  manyOf,
  MAX_OWN_ID,
  plainValue,
  sentValue,
  storedValue,
  versionOf,
} from './load-values.js';
import type { FieldModel } from '../../model/field.js';
import type { ColumnModel } from '../../model/table.js';
import { hasForm } from '../stored-form.js';
import { entriesOf, type Entry } from './meta-entries.js';

/** Levels of lists and objects in a value. SQLite's functions for JSON take no more. */
const MAX_LEVELS = 1_000;

/** An item to load. */
export interface Item extends Place {
  shape: Shape;
  id?: number;
  /** Restored as dumped: missing fields get their defaults, and no trait adds anything. */
  restored: boolean;
  /** The given columns in stored form. */
  row: Row;
  /** The given fields in client form. */
  values: Record<string, unknown>;
  /** Plain passwords by field name. */
  passwords: Map<string, string>;
  many: Map<FieldModel, Scalar[]>;
  entries?: Entry[];
  /** Length of the line in characters. */
  weight: number;
}

/**
 * The pass in which an item is written, so that the database never generates an id that a later line gives: 0 by default,
 * 1 where the database generates ids of its meta entries, 2 where it generates the id of the item. `areGiven`: whether
 * lines give ids for a table.
 */
export function turnOf({ shape, id, entries = [] }: Item, areGiven: (table: string) => boolean): number {
  if (id === undefined) return 2;
  return entries.some((entry) => entry.id === undefined) && areGiven(shape.meta!.table) ? 1 : 0;
}

/** Finds the most similar of some names, for hints. */
export type Nearest = (word: string, candidates: Iterable<string>) => string | undefined;

/** Parses lines as items of the resources of a site. */
export class LineParser {
  constructor(
    private readonly shapes: ReadonlyMap<string, Shape>,
    private readonly nearest: Nearest,
    private readonly timezone: string,
  ) {}

  /** Parses the item of a line; `resource` is the default from the file name. Throws BrokenLine. */
  parse(text: string, place: Place, resource: string): Item {
    const line = objectOf(text);
    const shape = this.shapeOf(line[RESOURCE] ?? resource, RESOURCE in line);
    const restored = VERSION in line || !shape.model;
    const item: Item = {
      ...place,
      shape,
      restored,
      row: {},
      values: {},
      passwords: new Map(),
      many: new Map(),
      weight: text.length,
    };
    for (const [name, value] of Object.entries(line)) {
      if (isDeeper(value, MAX_LEVELS)) throw new BrokenLine(`${name} is nested too deep`);
      this.take(name, value, item);
    }
    Object.assign(item.row, shape.model?.faces.dates?.paired(item.row, this.timezone));
    if (restored) complete(item);
    else assertComplete(item);
    return item;
  }

  private shapeOf(name: unknown, said: boolean): Shape {
    const shape = this.shapes.get(String(name));
    if (shape) return shape;
    const where = said ? '' : '; call the file like a resource, or give each line a "$resource"';
    throw new BrokenLine(
      `there is no stored resource "${String(name)}"${this.hint(String(name), this.shapes.keys())}${where}`,
    );
  }

  private take(name: string, value: unknown, item: Item): void {
    const { shape } = item;
    if (name === RESOURCE) return;
    if (name === VERSION) return void (item.row[VERSION_COLUMN] = versionOf(VERSION, value));
    if (name === COLUMNS) return this.takeColumns(value, item);
    const stored = shape.fields.get(name);
    if (stored) return takeField(stored, value, item);
    const many = shape.many.find((field) => field.name === name);
    if (many) return takeMany(many, value, item);
    if (shape.meta?.name === name) return void (item.entries = entriesOf(shape.meta, value));
    this.rejectUnknown(name, value, shape);
  }

  private takeColumns(value: unknown, { shape, row }: Item): void {
    if (!isObject(value)) throw new BrokenLine(`${COLUMNS} must be an object`);
    for (const [name, stored] of Object.entries(value)) {
      const own = [...shape.fields.values()].find(({ column }) => column.name === name && hasForm(column));
      const other = shape.others.get(name);
      const { column } = other ?? own ?? {};
      if (!column)
        throw new BrokenLine(`there is no column "${name}" in ${COLUMNS}${this.hint(name, shape.others.keys())}`);
      if (column.kind === 'json') row[name] = structureOf(name, stored);
      else row[name] = other ? storedValue(other, stored) : textOf(name, column, stored);
    }
  }

  private rejectUnknown(name: string, value: unknown, shape: Shape): void {
    const field = shape.model?.fields.get(name);
    const column = field?.column;
    if (column !== undefined && column in shape.constants) {
      if (value === shape.constants[column]) return;
      throw new BrokenLine(`${name} is always ${JSON.stringify(shape.constants[column])} here`);
    }
    if (field) throw new BrokenLine(`${name} is computed and cannot be loaded: leave it out`);
    const known = [
      ...shape.fields.keys(),
      ...shape.many.map((each) => each.name),
      ...(shape.meta ? [shape.meta.name] : []),
    ];
    throw new BrokenLine(`${shape.name} has no field "${name}"${this.hint(name, known)}`);
  }

  private hint(word: string, candidates: Iterable<string>): string {
    const near = this.nearest(word, candidates);
    return near === undefined ? '' : `; did you mean "${near}"?`;
  }
}

/** Whether a value has more than `levels` levels of lists and objects. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** The value of a column as another program stored it, although its field would refuse it: it is restored unchanged. */
function textOf(name: string, column: ColumnModel, stored: unknown): Scalar {
  return plainValue(column, stored, column.length, (reason) => {
    throw new BrokenLine(`${name} in ${COLUMNS} ${reason}`);
  });
}

/** The stored text of a structure, which need not be JSON. Dumps of earlier releases have the structure itself. */
function structureOf(name: string, stored: unknown): Scalar {
  if (stored === null) return null;
  const text = typeof stored === 'string' ? stored : JSON.stringify(stored);
  if (isBroken(text)) throw new BrokenLine(`${name} in ${COLUMNS} ${BROKEN}`);
  return text;
}

function objectOf(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's message without its excerpt of the line, which may contain a password, and without its position, whose
    // line number is always 1.
    const { message } = error as Error;
    throw new BrokenLine(`this is not JSON (${message.replace(/, (\.\.\.)?".*$| \(line 1 column \d+\)$/s, '')})`);
  }
  if (!isObject(value)) throw new BrokenLine('a line must be one JSON object');
  return value;
}

function takeField(stored: StoredField, value: unknown, item: Item): void {
  const { field, column, name } = stored;
  if (column.name === 'id') item.id = idOf(name, value, item.restored ? Number.MAX_SAFE_INTEGER : MAX_OWN_ID);
  else if (field && isPlain(field, value)) item.passwords.set(name, sentValue(field, value) as string);
  else if (!item.restored && field && isSent(field)) item.values[name] = sentValue(field, value);
  else if (!item.restored && field?.targets && value === null) item.row[column.name] = 0;
  else item.row[column.name] = storedValue(stored, value);
}

function takeMany(field: FieldModel, value: unknown, item: Item): void {
  item.many.set(field, manyOf(field, value));
  if (item.restored) return;
  const sent = sentValue(field, value);
  // Ids may be those of later lines; other members are checked by the traits too.
  if (!field.many!.target && isSent(field)) item.values[field.name] = sent;
}

/** Fields whose values are parsed like a client's; not references, which may point to later lines. */
function isSent(field: FieldModel): boolean {
  return Boolean(field.toStore) && !field.hidden && !field.readOnly && !field.targets && field.type !== 'password';
}

/** Adds the defaults that a line of a dump omits. */
function complete(item: Item): void {
  const { shape, row, many } = item;
  for (const { column, fallback } of shape.fields.values()) {
    if (column.name !== 'id' && row[column.name] === undefined) row[column.name] = fallback;
  }
  for (const { column, fallback } of shape.others.values()) {
    if (row[column.name] === undefined) row[column.name] = fallback;
  }
  for (const field of shape.many) if (!many.has(field)) many.set(field, []);
  if (shape.meta) item.entries ??= [];
}

function assertComplete({ shape, values, row, many }: Item): void {
  const parent = shape.model?.parent?.field;
  for (const [name, field] of shape.model?.fields ?? []) {
    const given = name in values || (field.column !== undefined && row[field.column] !== undefined) || many.has(field);
    // Without an item that it names, a reference is not given; an item of a nested resource has no URL without its parent.
    const isEmpty = field.targets !== undefined && !row[field.column!];
    const needed = field.required || field === parent;
    // An account without a password cannot sign in, which may be intended.
    if (needed && (!given || isEmpty) && field.type !== 'password') throw new BrokenLine(`${name} is missing`);
  }
}
