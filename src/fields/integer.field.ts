// Whole numbers.
import type { FieldType } from '../model/registry.js';
import { defaultSetting, ownSetting, plainValue } from '../values/keywords.js';
import { scalarColumn } from './scalar-column.js';

export const integerField: FieldType = {
  name: 'integer',
  description: 'A whole number between -(2^53 - 1) and 2^53 - 1.',
  keys: { ...defaultSetting('number'), ...ownSetting('number') },
  value: (field) =>
    plainValue('integer', field, {
      minimum: field.minimum ?? undefined,
      maximum: field.maximum ?? undefined,
    }),
  compile: (field) => scalarColumn(field, { kind: 'integer' }, 0),
};
