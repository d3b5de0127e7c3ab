// Predicates and queries in terms of columns. Filters and rules build them, storage/ translates them to SQL.
import type { OutputBudget } from './operation.js';
import type { Scalar } from './schema/schema.js';

/** A condition on rows of one table. Values are always bound, columns always come from a compiled model. */
export type Predicate =
  | { op: 'true' }
  | { op: 'false' }
  | { op: 'and' | 'or'; of: Predicate[] }
  | { op: 'not'; of: Predicate }
  | { op: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'; column: string; value: Scalar }
  | { op: 'in'; column: string; values: readonly Scalar[] }
  | { op: 'null'; column: string }
  /** Substring match on a folded column. */
  | { op: 'contains'; column: string; value: string }
  /** Whether a folded text begins or ends with the value, character by character. */
  | { op: 'affix'; at: 'start' | 'end'; column: string; value: string }
  /** Whether the values of columns, compared one after the other, come after or before others. None of them is null. */
  | { op: 'tuple'; columns: readonly string[]; compare: 'lt' | 'gt'; values: readonly Scalar[] }
  /** Calendar component of a date-time column, an integer. */
  | { op: 'datePart'; part: DatePart; column: string; value: number }
  /** Comparison of two columns of one table. */
  | { op: 'columns'; left: string; compare: 'eq' | 'lt' | 'le'; right: string }
  /** There is a row of `table` whose `inner` column equals our `outer` column and that satisfies `where`. */
  | { op: 'exists'; table: string; outer: string; inner: string; where: Predicate };

/** Calendar components of a date-time. */
export type DatePart = 'year' | 'month' | 'day' | 'week' | 'hour' | 'minute' | 'second' | 'dayOfYear' | 'weekday';

/**
 * One sort key. `case` sorts by the first predicate that holds (relevance), `list` by the position in the values, `of` by a
 * column of the row of that table whose id is in our `column`, `count` by the number of rows that refer to ours.
 */
export type OrderKey =
  | { column: string; direction: 'asc' | 'desc' }
  | { column: string; of: TargetColumn; direction: 'asc' | 'desc' }
  | { cases: Predicate[]; direction: 'asc' | 'desc' }
  | { count: Referring; direction: 'asc' | 'desc' }
  | { list: readonly Scalar[]; column: string }
  | { random: true };

/** Rows of `table` whose `inner` column holds our id and that satisfy `where`. */
export interface Referring {
  table: string;
  inner: string;
  where: Predicate;
}

/** A column of a table that ids refer to. */
export interface TargetColumn {
  table: string;
  column: string;
}

/** A read of one table. */
export interface Query {
  table: string;
  columns: readonly string[];
  where: Predicate;
  order: OrderKey[];
  limit?: number;
  offset?: number;
  /**
   * Set when many rows match: walking in sort order finds a page sooner than the full-text index, or than all rows that
   * other tables name.
   */
  dense?: boolean;
  /** Members that the caller will add to each row. */
  adds?: readonly string[];
  /** Limits the bytes the rows may have; absent: unlimited. */
  budget?: OutputBudget;
}

/** A query as code may write it: without `order`, rows come in any. */
export type Selection = Omit<Query, 'order'> & Partial<Pick<Query, 'order'>>;

/** A selection with the order that it leaves out. */
export function queryOf(selection: Selection): Query {
  return selection.order ? (selection as Query) : { ...selection, order: [] };
}

/** What is computed from the values of one column; `count`: how many are not null. */
export interface Aggregate {
  operation: 'sum' | 'min' | 'max' | 'count';
  column: string;
}

/** Numbers of rows, and aggregates, per combination of the values of `by`, in their order. */
export interface SummaryQuery {
  table: string;
  by: readonly string[];
  of: readonly Aggregate[];
  where: Predicate;
  limit: number;
}

/** One of these combinations. */
export interface SummaryRow {
  by: (string | number | null)[];
  count: number;
  of: (string | number | null)[];
}

/** The first `each` rows for every value of the column `by`, in an order. */
export interface GroupQuery {
  table: string;
  by: string;
  where: Predicate;
  order: OrderKey[];
  each: number;
}

/**
 * Rows of several tables in one order. Each part has as many keys, in the same directions and with values of one kind; the
 * last one is its id.
 */
export interface MergeQuery {
  parts: readonly MergePart[];
  limit: number;
  offset: number;
}

/** The rows of one table in such a query. */
export interface MergePart {
  table: string;
  where: Predicate;
  order: readonly MergeKey[];
}

/** A sort key whose values can be compared with those of another table. */
export type MergeKey =
  { column: string; direction: 'asc' | 'desc' } | { cases: readonly Predicate[]; direction: 'asc' | 'desc' };

/** A stored row, by column name. Booleans are 0 or 1, date-times `YYYY-MM-DDTHH:MM:SS` in the column's clock. */
export type Row = Record<string, any>;

/** A new value for a column; `increment` adds to the stored one. */
export type Change = Scalar | { increment: number };

/** What makes an item another version of itself, for `ETag` and `If-Match`. */
export const NEXT_VERSION = Object.freeze({ row_version: { increment: 1 } });

export const TRUE: Predicate = { op: 'true' };
export const FALSE: Predicate = { op: 'false' };

/** Conjunction, simplified: `false` dominates, `true` is dropped. */
export function and(...parts: Predicate[]): Predicate {
  const remaining: Predicate[] = [];
  for (const part of parts) {
    if (part.op === 'false') return FALSE;
    if (part.op === 'and') remaining.push(...part.of);
    else if (part.op !== 'true') remaining.push(part);
  }
  return remaining.length === 0 ? TRUE : remaining.length === 1 ? remaining[0]! : { op: 'and', of: remaining };
}

/** Disjunction, simplified: `true` dominates, `false` is dropped. */
export function or(...parts: Predicate[]): Predicate {
  const remaining: Predicate[] = [];
  for (const part of parts) {
    if (part.op === 'true') return TRUE;
    if (part.op === 'or') remaining.push(...part.of);
    else if (part.op !== 'false') remaining.push(part);
  }
  return remaining.length === 0 ? FALSE : remaining.length === 1 ? remaining[0]! : { op: 'or', of: remaining };
}

/** Negation, simplified. */
export function not(part: Predicate): Predicate {
  if (part.op === 'true') return FALSE;
  if (part.op === 'false') return TRUE;
  if (part.op === 'not') return part.of;
  return { op: 'not', of: part };
}

/** Membership, simplified: no values give `false`, one value gives equality. */
export function oneOf(column: string, values: readonly Scalar[]): Predicate {
  if (values.length === 0) return FALSE;
  return values.length === 1 ? { op: 'eq', column, value: values[0]! } : { op: 'in', column, values };
}

/** Whether a condition searches texts: an index may not serve it, so its time grows with the table. */
export function searchesTexts(where: Predicate): boolean {
  if (where.op === 'and' || where.op === 'or') return where.of.some(searchesTexts);
  if (where.op === 'not') return searchesTexts(where.of);
  return where.op === 'exists' ? searchesTexts(where.where) : where.op === 'contains';
}

/** The parts of a condition that must all hold. */
export function conjunctsOf(where: Predicate): readonly Predicate[] {
  return where.op === 'and' ? where.of : [where];
}

/** The conditions of a list that query no other tables. */
export function withoutOtherTables(where: Predicate): Predicate {
  return and(...conjunctsOf(where).filter((part) => !queriesOtherTables(part)));
}

/** The conditions of a list that search no texts. */
export function withoutSearches(where: Predicate): Predicate {
  return and(...conjunctsOf(where).filter((part) => !searchesTexts(part)));
}

/** Whether a condition requires rows in other tables. */
export function queriesOtherTables(where: Predicate): boolean {
  return where.op === 'exists' || (where.op === 'and' && where.of.some(queriesOtherTables));
}

/** Equality with a value. */
export function equals(column: string, value: Scalar): Predicate {
  return value === null ? { op: 'null', column } : { op: 'eq', column, value };
}

/**
 * Simplifies a predicate for rows whose `column` is known to hold one of `values`:
 * parts that are then always true or false are evaluated, the rest is unchanged.
 */
export function assume(part: Predicate, column: string, values: readonly Scalar[]): Predicate {
  switch (part.op) {
    case 'and':
      return and(...part.of.map((p) => assume(p, column, values)));
    case 'or':
      return or(...part.of.map((p) => assume(p, column, values)));
    case 'not':
      return not(assume(part.of, column, values));
    case 'eq':
      return part.column === column ? fold(part, [part.value], values) : part;
    case 'in':
      return part.column === column ? fold(part, part.values, values) : part;
    default:
      return part;
  }
}

function fold(part: Predicate, wanted: readonly Scalar[], known: readonly Scalar[]): Predicate {
  if (known.every((value) => wanted.includes(value))) return TRUE;
  return known.some((value) => wanted.includes(value)) ? part : FALSE;
}

/** The value of a column after a write: null empties the column, undefined leaves it as it is in the current row. */
export function valueAfter(written: Row, current: Row | undefined, column: string): Row[string] {
  return written[column] === undefined ? current?.[column] : written[column];
}
