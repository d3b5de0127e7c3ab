// Serializes rows: loads relations in one statement each, formats fields, runs the traits' hooks, adds links.
import type { FieldModel, RelatedModel, ViewScope } from '../model/model.js';
import type { Operation, OutputBudget, View } from '../model/operation.js';
import { and, oneOf, type Row } from '../model/query.js';
import type { Context } from '../model/schema.js';
import { mayOrderAsUsual } from './field-guards.js';
import { TimeSlice } from '../model/time-slice.js';
import { orderOfPairs } from './relations.js';
import { selectionOf, type Selection } from './selection.js';

/** Maximum number of rows serialized without yielding. */
const MAX_ROWS_AT_ONCE = 200;

/**
 * Representations of rows in a context, in the order of the rows. The number of statements does not depend on the
 * number of rows.
 */
export async function present(op: Operation, rows: Row[], context: Context = op.context): Promise<View[]> {
  const selection = selectionOf(op.model, context, op.fields, op.kind === 'retrieve');
  await loadRelations(op, rows, selection);
  const scope: ViewScope = { op, context, site: op.site };
  const views = await viewsOf(rows, selection, scope);
  for (const hook of op.model.hooks.present) {
    const pending = hook.run(views, rows, op);
    if (pending) await pending;
  }
  const { links } = selection;
  if (links) rows.forEach((row, index) => (views[index]!['_links'] = links(views[index]!, row, scope)));
  return op.fields ? views.map((view) => op.fields!.pick(view)) : views;
}

/** Loads the to-many values, meta and referenced rows that a selection needs. */
export async function loadRelations(op: Operation, rows: Row[], selection: Selection): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row['id'] as number);
  for (const field of selection.many) await loadMany(op, rows, ids, field);
  for (const field of selection.meta) await loadMeta(op, rows, ids, field);
  for (const related of selection.related) await loadRelated(op, rows, related);
}

// A long list is processed in time slices.
async function viewsOf(rows: Row[], selection: Selection, scope: ViewScope): Promise<View[]> {
  if (rows.length <= MAX_ROWS_AT_ONCE) return rows.map((row) => viewOf(row, selection, scope));
  const slice = new TimeSlice();
  const views: View[] = [];
  for (const row of rows) {
    await slice.pause();
    views.push(viewOf(row, selection, scope));
  }
  return views;
}

function viewOf(row: Row, { fields, template: blank }: Selection, scope: ViewScope): View {
  // Copies an object with every member: an object that grows by many computed names becomes a slow hash table.
  const view: View = { ...blank };
  for (const field of fields) view[field.name] = field.toView!(row, scope);
  return view;
}

function within({ budget }: Operation): { budget?: OutputBudget } {
  return budget ? { budget } : {};
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
    ...within(op),
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

/** Orders ids by the default order of their own collection, so that terms are sorted by name. */
async function sortTargets(op: Operation, field: FieldModel, pairs: Row[], lists: Iterable<number[]>): Promise<void> {
  const { value, target } = field.many!;
  const column = target?.list.orderings.get(target.list.defaultOrderby);
  if (!target?.table || !column || column === 'id' || !mayOrderAsUsual(target, op.actor)) return;
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
    ...within(op),
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
    ...within(op),
  });
  let loaded = op.related.get(related.table);
  if (!loaded) op.related.set(related.table, (loaded = new Map()));
  for (const row of found) loaded.set(row['id'], { ...loaded.get(row['id']), ...row });
  for (const next of related.onward ?? []) await loadRelated(op, found, next);
}
