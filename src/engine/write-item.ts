// Writes one item inside a transaction: values, input hooks, derived columns, row, relations, meta, saved hooks.
import type { Operation, Draft } from '../model/operation.js';
import { equals, NEXT_VERSION, type Row, valueAfter } from '../model/query.js';
import type { Transaction } from '../model/store.js';
import { checkRow, checkUnwritten } from './check-row.js';
import {
  applyImportedValues,
  applyValues,
  changedColumns,
  checkSanitized,
  completeDraft,
  newDraft,
} from './writes/draft.js';
import { checkNewFields } from './field-writes.js';
import { writeMany } from './write-relations.js';
import { removeRows } from './remove-rows.js';
import { runNoted } from './writes/hook-values.js';
import { checkDraft, checkTexts } from './writes/text-sizes.js';
import { prefetchRelated } from './presentation/load-relations.js';
import { planMeta, writeMeta } from './write-meta.js';
import { isDuplicate, wouldRepeat } from './writes/duplicate.js';

/** Inserts the item of an operation and sets `op.id`. */
export async function insertItem(op: Operation, tx: Transaction): Promise<void> {
  const draft = newDraft(op);
  await fillDraft(draft, op);
  if (!op.trusted) await checkNewFields(op, draft.row);
  const meta = await planMeta(draft, op);
  const id = await tx.insert(op.model.table!.name, draft.row);
  op.id = id;
  await writeMany(id, draft, op);
  await writeMeta(id, meta, tx, true);
  const row = { ...draft.row, id };
  for (const hook of op.model.hooks.saved) await hook.run(row, op);
  await checkRow(op, tx);
}

/** Writes the changes of an operation to the current row. */
export async function changeItem(op: Operation, tx: Transaction, current: Row): Promise<void> {
  const draft = newDraft(op);
  await fillDraft(draft, op, current);
  const meta = await planMeta(draft, op, current);
  const changes = changedColumns(draft, current, op.model);
  const id = op.id as number;
  const manyChanged = await writeMany(id, draft, op);
  const metaChanged = await writeMeta(id, meta, tx);
  op.state.metaChanged = metaChanged;
  if (manyChanged || metaChanged || Object.keys(changes).length > 0) {
    const set = { ...changes, ...NEXT_VERSION };
    await tx.update(op.model.table!.name, set, equals('id', id), current);
  }
  const { readSettings } = op.site;
  if (readSettings && [...op.model.fields.values()].some((field) => field.setting)) tx.after(readSettings);
  const row = { ...current, ...changes };
  for (const hook of op.model.hooks.saved) await hook.run(row, op, current);
  await checkRow(op, tx);
}

/**
 * Permanently deletes the current row, as a forced deletion does.
 * @throws ResourceError when others hold it, or when what refers to it would share unique values with others
 */
export async function removeItem(op: Operation, tx: Transaction, current: Row): Promise<void> {
  try {
    for (const hook of op.model.hooks.remove) await hook.run(current, op);
    await removeRows(tx, op.model, [current['id'] as number], op);
    for (const hook of op.model.hooks.removed) await hook.run(current, op);
  } catch (error) {
    throw isDuplicate(error) ? wouldRepeat(error, op) : error;
  }
}

async function fillDraft(draft: Draft, op: Operation, current?: Row): Promise<void> {
  checkTexts(op);
  await applyValues(draft, op, current);
  checkSanitized(draft, op);
  const valueOf = (column: string) => valueAfter(draft.row, current, column);
  for (const hook of op.model.hooks.input) {
    if (!op.trusted) prefetchRelated(op, valueOf);
    await runNoted(hook.run, draft, op, () => hook.run(draft, op, current));
  }
  op.state.drafted = draft.row;
  if (op.trusted?.id !== undefined) draft.row['id'] = op.trusted.id;
  applyImportedValues(draft, op);
  completeDraft(draft, op, current);
  for (const column in draft.row) if (draft.row[column] === undefined) delete draft.row[column];
  checkDraft(draft, op, current);
  op.state.written = draft.row;
  if (op.state.repeats) await checkUnwritten(op, op.tx!, { ...current, ...draft.row });
}
