// Strings of any length.
import type { FieldType } from '../model/registry.js';
import { cleaner } from '../values/clean.js';
import { defaultSetting, ownSetting, plainValue } from '../values/keywords.js';
import { scalarColumn } from './scalar-column.js';

export const textField: FieldType = {
  name: 'text',
  description: 'A string of any length.',
  keys: {
    sanitize: { type: 'string', enum: ['plain', 'description', 'name', 'uri', 'none'] },
    ...defaultSetting('string'),
    ...ownSetting('string'),
  },
  value: (field) => plainValue('string', field),
  compile: (field) => scalarColumn(field, { kind: 'text' }, '', { toStore: cleaner(field.schema.sanitize ?? 'none') }),
};
