// Writes the to-many relations of a draft.
import type { Operation, SetChange, Draft } from '../model/operation.js';
import { and, equals, oneOf } from '../model/query.js';
import type { Scalar } from '../model/schema/schema.js';
import type { Transaction } from '../model/store.js';
import { orderOfPairs } from './presentation/load-relations.js';

/**
 * Replaces the sets named in the draft; returns whether anything changed, and records the difference for traits.
 */
export async function writeMany(id: number, draft: Draft, op: Operation): Promise<boolean> {
  let touched = false;
  for (const [name, wanted] of Object.entries(draft.many)) {
    const { table, value } = op.model.fields.get(name)!.many!;
    const stored = op.kind === 'create' ? [] : await storedValues(op.tx!, table, value, id);
    const [before, after] = [new Set(stored), new Set(wanted)];
    const added = wanted.filter((entry) => !before.has(entry));
    const dropped = stored.filter((entry) => !after.has(entry));
    (op.state.sets ??= new Map<string, SetChange>()).set(name, { before: stored, after: wanted });
    if (value === 'value') {
      touched = (await writeInOrder(id, table, stored, wanted, op.tx!)) || touched;
      continue;
    }
    touched ||= added.length + dropped.length > 0;
    if (dropped.length > 0) await op.tx!.delete(table, and(equals('owner_id', id), oneOf(value, dropped)));
    if (added.length > 0)
      await op.tx!.insertMany(
        table,
        added.map((entry) => ({ owner_id: id, [value]: entry })),
      );
  }
  return touched;
}

/** Strings keep their order: a list that differs in any way is rewritten. */
async function writeInOrder(
  id: number,
  table: string,
  stored: Scalar[],
  wanted: Scalar[],
  tx: Transaction,
): Promise<boolean> {
  if (stored.length === wanted.length && stored.every((entry, position) => entry === wanted[position])) return false;
  if (stored.length > 0) await tx.delete(table, equals('owner_id', id));
  await tx.insertMany(
    table,
    wanted.map((value, position) => ({ owner_id: id, value, position })),
  );
  return true;
}

/** Values of one item in a join table. */
export async function storedValues(tx: Transaction, table: string, value: string, id: number): Promise<any[]> {
  const rows = await tx.select({
    table,
    columns: [value],
    where: equals('owner_id', id),
    order: [{ column: orderOfPairs(value), direction: 'asc' }],
  });
  return rows.map((row) => row[value]);
}
