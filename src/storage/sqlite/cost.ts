// Decides which reads of a SQLite file have a bounded cost whatever the size of the file: those that find rows by key,
// or walk an index in order and stop after a page. Derived once per statement text from its SQL (select-statements.ts)
// and the indexes of its table.
import type { IndexModel, TableModel } from '../../model/table.js';

const WHOLE = / FROM "([^"]+)" AS a0(?: WHERE (.+?))?(?: ORDER BY (.+?))?( LIMIT (?:\?|1))?( OFFSET \?)?$/s;
const COSTLY = /\bLIKE\b|\binstr\(|\bMATCH\b|\bRANDOM\(\)|\bCOUNT\(|\bGROUP BY\b|\bJOIN\b|\bOVER \(/;
const CONDITION = /^a0\."([^"]+)" (?:(=) \?|(IN) \([?, ]+\)|(IS) NULL|([<>]=?) \?)$/;
const TUPLE = /^\((a0\."[^"]+"(?:, a0\."[^"]+")*)\) [<>] \([?, ]+\)$/;
const CONSTANT = /^1 = [01]$/;

/** Conditions joined by AND, by kind of comparison; `others`: there are more, which no index serves. */
interface Conditions {
  equal: Set<string>;
  lists: Set<string>;
  ranges: Set<string>;
  /** Columns of a row comparison: `(a, b) < (?, ?)`. */
  tuple: readonly string[];
  others: boolean;
}

/** Whether the statement reads a bounded number of rows, whatever its parameters; true for `PRAGMA`s. */
export function isBounded(sql: string, tables: ReadonlyMap<string, TableModel>): boolean {
  if (sql.startsWith('PRAGMA')) return true;
  const [, name, where, order, limit] = WHOLE.exec(sql) ?? [];
  const table = name === undefined ? undefined : tables.get(name);
  if (!table || COSTLY.test(sql)) return false;
  if (table.small) return true;
  const conditions = conditionsOf(where);
  if (findsByKey(table, conditions)) return true;
  if (limit === undefined || conditions.others || conditions.lists.size > 0) return false;
  const keys = keysOf(order);
  return keys !== undefined && orders(table).some((columns) => walks(columns, conditions, keys));
}

/**
 * Whether the statement reads index ranges that more than counted columns narrow down: usually few rows, although
 * nothing bounds them.
 */
export function isNarrow(sql: string, tables: ReadonlyMap<string, TableModel>): boolean {
  const [, name, where] = WHOLE.exec(sql) ?? [];
  const table = name === undefined ? undefined : tables.get(name);
  if (!table || COSTLY.test(sql) || sql.lastIndexOf('SELECT') > 0) return false;
  if (where !== undefined && conjuncts(where).includes('1 = 0')) return true;
  const { equal, lists, ranges } = conditionsOf(where);
  const isGiven = (column: string): boolean => equal.has(column) || lists.has(column) || ranges.has(column);
  const finds = (columns: readonly string[]): boolean => {
    const end = columns.findIndex((column) => !isGiven(column));
    return columns.slice(0, end < 0 ? undefined : end).some((column) => !table.counted.includes(column));
  };
  return orders(table).some(finds);
}

function conditionsOf(where: string | undefined): Conditions {
  const conditions: Conditions = { equal: new Set(), lists: new Set(), ranges: new Set(), tuple: [], others: false };
  for (const part of conjuncts(where)) {
    const [, column = '', equal, list, none, range] = CONDITION.exec(part) ?? [];
    if (equal || none) conditions.equal.add(column);
    else if (list) conditions.lists.add(column);
    else if (range) conditions.ranges.add(column);
    else if (conditions.tuple.length === 0 && TUPLE.test(part)) conditions.tuple = columnsOf(TUPLE.exec(part)![1]!);
    else conditions.others ||= !CONSTANT.test(part);
  }
  return conditions;
}

function columnsOf(list: string): string[] {
  return list.split(', ').map((column) => column.slice('a0."'.length, -1));
}

/** The conditions that `AND` joins. They are in one pair of brackets (SqlText.combine), and values are placeholders. */
export function conjuncts(where: string | undefined): string[] {
  if (where === undefined) return [];
  const inner = closesAtEnd(where) ? where.slice(1, -1) : where;
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const word of inner.split(/( AND |[()])/)) {
    if (word === '(') depth++;
    if (word === ')') depth--;
    if (word === ' AND ' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += word;
  }
  return [...parts, part];
}

/** Whether the first bracket of a text closes at its end. */
function closesAtEnd(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')') depth--;
    if (depth === 0) return at > 0 && at === text.length - 1;
  }
  return false;
}

function findsByKey(table: TableModel, { equal, lists }: Conditions): boolean {
  const named = (column: string): boolean => equal.has(column) || lists.has(column);
  const primary = [...table.columns.values()].find((column) => column.primary);
  if (primary && named(primary.name)) return true;
  return [...table.indexes.values()].some((index) => index.unique && index.columns.every((name) => equal.has(name)));
}

/** Columns of `ORDER BY` that all have the same direction; undefined for other orders. */
function keysOf(order: string | undefined): string[] | undefined {
  if (order === undefined) return [];
  const keys = order.split(', ').map((key) => /^a0\."([^"]+)"( DESC)?$/.exec(key));
  const down = keys[0]?.[2];
  return keys.every((key) => key !== null && key[2] === down) ? keys.map((key) => key![1]!) : undefined;
}

/**
 * Column sequences in which rows can be walked. Every index ends with the primary key: the id, or the key that a table
 * without ids is clustered on.
 */
function orders(table: TableModel): string[][] {
  const primary = [...table.columns.values()].filter((column) => column.primary).map(({ name }) => name);
  const served = [...table.indexes.values()].filter((index) => !index.fulltext).map((index) => withId(index, primary));
  return [primary, ...served];
}

function withId({ columns }: IndexModel, primary: readonly string[]): string[] {
  return [...columns, ...primary.filter((name) => !columns.includes(name))];
}

/** Whether the rows that satisfy the conditions are contiguous in this index, in the requested order. */
function walks(columns: readonly string[], { equal, ranges, tuple }: Conditions, keys: readonly string[]): boolean {
  if (!columns.slice(0, equal.size).every((name) => equal.has(name)) || columns.length < equal.size) return false;
  const rest = columns.slice(equal.size);
  if (ranges.size > 1 || (ranges.size === 1 && !ranges.has(rest[0] ?? ''))) return false;
  if (!tuple.every((name, at) => rest[at] === name)) return false;
  const sorted = keys.filter((name) => !equal.has(name));
  return sorted.every((name, at) => rest[at] === name);
}
