// Objects with declared members, stored as JSON in one column.
import type { FieldType } from '../model/registry.js';
import { jsonColumn } from './json-column.js';
import { plainValue } from '../values/keywords.js';

export const objectField: FieldType = {
  name: 'object',
  description:
    'An object with the members of `properties`; others are refused unless `additionalProperties` allows them.',
  keys: {},
  value: (field) => plainValue('object', field, { additionalProperties: field.additionalProperties ?? false }),
  compile: (field) => jsonColumn(field, {}),
};
