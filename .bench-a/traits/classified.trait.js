import { equals } from '../model/query.js';
export const classifiedTrait = {
    name: 'classified',
    description: 'The references `fields` classify items; terms with the trait `term` know how many published items they have.',
    options: {
        fields: { type: 'array', items: { type: 'string' }, description: 'References fields that classify items.' },
        defaults: { type: 'object', description: 'Field to the site setting with the default term of new items.', additionalProperties: { type: 'string' } },
        counted: { type: 'string', description: 'Status in which an item counts (default publish).' },
    },
    hooks: (model, { fields, defaults = {}, counted = 'publish' }) => ({
        async input(draft, op, current) {
            if (current)
                return;
            for (const [name, setting] of Object.entries(defaults)) {
                if (draft.values[name] !== undefined || op.trusted)
                    continue;
                const id = op.site.settings[setting];
                const table = model.fields.get(name)?.many?.target?.table?.name;
                if (table && (await op.store.first(table, ['id'], equals('id', id))))
                    draft.many[name] = [id];
            }
        },
        async saved(row, op, previous) {
            const [was, is] = [previous?.['status'] === counted, row['status'] === counted];
            if (!was && !is)
                return;
            for (const name of fields)
                await countField(model, name, was, is, row, op);
        },
        async remove(row, op) {
            if (op.params['force'] !== true || row['status'] !== counted)
                return;
            for (const name of fields)
                for (const id of await stored(model, name, row['id'], op))
                    add(model, name, id, -1, op);
        },
    }),
};
async function countField(model, name, was, is, row, op) {
    const noted = op.notes[`many:${name}`];
    if (!noted && was === is)
        return;
    const after = noted?.after ?? (await stored(model, name, row['id'], op));
    const before = noted?.before ?? after;
    const delta = new Map();
    if (was)
        for (const id of before)
            delta.set(id, (delta.get(id) ?? 0) - 1);
    if (is)
        for (const id of after)
            delta.set(id, (delta.get(id) ?? 0) + 1);
    for (const [id, change] of delta)
        if (change !== 0)
            add(model, name, id, change, op);
}
async function stored(model, name, id, op) {
    const { table, value } = model.fields.get(name).many;
    const rows = await op.store.select({ table, columns: [value], where: equals('owner_id', id), order: [] });
    return rows.map((row) => row[value]);
}
function add(model, name, id, delta, op) {
    const target = model.fields.get(name).many.target;
    const column = target.traits.has('term') ? target.fields.get('count')?.column : undefined;
    if (column)
        op.tx.add(target.table.name, id, column, delta);
}
