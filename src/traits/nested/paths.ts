// The paths of items in a tree: the slugs of those above an item, and its own.
import { withDerived } from '../../model/functions/with-derived.js';
import type { ResourceModel } from '../../model/model.js';
import type { AuditFinding } from '../../model/hooks.js';
import { and, equals, oneOf, type Row } from '../../model/query.js';
import type { TextWork } from '../../model/runtime/texts.js';
import type { Reader, Transaction } from '../../model/store.js';

/** Items whose stored path differs from the one computed from their parents. */
export async function wrongPaths(model: ResourceModel, column: string, reader: Reader): Promise<AuditFinding[]> {
  const table = model.table!.name;
  const rows = await reader.select({
    table,
    columns: ['id', 'slug', 'path', column],
    where: model.rowScope,
    order: [{ column: 'id', direction: 'asc' }],
  });
  const right = rightPaths(rows, column);
  return rows
    .filter((row) => row['path'] !== right.get(row['id']))
    .map((row) => ({
      message: `${model.name} ${row['id']}: its path is "${row['path']}" and should be "${right.get(row['id'])}"`,
      // Recomputed: the item or an ancestor may have been renamed since.
      fix: async (tx) => {
        const now = await tx.first(table, model.allColumns, equals('id', row['id']));
        if (now) await storePath(model, now, await pathNow(model, column, row['id'], tx), tx, {});
      },
    }));
}

/** The path of every row, however deep it lies. */
function rightPaths(rows: readonly Row[], column: string): Map<number, string> {
  const byId = new Map(rows.map((row) => [row['id'] as number, row]));
  const paths = new Map<number, string>();
  const circular = new Map<number, string>();
  for (const row of rows) {
    // Up to an item whose path is known, or once around a circle: there each item has a path of its own.
    const above = new Set<Row>();
    let at: Row | undefined = row;
    for (; at && !paths.has(at['id']) && !above.has(at); at = byId.get(at[column])) above.add(at);
    const circle = at !== undefined && above.has(at);
    let path = at && paths.get(at['id']);
    for (const each of [...above].reverse()) {
      path = pathBelow(path, each['slug']);
      if (!circle) paths.set(each['id'], path);
    }
    if (circle) circular.set(row['id'], path!);
  }
  return new Map([...paths, ...circular]);
}

/** The path of an item, from the slugs of all above it. */
async function pathNow(model: ResourceModel, column: string, id: number, reader: Reader): Promise<string> {
  const slugs = new Map<number, string>();
  for (let at = id; at > 0 && !slugs.has(at);) {
    const row = await reader.first(model.table!.name, ['slug', column], and(equals('id', at), model.rowScope));
    if (!row) break;
    slugs.set(at, row['slug']);
    at = row[column];
  }
  return [...slugs.values()].reduceRight((path, slug) => pathBelow(path, slug), '');
}

/** A slug behind the path of the parent. Ancestors without a slug, such as drafts, are left out. */
function pathBelow(path: string | undefined, slug: string): string {
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
  const moved = new Set<number>();
  while (level.size > 0) {
    for (const id of level.keys()) moved.add(id);
    const children = await tx.select({
      table: model.table!.name,
      columns: pathColumns(model, column),
      where: and(oneOf(column, [...level.keys()]), model.rowScope),
      order: [],
    });
    const next = new Map<number, string>();
    for (const child of children) {
      if (moved.has(child['id'])) continue;
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
