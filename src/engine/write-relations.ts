// Writes the to-many relations of a draft.
import type { Operation, SetChange, Draft } from '../model/operation.js';
import { equals } from '../model/query.js';
import type { Scalar } from '../model/schema/schema.js';
import type { ManyModel } from '../model/field.js';
import type { Transaction } from '../model/store.js';
import { shownOrder, storedQuery } from './presentation/load-relations.js';

/**
 * Replaces the sets named in the draft; returns whether anything changed, and records the difference for traits.
 */
export async function writeMany(id: number, draft: Draft, op: Operation): Promise<boolean> {
  let touched = false;
  for (const [name, wanted] of Object.entries(draft.many)) {
    const field = op.model.fields.get(name)!;
    const { table, value } = field.many!;
    const stored = op.kind === 'create' ? [] : await loadValues(op.tx!, field.many!, id);
    const [before, after] = [new Set(stored), new Set(wanted)];
    const added = wanted.filter((entry) => !before.has(entry));
    const dropped = stored.filter((entry) => !after.has(entry));
    (op.state.sets ??= new Map<string, SetChange>()).set(name, { before: stored, after: wanted });
    if (value === 'value') {
      touched = (await writeInOrder(id, table, stored, wanted, op.tx!)) || touched;
      continue;
    }
    touched ||= added.length + dropped.length > 0;
    const targets = inOrder(draft, name, wanted);
    const shown = targets && { targets, order: shownOrder(op, field) };
    await op.tx!.changePairs(table, id, { dropped: dropped as number[], added: added as number[], after: shown });
  }
  return touched;
}

/** The targets in the order in which they are shown; undefined where only the database knows it. */
function inOrder(draft: Draft, name: string, wanted: readonly Scalar[]): readonly number[] | undefined {
  // Traits and importers may have replaced what was looked up.
  const found = new Set(draft.shown?.[name] ?? (wanted.slice(0, 1) as number[]));
  return found.size === wanted.length && wanted.every((id) => found.has(id as number)) ? [...found] : undefined;
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
export async function loadValues(tx: Transaction, many: ManyModel, id: number): Promise<any[]> {
  const rows = await tx.select(storedQuery(many, id));
  return rows.map((row) => row[many.value]);
}
