// Booleans, stored as 1 or 0.
import type { FieldType } from '../model/registry.js';
import { defaultSetting, ownSetting, plainValue } from '../values/keywords.js';
import { scalarColumn } from './scalar-column.js';

export const booleanField: FieldType = {
  name: 'boolean',
  description: 'True or false.',
  keys: { ...defaultSetting('boolean'), ...ownSetting('boolean') },
  value: (field) => plainValue('boolean', field),
  compile: (field) =>
    scalarColumn(field, { kind: 'boolean' }, false, {
      toStore: (value: boolean) => (value ? 1 : 0),
      toView: (stored: number | boolean) => Boolean(stored),
    }),
};
