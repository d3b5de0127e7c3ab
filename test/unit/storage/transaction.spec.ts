// What a transaction knows without a query, and which writes it sends late: its reads see its own writes even so.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Query } from '../../../src/model/query.js';
import type { Store, Transaction } from '../../../src/model/store.js';
import { mysqlDialect } from '../../../src/storage/mysql/dialect.js';
import { openStore } from '../../../src/storage/open-store.js';
import type { Connection } from '../../../src/storage/sql/connection.js';
import { TransactionLocks } from '../../../src/storage/sql/locks.js';
import { Statements } from '../../../src/storage/sql/statements.js';
import { SqlTransaction } from '../../../src/storage/transactions/transaction.js';
import { Faults } from '../../support/faults.js';
import { type Engine, availableEngines, freshDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { library, tags } from './library.js';

const pairs = { ...tags, pairsOf: { table: 'books', column: 'tag', where: {} } };
const readers = { ...pairs, name: 'book_readers', indexes: new Map() };
const tables = new Map([...library, ['book_tags', pairs], ['book_readers', readers]]);

const tagsOf = (id: number, order: Query['order'] = [{ column: 'target_id', direction: 'asc' }]): Query => ({
  table: 'book_tags',
  columns: ['owner_id', 'target_id'],
  where: { op: 'in', column: 'owner_id', values: [id] },
  order,
});
const pair = (id: number, tag: number) => ({ owner_id: id, target_id: tag });
const of = (id: number) => ({ op: 'eq', column: 'owner_id', value: id }) as const;
const titles: Query = { table: 'books', columns: ['isbn'], where: { op: 'eq', column: 'isbn', value: '1' }, order: [] };

/** Work of a transaction after a book was inserted, the pairs that it must read then, and the statements it may take. */
const READS: [string, (tx: Transaction, id: number) => Promise<void>, number[], { asks: boolean }][] = [
  ['none', async () => undefined, [], { asks: false }],
  ['one', (tx, id) => tx.insertMany('book_tags', [pair(id, 7)]), [7], { asks: false }],
  ['several, in order', (tx, id) => tx.insertMany('book_tags', [pair(id, 9), pair(id, 7)]), [7, 9], { asks: true }],
  [
    'those of two inserts',
    async (tx, id) => {
      await tx.insertMany('book_tags', [pair(id, 9)]);
      await tx.insertMany('book_tags', [pair(id, 8)]);
    },
    [8, 9],
    { asks: true },
  ],
  [
    'what a deletion left',
    async (tx, id) => {
      await tx.insertMany('book_tags', [pair(id, 7), pair(id, 8)]);
      await tx.delete('book_tags', { op: 'eq', column: 'target_id', value: 7 });
    },
    [8],
    { asks: true },
  ],
  [
    'what an update changed',
    async (tx, id) => {
      await tx.insertMany('book_tags', [pair(id, 7)]);
      await tx.update('book_tags', { target_id: 6 }, of(id));
    },
    [6],
    { asks: true },
  ],
];

describe.each<Engine>(availableEngines())('a transaction on %s', (engine) => {
  let database: FreshDatabase;
  let store: Store;
  let faults: Faults;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    store = await openStore(database.url, { pool: 3 }, tables);
    faults = Faults.of(store);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  it.each(READS)('reads of a book that it has inserted: %s', async (_name, work, expected, { asks }) => {
    const found = await store.transaction(async (tx) => {
      const id = await tx.insert('books', { title: 'x' });
      await work(tx, id);
      const before = faults.statements;
      const rows = await tx.select(tagsOf(id));
      expect({ asks: faults.statements > before }).toEqual({ asks });
      expect(await tx.count('book_tags', of(id))).toBe(expected.length);
      return { id, rows };
    });
    expect(found.rows).toEqual(expected.map((tag) => pair(found.id, tag)));
    expect(await store.reader.select(tagsOf(found.id))).toEqual(found.rows);
  });

  it('reads stored pairs of other books', async () => {
    const id = await store.transaction((tx) => tx.insert('books', { title: 'x' }));
    await store.transaction((tx) => tx.insertMany('book_tags', [pair(id, 5)]));
    const rows = await store.transaction(async (tx) => {
      await tx.insert('books', { title: 'y' });
      return tx.select(tagsOf(id));
    });
    expect(rows).toEqual([pair(id, 5)]);
  });

  it('reads of several tables include writes that are sent at its end', async () => {
    const id = await store.transaction((tx) => tx.insert('books', { title: 'x' }));
    const found = await store.transaction(async (tx) => {
      await tx.insertMany('book_tags', [pair(id, 5)]);
      await tx.insertMany('book_readers', [pair(id, 6)]);
      const [tagged, read] = [tagsOf(id), { ...tagsOf(id), table: 'book_readers' }];
      return Promise.all([tx.select(tagged), tx.select(read), tx.count('book_readers', of(id)), tx.select(tagged)]);
    });
    expect(found).toEqual([[pair(id, 5)], [pair(id, 6)], 1, [pair(id, 5)]]);
  });

  it('discards deferred pairs when it fails', async () => {
    let id = 0;
    const failing = store.transaction(async (tx) => {
      id = await tx.insert('books', { title: 'x' });
      await tx.insertMany('book_tags', [pair(id, 5)]);
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await store.reader.select(tagsOf(id))).toEqual([]);
  });

  it('sends no write that waited for others after its end', async () => {
    const id = await store.transaction((tx) => tx.insert('books', { isbn: 'other' }));
    let waiting: Promise<unknown> | undefined;
    const failing = store.transaction(async (tx) => {
      const own = await tx.insert('books', { title: 'x' });
      await tx.update('books', { title: 'y' }, { op: 'eq', column: 'id', value: own });
      waiting = tx.update('books', { loans: 3 }, { op: 'eq', column: 'isbn', value: 'other' });
      await Promise.all([waiting, Promise.reject(new Error('stop'))]);
    });
    await expect(failing).rejects.toThrow('stop');
    await waiting!.catch(() => undefined);
    const [row] = await store.reader.select({
      table: 'books',
      columns: ['loans'],
      where: { op: 'eq', column: 'id', value: id },
      order: [],
    });
    expect(row).toEqual({ loans: 0 });
  });

  it.each([
    ['in the order that was given', async () => undefined, [9, 7], { asks: false }],
    [
      'after another pair',
      (tx: Transaction, id: number) => tx.insertMany('book_tags', [pair(id, 8)]),
      [7, 8, 9],
      { asks: true },
    ],
    [
      'after a deletion',
      (tx: Transaction) => tx.delete('book_tags', { op: 'eq', column: 'target_id', value: 9 }),
      [7],
      { asks: true },
    ],
  ])('reads the pairs that it has changed %s', async (_name, then, expected, { asks }) => {
    const order = tagsOf(0).order;
    const id = await store.transaction((tx) => tx.insert('books', { title: 'x' }));
    await store.transaction((tx) => tx.insertMany('book_tags', [pair(id, 5), pair(id, 9)]));
    await store.transaction(async (tx) => {
      await tx.changePairs('book_tags', id, { dropped: [5], added: [7], after: { targets: [9, 7], order } });
      await then(tx, id);
      const before = faults.statements;
      expect(await tx.select(tagsOf(id))).toEqual(expected.map((tag) => pair(id, tag)));
      expect({ asks: faults.statements > before }).toEqual({ asks });
      // In another order they are read.
      const backwards = await tx.select(tagsOf(id, [{ column: 'target_id', direction: 'desc' }]));
      expect(backwards).toEqual(expected.toSorted((a, b) => b - a).map((tag) => pair(id, tag)));
    });
    const stored = await store.reader.select(tagsOf(id));
    expect(stored).toEqual(expected.toSorted((a, b) => a - b).map((tag) => pair(id, tag)));
  });

  it('leaves the pairs unchanged when it fails after changing them', async () => {
    const id = await store.transaction((tx) => tx.insert('books', { title: 'x' }));
    await store.transaction((tx) => tx.insertMany('book_tags', [pair(id, 5)]));
    const failing = store.transaction(async (tx) => {
      await tx.changePairs('book_tags', id, { dropped: [5], added: [6] });
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await store.reader.select(tagsOf(id))).toEqual([pair(id, 5)]);
  });

  it('sees the current row, however often it has read it', async () => {
    const where = { op: 'eq', column: 'isbn', value: 'seen' } as const;
    const named = { op: 'exists', table: 'book_tags', outer: 'id', inner: 'owner_id', where: { op: 'true' } } as const;
    const read = (tx: Transaction) => tx.first('books', ['loans'], where, { tagged: named });
    const id = await store.transaction((tx) => tx.insert('books', { title: 'x', isbn: 'seen' }));
    await store.transaction(async (tx) => {
      const first = await read(tx);
      Object.assign(first!, { loans: 'spoilt by its reader' });
      expect(await read(tx)).toEqual({ loans: 0, tagged: 0 });
      await tx.insertMany('book_tags', [pair(id, 5)]);
      expect(await read(tx)).toEqual({ loans: 0, tagged: 1 });
      await tx.update('books', { loans: 2 }, where);
      expect(await read(tx)).toEqual({ loans: 2, tagged: 1 });
      await tx.delete('books', where);
      expect(await read(tx)).toBeUndefined();
    });
  });

  it('fails for pairs that exist already', async () => {
    const id = await store.transaction((tx) => tx.insert('books', { title: 'x' }));
    await store.transaction((tx) => tx.insertMany('book_tags', [pair(id, 5)]));
    await expect(store.transaction((tx) => tx.insertMany('book_tags', [pair(id, 5)]))).rejects.toThrow();
    expect(await store.reader.count('book_tags', of(id))).toBe(1);
  });

  it('returns prefetched rows, unless it has changed the table since', async () => {
    await store.transaction(async (tx) => {
      const id = await tx.insert('books', { title: 'x', isbn: '1' });
      tx.ahead(titles);
      expect(await tx.select(titles)).toEqual([{ isbn: '1' }]);
      tx.ahead(titles);
      await tx.update('books', { isbn: '2' }, { op: 'eq', column: 'id', value: id });
      expect(await tx.select(titles)).toEqual([]);
    });
  });
});

it('reads a row again once it holds a lock, because another transaction may have changed it', async () => {
  let loans = 0;
  const connection: Connection = {
    rows: async (sql) => (sql.includes('typecase_locks') ? [] : [[loans]]),
    run: async () => ({ changes: 1, id: 0 }),
  };
  const dialect = mysqlDialect(library);
  const locks = new TransactionLocks(connection, dialect.locks!, { names: [] });
  const tx = new SqlTransaction(connection, new Statements(dialect, library), locks, Promise.resolve());
  const read = () => tx.first('books', ['loans'], { op: 'eq', column: 'isbn', value: '1' });
  expect(await read()).toEqual({ loans: 0 });
  loans = 1;
  expect(await read()).toEqual({ loans: 0 });
  const locked = tx.lock(['book 1']);
  expect(await read()).toEqual({ loans: 1 });
  await locked;
});

it('sends no statement after its end that waited for late writes', async () => {
  const asked: string[] = [];
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const connection: Connection = {
    rows: async () => [],
    run: async (sql) => {
      asked.push(sql.split(' ')[0]!);
      await released;
      return { changes: 1, id: 0 };
    },
  };
  const dialect = mysqlDialect(library);
  const locks = new TransactionLocks(connection, dialect.locks!, { names: [] });
  const tx = new SqlTransaction(connection, new Statements(dialect, library), locks, Promise.resolve());
  const id = { op: 'eq', column: 'id', value: 1 } as const;
  await tx.update('books', { title: 'late' }, id, { id: 1, title: 'before', folded: '' });
  const named = { op: 'exists', table: 'books', outer: 'owner_id', inner: 'id', where: id } as const;
  const forgotten = tx.delete('book_tags', named);
  await new Promise(setImmediate);
  tx.end();
  release();
  await expect(forgotten).rejects.toThrow('was not awaited');
  expect(asked).toEqual(['UPDATE']);
});
