// Calendar days without a time: `YYYY-MM-DD`.
import type { FieldType } from '../model/registry.js';
import { plainValue } from '../values/keywords.js';
import { emptyAsNull, optionalDate } from './optional-date.js';
import { scalarColumn } from './scalar-column.js';

export const dateField: FieldType = {
  name: 'date',
  description: 'A calendar day, YYYY-MM-DD.',
  keys: {},
  value: (field) => plainValue('string', optionalDate(field), { format: 'date' }),
  compile(field) {
    field.schema = optionalDate(field.schema);
    scalarColumn(field, { kind: 'varchar', length: 10, contentType: 'date' }, '');
    emptyAsNull(field);
  },
};
