// Changes any number of rows in one transaction, in statements of limited time.
import { and, oneOf, type Change, type Predicate } from '../query.js';
import type { Transaction } from '../store.js';

/** Rows of one statement: PostgreSQL takes some milliseconds for each where the table has indexes over texts. */
const PORTION = 500;

/** `update`, for what thousands of rows may satisfy: one statement over all could take longer than a statement may. */
export async function updateInPortions(
  tx: Transaction,
  table: string,
  set: Record<string, Change>,
  where: Predicate,
): Promise<void> {
  for (let last = 0; ;) {
    const rest = and(where, { op: 'gt', column: 'id', value: last });
    const order = [{ column: 'id', direction: 'asc' as const }];
    const rows = await tx.select({ table, columns: ['id'], where: rest, order, limit: PORTION });
    const ids = rows.map((row) => row['id'] as number);
    if (ids.length > 0) await tx.update(table, set, oneOf('id', ids));
    if (ids.length < PORTION) return;
    last = ids.at(-1)!;
  }
}
