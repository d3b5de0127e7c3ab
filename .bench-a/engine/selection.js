// Which fields, columns and relations one kind of answer needs: worked out once per context and `_fields`. Called by the service.
import { LRUCache } from 'lru-cache';
const known = new WeakMap();
/** Selection for a context and the fields asked for. */
export function selectionOf(model, context, asked) {
    let cache = known.get(model);
    if (!cache)
        known.set(model, (cache = new LRUCache({ max: 200 })));
    const key = asked ? `${context}:${asked.key}` : context;
    let selection = cache.get(key);
    if (!selection)
        cache.set(key, (selection = build(model, context, asked)));
    return selection;
}
function build(model, context, asked) {
    const fields = [...model.fields.values()].filter((field) => field.contexts.has(context) && (!asked || asked.has(field.name)));
    const links = !asked || asked.has('_links') || asked.has('_embedded');
    const all = model.columns[context];
    const needed = new Set(['id', ...Object.keys(model.discriminator), ...model.traitColumns, ...fields.flatMap((field) => field.reads)]);
    if (model.parent)
        needed.add(model.parent.field.column);
    if (links)
        for (const link of model.links)
            for (const column of link.reads)
                needed.add(column);
    return {
        fields,
        columns: asked ? all.filter((column) => needed.has(column)) : all,
        // Roles decide capabilities, so a computed field may read a relation that is not shown itself.
        many: [...model.fields.values()].filter((field) => field.many && (fields.includes(field) || usedByComputed(field, fields))),
        meta: fields.filter((field) => field.meta && field.meta.keys.length > 0),
        related: mergeRelated([
            ...fields.flatMap((field) => field.related ?? []),
            ...(links ? model.links.flatMap((link) => link.related ?? []) : []),
        ]),
        links,
    };
}
function usedByComputed(field, fields) {
    return fields.some((other) => other.type === 'computed' && (other.schema.options?.['roles'] ?? 'roles') === field.name && other.schema.function === 'granted-capabilities');
}
function mergeRelated(related) {
    const merged = new Map();
    for (const entry of related) {
        const key = `${entry.column} ${entry.table}`;
        const before = merged.get(key);
        const then = entry.then ?? before?.then;
        const columns = [...new Set([...(before?.columns ?? []), ...entry.columns])];
        merged.set(key, { column: entry.column, table: entry.table, columns, ...(then ? { then } : {}) });
    }
    return [...merged.values()];
}
