// Dates, times and moments that a row lacks: stored as an empty text, which sorts before all others.
import type { FieldModel } from '../field.js';
import { type Predicate, TRUE } from '../query.js';

const TIMES: ReadonlySet<string> = new Set(['date', 'datetime', 'time']);

/** Whether a field holds dates, times or moments. */
export function holdsTimes({ type }: FieldModel): boolean {
  return TIMES.has(type);
}

/** The condition that a row has a date in a field; true for fields of other types. */
export function hasDate(field: FieldModel): Predicate {
  return holdsTimes(field) ? { op: 'ne', column: field.column!, value: '' } : TRUE;
}
