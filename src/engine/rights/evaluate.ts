// Evaluates a predicate on a row that is not (yet) in the database: a new item, a row of a static resource.
import { decimalOf, plus } from '../../model/functions/decimal.js';
import { and, equals, type Predicate, type Row } from '../../model/query.js';
import type { Reader } from '../../model/store.js';

/** A test of the order of two values: below 0 when the first one is less. */
type Compare = (order: number) => boolean;

const COMPARISONS: Readonly<Record<'lt' | 'le' | 'gt' | 'ge' | 'eq', Compare>> = {
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  eq: (order) => order === 0,
};

/** Whether `predicate` is true for `row`; parts about other tables are queried with the row's values bound. */
export async function evaluate(predicate: Predicate, row: Row, reader: Reader | undefined): Promise<boolean> {
  return (await judge(predicate, row, reader)) === true;
}

/** The same; undefined for order comparisons with null, as in SQL: neither they nor their negations hold. */
async function judge(predicate: Predicate, row: Row, reader: Reader | undefined): Promise<boolean | undefined> {
  switch (predicate.op) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'and':
      return judgeAll(predicate.of, false, row, reader);
    case 'or':
      return judgeAll(predicate.of, true, row, reader);
    case 'not': {
      const held = await judge(predicate.of, row, reader);
      return held === undefined ? undefined : !held;
    }
    case 'eq':
      return same(row[predicate.column], predicate.value);
    case 'ne':
      return !same(row[predicate.column], predicate.value);
    case 'in':
      return predicate.values.some((value) => same(row[predicate.column], value));
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return compareValues(row[predicate.column], predicate.value, COMPARISONS[predicate.op]);
    case 'columns':
      return compareValues(row[predicate.left], row[predicate.right], COMPARISONS[predicate.compare]);
    case 'null':
      return row[predicate.column] === null || row[predicate.column] === undefined;
    case 'exists': {
      const value = row[predicate.outer];
      if (!reader || value === undefined || value === null || value === 0) return false;
      return Boolean(
        await reader.first(predicate.table, [predicate.inner], and(equals(predicate.inner, value), predicate.where)),
      );
    }
    default:
      return false;
  }
}

/** `decisive` is the value of one part that decides for all: false of a conjunction, true of a disjunction. */
async function judgeAll(
  parts: readonly Predicate[],
  decisive: boolean,
  row: Row,
  reader: Reader | undefined,
): Promise<boolean | undefined> {
  let isUnknown = false;
  for (const part of parts) {
    const held = await judge(part, row, reader);
    if (held === decisive) return held;
    isUnknown ||= held === undefined;
  }
  return isUnknown ? undefined : !decisive;
}

function same(left: unknown, right: unknown): boolean {
  const plain = (value: unknown) => (typeof value === 'boolean' ? Number(value) : (value ?? 0));
  return plain(left) === plain(right);
}

/** Numbers and decimals by value, dates and times by their spelling. */
function compareValues(left: unknown, right: unknown, holds: Compare): boolean | undefined {
  if (left === null || left === undefined || right === null || right === undefined) return undefined;
  const [one, other] = [decimalOf(left), decimalOf(right)];
  if (!one || !other) return holds(String(left) < String(right) ? -1 : Number(String(left) > String(right)));
  const { units } = plus(one, { ...other, units: -other.units });
  return holds(units < 0n ? -1 : Number(units > 0n));
}
