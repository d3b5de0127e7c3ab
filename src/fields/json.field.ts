// Any JSON value, stored as JSON in one column.
import type { FieldType } from '../model/registry.js';
import { jsonColumn } from './json-column.js';
import { compileRule } from '../values/compile-value-rule.js';
import { optionalValue } from './optional-value.js';
import type { ValueSchema } from '../model/schema/value-schema.js';
import type { FieldSchema } from '../model/schema/field-schema.js';

export const jsonField: FieldType = {
  name: 'json',
  description: 'Any JSON value, stored and shown as it was sent; null while none is stored.',
  keys: {},
  ownKeywords: true,
  value(field: FieldSchema): ValueSchema {
    const { nullable, title, description, enum: allowed, anyOf, oneOf } = optionalValue(field);
    const forms = nullable
      ? { enum: allowed && [...new Set([...allowed, null])], anyOf: orNull(anyOf), oneOf: orNull(oneOf) }
      : { enum: allowed, anyOf, oneOf };
    const written = { title, description, ...forms };
    return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
  },
  compile(field) {
    field.schema = optionalValue(field.schema);
    jsonColumn(field, null);
  },
};

/** Alternatives of which one is null, where none of them accepts it. */
function orNull(forms: ValueSchema['anyOf']): ValueSchema['anyOf'] {
  const accepting = forms?.some((form) => !('issue' in compileRule(form)(null, '')));
  return forms && !accepting ? [...forms, { type: 'null' }] : forms;
}
