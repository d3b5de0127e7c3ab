import { and, equals, oneOf } from '../../model/query.js';
/** Deeper trees are cut off here, so that the number of statements is bounded. */
const MAX_DEPTH = 32;
/** The resource a field refers to, with its fields named by the options `slug` and `tree`; reports what is missing. */
export function referencedBy(field, schema, report) {
    const model = field.many?.target ?? field.targets?.[0];
    if (!model?.table) {
        report('field', `"${field.name}" refers to no resource that is stored`);
        return undefined;
    }
    const column = (option, name) => {
        const found = typeof name === 'string' ? model.fields.get(name)?.column : undefined;
        if (!found)
            report(option, `must name a stored field of "${model.name}"; "${String(name)}" is none`);
        return found ? { [option === 'tree' ? 'parent' : 'slug']: found } : {};
    };
    return {
        model,
        ...(schema['tree'] === undefined ? {} : column('tree', schema['tree'])),
        ...column('slug', schema['slug'] ?? 'slug'),
    };
}
/** Ids by slug, for the slugs that exist. One statement. */
export async function idsOfSlugs({ model, slug }, slugs, op) {
    const wanted = slugs.filter((text) => text !== '');
    if (!slug || wanted.length === 0)
        return new Map();
    const rows = await op.store.select({
        table: model.table.name,
        columns: ['id', slug],
        where: and(...constants(model), oneOf(slug, wanted)),
        order: [],
    });
    return new Map(rows.map((row) => [row[slug], row['id']]));
}
/** Each id with all its descendants. One statement for every level of the tree. */
export async function families({ model, parent }, ids, op) {
    if (!parent)
        return ids.map((id) => [id]);
    const children = new Map();
    const seen = new Set(ids);
    let level = ids;
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
        const where = and(...constants(model), oneOf(parent, level));
        const rows = await op.store.select({ table: model.table.name, columns: ['id', parent], where, order: [] });
        for (const row of rows) {
            const siblings = children.get(row[parent]);
            if (siblings)
                siblings.push(row['id']);
            else
                children.set(row[parent], [row['id']]);
        }
        level = rows.map((row) => row['id']).filter((id) => !seen.has(id));
        for (const id of level)
            seen.add(id);
    }
    return ids.map((id) => family(id, children));
}
function family(root, children) {
    const members = new Set([root]);
    // A set hands out what is added to it while it is walked; rows that point at each other end the walk.
    for (const id of members)
        for (const child of children.get(id) ?? [])
            members.add(child);
    return [...members];
}
function constants(model) {
    return Object.entries(model.discriminator).map(([column, value]) => equals(column, value));
}
