// Loads what a selection needs besides the columns of its rows: one statement per relation for all rows.
import { inScope, type Actor } from '../../model/actor.js';
import { READABLE, type AggregateModel, type RelatedModel } from '../../model/shown.js';
import type { Operation, OutputBudget } from '../../model/operation.js';
import {
  and,
  assume,
  equals,
  oneOf,
  or,
  type OrderKey,
  type Predicate,
  type Query,
  type Row,
  type TargetColumn,
} from '../../model/query.js';
import { mayOrderAsUsual } from '../rights/field-guards.js';
import { neverSeen } from '../rights/field-rights.js';
import { predicateFor, readable } from '../rights/predicate-for.js';
import { selectionOf } from './selection.js';
import type { FieldModel, ManyModel } from '../../model/field.js';
import type { Scalar } from '../../model/schema/schema.js';

/** Column that orders the values of one item: strings as they were sent, ids ascending. */
export function orderOfPairs(value: string): string {
  return value === 'value' ? 'position' : value;
}

/** What is loaded for the rows of a selection. */
export interface LoadedRelations {
  many: readonly FieldModel[];
  meta: readonly FieldModel[];
  aggregates: readonly AggregateModel[];
  related: readonly RelatedModel[];
}

/** Loads the to-many values, meta, aggregates and referenced rows that a selection needs, concurrently. */
export async function loadRelations(op: Operation, rows: Row[], selection: LoadedRelations): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row['id'] as number);
  await Promise.all([
    ...selection.many.map((field) => loadMany(op, rows, ids, field)),
    ...selection.meta.map((field) => loadMeta(op, rows, ids, field)),
    ...selection.aggregates.map((aggregate) => loadAggregate(op, rows, ids, aggregate)),
    ...selection.related.map((related) => loadRelated(op, rows, related)),
  ]);
}

function budgetOf({ budget }: Operation): { budget?: OutputBudget } {
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
  const order = shownOrder(op, field);
  return { table, columns: pairColumns(value), where: oneOf('owner_id', ids), order, ...budgetOf(op) };
}

/** The order in which the values of items are shown. */
export function shownOrder(op: Operation, field: FieldModel): OrderKey[] {
  return [
    { column: 'owner_id', direction: 'asc' },
    ...orderOfTargets(op, field),
    { column: orderOfPairs(field.many!.value), direction: 'asc' },
  ];
}

const PAIRS = { target_id: Object.freeze(['owner_id', 'target_id']), value: Object.freeze(['owner_id', 'value']) };

function pairColumns(value: keyof typeof PAIRS): readonly string[] {
  return PAIRS[value];
}

function orderOfTargets(op: Operation, field: FieldModel): OrderKey[] {
  const order = targetOrder(field, op.actor);
  return order ? [{ column: field.many!.value, ...order }] : [];
}

/**
 * Ids are in the default order of their own collection, so that terms are sorted by name; undefined: by id. A caller who
 * may not read some of the items must not learn from their places what they are ordered by.
 */
export function targetOrder(
  { many }: FieldModel,
  actor: Actor,
): { of: TargetColumn; direction: 'asc' | 'desc' } | undefined {
  const target = many!.target;
  const column = target?.list.orderings.get(target.list.defaultOrderby);
  if (!target?.table || !column || column === 'id' || !mayOrderAsUsual(target, actor)) return undefined;
  if (readable(target, actor).op !== 'true') return undefined;
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
    ...budgetOf(op),
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
  const { slot, path, table, column, of } = aggregate;
  // The predicate is cached for all credentials of an account, whatever their scopes. Without rows the value is that of
  // an empty set.
  if (!inScope(op.actor, path, 'list')) return;
  const where = and(oneOf(column, ids), predicateFor(aggregate.where, op.actor));
  const found = of
    ? await op.store.aggregateBy(table, column, of, where)
    : await op.store.countBy(table, column, where);
  for (const row of rows) row[slot] = found.get(row['id']);
}

/** Loads the rows that `column` of the given rows refers to into `op.related`. */
async function loadRelated(op: Operation, rows: readonly Row[], related: RelatedModel): Promise<void> {
  const ids = [...new Set(rows.map((row) => row[related.column] as number))].filter((id) => id > 0);
  if (ids.length === 0) return;
  const found = await op.store.select(relatedQuery(op, related, ids));
  if (related.judged) await judge(op, related, found);
  let loaded = op.related.get(related.table);
  if (!loaded) op.related.set(related.table, (loaded = new Map()));
  for (const row of found) loaded.set(row['id'], { ...loaded.get(row['id']), ...row });
  for (const next of related.onward ?? []) await loadRelated(op, found, next);
}

/** Marks related rows that the caller may read: mostly their own values decide, else one statement for all others. */
async function judge(op: Operation, { table, columns }: RelatedModel, rows: readonly Row[]): Promise<void> {
  const models = op.model.site.ofTable.get(table) ?? [];
  const where = or(
    ...models.map((model) => {
      const rules = model.permalink?.readRules ?? [];
      return and(model.rowScope, readable(model, op.actor), ...rules.map((rule) => predicateFor(rule, op.actor)));
    }),
  );
  // Other values are not compared here as the database compares them.
  const kinds = models[0]?.table!.columns;
  const known = columns.filter((name) => kinds?.get(name)?.kind === 'varchar');
  const open: Row[] = [];
  for (const row of rows) {
    const texts = known.filter((name) => typeof row[name] === 'string');
    const left = texts.reduce<Predicate>((rest, name) => assume(rest, name, [row[name] as string]), where);
    row[READABLE] = left.op === 'true';
    if (left.op !== 'true' && left.op !== 'false') open.push(row);
  }
  if (open.length === 0) return;
  const ids = open.map((row) => row['id'] as number);
  const seen = await op.store.select({ table, columns: ['id'], where: and(oneOf('id', ids), where), order: [] });
  const readableIds = new Set(seen.map((row) => row['id']));
  for (const row of open) row[READABLE] = readableIds.has(row['id']);
}

/** Prefetches in the transaction of a write the rows that presenting its item will need, as far as they are known. */
export function prefetchRelated(op: Operation, valueOf: (column: string) => unknown): void {
  for (const related of relatedElsewhere(op)) {
    const id = valueOf(related.column);
    if (typeof id === 'number' && id > 0) op.tx!.ahead(relatedQuery(op, related, [id]));
  }
}

/** The same for the item of an update, before its row is read. */
export function prefetchStoredRelated(op: Operation): void {
  const { name: table } = op.model.table!;
  for (const related of relatedElsewhere(op))
    op.tx!.aheadOf(relatedQuery(op, related, []), { table, id: op.id as number, column: related.column });
}

/** What presenting an item reads of other tables than its own, whose rows the write changes. */
function relatedElsewhere({ model, context, fields, actor }: Operation): RelatedModel[] {
  const { related } = selectionOf(model, context, fields, false, neverSeen(model, actor));
  return related.filter(({ table }) => table !== model.table!.name);
}

/**
 * The same for the to-many values of the item of an update: those that it leaves as they are in the order in which they are
 * shown, of the others what is stored and which of the new targets there are.
 */
export function prefetchMany(op: Operation): void {
  const { model, context, fields, actor, values, tx } = op;
  const id = op.id as number;
  for (const field of selectionOf(model, context, fields, false, neverSeen(model, actor)).many)
    if (values[field.name] === undefined) tx!.ahead(manyQuery(op, [id], field));
  for (const field of model.fields.values()) {
    const sent = values[field.name];
    if (!field.many || sent === undefined) continue;
    tx!.ahead(storedQuery(field.many, id));
    if (field.many.target && Array.isArray(sent) && sent.length > 0) tx!.ahead(targetsQuery(op, field, sent));
  }
}

/** The values of one item in a join table. */
export function storedQuery({ table, value }: ManyModel, id: number): Query {
  const order: OrderKey[] = [{ column: orderOfPairs(value), direction: 'asc' }];
  return { table, columns: [value], where: equals('owner_id', id), order };
}

/** Which of some ids a references field may lead to, in the order in which it shows them. */
export function targetsQuery({ actor }: Operation, field: FieldModel, ids: readonly Scalar[]): Query {
  const { name: table } = field.many!.target!.table!;
  const order = targetOrder(field, actor);
  return {
    table,
    columns: ['id'],
    where: and(oneOf('id', [...new Set(ids)]), field.many!.target!.rowScope),
    order: [
      ...(order ? [{ column: order.of.column, direction: order.direction }] : []),
      { column: 'id', direction: 'asc' },
    ],
  };
}

function relatedQuery(op: Operation, { table, columns }: RelatedModel, ids: number[]): Query {
  return { table, columns, where: oneOf('id', ids), order: [], ...budgetOf(op) };
}
