// A dry run writes only the beginning of texts, their keys, and all other values unchanged.
import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../../src/model/query.js';
import type { Store, Transaction } from '../../../src/model/store.js';
import { withoutTexts } from '../../../src/transfer/load/without-texts.js';
import { table, tablesOf } from '../storage/library.js';

const LONG = 'long '.repeat(100);
const notes = table(
  'notes',
  [
    { name: 'id', kind: 'integer', primary: true },
    { name: 'body', kind: 'text' },
    { name: 'key', kind: 'text' },
    { name: 'folded', kind: 'text' },
    { name: 'title', kind: 'varchar', length: 900 },
  ],
  [
    { name: 'notes_key', columns: ['key'], unique: true },
    { name: 'notes_folded', columns: ['folded'], fulltext: true },
  ],
);

describe('a rehearsal', () => {
  it('shortens texts that are in no key', async () => {
    const written: Row[] = [];
    // Its methods need the object itself.
    const tx = {
      calls: 0,
      insert: async (_table: string, row: Row) => written.push(row),
      insertMany: async (_table: string, rows: Row[]) => void written.push(...rows),
      count(this: { calls: number }): Promise<number> {
        return Promise.resolve(++this.calls);
      },
    } as unknown as Transaction;
    const store = { transaction: (work: (each: Transaction) => unknown) => work(tx) } as unknown as Store;
    const row = { body: LONG, key: LONG, folded: LONG, title: LONG };
    const counted = await withoutTexts(store, tablesOf(notes)).transaction(async (each) => {
      expect(await each.insert('notes', { ...row })).toBe(1);
      await each.insertMany('notes', [{ ...row, body: 'short' }, { title: null }]);
      return each.count('notes', { op: 'true' });
    });
    const beginning = LONG.slice(0, 64);
    expect(written).toEqual([
      { body: beginning, key: LONG, folded: beginning, title: LONG },
      { body: 'short', key: LONG, folded: beginning, title: LONG },
      { title: null },
    ]);
    expect(counted).toBe(1);
  });
});
