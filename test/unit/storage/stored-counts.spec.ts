// Counts that a row of another table stores are read there, but only for exactly the conditions that they count.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { and, equals, not, oneOf, or, type Predicate } from '../../../src/model/query.js';
import type { Store } from '../../../src/model/store.js';
import { openStore } from '../../../src/storage/open-store.js';
import { storedCountOf } from '../../../src/storage/reads/stored-counts.js';
import { type Engine, availableEngines, freshDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { books, table, tablesOf, tags } from './library.js';

const kept = {
  pairs: 'book_tags',
  where: and(equals('kind', 'novel'), equals('shelf', 'a')),
  table: 'tags',
  scope: equals('sort', 'word'),
  column: 'n',
  isAlone: () => true,
};
const counted = { ...books, countedBy: [kept] };
const words = table('tags', [
  { name: 'id', kind: 'integer', primary: true },
  { name: 'n', kind: 'integer', default: 0 },
  { name: 'sort', kind: 'varchar', length: 20, default: 'word' },
]);
const library = tablesOf(counted, words, tags);

const pair = (where: Predicate, change: object = {}): Predicate => ({
  op: 'exists',
  table: 'book_tags',
  outer: 'id',
  inner: 'owner_id',
  where,
  ...change,
});
const tagged = pair(equals('target_id', 7));
const [novel, shelved] = [equals('kind', 'novel'), equals('shelf', 'a')];

it('a count of other rows too is not the number of these rows', () => {
  const where = and(tagged, shelved, novel);
  expect(storedCountOf({ ...books, countedBy: [kept] }, where)).toMatchObject({ table: 'tags', column: 'n' });
  expect(storedCountOf({ ...books, countedBy: [{ ...kept, isAlone: () => false }] }, where)).toBeUndefined();
});

describe('a count is read from the row that stores it', () => {
  it.each<[string, Predicate]>([
    ['in any order', and(tagged, shelved, novel)],
    ['of one value of several allowed', and(novel, pair(oneOf('target_id', [7])), shelved)],
    ['of conditions within each other', { op: 'and', of: [novel, { op: 'and', of: [tagged, shelved] }] }],
    ['of a condition that is said twice', and(novel, shelved, tagged, novel)],
  ])('%s', (_name, where) => {
    expect(storedCountOf(counted, where)).toEqual({
      table: 'tags',
      column: 'n',
      row: and(equals('sort', 'word'), equals('id', 7)),
    });
  });

  it.each<[string, Predicate]>([
    ['fewer conditions', and(novel, tagged)],
    ['more conditions', and(novel, shelved, tagged, equals('lent', 1))],
    ['another value', and(equals('kind', 'poem'), shelved, tagged)],
    ['several values', and(oneOf('kind', ['novel', 'poem']), shelved, tagged)],
    ['several rows that count', and(novel, shelved, pair(oneOf('target_id', [7, 8])))],
    ['two tags', and(novel, shelved, tagged, pair(equals('target_id', 8)))],
    ['none of the tag', and(novel, shelved, not(tagged))],
    ['the tag or another condition', and(novel, shelved, or(tagged, equals('lent', 1)))],
    ['pairs of another table', and(novel, shelved, pair(equals('target_id', 7), { table: 'book_readers' }))],
    ['pairs by another column', and(novel, shelved, pair(equals('target_id', 7), { outer: 'parent' }))],
    ['no tag', and(novel, shelved)],
    ['the tag alone', tagged],
  ])('but not with %s', (_name, where) => {
    expect(storedCountOf(counted, where)).toBeUndefined();
  });
});

describe.each<Engine>(availableEngines())('on %s', (engine) => {
  let database: FreshDatabase;
  let store: Store;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    store = await openStore(database.url, { pool: 3 }, library);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  it('the stored number is used, or the rows are counted where there is none', async () => {
    const tag = await store.transaction(async (tx) => {
      const id = await tx.insert('books', { title: 'x', kind: 'novel', shelf: 'a' });
      const made = await tx.insert('tags', { n: 41 });
      await tx.insertMany('book_tags', [
        { owner_id: id, target_id: made },
        { owner_id: id, target_id: made + 1000 },
      ]);
      return made;
    });
    const of = (id: number) => and(novel, shelved, pair(equals('target_id', id)));
    expect(await store.reader.count('books', of(tag))).toBe(41);
    expect(await store.reader.count('books', of(tag + 1000))).toBe(1);
    await store.transaction(async (tx) => tx.add('tags', tag, 'n', 1));
    expect(await store.reader.count('books', of(tag))).toBe(42);
  });

  it('the number of another resource in the same table is not used', async () => {
    const other = await store.transaction((tx) => tx.insert('tags', { n: 7, sort: 'place' }));
    expect(await store.reader.count('books', and(novel, shelved, pair(equals('target_id', other))))).toBe(0);
  });

  it('a transaction counts the rows, because the number may be written at its end', async () => {
    await store.transaction(async (tx) => {
      const id = await tx.insert('books', { title: 'y', kind: 'novel', shelf: 'a' });
      const made = await tx.insert('tags', { n: 0 });
      await tx.insertMany('book_tags', [{ owner_id: id, target_id: made }]);
      tx.add('tags', made, 'n', 1);
      expect(await tx.count('books', and(novel, shelved, pair(equals('target_id', made))))).toBe(1);
    });
  });
});
