// The paths of items in a tree: the slugs of those above an item, and its own.
import type { ResourceModel } from '../../model/model.js';
import type { AuditFinding } from '../../model/hooks.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, not, oneOf, type Row } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import { MAX_DEPTH } from './tree.js';

/** Items whose stored path differs from the one computed from their parents. */
export async function wrongPaths(model: ResourceModel, column: string, reader: Reader): Promise<AuditFinding[]> {
  const table = model.table!.name;
  const rows = await reader.select({
    table,
    columns: ['id', 'slug', 'path', column],
    where: model.rowScope,
    order: [{ column: 'id', direction: 'asc' }],
  });
  const byId = new Map(rows.map((row) => [row['id'] as number, row]));
  const pathOfRow = (row: Row, depth = 0): string => {
    const parent = depth < MAX_DEPTH ? byId.get(row[column]) : undefined;
    return pathBelow(parent && pathOfRow(parent, depth + 1), row['slug']);
  };
  return rows
    .filter((row) => row['path'] !== pathOfRow(row))
    .map((row) => ({
      message: `${model.name} ${row['id']}: its path is "${row['path']}" and should be "${pathOfRow(row)}"`,
      // Made again: the item, or one above it, may have been renamed since.
      fix: async (tx) =>
        void (await tx.update(table, { path: await pathNow(model, column, row['id'], tx) }, equals('id', row['id']))),
    }));
}

/** The path of an item, from the slugs of all above it. */
async function pathNow(model: ResourceModel, column: string, id: number, reader: Reader, depth = 0): Promise<string> {
  const row = await reader.first(model.table!.name, ['slug', column], and(equals('id', id), model.rowScope));
  if (!row) return '';
  const isBelow = row[column] > 0 && depth < MAX_DEPTH;
  return pathBelow(isBelow ? await pathNow(model, column, row[column], reader, depth + 1) : undefined, row['slug']);
}

/** A slug behind the path of the parent. Ancestors without a slug, such as drafts, are left out. */
export function pathBelow(path: string | undefined, slug: string): string {
  return path && slug ? `${path}/${slug}` : path || slug;
}

/** The path of a row, from that of its parent. */
export async function pathOf(model: ResourceModel, column: string, row: Row, op: Operation): Promise<string> {
  const parent = row[column] ? await op.store.first(model.table!.name, ['path'], equals('id', row[column])) : undefined;
  return pathBelow(parent?.['path'], row['slug']);
}

/** Writes the path of an item, and of all below it. */
export async function refreshPath(model: ResourceModel, column: string, id: number, op: Operation): Promise<void> {
  const row = await op.store.first(model.table!.name, ['id', 'slug', 'path', column], equals('id', id));
  if (!row) return;
  row['path'] = await pathOf(model, column, row, op);
  await op.tx!.update(model.table!.name, { path: row['path'] }, equals('id', id));
  await movePaths(model, column, row, op, MAX_DEPTH);
}

/** Updates the paths of all descendants of a row, level by level. */
export async function movePaths(
  model: ResourceModel,
  column: string,
  top: Row,
  op: Operation,
  depth: number,
): Promise<void> {
  let level = new Map<number, string>([[top['id'], top['path']]]);
  for (let left = depth; level.size > 0 && left > 0; left -= 1) {
    const children = await op.store.select({
      table: model.table!.name,
      columns: ['id', 'slug', column],
      where: and(oneOf(column, [...level.keys()]), model.rowScope, not(oneOf('id', [...level.keys()]))),
      order: [],
    });
    const next = new Map<number, string>();
    for (const child of children) {
      const path = pathBelow(level.get(child[column]), child['slug']);
      await op.tx!.update(model.table!.name, { path }, equals('id', child['id']));
      next.set(child['id'], path);
    }
    level = next;
  }
}
