// Permanent deletion of rows, with what they own; references to them follow their `onDelete`.
import { ResourceError } from '../errors/resource-error.js';
import { moveReferences } from '../model/functions/move-references.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import { and, NEXT_VERSION, not, oneOf, type Predicate } from '../model/query.js';
import type { Transaction } from '../model/store.js';
import type { FieldModel } from '../model/field.js';

/** The files and the roles of a site, and what to undo when the deletion of rows fails. */
export type Removal = Pick<Operation, 'compensations'> & {
  site?: Pick<Operation['site'], 'files' | 'roleNames' | 'capabilitiesOf' | 'lowersTexts'>;
};

/** The rows to delete, by resource. */
type RowsToDelete = Map<ResourceModel, Set<number>>;

/**
 * Most items with a deleted one in a set that get another version: PostgreSQL takes two milliseconds for each, because
 * all indexes of its row are written again, and no other write runs in that time.
 */
const MOST_RENEWED = 100;

/**
 * Permanently deletes rows and those that a `cascade` takes along. The files of all rows are deleted after the commit.
 * @throws ResourceError 409 when an item that stays refers to one of them by a field with `restrict`, or no account that
 *   can assign roles would be left; nothing is deleted then
 */
export async function removeRows(
  tx: Transaction,
  model: ResourceModel,
  ids: readonly number[],
  op: Removal,
): Promise<void> {
  if (ids.length === 0) return;
  const toDelete: RowsToDelete = new Map();
  await collect(tx, toDelete, model, ids);
  await rejectWhatIsNeeded(tx, toDelete, op);
  for (const [each, rows] of toDelete) await removeFiles(tx, each, [...rows], op);
  for (const [each, rows] of toDelete) await uncount(tx, each, [...rows]);
  const settle = [];
  for (const [each] of toDelete)
    settle.push(await each.faces.tree?.moveChildrenUp(idsToDelete(toDelete, each), tx, op));
  for (const [each, rows] of toDelete) await removeOf(tx, each, [...rows]);
  for (const run of settle) await run?.();
}

/** Subtracts rows from the counts that rows of other tables keep of them. */
async function uncount(tx: Transaction, { table }: ResourceModel, ids: readonly number[]): Promise<void> {
  for (const { pairs, where, table: counting, column } of table!.countedBy ?? []) {
    const counted = and(where, oneOf('id', ids));
    const owners: Predicate = { op: 'exists', table: table!.name, outer: 'owner_id', inner: 'id', where: counted };
    const numbers = await tx.countBy(pairs, 'target_id', and(oneOf('owner_id', ids), owners));
    for (const [id, number] of numbers) tx.add(counting, id, column, -number);
  }
}

/** Marks the files before their rows are deleted: after a crash in between, the sweep finds which of them is left. */
async function removeFiles(tx: Transaction, model: ResourceModel, ids: number[], op: Removal): Promise<void> {
  const { upload } = model.faces;
  if (!upload || !op.site) return;
  const rows = await tx.select({
    table: model.table!.name,
    columns: [...new Set(Object.values(upload.columns))],
    where: and(model.rowScope, oneOf('id', ids)),
    order: [],
  });
  const keys = rows.flatMap((row) => upload.keysOf(row));
  if (keys.length === 0) return;
  const { files } = op.site;
  await files.mark(keys);
  op.compensations.push(() => files.commit(keys));
  tx.after(() => files.remove(keys));
}

async function collect(
  tx: Transaction,
  toDelete: RowsToDelete,
  model: ResourceModel,
  ids: readonly number[],
): Promise<void> {
  const rows = toDelete.get(model) ?? new Set<number>();
  toDelete.set(model, rows);
  // Rows that refer to each other in a cycle are collected once.
  const added = ids.filter((id) => !rows.has(id));
  if (added.length === 0) return;
  for (const id of added) rows.add(id);
  for (const { owner, field } of referencesTo(model)) {
    if (field.schema.onDelete !== 'cascade') continue;
    const where = and(owner.rowScope, oneOf(field.column!, added));
    const found = await tx.select({ table: owner.table!.name, columns: ['id'], where, order: [] });
    if (found.length > 0)
      await collect(
        tx,
        toDelete,
        owner,
        found.map((row) => row['id'] as number),
      );
  }
}

async function rejectWhatIsNeeded(tx: Transaction, toDelete: RowsToDelete, { site }: Removal): Promise<void> {
  const labels = new Set<string>();
  for (const [model, ids] of toDelete) {
    // A cascade must not take the last administrators along.
    if (site && (await model.faces.accounts?.holdAll([...ids], tx, site))) labels.add(model.labels.plural);
    for (const { owner, field } of [...referencesTo(model), ...setsOf(model)]) {
      if (field.schema.onDelete !== 'restrict' || labels.has(owner.labels.plural)) continue;
      const left = and(owner.rowScope, refersTo(field, [...ids]), not(oneOf('id', idsToDelete(toDelete, owner))));
      if (await tx.first(owner.table!.name, ['id'], left)) labels.add(owner.labels.plural);
    }
  }
  if (labels.size > 0) throw inUse([...labels]);
}

// Does not name the items: the caller may not be allowed to know of them.
function inUse(labels: readonly string[]): ResourceError {
  return new ResourceError('rest_item_in_use', {
    message: `Other items refer to this one: ${labels.join(', ')}. Delete those, or change what they refer to, first.`,
    data: { referenced_by: labels },
  });
}

function refersTo({ column, many }: FieldModel, ids: readonly number[]): Predicate {
  if (!many) return oneOf(column!, ids);
  return { op: 'exists', table: many.table, outer: 'id', inner: 'owner_id', where: oneOf(many.value, ids) };
}

// Resources that share a table share its ids.
function idsToDelete(toDelete: RowsToDelete, { table }: ResourceModel): number[] {
  return [...toDelete].flatMap(([model, ids]) => (model.table!.name === table!.name ? [...ids] : []));
}

async function removeOf(tx: Transaction, model: ResourceModel, ids: readonly number[]): Promise<void> {
  for (const field of model.fields.values()) {
    if (field.many) await tx.delete(field.many.table, oneOf('owner_id', ids));
    if (field.meta) await tx.delete(field.meta.table, oneOf('owner_id', ids));
  }
  await removeFromSets(tx, model, ids);
  for (const { owner, field } of referencesTo(model)) {
    if ((field.schema.onDelete ?? 'setNull') !== 'setNull') continue;
    const reference = { table: owner.table!, column: field.column! };
    await moveReferences(tx, reference, 0, and(owner.rowScope, oneOf(field.column!, ids)));
  }
  await tx.delete(model.table!.name, oneOf('id', ids));
}

/** Takes rows out of the sets that contain them; the items with these sets get another version. */
async function removeFromSets(tx: Transaction, model: ResourceModel, ids: readonly number[]): Promise<void> {
  const sets = setsOf(model);
  // Resources that share a table may share their pairs: all are read before any pair is deleted.
  for (const { owner, field } of sets) await renewOwners(tx, owner, field, ids);
  for (const { field } of sets) await tx.delete(field.many!.table, oneOf(field.many!.value, ids));
}

/** Gives the items with the rows in a set another version, unless they are so many that others would wait long for the update. */
async function renewOwners(
  tx: Transaction,
  owner: ResourceModel,
  { many }: FieldModel,
  ids: readonly number[],
): Promise<void> {
  const { table, value } = many!;
  const where = oneOf(value, ids);
  const pairs = await tx.select({ table, columns: ['owner_id'], where, order: [], limit: MOST_RENEWED + 1 });
  if (pairs.length === 0 || pairs.length > MOST_RENEWED) return;
  const owners = [...new Set(pairs.map((pair) => pair['owner_id'] as number))];
  await tx.update(owner.table!.name, NEXT_VERSION, and(owner.rowScope, oneOf('id', owners)));
}

interface Referring {
  owner: ResourceModel;
  field: FieldModel;
}

function referencesTo(model: ResourceModel): Referring[] {
  return fieldsOf(model, (field) => Boolean(field.column && field.targets?.includes(model)));
}

function setsOf(model: ResourceModel): Referring[] {
  return fieldsOf(model, (field) => field.many?.target === model);
}

function fieldsOf(model: ResourceModel, fits: (field: FieldModel) => boolean): Referring[] {
  return [...model.site.byName.values()].flatMap((owner) =>
    [...owner.fields.values()].filter(fits).map((field) => ({ owner, field })),
  );
}
