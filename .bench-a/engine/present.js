import { and, oneOf } from '../model/query.js';
import { collectionPath, itemPath } from '../model/paths.js';
import { orderOfPairs } from './relations.js';
import { selectionOf } from './selection.js';
/** Views of rows in a context, in the order of the rows. The number of statements does not depend on how many rows there are. */
export async function present(op, rows, context = op.context) {
    const selection = selectionOf(op.model, context, op.fields);
    await loadRelations(op, rows, selection);
    const scope = { op, context, site: op.site };
    const views = rows.map((row) => viewOf(row, selection.fields, scope));
    for (const hook of op.model.hooks.present)
        await hook.run(views, rows, op);
    if (selection.links)
        for (const [index, row] of rows.entries())
            views[index]['_links'] = linksOf(op.model, views[index], row, scope);
    return op.fields ? views.map((view) => op.fields.pick(view)) : views;
}
/** Loads to-many values, meta and referenced rows that a selection needs. */
export async function loadRelations(op, rows, selection) {
    if (rows.length === 0)
        return;
    const ids = rows.map((row) => row['id']);
    for (const field of selection.many)
        await loadMany(op, rows, ids, field);
    for (const field of selection.meta)
        await loadMeta(op, rows, ids, field);
    for (const related of selection.related)
        await loadRelated(op, rows, related);
}
function viewOf(row, fields, scope) {
    const view = {};
    for (const field of fields)
        view[field.name] = field.toView(row, scope);
    return view;
}
async function loadMany(op, rows, ids, field) {
    const { table, value } = field.many;
    const pairs = await op.store.select({ table, columns: ['owner_id', value], where: oneOf('owner_id', ids), order: [{ column: 'owner_id', direction: 'asc' }, { column: orderOfPairs(value), direction: 'asc' }] });
    const lists = new Map();
    let several = false;
    for (const pair of pairs) {
        const list = lists.get(pair['owner_id']);
        if (list) {
            several = true;
            list.push(pair[value]);
        }
        else
            lists.set(pair['owner_id'], [pair[value]]);
    }
    if (several)
        await sortTargets(op, field, lists);
    for (const row of rows)
        row[`#${field.name}`] = lists.get(row['id']) ?? [];
}
/** Orders ids as their own collection does, so that terms come by name (decisions 10.7). */
async function sortTargets(op, field, lists) {
    const target = field.many.target;
    const column = target?.list.orderings.get(target.list.defaultOrderby);
    if (!target?.table || !column || column === 'id')
        return;
    const ids = [...new Set([...lists.values()].flat())];
    const found = await op.store.select({
        table: target.table.name,
        columns: ['id'],
        where: oneOf('id', ids),
        order: [{ column, direction: target.list.defaultOrder }, { column: 'id', direction: 'asc' }],
    });
    const position = new Map(found.map((row, index) => [row['id'], index]));
    for (const list of lists.values())
        list.sort((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0));
}
async function loadMeta(op, rows, ids, field) {
    const { table, keys } = field.meta;
    const found = await op.store.select({
        table,
        columns: ['owner_id', 'key', 'value'],
        where: and(oneOf('owner_id', ids), oneOf('key', keys.map((key) => key.key))),
        order: [{ column: 'id', direction: 'asc' }],
    });
    const maps = new Map();
    for (const row of found) {
        let map = maps.get(row['owner_id']);
        if (!map)
            maps.set(row['owner_id'], (map = new Map()));
        const texts = map.get(row['key']);
        if (texts)
            texts.push(row['value']);
        else
            map.set(row['key'], [row['value']]);
    }
    for (const row of rows)
        row[`#${field.name}`] = maps.get(row['id']);
}
/** Loads the rows that `column` of the given rows refers to into `op.related`. */
export async function loadRelated(op, rows, related) {
    const ids = [...new Set(rows.map((row) => row[related.column]))].filter((id) => id > 0);
    if (ids.length === 0)
        return;
    const found = await op.store.select({ table: related.table, columns: related.columns, where: oneOf('id', ids), order: [] });
    let loaded = op.related.get(related.table);
    if (!loaded)
        op.related.set(related.table, (loaded = new Map()));
    for (const row of found)
        loaded.set(row['id'], { ...loaded.get(row['id']), ...row });
    for (const next of related.then ?? [])
        await loadRelated(op, found, next);
}
function linksOf(model, view, row, scope) {
    const { base } = scope.site;
    const links = {};
    if (!model.schema.list?.bareLinks) {
        links['self'] = [{ href: base + itemPath(model, row), ...targetHints(scope.op) }];
    }
    links['collection'] = [{ href: base + collectionPath(model, row) }];
    if (model.schema.list?.bareLinks === 'none')
        delete links['collection'];
    let curies = false;
    for (const link of model.links) {
        const entry = linkEntry(link, view, row, scope);
        if (!entry)
            continue;
        (links[link.rel] ??= []).push(entry);
        if (link.rel.startsWith('wp:'))
            curies = true;
    }
    if (curies)
        links['curies'] = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];
    return links;
}
function targetHints(op) {
    return op.notes['allow'] ? { targetHints: { allow: op.notes['allow'] } } : {};
}
function linkEntry(link, view, row, scope) {
    const { schema } = link;
    if (schema.context && schema.context !== scope.context)
        return undefined;
    if (schema.when && !row[schema.when])
        return undefined;
    if (link.needs && !scope.op.may[`link:${link.rel}`])
        return undefined;
    const href = link.href(view, row, scope);
    if (href === undefined)
        return undefined;
    const fixed = Object.entries(schema.attributes ?? {}).filter(([, value]) => !String(value).startsWith('$'));
    return {
        ...Object.fromEntries(fixed),
        ...link.attributes?.(row, scope),
        ...(schema.embeddable ? { embeddable: true } : {}),
        href,
    };
}
