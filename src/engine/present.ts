// From rows to what the client sees: relations loaded in one statement each, fields shown, traits heard, links added.
import type { FieldModel, RelatedModel, ViewScope } from '../model/model.js';
import type { Operation, View } from '../model/operation.js';
import { and, oneOf, type Row } from '../model/query.js';
import type { Context } from '../model/schema.js';
import { orderOfPairs } from './relations.js';
import { selectionOf, type Selection } from './selection.js';

/** Views of rows in a context, in the order of the rows. The number of statements does not depend on how many rows there are. */
export async function present(op: Operation, rows: Row[], context: Context = op.context): Promise<View[]> {
  const selection = selectionOf(op.model, context, op.fields, op.kind === 'retrieve');
  await loadRelations(op, rows, selection);
  const scope: ViewScope = { op, context, site: op.site };
  const views = rows.map((row) => viewOf(row, selection, scope));
  for (const hook of op.model.hooks.present) {
    const looking = hook.run(views, rows, op);
    if (looking) await looking;
  }
  const { links } = selection;
  if (links) rows.forEach((row, index) => (views[index]!['_links'] = links(views[index]!, row, scope)));
  return op.fields ? views.map((view) => op.fields!.pick(view)) : views;
}

/** Loads to-many values, meta and referenced rows that a selection needs. */
export async function loadRelations(op: Operation, rows: Row[], selection: Selection): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row['id'] as number);
  for (const field of selection.many) await loadMany(op, rows, ids, field);
  for (const field of selection.meta) await loadMeta(op, rows, ids, field);
  for (const related of selection.related) await loadRelated(op, rows, related);
}

function viewOf(row: Row, { fields, blank }: Selection, scope: ViewScope): View {
  // A copy of an object with every member: one that grows by many computed names becomes a slow hash table.
  const view: View = { ...blank };
  for (const field of fields) view[field.name] = field.toView!(row, scope);
  return view;
}

async function loadMany(op: Operation, rows: Row[], ids: number[], field: FieldModel): Promise<void> {
  const { table, value } = field.many!;
  const pairs = await op.store.select({
    table,
    columns: ['owner_id', value],
    where: oneOf('owner_id', ids),
    order: [
      { column: 'owner_id', direction: 'asc' },
      { column: orderOfPairs(value), direction: 'asc' },
    ],
  });
  const lists = new Map<number, any[]>();
  for (const pair of pairs) {
    const list = lists.get(pair['owner_id']);
    if (list) list.push(pair[value]);
    else lists.set(pair['owner_id'], [pair[value]]);
  }
  if (lists.size < pairs.length) await sortTargets(op, field, pairs, lists.values());
  const slot = `#${field.name}`;
  for (const row of rows) row[slot] = lists.get(row['id']) ?? [];
}

/** Orders ids as their own collection does, so that terms come by name (decisions 10.7). */
async function sortTargets(op: Operation, field: FieldModel, pairs: Row[], lists: Iterable<number[]>): Promise<void> {
  const { value, target } = field.many!;
  const column = target?.list.orderings.get(target.list.defaultOrderby);
  if (!target?.table || !column || column === 'id') return;
  const ids = new Set<number>();
  for (const pair of pairs) ids.add(pair[value]);
  const found = await op.store.select({
    table: target.table.name,
    columns: ['id'],
    where: oneOf('id', [...ids]),
    order: [
      { column, direction: target.list.defaultOrder },
      { column: 'id', direction: 'asc' },
    ],
  });
  const position = new Map<number, number>();
  for (const row of found) position.set(row['id'], position.size);
  for (const list of lists) if (list.length > 1) list.sort((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0));
}

async function loadMeta(op: Operation, rows: Row[], ids: number[], field: FieldModel): Promise<void> {
  const { table, keys } = field.meta!;
  const found = await op.store.select({
    table,
    columns: ['owner_id', 'key', 'value'],
    where: and(
      oneOf('owner_id', ids),
      oneOf(
        'key',
        keys.map((key) => key.key),
      ),
    ),
    order: [{ column: 'id', direction: 'asc' }],
  });
  const maps = new Map<number, Map<string, string[]>>();
  for (const row of found) {
    let map = maps.get(row['owner_id']);
    if (!map) maps.set(row['owner_id'], (map = new Map()));
    const texts = map.get(row['key']);
    if (texts) texts.push(row['value']);
    else map.set(row['key'], [row['value']]);
  }
  for (const row of rows) row[`#${field.name}`] = maps.get(row['id']);
}

/** Loads the rows that `column` of the given rows refers to into `op.related`. */
export async function loadRelated(op: Operation, rows: readonly Row[], related: RelatedModel): Promise<void> {
  const ids = [...new Set(rows.map((row) => row[related.column] as number))].filter((id) => id > 0);
  if (ids.length === 0) return;
  const found = await op.store.select({
    table: related.table,
    columns: related.columns,
    where: oneOf('id', ids),
    order: [],
  });
  let loaded = op.related.get(related.table);
  if (!loaded) op.related.set(related.table, (loaded = new Map()));
  for (const row of found) loaded.set(row['id'], { ...loaded.get(row['id']), ...row });
  for (const next of related.onward ?? []) await loadRelated(op, found, next);
}
