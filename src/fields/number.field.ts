// Numbers with a fraction.
import type { FieldType } from '../model/registry.js';
import { defaultSetting, ownSetting, plainValue } from '../values/keywords.js';
import { scalarColumn } from './scalar-column.js';

export const numberField: FieldType = {
  name: 'number',
  description: 'A number, stored as a double.',
  keys: { ...defaultSetting('number'), ...ownSetting('number') },
  value: (field) => plainValue('number', field),
  compile: (field) => scalarColumn(field, { kind: 'double' }, 0),
};
