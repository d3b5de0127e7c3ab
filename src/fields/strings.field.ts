// A set of short strings that lists can be filtered by (roles, labels), stored in a separate table.
import type { FieldType } from '../model/registry.js';
import type { Scalar } from '../model/schema/schema.js';
import { plainValue } from '../values/keywords.js';

export const stringsField: FieldType = {
  name: 'strings',
  description: 'A set of short strings; filters can look for its members.',
  keys: {},
  value: (field) =>
    plainValue('array', field, {
      items: field.items ? { type: 'string', ...field.items } : { type: 'string', maxLength: 191 },
    }),
  compile(field, owner) {
    field.many = { table: `${owner.table}_${field.schema.column ?? field.name}`, value: 'value' };
    field.reads = ['id'];
    field.defaultValue = field.schema.default ?? [];
    field.toStore = (value, draft) => {
      draft.many[field.name] = [...new Set((value ?? []) as Scalar[])];
    };
    field.toView = (row) => row[`#${field.name}`] ?? [];
  },
};
