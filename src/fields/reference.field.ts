// The id of one item of another resource. 0 in the column means none.
import type { FieldType } from '../model/registry.js';
import { plainValue } from '../values/keywords.js';
import { scalarColumn } from './scalar-column.js';

export const referenceField: FieldType = {
  name: 'reference',
  description:
    'The id of an item of the resource(s) in `to`; 0 or null for none. Unknown ids are refused unless `unknown` says otherwise.',
  keys: {
    to: { type: ['string', 'array'], items: { type: 'string' }, minItems: 1, required: true },
    empty: { enum: [0, null] },
    unknown: { type: 'string', enum: ['refuse', 'drop', 'keep'] },
    error: { type: 'string', format: 'code' },
    onDelete: { type: 'string', enum: ['clear', 'remove', 'keep'] },
  },
  value: (field) => plainValue('integer', field, field.empty === null ? { type: ['integer', 'null'] } : {}),
  compile(field) {
    const empty = field.schema.empty === undefined ? 0 : field.schema.empty;
    scalarColumn(field, { kind: 'integer' }, 0);
    const column = field.column!;
    field.columns[0]!.nullable = false;
    field.columns[0]!.default = 0;
    field.defaultValue = field.schema.default ?? 0;
    field.toStore = (value, draft) => {
      draft.row[column] = value ?? 0;
    };
    field.toView = (row) => row[column] || empty;
  },
  link(field, model) {
    const names = [field.schema.to ?? []].flat();
    field.targets = names.map((name) => model.site.byName.get(name)!).filter(Boolean);
  },
};
