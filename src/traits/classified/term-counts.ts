// The number of items of a status that each term has, stored in the row of the term.
import type { ResourceModel } from '../../model/model.js';
import { rowFindings } from '../../model/functions/row-findings.js';
import type { AuditFinding } from '../../model/hooks.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, oneOf, type Predicate, type Row } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import type { StoredCount } from '../../model/table.js';

/** The column in which the terms of a field store the number of items that satisfy a condition. */
export function storedCounts(model: ResourceModel, name: string, where: Predicate): StoredCount[] {
  const target = countedTarget(model, name);
  if (!target) return [];
  const { column } = target.faces.counter!;
  let alone: boolean | undefined;
  const isAlone = () => (alone ??= sourcesOf(target).length === 1);
  const pairs = model.fields.get(name)!.many!.table;
  return [{ pairs, where, table: target.table!.name, scope: target.rowScope, column, isAlone }];
}

/** Updates the counts of the terms of a field that a write has changed: `was` and `is` say whether the item counts. */
export async function countField(
  model: ResourceModel,
  name: string,
  was: boolean,
  is: boolean,
  row: Row,
  op: Operation,
): Promise<void> {
  const noted = op.state.sets?.get(name) as { before: number[]; after: number[] } | undefined;
  if (!noted && was === is) return;
  const after = noted?.after ?? (await storedTerms(model, name, row['id'], op));
  const before = noted?.before ?? after;
  const delta = new Map<number, number>();
  if (was) for (const id of before) delta.set(id, (delta.get(id) ?? 0) - 1);
  if (is) for (const id of after) delta.set(id, (delta.get(id) ?? 0) + 1);
  for (const [id, change] of delta) if (change !== 0) addToCount(model, name, id, change, op);
}

/** The terms that one field of a resource leads to, where they have a count. */
export function countedTarget(model: ResourceModel, name: string): ResourceModel | undefined {
  const target = model.fields.get(name)?.many?.target;
  return target?.table && target.faces.counter ? target : undefined;
}

/** Whether a field is the first of all that lead to its terms: the audits of the others would find the same. */
export function isFirstOf(target: ResourceModel, model: ResourceModel, name: string): boolean {
  const [first] = sourcesOf(target);
  return first?.model === model && first.name === name;
}

/** Pairs of published items and terms. */
interface Source {
  model: ResourceModel;
  name: string;
  pairs: string;
  value: string;
  where: Predicate;
}

/** The pairs that count for terms: several resources, and several fields of one, may lead to them. */
function sourcesOf(target: ResourceModel): Source[] {
  return [...target.site.byName.values()].flatMap((model) => {
    const { counted } = model.faces;
    if (!counted || !model.table) return [];
    const where: Predicate = {
      op: 'exists',
      table: model.table.name,
      outer: 'owner_id',
      inner: 'id',
      where: and(model.rowScope, counted.rows),
    };
    return counted.fields.flatMap((name) => {
      const { many } = model.fields.get(name)!;
      return many?.target === target ? [{ model, name, pairs: many.table, value: many.value, where }] : [];
    });
  });
}

/** The numbers of published items of terms, by id; of `ids`, if they are given. */
async function realCounts(
  target: ResourceModel,
  reader: Reader,
  ids?: readonly number[],
): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const { pairs, value, where } of sourcesOf(target)) {
    const found = await reader.countBy(pairs, value, ids ? and(oneOf(value, ids), where) : where);
    for (const [id, count] of found) counts.set(id as number, (counts.get(id as number) ?? 0) + count);
  }
  return counts;
}

/** Terms whose stored count differs from the number of their published items. */
export async function wrongCounts(target: ResourceModel, reader: Reader): Promise<AuditFinding[]> {
  const { column } = target.faces.counter!;
  const real = await realCounts(target, reader);
  const terms = await reader.select({
    table: target.table!.name,
    columns: ['id', column],
    where: target.rowScope,
    order: [],
  });
  const wrong = terms.flatMap(({ id, [column]: stored }) => {
    const count = real.get(id) ?? 0;
    return stored === count ? [] : { id, message: `${target.name} ${id}: count is ${stored} and should be ${count}` };
  });
  // Counted again: items may have been written since.
  return rowFindings(wrong, async (ids, tx) => {
    const now = await realCounts(target, tx, ids);
    for (const id of ids) await tx.update(target.table!.name, { [column]: now.get(id) ?? 0 }, equals('id', id));
  });
}

/** Ids of the terms of an item. */
async function storedTerms(model: ResourceModel, name: string, id: number, op: Operation): Promise<number[]> {
  const { table, value } = model.fields.get(name)!.many!;
  const rows = await op.store.select({ table, columns: [value], where: equals('owner_id', id), order: [] });
  return rows.map((row) => row[value]);
}

/** Adds to the count of a term. */
function addToCount(model: ResourceModel, name: string, id: number, delta: number, op: Operation): void {
  const target = model.fields.get(name)!.many!.target!;
  const column = target.faces.counter?.column;
  if (column) op.tx!.add(target.table!.name, id, column, delta);
}
