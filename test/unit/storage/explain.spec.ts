// Query plans in the same short words on every database, and pages far from the beginning.
import { describe, expect, it } from '@jest/globals';
import { explainQuery } from '../../../src/storage/explain-query.js';
import { planLines as mysqlLines } from '../../../src/storage/mysql/explain-plan.js';
import { planLines as postgresLines } from '../../../src/storage/postgres/explain-plan.js';
import { equals, oneOf, type OrderKey, type Predicate, type Query } from '../../../src/model/query.js';
import type { Store } from '../../../src/model/store.js';
import { runSql, availableEngines } from '../../support/fresh-database.js';
import { on, table, tablesOf } from './library.js';

const BOOKS = 3_000;
const ANALYZE = { sqlite: 'ANALYZE', mysql: 'ANALYZE TABLE books', postgres: 'ANALYZE books' };
const query: Query = { table: 'books', columns: ['id', 'title', 'shelf'], where: { op: 'true' }, order: [] };

describe.each(availableEngines())('%s', (engine) => {
  const { withStore } = on(engine);

  it('describes how a query is run, and flags full table scans', async () => {
    await withStore(async (store, { url }) => {
      await fill(store);
      await runSql(url, ANALYZE[engine]);
      const plan = (changes: Partial<Query>) => explainQuery(store, { ...query, ...changes });
      const lines = await plan({ where: { op: 'eq', column: 'isbn', value: 'isbn 7' } });
      expect(lines).toEqual([expect.stringMatching(/^SEARCH a0 USING INDEX books_isbn\b/)]);
      const scan = await plan({ where: { op: 'contains', column: 'title', value: '77' } });
      expect(scan).toEqual([expect.stringMatching(/^! SCAN a0\b/)]);
      const sorted = await plan({ order: [{ column: 'title', direction: 'asc' }] });
      expect(sorted).toHaveLength(2);
      const inner = { op: 'eq', column: 'target_id', value: 1 } as const;
      const tagged = await plan({
        where: { op: 'exists', table: 'book_tags', outer: 'id', inner: 'owner_id', where: inner },
      });
      expect(tagged.join('\n')).toMatch(/SEARCH a1/);
    });
  });

  it('finds the rows of deep pages in the same order', async () => {
    await withStore(async (store) => {
      await fill(store);
      const orders: OrderKey[][] = [
        [{ column: 'id', direction: 'desc' }],
        [
          { column: 'shelf', direction: 'asc' },
          { column: 'id', direction: 'asc' },
        ],
        [
          { column: 'shelf', direction: 'desc' },
          { column: 'id', direction: 'desc' },
        ],
        [
          { cases: [{ op: 'contains', column: 'title', value: '1' }], direction: 'asc' },
          { column: 'id', direction: 'asc' },
        ],
      ];
      for (const order of orders) {
        const where = { op: 'ne', column: 'kind', value: 'play' } as const;
        const all = await store.reader.select({ ...query, where, order });
        for (const offset of [99, 100, 101, 1_500, all.length - 3, all.length + 5]) {
          const page = await store.reader.select({ ...query, where, order, limit: 7, offset });
          expect(page).toEqual(all.slice(offset, offset + 7));
        }
      }
    });
  });

  it('compares the prefix of values that are too long for an index', async () => {
    const letters = table(
      'letters',
      [
        { name: 'id', kind: 'integer', primary: true },
        { name: 'subject', kind: 'varchar', length: 1_000, default: '' },
      ],
      [{ name: 'letters_subject', columns: ['subject', 'id'] }],
    );
    await withStore(
      async (store, { url }) => {
        const begin = 'x'.repeat(800);
        const subjects = Array.from({ length: 1_000 }, (_, at) => `${at % 500} ${at} ${begin}`);
        subjects.push(`${begin}a`, `${begin}b`, `${begin}a`);
        await store.transaction((tx) =>
          tx.insertMany(
            'letters',
            subjects.map((subject, at) => ({ id: at + 1, subject })),
          ),
        );
        await runSql(url, ANALYZE[engine].replace('books', 'letters'));
        const conditions: [Predicate, number[]][] = [
          [equals('subject', `${begin}a`), [1_001, 1_003]],
          [equals('subject', `${begin}c`), []],
          [oneOf('subject', [`${begin}b`, '7 7 ', `7 7 ${begin}`]), [8, 1_002]],
        ];
        for (const [where, ids] of conditions) {
          const asked: Query = {
            table: 'letters',
            columns: ['id'],
            where,
            order: [{ column: 'id', direction: 'asc' }],
          };
          expect((await store.reader.select(asked)).map(({ id }) => id)).toEqual(ids);
          expect((await explainQuery(store, asked)).join('\n')).toMatch(/SEARCH a0 USING (\w+ )?INDEX letters_subject/);
        }
      },
      {},
      tablesOf(letters),
    );
  });

  it('sorts only ids at random', async () => {
    await withStore(async (store) => {
      await fill(store);
      const where = { op: 'eq', column: 'kind', value: 'play' } as const;
      const draw = (offset: number) =>
        store.reader.select({ ...query, columns: ['id', 'kind'], where, order: [{ random: true }], limit: 20, offset });
      const [one, other] = [await draw(0), await draw(0)];
      expect(new Set(one.map((row) => row['id'])).size).toBe(20);
      expect(one.every((row) => row['kind'] === 'play')).toBe(true);
      expect(one).not.toEqual(other);
      expect(await draw(BOOKS)).toEqual([]);
    });
  });
});

async function fill(store: Store): Promise<void> {
  const rows = Array.from({ length: BOOKS }, (_, n) => ({
    title: `Book ${n}`,
    isbn: `isbn ${n}`,
    kind: n % 9 === 0 ? 'play' : 'novel',
    shelf: n % 5 === 0 ? null : `shelf ${(n * 7) % 40}`,
  }));
  const pairs = rows.map((_, n) => ({ owner_id: n + 1, target_id: n % 50 }));
  await store.transaction(async (tx) => {
    await tx.insertMany('books', rows);
    await tx.insertMany('book_tags', pairs);
  });
}

describe('the formats of the servers', () => {
  it('MariaDB has ten columns, MySQL twelve', () => {
    const mariadb = ['1', 'PRIMARY', 'a0', 'range', 'x,y', 'x', '162', null, 96, 'Using where; Using filesort'];
    const mysql = [
      '1',
      'PRIMARY',
      'a0',
      null,
      'range',
      'x,y',
      'x',
      '162',
      null,
      96,
      10.5,
      'Using where; Using filesort',
    ];
    for (const row of [mariadb, mysql])
      expect(mysqlLines([row] as any)).toEqual(['SEARCH a0 USING INDEX x (about 96 rows)', 'SORT']);
  });

  it('MySQL: whole tables, whole indexes, subqueries, no table at all', () => {
    const row = (kind: string, table: string | null, type: string | null, key: string | null, extra: string | null) =>
      [1, kind, table, type, null, key, null, null, 5, extra] as any;
    expect(
      mysqlLines([
        row('PRIMARY', 'a0', 'ALL', null, 'Using where'),
        row('PRIMARY', 'a1', 'index', 'by_name', null),
        row('DEPENDENT SUBQUERY', 'a2', 'eq_ref', 'PRIMARY', null),
        row('SIMPLE', null, null, null, 'Impossible WHERE'),
      ]),
    ).toEqual([
      '! SCAN a0 (about 5 rows)',
      'SCAN a1 USING INDEX by_name (about 5 rows)',
      '  SEARCH a2 USING INDEX PRIMARY (about 5 rows)',
      'Impossible WHERE',
    ]);
  });

  it('PostgreSQL: bitmaps, subplans, sorts', () => {
    const index = { 'Node Type': 'Bitmap Index Scan', 'Index Name': 'ix', 'Index Cond': 'x', 'Plan Rows': 4 };
    const heap = { 'Node Type': 'Bitmap Heap Scan', Alias: 'a0', 'Relation Name': 'books', Plans: [index] };
    const sub = { 'Node Type': 'Seq Scan', 'Parent Relationship': 'SubPlan', Alias: 'a1', 'Plan Rows': 9 };
    const plan = { 'Node Type': 'Limit', Plans: [{ 'Node Type': 'Incremental Sort', Plans: [{ ...heap }, sub] }] };
    expect(postgresLines([[JSON.stringify([{ Plan: plan }])]])).toEqual([
      'SORT',
      'SEARCH a0 USING INDEX ix (about 4 rows)',
      '  ! SCAN a1 (about 9 rows)',
    ]);
  });
});
