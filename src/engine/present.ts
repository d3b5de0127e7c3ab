// Serializes rows: loads relations in one statement each, formats fields, runs the traits' hooks, adds links.
import type { Actor } from '../model/actor.js';
import type { FieldModel } from '../model/model.js';
import type { AggregateModel, RelatedModel, ViewScope } from '../model/shown.js';
import type { Operation, OutputBudget, View } from '../model/operation.js';
import { and, oneOf, type OrderKey, type Query, type Row, type TargetColumn } from '../model/query.js';
import type { Context } from '../model/schema.js';
import { mayOrderAsUsual } from './field-guards.js';
import { chain } from '../model/runtime/chain.js';
import { neverSeen, withheldFrom, type WithheldFields } from './rights/field-rights.js';
import { TimeSlice } from '../model/runtime/time-slice.js';
import { predicateFor } from './rights/predicate-for.js';
import { orderOfPairs } from './relations.js';
import { selectionOf, type Selection } from './selection.js';

/** Maximum number of rows serialized without yielding. */
const MAX_ROWS_AT_ONCE = 200;

/**
 * Representations of rows in a context, in the order of the rows. The number of statements does not depend on the
 * number of rows.
 */
export async function present(op: Operation, rows: Row[], context: Context = op.context): Promise<View[]> {
  const { model } = op;
  const selection = selectionOf(model, context, op.fields, op.kind === 'retrieve', neverSeen(model, op.actor));
  await loadRelations(op, rows, selection);
  const withheld = model.rights && (await withheldFrom(op, rows));
  return presentLoaded(op, rows, selection, { context, withheld });
}

/** The same of rows with everything that the selection needs; at once for few rows whose hooks need no time. */
export function presentLoaded(
  op: Operation,
  rows: Row[],
  selection: Selection,
  { context, withheld }: { context: Context; withheld?: WithheldFields | undefined },
): View[] | Promise<View[]> {
  op.state.withheld = withheld;
  const scope: ViewScope = { op, context, site: op.site, withheld };
  const views = viewsOf(rows, selection, scope);
  const finish = (made: View[]) => chain(runHooks(op, rows, made), () => finished(op, rows, made, selection, scope));
  return chain(views, finish);
}

/** Runs the hooks one after the other from a position on. */
function runHooks(op: Operation, rows: Row[], views: View[], from = 0): Promise<void> | void {
  const { present: hooks } = op.model.hooks;
  for (let at = from; at < hooks.length; at++) {
    const pending = hooks[at]!.run(views, rows, op);
    if (pending) return pending.then(() => runHooks(op, rows, views, at + 1));
  }
}

function finished(op: Operation, rows: Row[], views: View[], { links }: Selection, scope: ViewScope): View[] {
  const { withheld } = op.state;
  // After the hooks, which may show a value in another form.
  if (withheld) rows.forEach((row, index) => (withheld as WithheldFields).strip(views[index]!, row));
  if (links) rows.forEach((row, index) => (views[index]!['_links'] = links(views[index]!, row, scope)));
  return op.fields ? views.map((view) => op.fields!.pick(view)) : views;
}

/** What is loaded for the rows of a selection. */
export interface Relations {
  many: readonly FieldModel[];
  meta: readonly FieldModel[];
  aggregates: readonly AggregateModel[];
  related: readonly RelatedModel[];
}

/** Loads the to-many values, meta and referenced rows that a selection needs: at the same time. */
export async function loadRelations(op: Operation, rows: Row[], selection: Relations): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row['id'] as number);
  await Promise.all([
    ...selection.many.map((field) => loadMany(op, rows, ids, field)),
    ...selection.meta.map((field) => loadMeta(op, rows, ids, field)),
    ...selection.aggregates.map((aggregate) => loadAggregate(op, rows, ids, aggregate)),
    ...selection.related.map((related) => loadRelated(op, rows, related)),
  ]);
}

function viewsOf(rows: Row[], selection: Selection, scope: ViewScope): View[] | Promise<View[]> {
  if (rows.length > MAX_ROWS_AT_ONCE) return viewsInSlices(rows, selection, scope);
  return rows.map((row) => viewOf(row, selection, scope));
}

// A long list is processed in time slices.
async function viewsInSlices(rows: Row[], selection: Selection, scope: ViewScope): Promise<View[]> {
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
  const { value } = field.many!;
  const pairs = await op.store.select(manyQuery(op, ids, field));
  const lists = new Map<number, any[]>();
  for (const pair of pairs) {
    const list = lists.get(pair['owner_id']);
    if (list) list.push(pair[value]);
    else lists.set(pair['owner_id'], [pair[value]]);
  }
  const slot = `#${field.name}`;
  for (const row of rows) row[slot] = lists.get(row['id']) ?? [];
}

function manyQuery(op: Operation, ids: number[], field: FieldModel): Query {
  const { table, value } = field.many!;
  return {
    table,
    columns: pairColumns(value),
    where: oneOf('owner_id', ids),
    order: [
      { column: 'owner_id', direction: 'asc' },
      ...orderOfTargets(op, field),
      { column: orderOfPairs(value), direction: 'asc' },
    ],
    ...within(op),
  };
}

const PAIRS = { target_id: Object.freeze(['owner_id', 'target_id']), value: Object.freeze(['owner_id', 'value']) };

function pairColumns(value: keyof typeof PAIRS): readonly string[] {
  return PAIRS[value];
}

function orderOfTargets(op: Operation, field: FieldModel): OrderKey[] {
  const order = targetOrder(field, op.actor);
  return order ? [{ column: field.many!.value, ...order }] : [];
}

/** Ids are in the default order of their own collection, so that terms are sorted by name; undefined: by id. */
export function targetOrder(
  { many }: FieldModel,
  actor: Actor,
): { of: TargetColumn; direction: 'asc' | 'desc' } | undefined {
  const target = many!.target;
  const column = target?.list.orderings.get(target.list.defaultOrderby);
  if (!target?.table || !column || column === 'id' || !mayOrderAsUsual(target, actor)) return undefined;
  return { of: { table: target.table.name, column }, direction: target.list.defaultOrder };
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

async function loadAggregate(op: Operation, rows: Row[], ids: number[], aggregate: AggregateModel): Promise<void> {
  const { slot, table, column, of } = aggregate;
  const where = and(oneOf(column, ids), predicateFor(aggregate.where, op.actor));
  const found = of
    ? await op.store.aggregateBy(table, column, of, where)
    : await op.store.countBy(table, column, where);
  for (const row of rows) row[slot] = found.get(row['id']);
}

/** Loads the rows that `column` of the given rows refers to into `op.related`. */
export async function loadRelated(op: Operation, rows: readonly Row[], related: RelatedModel): Promise<void> {
  const ids = [...new Set(rows.map((row) => row[related.column] as number))].filter((id) => id > 0);
  if (ids.length === 0) return;
  const found = await op.store.select(relatedQuery(op, related, ids));
  let loaded = op.related.get(related.table);
  if (!loaded) op.related.set(related.table, (loaded = new Map()));
  for (const row of found) loaded.set(row['id'], { ...loaded.get(row['id']), ...row });
  for (const next of related.onward ?? []) await loadRelated(op, found, next);
}

/** Asks in the transaction of a write for the rows that presenting its item will need, as far as they are known. */
export function askForRelated(op: Operation, valueOf: (column: string) => unknown): void {
  const { model, context, fields, actor } = op;
  for (const related of selectionOf(model, context, fields, false, neverSeen(model, actor)).related) {
    const id = valueOf(related.column);
    if (typeof id === 'number' && id > 0 && related.table !== model.table!.name)
      op.tx!.ahead(relatedQuery(op, related, [id]));
  }
}

/** The same for the to-many values of an item that an update leaves as they are. */
export function askForMany(op: Operation, changed: Readonly<Record<string, unknown>>): void {
  const { model, context, fields, actor } = op;
  for (const field of selectionOf(model, context, fields, false, neverSeen(model, actor)).many)
    if (!Object.hasOwn(changed, field.name)) op.tx!.ahead(manyQuery(op, [op.id as number], field));
}

function relatedQuery(op: Operation, { table, columns }: RelatedModel, ids: number[]): Query {
  return { table, columns, where: oneOf('id', ids), order: [], ...within(op) };
}
