// How many rows a walk in sort order passes until it has found those of a list, on each engine.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { and, equals, TRUE, type OrderKey, type Predicate } from '../../../src/model/query.js';
import type { Reader } from '../../../src/model/store.js';
import type { AdministeredStore } from '../../../src/storage/sql/administered-store.js';
import { openStore } from '../../../src/storage/open-store.js';
import { type Engine, availableEngines, freshDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { library } from './library.js';

const BOOKS = 200;
const OLD = 1;
const NEW = 2;
const EVERYWHERE = 3;
/** Tags of a book, by the number of its loans, which is its place from the end of the list. */
const TAGS: readonly [tag: number, has: (loans: number) => boolean][] = [
  [OLD, (loans) => loans <= 50],
  [NEW, (loans) => loans > BOOKS - 50],
  [EVERYWHERE, (loans) => loans % 4 === 0],
];
const novels = equals('kind', 'novel');
const tagged = (tag: number): Predicate => ({
  op: 'exists',
  table: 'book_tags',
  outer: 'id',
  inner: 'owner_id',
  where: equals('target_id', tag),
});
const newest: OrderKey[] = [
  { column: 'loans', direction: 'desc' },
  { column: 'id', direction: 'desc' },
];
const oldest: OrderKey[] = newest.map((key) => ({ ...key, direction: 'asc' }) as OrderKey);

describe.each(availableEngines())('on %s', (engine: Engine) => {
  let fresh: FreshDatabase;
  let store: AdministeredStore;
  let reader: Reader;

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    store = await openStore(fresh.url, { pool: 2 }, library);
    reader = store.reader;
    const ids = Array.from({ length: BOOKS }, (_, at) => at + 1);
    await store.transaction(async (tx) => {
      await tx.insertMany(
        'books',
        ids.map((id) => ({ folded: id <= 50 ? 'old' : 'new', loans: id })),
      );
      const stored = await tx.select({ table: 'books', columns: ['id', 'loans'], where: TRUE, order: [] });
      const pairs = stored.flatMap(({ id, loans }) =>
        TAGS.filter(([, has]) => has(loans)).map(([tag]) => ({ owner_id: id, target_id: tag })),
      );
      await tx.insertMany('book_tags', pairs);
    });
  });

  afterAll(async () => {
    await store.close();
    await fresh.drop();
  });

  /** SQLite looks at the first rows of the order itself, unless texts are searched. */
  const own = engine === 'sqlite';
  const old: Predicate = { op: 'contains', column: 'folded', value: 'old' };
  const finds = (where: Predicate, order: OrderKey[], rows: number, passed: number) =>
    Promise.resolve(reader.findsWithin!({ table: 'books', where: and(novels, where), order }, rows, passed));

  it.each<[string, Predicate, OrderKey[], rows: number, passed: number, boolean]>([
    ['rows at its beginning', tagged(NEW), newest, 10, 64, true],
    ['rows far from its beginning', tagged(OLD), newest, 10, 64, own],
    ['rows at its beginning, from the other end', tagged(OLD), oldest, 10, 64, true],
    ['rows far from its beginning, from the other end', tagged(NEW), oldest, 10, 64, own],
    ['rows that are evenly distributed', tagged(EVERYWHERE), newest, 10, 64, true],
    ['more rows than there are so soon', tagged(EVERYWHERE), newest, 20, 64, own],
    ['a list that is shorter than what may be passed', tagged(OLD), newest, 10, 256, true],
    ['texts at its beginning', { op: 'contains', column: 'folded', value: 'new' }, newest, 10, 64, true],
    ['texts far from its beginning', old, newest, 10, 64, false],
    [
      'rows in an order whose first key may be null',
      tagged(OLD),
      [{ column: 'bought', direction: 'desc' }],
      10,
      64,
      true,
    ],
    ['rows in no order', tagged(OLD), [], 10, 64, true],
  ])('%s', async (_name, where, order, rows, passed, expected) => {
    expect(await finds(where, order, rows, passed)).toBe(expected);
  });

  it('is cached', async () => {
    const list = { table: 'books', where: and(novels, old), order: newest };
    await reader.findsWithin!(list, 10, 40);
    expect(reader.findsWithin!(list, 12, 45)).toBe(false);
  });

  it('is computed again after a minute', async () => {
    const list = { table: 'books', where: and(novels, old, equals('lent', 0)), order: newest };
    expect(await reader.findsWithin!(list, 10, 64)).toBe(false);
    await store.transaction((tx) => tx.update('books', { loans: 1 }, TRUE));
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 61_000);
    try {
      expect(await reader.findsWithin!(list, 10, 64)).toBe(true);
    } finally {
      clock.mockRestore();
    }
  });
});
