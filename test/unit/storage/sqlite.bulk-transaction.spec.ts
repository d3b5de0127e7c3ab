// Transactions that index their new rows at the end: afterwards the trigram table is what triggers would have made it.
import { expect, it } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, integer, tuple, type Arbitrary } from 'fast-check';
import type { Predicate } from '../../../src/model/query.js';
import type { Transaction } from '../../../src/model/store.js';
import type { SqliteStore } from '../../../src/storage/sqlite/store.js';
import { runs } from '../../support/runs.js';
import { withStore } from './library.js';

const containing = (value: string): Predicate => ({ op: 'contains', column: 'folded', value });
const ofId = (value: number): Predicate => ({ op: 'eq', column: 'id', value });
const WORDS = ['pear tree', 'apple tree', 'plum', ''];
const PARTS = ['tree', 'ple', 'plum', 'pear'];

/** The trigram table as it is checked against the rows, and the statements that made its triggers. */
async function indexOf(store: SqliteStore): Promise<unknown> {
  await store.exclusive(
    async (db) =>
      void (await db.run(`INSERT INTO books_folded_fts (books_folded_fts, rank) VALUES ('integrity-check', 1)`, [])),
  );
  const triggers = store.readConnection.rows(
    `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name`,
    [],
  );
  const found = await Promise.all(
    PARTS.map((part) => store.reader.select({ table: 'books', columns: ['id'], where: containing(part), order: [] })),
  );
  return { triggers, found: found.map((rows) => rows.map(({ id }) => Number(id)).sort((a, b) => a - b)) };
}

type Step = readonly ['insert' | 'many' | 'update' | 'delete' | 'search', string, number];

async function take(tx: Transaction, [kind, word, id]: Step): Promise<unknown> {
  if (kind === 'insert') return tx.insert('books', { folded: word });
  if (kind === 'many') return tx.insertMany('books', [{ folded: word }, { folded: `${word} more` }, { folded: 'x' }]);
  if (kind === 'update') return tx.update('books', { folded: word }, ofId(id));
  if (kind === 'delete') return tx.delete('books', ofId(id));
  return tx.count('books', containing(word || 'tree'));
}

const step: Arbitrary<Step> = tuple(
  constantFrom('insert', 'many', 'update', 'delete', 'search'),
  constantFrom(...WORDS),
  integer({ min: 1, max: 8 }),
);

it('reads and stores the same as an ordinary transaction', async () => {
  await assert(
    asyncProperty(array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      await withStore(async (bulk) => {
        await withStore(async (plain) => {
          const play = (tx: Transaction) =>
            steps.reduce<Promise<unknown[]>>(
              async (all, each) => [...(await all), await take(tx, each)],
              Promise.resolve([]),
            );
          for (const store of [bulk, plain])
            await store.transaction((tx) => tx.insert('books', { folded: 'old tree' }));
          expect(await bulk.bulk(play)).toEqual(await plain.transaction(play));
          expect(await indexOf(bulk)).toEqual(await indexOf(plain));
        });
      });
    }),
    { numRuns: runs(10) },
  );
});

it('rolls back its triggers with its rows', async () => {
  await withStore(async (store) => {
    await store.transaction((tx) => tx.insert('books', { folded: 'pear tree' }));
    const before = await indexOf(store);
    const failing = store.bulk(async (tx) => {
      await tx.insert('books', { folded: 'plum' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await indexOf(store)).toEqual(before);
    // Two at once share a commit.
    await Promise.all([
      store.bulk((tx) => tx.insert('books', { folded: 'plum' })),
      store.transaction((tx) => tx.insert('books', { folded: 'plum tree' })),
      store.bulk((tx) => tx.insert('books', { id: 50, folded: 'plum' })),
    ]);
    expect(await indexOf(store)).toMatchObject({ found: [[1, 3], [], [2, 3, 50], [1]] });
  });
});
