import { and, equals } from '../model/query.js';
/** Milliseconds between looks; an item is public within two of them. */
const INTERVAL = 1000;
/** Items published in one transaction. */
const BATCH = 100;
/** Columns that publication by the clock leaves as they are. */
const KEPT = ['date', 'date_gmt', 'modified', 'modified_gmt'];
/** Looks for due items now and every second from now on. */
export function startSchedule(writer, onError) {
    const models = [...writer.models.byName.values()].filter((model) => model.traits.get('published')?.['schedule'] !== false && model.traits.has('published'));
    let running = false;
    const look = async () => {
        if (running)
            return;
        running = true;
        try {
            for (const model of models)
                while (await publishDue(writer, model))
                    ;
        }
        catch (error) {
            onError(error);
        }
        finally {
            running = false;
        }
    };
    const timer = setInterval(() => void look(), INTERVAL);
    timer.unref();
    void look();
    return { stop: () => clearInterval(timer) };
}
/** Publishes one batch; true when there may be more. */
async function publishDue(writer, model) {
    const now = new Date(writer.site.now()).toISOString().slice(0, 19);
    const where = and(...Object.entries(model.discriminator).map(([column, value]) => equals(column, value)), equals('status', 'future'), { op: 'le', column: 'date_gmt', value: now });
    const due = { table: model.table.name, columns: ['id', ...KEPT], where, order: [], limit: BATCH };
    if ((await writer.store.reader.select(due)).length === 0)
        return false;
    return writer.batch(async (batch) => {
        // Another process may have been faster: ask again inside the transaction.
        const rows = await batch.tx.select(due);
        for (const { id, ...columns } of rows)
            await batch.update(model.name, id, { status: 'publish' }, { columns });
        return rows.length === BATCH;
    });
}
