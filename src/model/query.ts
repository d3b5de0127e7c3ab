// What is asked of the store: predicates and queries in terms of columns. Built by filters and rules, turned into SQL by storage/.
import type { Scalar } from './schema.js';

/** A condition on rows of one table. Values are always bound, columns always come from a compiled model. */
export type Predicate =
  | { op: 'true' }
  | { op: 'false' }
  | { op: 'and' | 'or'; of: Predicate[] }
  | { op: 'not'; of: Predicate }
  | { op: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'; column: string; value: Scalar }
  | { op: 'in'; column: string; values: readonly Scalar[] }
  | { op: 'null'; column: string }
  /** Substring of an already folded column. */
  | { op: 'contains'; column: string; value: string }
  /** A calendar part of a date-time column, an integer. */
  | { op: 'datePart'; part: DatePart; column: string; value: number }
  /** Two columns of one table. */
  | { op: 'columns'; left: string; compare: 'eq' | 'lt'; right: string }
  /** Some row of `table` whose `inner` column equals our `outer` column and that satisfies `where`. */
  | { op: 'exists'; table: string; outer: string; inner: string; where: Predicate };

/** Calendar parts a date-time can be asked for. */
export type DatePart = 'year' | 'month' | 'day' | 'week' | 'hour' | 'minute' | 'second' | 'dayOfYear' | 'weekday';

/** One sort key. `case` keys sort by the first predicate that holds (relevance), `list` by position in the values. */
export type OrderKey =
  | { column: string; direction: 'asc' | 'desc' }
  | { cases: Predicate[]; direction: 'asc' | 'desc' }
  | { list: readonly Scalar[]; column: string }
  | { random: true };

/** A read of one table. */
export interface Query {
  table: string;
  columns: readonly string[];
  where: Predicate;
  order: OrderKey[];
  limit?: number;
  offset?: number;
  /** Many rows match: walking the order finds a page sooner than an index over texts does. */
  dense?: boolean;
  /** Members the caller will add to each row. */
  adds?: readonly string[];
}

/** A stored row, by column name. Booleans are 0 or 1, date-times `YYYY-MM-DDTHH:MM:SS` in the column's own clock. */
export type Row = Record<string, any>;

/** A new value for a column; `increment` adds to what is stored. */
export type Change = Scalar | { increment: number };

export const TRUE: Predicate = { op: 'true' };
export const FALSE: Predicate = { op: 'false' };

/** Conjunction, folded: `false` wins, `true` vanishes. */
export function and(...parts: Predicate[]): Predicate {
  const kept: Predicate[] = [];
  for (const part of parts) {
    if (part.op === 'false') return FALSE;
    if (part.op === 'and') kept.push(...part.of);
    else if (part.op !== 'true') kept.push(part);
  }
  return kept.length === 0 ? TRUE : kept.length === 1 ? kept[0]! : { op: 'and', of: kept };
}

/** Disjunction, folded: `true` wins, `false` vanishes. */
export function or(...parts: Predicate[]): Predicate {
  const kept: Predicate[] = [];
  for (const part of parts) {
    if (part.op === 'true') return TRUE;
    if (part.op === 'or') kept.push(...part.of);
    else if (part.op !== 'false') kept.push(part);
  }
  return kept.length === 0 ? FALSE : kept.length === 1 ? kept[0]! : { op: 'or', of: kept };
}

/** Negation, folded. */
export function not(part: Predicate): Predicate {
  if (part.op === 'true') return FALSE;
  if (part.op === 'false') return TRUE;
  if (part.op === 'not') return part.of;
  return { op: 'not', of: part };
}

/** Membership, folded: no value is `false`, one is equality. */
export function oneOf(column: string, values: readonly Scalar[]): Predicate {
  if (values.length === 0) return FALSE;
  return values.length === 1 ? { op: 'eq', column, value: values[0]! } : { op: 'in', column, values };
}

/** Equality with a value. */
export function equals(column: string, value: Scalar): Predicate {
  return value === null ? { op: 'null', column } : { op: 'eq', column, value };
}

/**
 * What is left of a predicate on rows whose `column` is known to hold one of `values`:
 * parts that must then be true or false are folded away, the rest stays as it was.
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
