// Changes any number of rows in one transaction, in statements of limited time.
import { and, oneOf, type Change, type Predicate, type Row } from '../query.js';
import type { Reader, Transaction } from '../store.js';

/** Rows of one statement: PostgreSQL takes some milliseconds for each where the table has indexes over texts. */
const PORTION = 500;

/** `update`, for what thousands of rows may satisfy: one statement over all could take longer than a statement may. */
export async function updateInPortions(
  tx: Transaction,
  table: string,
  set: Record<string, Change>,
  where: Predicate,
): Promise<void> {
  for await (const rows of portionsOf(tx, { table, columns: ['id'], where })) {
    const ids = rows.map((row) => row['id'] as number);
    await tx.update(table, set, oneOf('id', ids));
  }
}

/** Rows in the order of their ids, `most` at a time; those already read may be changed between two portions. */
export async function* portionsOf(
  reader: Reader,
  { table, columns, where }: { table: string; columns: readonly string[]; where: Predicate },
  most = PORTION,
): AsyncGenerator<Row[]> {
  const order = [{ column: 'id', direction: 'asc' as const }];
  for (let last = 0; ;) {
    const rest = and(where, { op: 'gt', column: 'id', value: last });
    const rows = await reader.select({ table, columns: [...columns], where: rest, order, limit: most });
    if (rows.length > 0) yield rows;
    if (rows.length < most) return;
    last = rows.at(-1)!['id'] as number;
  }
}
