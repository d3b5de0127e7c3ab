// What an item shows of the items that refer to it, after more of them were written in the same transaction.
import type { Operation, View } from '../model/operation.js';
import { reloadItem } from './load-item.js';
import { present } from './presentation/present.js';

/** Recomputes the members of a representation that aggregate the items referring to its item. */
export async function renewAggregates(op: Operation, view: View): Promise<void> {
  const names = Object.keys(view).filter((name) => op.model.fields.get(name)?.aggregates);
  if (names.length === 0) return;
  const row = await reloadItem(op);
  const [renewed] = row ? await present(op, [row]) : [];
  for (const name of names) if (renewed && name in renewed) view[name] = renewed[name];
}
