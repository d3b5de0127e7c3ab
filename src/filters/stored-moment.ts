// Date-times that a list is filtered by, in the form that the column holds.
import { storedDateTime } from '../fields/datetime.field.js';
import type { FieldModel } from '../model/field.js';
import type { Operation } from '../model/operation.js';
import type { Scalar } from '../model/schema/schema.js';
import { DEFAULT_CLOCK } from '../values/date-time.js';

/** The moment that a value names, in the clock of the field; values of other types stay as they are. */
export function storedMoment({ type, schema }: FieldModel, value: Scalar, { site }: Pick<Operation, 'site'>): Scalar {
  if (type !== 'datetime') return value;
  return storedDateTime(String(value), schema.clock ?? DEFAULT_CLOCK, site.settings.timezone);
}
