// Items of a tree that are deleted: what is below them moves up to the next item above that stays.
import type { FieldModel } from '../../model/field.js';
import { moveReferences } from '../../model/functions/move-references.js';
import { withDerived } from '../../model/functions/with-derived.js';
import type { ResourceModel } from '../../model/model.js';
import { and, equals, not, oneOf, type Row } from '../../model/query.js';
import type { TextWork } from '../../model/runtime/texts.js';
import type { Transaction } from '../../model/store.js';
import { refreshPath } from './paths.js';

/** A tree, as its resource declares it. */
export interface Tree {
  model: ResourceModel;
  /** The reference to the parent. */
  field: FieldModel;
  /** Whether the slugs from the root on are stored. */
  path: boolean;
  /** Names of further resources of the table whose items may be children. */
  others: readonly string[];
}

/** An item that moves up, and the parent that it had. */
interface Child {
  kind: ResourceModel;
  id: number;
  from: number;
}

/**
 * Moves what is directly below the rows `ids`, which are about to be deleted; the returned function, to be called after
 * the deletion, gives the moved items a slug that is free among their new siblings, and their paths. Rejected with a
 * violation of a unique index when one of them would share values that are unique with an item there.
 */
export async function moveChildrenUp(
  tree: Tree,
  ids: readonly number[],
  tx: Transaction,
  texts: TextWork,
): Promise<() => Promise<void>> {
  const { model, field } = tree;
  const column = field.column!;
  const table = model.table!;
  const leaving = await tx.select({ table: table.name, columns: ['id', column], where: oneOf('id', ids), order: [] });
  const above = new Map(leaving.map((row) => [row['id'] as number, row[column] as number]));
  const moved: Child[] = [];
  for (const kind of [model, ...tree.others.map((name) => model.site.byName.get(name))]) {
    if (!kind) continue;
    const { onDelete } = kind === model ? field.schema : { onDelete: 'noAction' };
    if (onDelete === 'cascade' || onDelete === 'restrict') continue;
    const below = and(kind.rowScope, not(oneOf('id', ids)));
    const order = [{ column: 'id', direction: 'asc' as const }];
    const where = and(oneOf(column, ids), below);
    const children = await tx.select({ table: table.name, columns: ['id', column], where, order });
    moved.push(...children.map((row): Child => ({ kind, id: row['id'], from: row[column] })));
    for (const from of new Set(children.map((row) => row[column] as number))) {
      const target = onDelete === 'setNull' ? 0 : staying(from, above);
      await moveReferences(tx, { table, column }, target, and(equals(column, from), below));
    }
  }
  return async () => {
    for (const child of moved) await settle(tree, child, tx, texts);
  };
}

/** The first item from `id` upwards that is not deleted; 0 where none is left, or where they are above each other. */
function staying(id: number, above: ReadonlyMap<number, number>): number {
  let at = id;
  for (let steps = 0; above.has(at); steps += 1) at = steps < above.size ? above.get(at)! : 0;
  return at;
}

async function settle(
  { model, field, path }: Tree,
  { kind, id, from }: Child,
  tx: Transaction,
  texts: TextWork,
): Promise<void> {
  const column = field.column!;
  const row = await tx.first(kind.table!.name, kind.allColumns, equals('id', id));
  if (!row) return;
  await rename(kind, row, { ...row, [column]: from }, tx, texts);
  if (path && kind === model) await refreshPath(model, column, row, tx, texts);
}

/** Gives a row a name that is free among its new siblings. */
async function rename(kind: ResourceModel, row: Row, before: Row, tx: Transaction, texts: TextWork): Promise<void> {
  const { name } = kind.faces;
  if (!name) return;
  const free = await name.free(row, before, tx);
  if (free === row[name.column]) return;
  const changes = withDerived(kind, { [name.column]: free }, texts, row);
  await tx.update(kind.table!.name, changes, equals('id', row['id']));
  Object.assign(row, changes);
}
