// The id of one item of another resource. 0 in the column means none.
import type { FieldType } from '../model/registry.js';
import { ownSetting, plainValue } from '../values/keywords.js';
import { scalarColumn } from './scalar-column.js';

export const referenceField: FieldType = {
  name: 'reference',
  description:
    'The id of an item of the resource(s) in `to`; 0 or null for none. Ids that no item has are rejected unless `onMissing` says otherwise.',
  keys: {
    to: { type: ['string', 'array'], items: { type: 'string' }, minItems: 1, required: true },
    emptyValue: { enum: [0, null] },
    onMissing: { type: 'string', enum: ['reject', 'drop', 'keep'] },
    error: { type: 'string', format: 'code' },
    link: { type: 'boolean' },
    ...ownSetting('number'),
    onDelete: { type: 'string', enum: ['setNull', 'cascade', 'noAction', 'restrict'] },
  },
  value: (field) => plainValue('integer', field, field.emptyValue === null ? { type: ['integer', 'null'] } : {}),
  compile(field) {
    const empty = field.schema.emptyValue === undefined ? 0 : field.schema.emptyValue;
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
