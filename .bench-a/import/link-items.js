import { ResourceError } from '../errors/resource-error.js';
import { linkedIds } from './import-items.js';
import { referenceFields } from './map-item.js';
import { reasonOf } from './unit-writer.js';
const MAX_ITEMS = 100;
/** Columns that an update would set to now. */
const CLOCKS = ['date', 'date_gmt', 'date_floating', 'modified', 'modified_gmt'];
/** Completes the references of all items that wait. */
export async function linkItems(session, waiting) {
    for (let at = 0; at < waiting.length; at += MAX_ITEMS)
        await linkSome(session, waiting.slice(at, at + MAX_ITEMS));
}
async function linkSome(session, items) {
    let notes = [];
    try {
        await session.writer.batch(async (batch) => {
            notes = [];
            for (const item of items)
                notes.push(...(await link(session, item, batch)));
        });
    }
    catch (error) {
        if (!(error instanceof ResourceError) || error.status === 503)
            throw error;
        if (items.length > 1)
            for (const item of items)
                await linkSome(session, [item]);
        else
            await giveUp(session, items[0], error);
        return;
    }
    for (const note of notes)
        session.summary.note(note);
}
async function link(session, { id, hash, links }, batch) {
    const { model, key, slug } = links;
    const fields = referenceFields(model);
    const found = await linkedIds(session, links, batch.tx);
    const row = await batch.find(model.name, { id });
    const values = {};
    const notes = [];
    for (const [kind, field] of Object.entries(fields)) {
        const target = found[kind];
        if (target === 'later')
            notes.push(`${model.name}: ${field}, an item that was not imported`);
        else if (row && row[model.fields.get(field).column] !== target)
            values[field] = target;
    }
    if (Object.keys(values).length > 0) {
        // Under its own parent a page may have the slug that was taken at the top.
        const columns = Object.fromEntries(CLOCKS.filter((name) => row?.[name] !== undefined).map((name) => [name, row[name]]));
        await batch.update(model.name, id, { ...values, ...(slug ? { slug } : {}) }, { columns });
    }
    await record(session, batch, model.name, key, hash, id);
    return notes;
}
async function giveUp(session, { id, hash, links }, error) {
    session.summary.note(`${links.model.name}: parent or featured image of ${links.key} (${reasonOf(error)})`);
    await session.writer.batch((batch) => record(session, batch, links.model.name, links.key, hash, id));
}
async function record(session, batch, kind, key, hash, id) {
    await session.ledger.record(batch.tx, kind, key, hash, id, await session.ledger.find(batch.tx, kind, key));
}
//# sourceMappingURL=link-items.js.map