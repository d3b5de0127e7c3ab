// Lists of values, stored as JSON in one column.
import type { FieldType } from '../model/registry.js';
import { plainValue } from '../values/keywords.js';
import { jsonColumn } from './json-column.js';

export const arrayField: FieldType = {
  name: 'array',
  description: 'A list of values described by `items`.',
  keys: {},
  value: (field) => plainValue('array', field, { items: field.items ?? {} }),
  compile: (field) => jsonColumn(field, []),
};
