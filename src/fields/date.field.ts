// Calendar days without a time: `YYYY-MM-DD`.
import type { FieldType } from '../model/registry.js';
import { plainValue } from './keywords.js';
import { scalarColumn } from './scalar-column.js';

export const dateField: FieldType = {
  name: 'date',
  description: 'A calendar day, YYYY-MM-DD.',
  keys: {},
  value: (field) => plainValue('string', field, { format: 'date' }),
  compile: (field) => scalarColumn(field, { kind: 'varchar', length: 10 }, ''),
};
