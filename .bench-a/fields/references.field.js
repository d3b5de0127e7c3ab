import { plainValue } from './keywords.js';
export const referencesField = {
    name: 'references',
    description: 'The ids of items of the resource in `to`. A list that is sent replaces the whole set.',
    keys: {
        to: { type: 'string' },
        unknown: { type: 'string', enum: ['refuse', 'drop', 'keep'] },
        error: { type: 'string' },
    },
    value: (field) => plainValue('array', field, { items: field.items ?? { type: 'integer' } }),
    compile(field, owner) {
        field.many = { table: `${owner.table}_${field.schema.column ?? field.name}`, value: 'target_id' };
        field.reads = ['id'];
        field.defaultValue = field.schema.default ?? [];
        field.toStore = (value, draft) => {
            draft.many[field.name] = [...new Set((value ?? []))];
        };
        field.toView = (row) => row[`#${field.name}`] ?? [];
    },
    link(field, model) {
        field.many.target = model.site.byName.get([field.schema.to ?? []].flat()[0] ?? '');
    },
};
