// Any JSON value, stored as JSON in one column.
import type { FieldType } from '../model/registry.js';
import { jsonColumn } from './json-column.js';
import { optionalValue } from './optional-value.js';
import type { ValueSchema } from '../model/schema/value-schema.js';
import type { FieldSchema } from '../model/schema/field-schema.js';

export const jsonField: FieldType = {
  name: 'json',
  description: 'Any JSON value, kept and shown as it was sent. null where none is kept.',
  keys: {},
  ownKeywords: true,
  value(field: FieldSchema): ValueSchema {
    const { title, description, enum: allowed, anyOf, oneOf } = field;
    const written = { title, description, enum: allowed, anyOf, oneOf };
    return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
  },
  compile(field) {
    field.schema = optionalValue(field.schema);
    jsonColumn(field, null);
  },
};
