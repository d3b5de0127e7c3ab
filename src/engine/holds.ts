// Evaluates a predicate on a row that is not in the database (yet): an item about to be created, a row of a registry.
import { and, equals, type Predicate, type Row } from '../model/query.js';
import type { Reader } from '../model/store.js';

/** Whether `predicate` is true for `row`; parts about other tables are queried with the row's values bound. */
export async function evaluate(predicate: Predicate, row: Row, reader: Reader | undefined): Promise<boolean> {
  switch (predicate.op) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'and':
      for (const part of predicate.of) if (!(await evaluate(part, row, reader))) return false;
      return true;
    case 'or':
      for (const part of predicate.of) if (await evaluate(part, row, reader)) return true;
      return false;
    case 'not':
      return !(await evaluate(predicate.of, row, reader));
    case 'eq':
      return same(row[predicate.column], predicate.value);
    case 'ne':
      return !same(row[predicate.column], predicate.value);
    case 'in':
      return predicate.values.some((value) => same(row[predicate.column], value));
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

function same(left: unknown, right: unknown): boolean {
  const plain = (value: unknown) => (typeof value === 'boolean' ? Number(value) : (value ?? 0));
  return plain(left) === plain(right);
}
