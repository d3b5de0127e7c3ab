import { equals } from '../model/query.js';
import { itemPath } from '../model/paths.js';
export const revisionedTrait = {
    name: 'revisioned',
    description: 'Every update that changes one of the `fields` stores a revision, shown by the resource `into`.',
    options: {
        into: { type: 'string', description: 'Resource that shows the revisions.' },
        fields: { type: 'array', items: { type: 'string' }, description: 'Columns that are kept.' },
    },
    extend(schema) {
        schema.fields['revision_count'] = { type: 'integer', internal: true };
        schema.fields['latest_revision'] = { type: 'integer', internal: true };
    },
    link(model, { into }) {
        const target = model.site.byName.get(into);
        if (target)
            model.links = [...model.links, ...historyLinks(target)];
    },
    hooks: (model, options) => ({
        async saved(row, op, previous) {
            if (!previous || op.notes['trashed'] || op.notes['restored'] || op.trusted)
                return;
            const latest = row['latest_revision'] ? await op.store.first(model.table.name, options.fields, equals('id', row['latest_revision'])) : undefined;
            if (latest && !differs(latest, row, options.fields))
                return;
            await keepRevision(model, options, row, op);
        },
    }),
};
function differs(before, after, fields) {
    const plain = (text) => String(text ?? '').replace(/\s+/g, ' ').trim();
    return fields.some((name) => plain(before[name]) !== plain(after[name]));
}
async function keepRevision(model, { into, fields }, row, op) {
    const target = model.site.byName.get(into);
    if (!target)
        return;
    const id = await op.tx.insert(model.table.name, {
        ...target.discriminator,
        ...Object.fromEntries(fields.map((name) => [name, row[name]])),
        parent: row['id'],
        author: op.actor.id,
        slug: `${row['id']}-revision-v1`,
        status: 'inherit',
        date: row['modified'],
        date_gmt: row['modified_gmt'],
        modified: row['modified'],
        modified_gmt: row['modified_gmt'],
    });
    const changes = { revision_count: { increment: 1 }, latest_revision: id };
    await op.tx.update(model.table.name, changes, equals('id', row['id']));
}
function historyLinks(target) {
    const collection = (_view, row, { site, op }) => `${site.base}${itemPath(op.model, row)}/${target.path}`;
    return [
        {
            rel: 'version-history',
            schema: {},
            reads: ['revision_count'],
            href: collection,
            attributes: (row) => ({ count: row['revision_count'] ?? 0 }),
        },
        {
            rel: 'predecessor-version',
            schema: { when: 'latest_revision' },
            reads: ['latest_revision'],
            href: (view, row, scope) => `${collection(view, row, scope)}/${row['latest_revision']}`,
            attributes: (row) => ({ id: row['latest_revision'] }),
        },
    ];
}
