// Transactions that gather the rows they insert: they read and store the same as an ordinary one.
import { describe, expect, it } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, integer, tuple, type Arbitrary } from 'fast-check';
import type { Predicate, Row } from '../../../src/model/query.js';
import type { Store, Transaction } from '../../../src/model/store.js';
import { UniqueViolation } from '../../../src/storage/sql/connection.js';
import { availableEngines } from '../../support/fresh-database.js';
import { runs } from '../../support/runs.js';
import { books, on } from './library.js';

const eq = (column: string, value: string | number): Predicate => ({ op: 'eq', column, value });
const all: Predicate = { op: 'true' };
const ascending = [{ column: 'id', direction: 'asc' as const }];
const TITLES = ['plum', 'Plum', 'pear', 'pear-2', ''];
const KINDS = 'insert given append many pairs set raise move delete first range count add'.split(' ');

type Step = readonly [string, string, number];

const step: Arbitrary<Step> = tuple(
  constantFrom(...KINDS, 'insert', 'insert'),
  constantFrom(...TITLES),
  integer({ min: 1, max: 9 }),
);

const STEPS: Record<string, (tx: Transaction, title: string, id: number) => unknown> = {
  insert: (tx, title) => tx.insert('books', { title, shelf: 'a' }),
  async given(tx, title, id) {
    if (await tx.first('books', ['id'], eq('id', id + 20))) return 'there';
    return tx.insert('books', { id: id + 20, title });
  },
  append: (tx, title) => tx.append('books', { title, loans: 1 }),
  many: (tx, title) => tx.insertMany('books', [{ title }, { title: `${title}-2` }]),
  async pairs(tx, _title, id) {
    const where = eq('owner_id', id);
    if ((await tx.select({ table: 'book_tags', columns: ['target_id'], where, order: [] })).length > 0) return;
    await tx.insertMany('book_tags', [
      { owner_id: id, target_id: 1 },
      { owner_id: id, target_id: 2 },
    ]);
  },
  set: (tx, title, id) => tx.update('books', { title, shelf: null }, eq('id', id)),
  raise: (tx, _title, id) => tx.update('books', { loans: { increment: 2 } }, eq('id', id)),
  move: (tx, title) => tx.update('books', { kind: 'poem' }, eq('title', title)),
  delete: (tx, _title, id) => tx.delete('books', eq('id', id)),
  first: (tx, title, id) =>
    tx.first('books', ['id', 'title', 'loans'], eq('id', id), { same: eq('title', title), shelved: eq('shelf', 'a') }),
  range: (tx, title) =>
    tx.select({
      table: 'books',
      columns: ['id', 'title'],
      where: { op: 'ge', column: 'title', value: title },
      order: ascending,
    }),
  count: (tx) => tx.count('books', eq('kind', 'novel')),
  add: (tx, _title, id) => tx.add('books', id, 'loans', id % 3),
};

/** What a transaction of the steps returns. Whatever it says to be absent is. */
function play(steps: readonly Step[]) {
  return async (tx: Transaction): Promise<unknown[]> => {
    const found = [];
    await tx.absentOf('books', 'title', TITLES);
    for (const [kind, title, id] of steps) {
      if (tx.lacks('books', 'title', title))
        expect(await tx.select({ table: 'books', columns: ['id'], where: eq('title', title), order: [] })).toEqual([]);
      found.push(await STEPS[kind]!(tx, title, id));
    }
    return found;
  };
}

async function contents(store: Store): Promise<unknown> {
  const columns = [...books.columns.keys()];
  const rows: Row[] = await store.reader.select({ table: 'books', columns, where: all, order: ascending });
  const pairs = await store.reader.select({
    table: 'book_tags',
    columns: ['owner_id', 'target_id'],
    where: all,
    order: [
      { column: 'owner_id', direction: 'asc' },
      { column: 'target_id', direction: 'asc' },
    ],
  });
  return { rows, pairs, counters: await store.transaction((tx) => tx.wrongCounters()) };
}

describe.each(availableEngines())('a bulk transaction on %s', (engine) => {
  const { withStore } = on(engine);

  it('reads and stores the same as an ordinary one', async () => {
    await assert(
      asyncProperty(array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        await withStore(async (bulk) => {
          await withStore(async (plain) => {
            for (const store of [bulk, plain]) await store.transaction((tx) => tx.insert('books', { title: 'pear' }));
            expect(await bulk.bulk!(play(steps))).toEqual(await plain.transaction(play(steps)));
            expect(await contents(bulk)).toEqual(await contents(plain));
            // Afterwards the database numbers rows itself.
            const next = (store: Store) => store.transaction((tx) => tx.insert('books', { title: 'next' }));
            expect(await next(bulk)).toBe(await next(plain));
          });
        });
      }),
      { numRuns: runs(engine === 'sqlite' ? 100 : 30) },
    );
  });

  it('assigns ids in the order of insertion', async () => {
    await withStore(async (store) => {
      await store.bulk!(async (tx) => {
        await tx.append('books', { title: 'before' });
        await tx.insert('books', { id: 20, title: 'explicit' });
        await tx.append('books', { title: 'after' });
      });
      const rows = await store.reader.select({ table: 'books', columns: ['id'], where: all, order: ascending });
      expect(rows.map(({ id }) => id)).toEqual([1, 20, 21]);
    });
  });

  it('reports what the database rejects when rows are sent, and is rolled back', async () => {
    await withStore(async (store) => {
      const twice = async (tx: Transaction) => {
        for (const title of ['a', 'b']) await tx.insert('books', { title, isbn: 'same' });
      };
      const sent: string[] = [];
      await expect(
        store.bulk!(async (tx) => {
          await tx.insert('books', { title: 'first' });
          await twice(tx);
          sent.push('gathered');
          await tx.send('books');
          sent.push('sent');
        }),
      ).rejects.toThrow(UniqueViolation);
      expect(sent).toEqual(['gathered']);
      await expect(store.bulk!(twice)).rejects.toThrow(UniqueViolation);
      expect(await store.reader.count('books', all)).toBe(0);
    });
  });

  it('reports which row is rejected while later ones are in flight, and is rolled back', async () => {
    await withStore(async (store) => {
      const text = 'x'.repeat(200_000);
      const refused = store.bulk!(async (tx) => {
        for (let n = 0; n < 20; n += 1) {
          await tx.insert('books', { title: `${n}`, isbn: n === 5 ? 'isbn 4' : `isbn ${n}`, folded: text });
          await tx.insert('book_tags', { owner_id: n + 1, target_id: 1 });
        }
      });
      await expect(refused).rejects.toMatchObject({ name: 'UniqueViolation', table: 'books', columns: ['isbn'] });
      expect(await store.reader.count('books', all)).toBe(0);
      await store.bulk!((tx) => tx.insert('books', { title: 'next', isbn: 'isbn 4' }));
      expect(await store.reader.count('books', all)).toBe(1);
    });
  });

  it('sends texts beyond its buffer limit, and large ones', async () => {
    await withStore(async (store) => {
      const text = 'x'.repeat(300_000);
      await store.bulk!(async (tx) => {
        for (let n = 0; n < 12; n += 1) await tx.insert('books', { title: `${n}`, folded: text });
        expect(await tx.count('books', all)).toBe(12);
      });
      const rows = await store.reader.select({
        table: 'books',
        columns: ['title', 'folded'],
        where: all,
        order: ascending,
      });
      expect(rows.map(({ title, folded }) => [title, folded === text])).toEqual(
        Array.from({ length: 12 }, (_, n) => [`${n}`, true]),
      );
    });
  });
});
