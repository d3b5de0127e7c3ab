// The index that a page is read in: found from its conditions and its order, or left to the planner.
import { describe, expect, it } from '@jest/globals';
import type { OrderKey, Predicate, Query } from '../../../src/model/query.js';
import { postgresDialect } from '../../../src/storage/postgres/dialect.js';
import { servingIndex } from '../../../src/storage/sql/serving-index.js';
import { Statements } from '../../../src/storage/sql/statements.js';
import { table, tablesOf } from './library.js';

const TABLE = table(
  'books',
  ['id', 'kind', 'shelf', 'bought', 'title'].map((name) => ({ name, kind: 'varchar', length: 20 })),
  [
    { name: 'by_kind_bought', columns: ['kind', 'bought', 'id'] },
    { name: 'by_kind_shelf_bought', columns: ['kind', 'shelf', 'bought', 'id'] },
    { name: 'by_kind_shelf_bought_title', columns: ['kind', 'shelf', 'bought', 'id', 'title'] },
    { name: 'by_title', columns: ['title'] },
    { name: 'words', columns: ['kind', 'title', 'id'], fulltext: true },
  ],
);
const eq = (column: string): Predicate => ({ op: 'eq', column, value: 'x' });
const lt = (column: string): Predicate => ({ op: 'lt', column, value: 'x' });
const all = (...of: Predicate[]): Predicate => ({ op: 'and', of });
const either = (...of: Predicate[]): Predicate => ({ op: 'or', of });
const by = (...columns: string[]): OrderKey[] => columns.map((column) => ({ column, direction: 'desc' }));
const mixed: OrderKey[] = [
  { column: 'bought', direction: 'desc' },
  { column: 'id', direction: 'asc' },
];

describe('the index of a page', () => {
  it.each<[string, Predicate, OrderKey[], string | undefined]>([
    ['begins with what is equal', eq('kind'), by('bought', 'id'), 'by_kind_bought'],
    ['has everything that is equal', all(eq('shelf'), eq('kind')), by('bought', 'id'), 'by_kind_shelf_bought'],
    ['serves a range of its order', all(eq('kind'), lt('bought')), by('bought', 'id'), 'by_kind_bought'],
    [
      'serves what comes behind a row',
      all(eq('kind'), lt('bought'), either(lt('bought'), all(eq('bought'), lt('id')))),
      by('bought', 'id'),
      'by_kind_bought',
    ],
    ['ends with the id, which need not be said', { op: 'true' }, by('title', 'id'), 'by_title'],
    ['passes over equal columns in the order', eq('kind'), by('kind', 'bought'), 'by_kind_bought'],
    ['is none for other conditions', all(eq('kind'), lt('shelf')), by('bought', 'id'), undefined],
    ['is none for a range behind the first key', all(eq('kind'), lt('id')), by('bought', 'id'), undefined],
    ['is none for a list of values', all(eq('kind'), { op: 'in', column: 'id', values: [1] }), by('bought'), undefined],
    ['is none for alternatives', either(eq('kind'), eq('shelf')), by('bought'), undefined],
    ['is none for two directions', eq('kind'), mixed, undefined],
    ['goes on with the order', eq('kind'), by('shelf'), 'by_kind_shelf_bought'],
    ['is none for an order without an index', eq('shelf'), by('bought'), undefined],
    ['is no full-text index', eq('kind'), by('title', 'id'), undefined],
    ['is none without an order', eq('kind'), [], undefined],
  ])('%s', (_name, where, order, name) => {
    expect(servingIndex(TABLE, { where, order })?.name).toBe(name);
  });

  it('is walked with any other conditions where most rows match', () => {
    const tagged: Predicate = { op: 'exists', table: 'tags', outer: 'id', inner: 'owner_id', where: eq('target_id') };
    const query = { where: all(tagged, eq('kind'), lt('shelf')), order: by('bought', 'id') };
    expect(servingIndex(TABLE, query)).toBeUndefined();
    expect(servingIndex(TABLE, { ...query, dense: true })?.name).toBe('by_kind_bought');
  });
});

describe('the limit of a page on PostgreSQL', () => {
  const PAIRS = table('pairs', [
    { name: 'owner_id', kind: 'integer' },
    { name: 'target_id', kind: 'integer' },
  ]);
  const tables = tablesOf(TABLE, PAIRS);
  const onPostgres = new Statements(postgresDialect(tables), tables);
  const tagged: Predicate = { op: 'exists', table: 'pairs', outer: 'id', inner: 'owner_id', where: { op: 'true' } };
  const kind = eq('kind');
  const order = by('bought', 'id');

  it.each<[string, Partial<Query>, RegExp]>([
    ['is part of the SQL where an index serves the page', {}, / LIMIT 10$/],
    ['is part of the SQL up to a hundred', { limit: 100 }, / LIMIT 100$/],
    ['is a parameter where it is unusual', { limit: 7 }, / LIMIT \$2$/],
    ['is a parameter where it is large', { limit: 110 }, / LIMIT \$2$/],
    ['is a parameter far down the list', { offset: 20 }, / LIMIT \$2 OFFSET \$3$/],
    ['is a parameter where no index serves the order', { order: by('shelf', 'id') }, / LIMIT \$2$/],
    ['is a parameter where other columns are compared', { where: all(kind, lt('title')) }, / LIMIT \$3$/],
    ['is a parameter where other tables may find fewer rows', { where: all(kind, tagged) }, / LIMIT \$2$/],
    [
      'is part of the SQL where other tables are checked per row',
      { where: all(kind, tagged), dense: true },
      / LIMIT 10$/,
    ],
    ['is a parameter without an order', { order: [] }, / LIMIT \$2$/],
  ])('%s', (_name, changes, end) => {
    const query = { table: 'books', columns: ['id'], where: kind, order, limit: 10, ...changes };
    expect(onPostgres.select(query).sql).toMatch(end);
  });

  it('is refused unless it is a non-negative integer', () => {
    for (const limit of [-10, 0.5, Number.NaN])
      expect(() => onPostgres.select({ table: 'books', columns: ['id'], where: kind, order, limit })).toThrow(
        TypeError,
      );
  });
});
