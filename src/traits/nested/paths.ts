// The paths of items in a tree: the slugs of those above an item, and its own.
import { withDerived } from '../../model/functions/with-derived.js';
import type { ResourceModel } from '../../model/model.js';
import type { AuditFinding } from '../../model/hooks.js';
import { and, equals, not, oneOf, type Row } from '../../model/query.js';
import type { TextWork } from '../../model/runtime/texts.js';
import type { Reader, Transaction } from '../../model/store.js';
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
      fix: async (tx) => {
        const now = await tx.first(table, model.allColumns, equals('id', row['id']));
        if (now) await storePath(model, now, await pathNow(model, column, row['id'], tx), tx, {});
      },
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
export async function pathOf(model: ResourceModel, column: string, row: Row, reader: Reader): Promise<string> {
  const parent = row[column] ? await reader.first(model.table!.name, ['path'], equals('id', row[column])) : undefined;
  return pathBelow(parent?.['path'], row['slug']);
}

/** Writes the path of a stored row, and of all below it. */
export async function refreshPath(
  model: ResourceModel,
  column: string,
  row: Row,
  tx: Transaction,
  texts: TextWork,
): Promise<void> {
  const path = await pathOf(model, column, row, tx);
  await storePath(model, row, path, tx, texts);
  await movePaths(model, column, { ...row, path }, tx, texts);
}

/** Updates the paths of all descendants of a row, level by level. */
export async function movePaths(
  model: ResourceModel,
  column: string,
  top: Row,
  tx: Transaction,
  texts: TextWork,
): Promise<void> {
  let level = new Map<number, string>([[top['id'], top['path']]]);
  for (let left = MAX_DEPTH; level.size > 0 && left > 0; left -= 1) {
    const children = await tx.select({
      table: model.table!.name,
      columns: pathColumns(model, column),
      where: and(oneOf(column, [...level.keys()]), model.rowScope, not(oneOf('id', [...level.keys()]))),
      order: [],
    });
    const next = new Map<number, string>();
    for (const child of children) {
      const path = pathBelow(level.get(child[column]), child['slug']);
      await storePath(model, child, path, tx, texts);
      next.set(child['id'], path);
    }
    level = next;
  }
}

/** Columns of a row whose path is written: more than those of the path where a text is made of several of them. */
function pathColumns(model: ResourceModel, column: string): readonly string[] {
  return model.derive.length > 0 ? model.allColumns : ['id', 'slug', column];
}

async function storePath(
  model: ResourceModel,
  row: Row,
  path: string,
  tx: Transaction,
  texts: TextWork,
): Promise<void> {
  await tx.update(model.table!.name, withDerived(model, { path }, texts, row), equals('id', row['id']));
}
