// Changes columns of rows outside the draft of an operation, with those derived from them.
import type { ResourceModel } from '../model.js';
import { and, equals, type Change, type Predicate, type Row } from '../query.js';
import type { TextWork } from '../runtime/texts.js';
import type { Transaction } from '../store.js';
import { withDerived } from './with-derived.js';

/** Sets values in the rows that match, and what is derived from them in each; returns the number of rows. */
export async function updateDerived(
  model: ResourceModel,
  set: Row,
  where: Predicate,
  tx: Transaction,
  more: Record<string, Change> = {},
  texts: TextWork = {},
): Promise<number> {
  const table = model.table!.name;
  // Where nothing depends on these values, the rows are changed together.
  const isPlain = Object.keys(withDerived(model, set, texts, {})).length === Object.keys(set).length;
  if (isPlain) return tx.update(table, { ...set, ...more }, where);
  let changed = 0;
  for (const row of await tx.select({ table, columns: model.allColumns, where, order: [] })) {
    const changes = withDerived(model, set, texts, row);
    changed += await tx.update(table, { ...changes, ...more }, and(equals('id', row['id']), where));
  }
  return changed;
}
