// Dates, times and moments that a row has: missing ones are stored as an empty text, which sorts before all others.
import type { FieldModel } from '../model/field.js';
import type { Operation } from '../model/operation.js';
import { type Predicate, TRUE } from '../model/query.js';

/** The condition that a row has a value in a field; dates that a trait gives to every item need none. */
export function isGiven({ column }: FieldModel): (op: Pick<Operation, 'model'>) => Predicate {
  const given: Predicate = { op: 'ne', column: column!, value: '' };
  return ({ model }) => (model.faces.dates?.columns.includes(column!) ? TRUE : given);
}
