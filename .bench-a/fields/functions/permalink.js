const PRETTY = new Set(['publish', 'private', 'inherit']);
/** Columns an address of this style is made of. */
export function addressColumns(style) {
    const common = ['id', 'slug', 'status'];
    if (style.style === 'tree')
        return [...common, 'path'];
    return style.style === 'attached' ? [...common, 'parent'] : [...common, 'date'];
}
/** The style of a resource, from its `permalink` field. */
export function addressStyle(model) {
    for (const field of model.fields.values()) {
        if (field.type === 'computed' && field.schema.function === 'permalink') {
            return { style: 'dated', query: 'p', ...field.schema.options };
        }
    }
    return undefined;
}
/** Every column that some resource of a table needs for its address, and the further rows of attached ones. */
export function addressRelated(column, table, owner) {
    const columns = new Set(['id', ...discriminatorColumns(table, owner)]);
    let attached = false;
    for (const model of owner.site.ofTable.get(table) ?? []) {
        const style = addressStyle(model);
        if (style)
            for (const name of addressColumns(style))
                columns.add(name);
        if (style?.style === 'attached')
            attached = true;
    }
    const names = [...columns];
    return attached
        ? { column, table, columns: names, then: [{ column: 'parent', table, columns: names }] }
        : { column, table, columns: names };
}
function discriminatorColumns(table, owner) {
    return (owner.site.ofTable.get(table) ?? []).flatMap((model) => Object.keys(model.discriminator));
}
/** The resource a row of a shared table belongs to. */
export function modelOf(row, table, owner) {
    return owner.site.ofTable
        .get(table)
        ?.find((model) => Object.entries(model.discriminator).every(([column, value]) => row[column] === value));
}
/** Public address of a row; `%slug%` stands for the slug where `template` is asked for. */
export function addressOf(row, style, site, parentLink, slug = row['slug'], pretty = PRETTY.has(row['status']) && row['slug'] !== '') {
    if (!pretty)
        return `${site.home}/?${style.query}=${row['id']}`;
    if (style.style === 'tree') {
        const path = String(row['path'] ?? row['slug']);
        return `${site.home}/${path.slice(0, path.lastIndexOf('/') + 1)}${slug}/`;
    }
    if (style.style === 'attached')
        return `${parentLink(row) ?? `${site.home}/`}${slug}/`;
    return site.home + dated(site.settings.permalinkStructure, row, slug);
}
function dated(structure, row, slug) {
    const date = String(row['date'] ?? '');
    if (structure === '/%year%/%monthnum%/%day%/%postname%/') {
        return `/${date.slice(0, 4)}/${date.slice(5, 7)}/${date.slice(8, 10)}/${slug}/`;
    }
    const tokens = {
        year: date.slice(0, 4), monthnum: date.slice(5, 7), day: date.slice(8, 10), hour: date.slice(11, 13),
        minute: date.slice(14, 16), second: date.slice(17, 19), postname: slug, post_id: String(row['id']),
    };
    return structure.replace(/%([a-z_]+)%/g, (token, name) => tokens[name] ?? token);
}
/** Public address of a row loaded as related, through whatever resource it belongs to. */
export function addressOfRelated(row, table, owner, site, related) {
    const model = modelOf(row, table, owner);
    const style = model && addressStyle(model);
    if (!style)
        return undefined;
    return addressOf(row, style, site, (child) => {
        const parent = related.get(table)?.get(child['parent']);
        return parent && PRETTY.has(parent['status']) ? addressOfRelated(parent, table, owner, site, new Map()) : undefined;
    });
}
