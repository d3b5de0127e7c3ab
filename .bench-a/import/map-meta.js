import { and, equals } from '../model/query.js';
import { isSerialized, unserialize } from './php-serialized.js';
/** Adds the entries to a change; keys named in `taken` have become fields. */
export function mapMeta(change, model, entries, taken = []) {
    const field = [...model.fields.values()].find(({ meta }) => meta);
    if (!field) {
        if (entries.length > 0)
            change.notes.push(`${model.name}: meta, the resource has none`);
        return;
    }
    const registered = {};
    for (const [name, group] of grouped(entries)) {
        if (taken.includes(name))
            continue;
        const key = field.meta.keys.find((known) => known.key === name);
        const value = key && writable(key) ? registeredValue(key, group) : undefined;
        if (value === undefined)
            change.meta.push(...group.filter((entry) => fits(entry, change, model)));
        else
            registered[key.name] = value;
    }
    if (Object.keys(registered).length > 0)
        change.values[field.name] = registered;
}
/** The meta field writes no hidden keys, and protected ones only where a rule says who may. */
function writable(key) {
    return !key.hidden && (key.needs !== undefined || !key.key.startsWith('_'));
}
function registeredValue(key, group) {
    const values = group.map(({ value }) => (key.structured || isSerialized(value) ? (unserialize(value) ?? value) : value));
    const checked = values.map((value) => key.rule(value, key.name));
    if (checked.some((result) => 'issue' in result))
        return undefined;
    const good = checked.map((result) => result.value);
    return key.single ? good.at(-1) : good;
}
function fits({ key }, change, model) {
    if (key !== '' && key.length <= 255)
        return true;
    change.notes.push(`${model.name}: meta with an empty key or one longer than 255 characters`);
    return false;
}
function grouped(entries) {
    const groups = new Map();
    for (const entry of entries)
        groups.set(entry.key, [...(groups.get(entry.key) ?? []), entry]);
    return groups;
}
/** Writes entries of an item; keys that hold the same values already stay. Returns how many entries were written. */
export async function writeEntries(tx, model, id, entries, fresh) {
    const table = [...model.fields.values()].find(({ meta }) => meta)?.meta.table;
    if (!table)
        return 0;
    let written = 0;
    for (const [key, group] of grouped(entries)) {
        const rows = group.map(({ value }) => ({ owner_id: id, key, value, structured: isSerialized(value) ? 1 : 0 }));
        const where = and(equals('owner_id', id), equals('key', key));
        const stored = fresh ? [] : await tx.select({ table, columns: ['value'], where, order: [{ column: 'id', direction: 'asc' }] });
        if (stored.length === rows.length && rows.every(({ value }, index) => value === stored[index]['value']))
            continue;
        if (stored.length > 0)
            await tx.delete(table, where);
        await tx.insertMany(table, rows);
        written += rows.length;
    }
    return written;
}
//# sourceMappingURL=map-meta.js.map