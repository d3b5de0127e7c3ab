import { equals } from '../model/query.js';
import { applyValues, changedColumns, completeDraft, newDraft } from './draft.js';
import { planMeta, writeMany, writeMeta } from './relations.js';
/** Inserts the item an operation describes and sets `op.id`. */
export async function insertItem(op, tx) {
    const draft = newDraft(op);
    await fillDraft(draft, op);
    const meta = await planMeta(draft, op);
    const id = await tx.insert(op.model.table.name, draft.row);
    op.id = id;
    await writeMany(id, draft, op);
    await writeMeta(id, meta, tx);
    const row = { ...draft.row, id };
    for (const hook of op.model.hooks.saved)
        await hook.run(row, op);
}
/** Writes what an operation changes of the current row. */
export async function changeItem(op, tx, current) {
    const draft = newDraft(op);
    await fillDraft(draft, op, current);
    const meta = await planMeta(draft, op, current);
    const changes = changedColumns(draft, current);
    const id = op.id;
    if (Object.keys(changes).length > 0)
        await tx.update(op.model.table.name, changes, equals('id', id));
    await writeMany(id, draft, op);
    await writeMeta(id, meta, tx);
    const row = { ...current, ...changes };
    for (const hook of op.model.hooks.saved)
        await hook.run(row, op, current);
}
async function fillDraft(draft, op, current) {
    await applyValues(draft, op, current);
    for (const hook of op.model.hooks.input)
        await hook.run(draft, op, current);
    if (op.trusted?.id !== undefined)
        draft.row['id'] = op.trusted.id;
    Object.assign(draft.row, op.trusted?.columns);
    completeDraft(draft, op, current);
    for (const column in draft.row)
        if (draft.row[column] === undefined)
            delete draft.row[column];
}
