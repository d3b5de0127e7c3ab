// Pages whose ids and rows are read by two statements are those that the whole statement reads.
import { expect, it } from '@jest/globals';
import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';
import type { Predicate, Query } from '../../../src/model/query.js';
import type { Bound, Statement } from '../../../src/storage/sql/connection.js';
import { Statements } from '../../../src/storage/sql/statements.js';
import { sqliteDialect } from '../../../src/storage/sqlite/dialect.js';
import { SqliteReads } from '../../../src/storage/sqlite/reads.js';
import type { SqliteScans } from '../../../src/storage/sqlite/scans.js';
import type { SqliteStore } from '../../../src/storage/sqlite/store.js';
import { FEW, deferredJoin } from '../../../src/storage/sqlite/deferred-join.js';
import { runs } from '../../support/runs.js';
import { library, withStore } from './library.js';

const statements = new Statements(sqliteDialect, library);
const eq = (column: string, value: string | number): Predicate => ({ op: 'eq', column, value });
const tagged = (target: number): Predicate => ({
  op: 'exists',
  table: 'book_tags',
  inner: 'owner_id',
  outer: 'id',
  where: eq('target_id', target),
});
const SHELF: Predicate[] = [eq('kind', 'map'), eq('shelf', 'a')];

/** A page of the maps of a shelf, the last bought first. */
function pageOf(conditions: Predicate[], limit: number, offset?: number, column = 'bought'): Query {
  return {
    table: 'books',
    columns: ['id', 'title', 'folded'],
    where: { op: 'and', of: conditions },
    order: [
      { column, direction: 'desc' },
      { column: 'id', direction: 'desc' },
    ],
    limit,
    ...(offset && { offset }),
  };
}

/** The same page with the ids of the tags of each row. */
const withTags = (query: Query) => statements.listed(query, 64 * 1024, [{ table: 'book_tags', direction: 'asc' }]);

/** An offset from which on the rows of a page are joined to its ids. */
const DEEP = 100;

/** The statement for pages far from the first one, of a page from an offset on. */
function deep(query: Query, offset: number, make: (query: Query) => Statement = (each) => statements.select(each)) {
  const { sql, params } = make({ ...query, offset: DEEP });
  expect(sql).toMatch(/ JOIN \(SELECT .* LIMIT \? OFFSET \?\) AS page ON /);
  return { sql, params: params.toSpliced(-1, 1, offset) };
}

/** Reads as a server reads a large file; `elsewhere` has the statements that went to the child process. */
function readsOf(store: SqliteStore) {
  const elsewhere: string[] = [];
  const here = store.readConnection;
  const scans = {
    rows: async (sql: string, params: readonly Bound[]) => (elsewhere.push(sql), here.rows(sql, params)),
  } as unknown as SqliteScans;
  const large = {
    rows: (sql: string, params: readonly Bound[]) =>
      sql.includes('page_count') ? [[400_000_000]] : here.rows(sql, params),
  } as unknown as typeof here;
  return { reads: new SqliteReads(large, scans, library), elsewhere };
}

const book = record({
  day: integer({ min: 10, max: 14 }),
  map: boolean(),
  tags: array(integer({ min: 1, max: 3 }), { maxLength: 3 }),
});

async function put(store: SqliteStore, books: readonly { day: number; map: boolean; tags: number[] }[]): Promise<void> {
  await store.transaction(async (tx) => {
    for (const { day, map, tags } of books) {
      const bought = `2024-01-${day} 00:00:00`;
      const id = await tx.insert('books', { kind: map ? 'map' : 'novel', shelf: 'a', bought, title: `On day ${day}` });
      const pairs = [...new Set(tags)].map((target) => ({ owner_id: id, target_id: target }));
      await tx.insertMany('book_tags', pairs);
    }
  });
}

/**
 * Rows of tags that belong to no book: a tag of few rows is read another way. From 500 rows on, statistics are taken
 * beside what follows, which is a commit.
 */
async function crowd(store: SqliteStore, tags: readonly number[] = [1]): Promise<void> {
  const owners = Array.from({ length: FEW + 1 }, (_, at) => 100_000 + at);
  const pairs = tags.flatMap((target) => owners.map((owner) => ({ owner_id: owner, target_id: target })));
  await store.transaction((tx) => tx.insertMany('book_tags', pairs));
}

it('two steps read the same rows in the same order', async () => {
  await assert(
    asyncProperty(
      array(book, { minLength: 1, maxLength: 25 }),
      constantFrom<Predicate[][]>(
        [tagged(1)],
        [tagged(1), tagged(2)],
        [eq('loans', 0)],
        [{ op: 'not', of: tagged(3) }],
      ),
      constantFrom('bought', 'title'),
      integer({ min: 1, max: 12 }),
      integer({ min: 0, max: 6 }),
      record({ listed: boolean(), isDeep: boolean(), crowded: boolean() }),
      async (books, conditions, order, limit, offset, { listed, isDeep, crowded }) => {
        await withStore(async (store) => {
          await put(store, books);
          if (crowded) await crowd(store, [1, 2, 3]);
          const page = pageOf([...SHELF.slice(0, 1), ...conditions, ...SHELF.slice(1)], limit, offset, order);
          const make = (query: Query) => (listed ? withTags(query) : statements.select(query));
          const { sql, params } = isDeep ? deep(page, offset, make) : make(page);
          const { reads } = readsOf(store);
          expect(await reads.rows(sql, params)).toEqual(store.readConnection.rows(sql, params));
        });
      },
    ),
    { numRuns: runs(40) },
  );
});

/** So many maps of a shelf, with the first tag. */
const maps = (length: number) => Array.from({ length }, () => ({ day: 10, map: true, tags: [1] }));

it('the child process is not used where few rows have the tag', async () => {
  await withStore(async (store) => {
    await put(store, [...maps(3), { day: 11, map: true, tags: [2] }, { day: 12, map: false, tags: [1] }]);
    const { reads, elsewhere } = readsOf(store);
    for (const [tags, offset, ids] of [
      [[1], 0, [3, 2, 1]],
      [[1], 2, [1]],
      [[1], 3, []],
      [[3], 0, []],
      [[1, 2], 0, []],
    ] as const) {
      const { sql, params } = statements.select(pageOf([...SHELF, ...tags.map(tagged)], 6, offset));
      expect((await reads.rows(sql, params)).map(([id]) => id)).toEqual(ids);
    }
    await crowd(store);
    await put(store, [{ day: 13, map: true, tags: [1, 4] }]);
    const { sql, params } = statements.select(pageOf([...SHELF, tagged(1), tagged(4)], 6));
    expect(await reads.rows(sql, params)).toHaveLength(1);
    expect(elsewhere).toEqual([]);
  });
});

it('the child process reads only ids, and is not used where the first rows fill the page', async () => {
  await withStore(async (store) => {
    await put(store, maps(5));
    await crowd(store);
    const { reads, elsewhere } = readsOf(store);
    const near = statements.select(pageOf([...SHELF, tagged(1)], 5));
    expect(await reads.rows(near.sql, near.params)).toHaveLength(5);
    expect(elsewhere).toEqual([]);
    const far = statements.select(pageOf([...SHELF, tagged(1)], 6));
    expect(await reads.rows(far.sql, far.params)).toHaveLength(5);
    expect(elsewhere).toEqual([expect.stringMatching(/^SELECT a0\."id" FROM "books" AS a0 WHERE/)]);
  });
});

it('the child process is not used where an index leads to a far page', async () => {
  await withStore(async (store) => {
    await put(store, maps(8));
    const { reads, elsewhere } = readsOf(store);
    const read = async (query: Query, offset: number) => {
      const { sql, params } = deep(query, offset);
      return (await reads.rows(sql, params)).map(([id]) => id);
    };
    expect(await read(pageOf(SHELF, 3), 4)).toEqual([4, 3, 2]);
    expect(await read(pageOf(SHELF, 3), 8)).toEqual([]);
    const ids: Query = { ...pageOf([], 2), where: { op: 'true' }, order: [{ column: 'id', direction: 'asc' }] };
    expect(await read(ids, 5)).toEqual([6, 7]);
    expect(elsewhere).toEqual([]);
    // Farther away, and where they have to be sorted, the ids alone come from it.
    expect(await read(pageOf(SHELF, 3), 60_000)).toEqual([]);
    expect(await read(pageOf(SHELF, 3, undefined, 'title'), 4)).toEqual([4, 3, 2]);
    expect(elsewhere).toEqual([expect.stringMatching(/^SELECT a0\."id" FROM/), expect.stringMatching(/"title" DESC/)]);
  });
});

it('the page is read in one step after a concurrent write, and for a while afterwards', async () => {
  await withStore(async (store) => {
    await put(store, maps(3));
    await crowd(store);
    const went: string[] = [];
    const scans = {
      async rows(sql: string, params: readonly Bound[]) {
        went.push(sql);
        const rows = store.readConnection.rows(sql, params);
        if (went.length === 1)
          await store.transaction((tx) => tx.update('books', { title: 'Secret', shelf: 'b' }, eq('id', 3)));
        return rows;
      },
    } as unknown as SqliteScans;
    const { reads } = readsOf(store);
    Object.assign(reads, { scans });
    const { sql, params } = statements.select(pageOf([...SHELF, tagged(1)], 6));
    expect((await reads.rows(sql, params)).map(([id]) => id)).toEqual([2, 1]);
    expect(went).toEqual([expect.stringMatching(/^SELECT a0\."id" FROM/), sql]);
    expect((await reads.rows(sql, params)).map(([id]) => id)).toEqual([2, 1]);
    expect(went.slice(2)).toEqual([sql]);
  });
});

it.each<[string, Query, boolean]>([
  ['a page in the order of an index', pageOf(SHELF, 5), true],
  ['a page of a tag in the order of an index', pageOf([...SHELF, tagged(1)], 5), true],
  ['a page of a tag that has to be sorted', pageOf([...SHELF, tagged(1)], 5, undefined, 'title'), false],
  ['a page that has to be sorted', pageOf(SHELF, 5, undefined, 'title'), false],
  ['such a page far from the first one', pageOf(SHELF, 5, DEEP, 'title'), true],
])('reports whether ids of relations are read only for %s', async (_name, query, expected) => {
  await withStore(async (store) => expect(readsOf(store).reads.selectsPage(withTags(query).sql)).toBe(expected));
});

const merged = (...targets: number[]) =>
  statements.merge({
    parts: targets.map((target) => ({
      table: 'books',
      where: tagged(target),
      order: [{ column: 'title', direction: 'asc' as const }],
    })),
    limit: 10,
    offset: 0,
  });

const inOrderOfList = statements.select({ ...pageOf(SHELF, 5, DEEP), order: [{ list: [3, 1, 2], column: 'id' }] });

it.each<[string, string]>([
  ['a page far from the first one in an order with parameters', inOrderOfList.sql],
  ['rows of several tables', merged(1, 2).sql],
  ['rows of one of several tables', merged(1).sql],
  ['a count', 'SELECT COUNT(*) FROM "books" AS a0 WHERE a0."kind" = ?'],
  ['a list without a page', 'SELECT a0."id" FROM "books" AS a0 WHERE a0."kind" = ? ORDER BY a0."id"'],
  ['groups', 'SELECT a0."kind", COUNT(*) FROM "books" AS a0 WHERE a0."kind" = ? GROUP BY a0."kind" LIMIT ?'],
  [
    'a table without ids',
    'SELECT a0."owner_id" FROM "book_tags" AS a0 WHERE a0."target_id" = ? ORDER BY a0."owner_id" LIMIT ?',
  ],
])('does not split %s', (_name, sql) => expect(deferredJoin(sql, library)).toBeUndefined());
