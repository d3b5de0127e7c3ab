// The ids of any number of items of another resource, stored in a join table.
import type { FieldType } from '../model/registry.js';
import type { Scalar } from '../model/schema/schema.js';
import { plainValue } from '../values/keywords.js';

export const referencesField: FieldType = {
  name: 'references',
  description: 'The ids of items of the resource in `to`. A list that is sent replaces the whole set.',
  keys: {
    to: { type: 'string', required: true },
    onMissing: { type: 'string', enum: ['reject', 'drop', 'keep'] },
    error: { type: 'string', format: 'code' },
    onDelete: { type: 'string', enum: ['setNull', 'restrict'] },
  },
  value: (field) => plainValue('array', field, { items: { type: 'integer', ...field.items } }),
  compile(field, owner) {
    field.many = { table: `${owner.table}_${field.schema.column ?? field.name}`, value: 'target_id' };
    field.reads = ['id'];
    field.defaultValue = field.schema.default ?? [];
    field.toStore = (value, draft) => {
      draft.many[field.name] = [...new Set((value ?? []) as Scalar[])];
    };
    const slot = `#${field.name}`;
    field.toView = (row) => row[slot] ?? [];
  },
  link(field, model) {
    field.many!.target = model.site.byName.get([field.schema.to ?? []].flat()[0] ?? '');
  },
};
