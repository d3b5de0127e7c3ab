// Chooses the id of a new item: that of the source if it is free, else one above all ids of the file.
import { equals, TRUE } from '../../model/query.js';
import type { Transaction } from '../../model/store.js';
import { MAX_ID } from '../wxr-file/wxr-text.js';

/** Remembers the highest id chosen per table. */
export class FreeIds {
  private readonly last = new Map<string, number>();

  /** A free id; undefined lets the database generate one. */
  async choose(tx: Transaction, table: string, wanted: number, highest: number): Promise<number | undefined> {
    const free = async (id: number) => tx.lacks(table, 'id', id) || !(await tx.first(table, ['id'], equals('id', id)));
    if (wanted > 0 && wanted <= MAX_ID && (await free(wanted))) return wanted;
    // A generated id might be the one of an object further down in the file.
    let next = Math.max(highest, this.last.get(table) ?? 0) + 1;
    if (next <= MAX_ID && !(await free(next))) next = Math.max(next, await highestOf(tx, table)) + 1;
    this.last.set(table, next);
    return next <= MAX_ID ? next : undefined;
  }
}

async function highestOf(tx: Transaction, table: string): Promise<number> {
  const order = [{ column: 'id', direction: 'desc' as const }];
  const [last] = await tx.select({ table, columns: ['id'], where: TRUE, order, limit: 1 });
  return (last?.['id'] as number | undefined) ?? 0;
}
