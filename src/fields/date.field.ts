// Calendar days without a time: `YYYY-MM-DD`.
import type { FieldType } from '../model/registry.js';
import { plainValue } from '../values/keywords.js';
import { emptyAsNull, optionalValue } from './optional-value.js';
import { scalarColumn } from './scalar-column.js';

export const dateField: FieldType = {
  name: 'date',
  description: 'A calendar day, YYYY-MM-DD.',
  keys: {},
  value: (field) => plainValue('string', optionalValue(field), { format: 'date' }),
  compile(field) {
    field.schema = optionalValue(field.schema);
    scalarColumn(field, { kind: 'varchar', length: 10, contentType: 'date' }, '');
    emptyAsNull(field);
  },
};
