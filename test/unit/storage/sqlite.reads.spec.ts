// Which reads of a SQLite file run beside the event loop, and what becomes of those that take too long.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { stat } from 'node:fs';
import type { OutputBudget } from '../../../src/model/operation.js';
import { oneOf, type OrderKey, type Predicate } from '../../../src/model/query.js';
import { isBounded } from '../../../src/storage/sqlite/cost.js';
import { sqliteDialect } from '../../../src/storage/sqlite/dialect.js';
import { SqliteReads } from '../../../src/storage/sqlite/reads.js';
import { SqliteScans } from '../../../src/storage/sqlite/scans.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { SqliteWriter } from '../../../src/storage/sqlite/writer.js';
import { Statements } from '../../../src/storage/sql/statements.js';
import { library, table, tablesOf, withFile, withStore } from './library.js';

const statements = new Statements(sqliteDialect, library);
const eq = (column: string, value: string | number): Predicate => ({ op: 'eq', column, value });
const gt = (column: string, value: string | number): Predicate => ({ op: 'gt', column, value });
const and = (...of: Predicate[]): Predicate => ({ op: 'and', of });
const up = (column: string): OrderKey => ({ column, direction: 'asc' });
const behind = (...columns: string[]): Predicate => ({
  op: 'tuple',
  columns,
  compare: 'lt',
  values: columns.map((column) => (column === 'id' ? 5 : '2020-01-01T00:00:00')),
});
const down = (column: string): OrderKey => ({ column, direction: 'desc' });
const ALL: Predicate = { op: 'true' };
const CONTAINS: Predicate = { op: 'contains', column: 'folded', value: 'abc' };
const TAGGED: Predicate = {
  op: 'exists',
  table: 'book_tags',
  inner: 'owner_id',
  outer: 'id',
  where: eq('target_id', 1),
};

function select(where: Predicate, order: OrderKey[] = [], limit?: number, offset?: number): string {
  return statements.select({ table: 'books', columns: ['id', 'title'], where, order, limit, offset }).sql;
}

describe('a read is bounded', () => {
  it.each<[string, string]>([
    ['by id', select(eq('id', 1))],
    ['by ids', select(oneOf('id', [3, 1, 2]), [up('title')])],
    ['by id, among other conditions', select(and(eq('id', 1), { op: 'or', of: [eq('kind', 'map'), TAGGED] }))],
    ['by a unique column', select(eq('isbn', 'x'))],
    [
      'by its owner',
      statements.select({ table: 'book_tags', columns: ['target_id'], where: oneOf('owner_id', [1, 2]), order: [] })
        .sql,
    ],
    [
      'with checks',
      statements.first({
        table: 'books',
        columns: ['id'],
        where: eq('id', 1),
        checks: { tagged: TAGGED, map: eq('kind', 'map') },
      }).sql,
    ],
    ['in the order of an index', select(and(eq('kind', 'map'), eq('shelf', 'a')), [down('bought'), down('id')], 10)],
    [
      'in that order, whatever the order of conditions',
      select(and(eq('shelf', 'a'), eq('kind', 'map')), [up('bought')], 10, 20),
    ],
    [
      'from a point of that order',
      select(and(eq('kind', 'map'), eq('shelf', 'a'), gt('bought', '2020')), [up('bought')], 10),
    ],
    [
      'behind a row in that order',
      select(and(eq('kind', 'map'), eq('shelf', 'a'), behind('bought', 'id')), [down('bought'), down('id')], 10),
    ],
    ['all, in the order of ids', select(ALL, [down('id')], 10)],
    ['none', select({ op: 'false' }, [], 1)],
    ['of a setting', 'PRAGMA data_version'],
  ])('%s', (_name, sql) => {
    expect({ sql, bounded: isBounded(sql, library) }).toEqual({ sql, bounded: true });
  });

  it('but not rows after a row in an order without an index', () => {
    const sql = select(and(eq('kind', 'map'), eq('shelf', 'a'), behind('title', 'id')), [down('bought')], 10);
    expect({ sql, bounded: isBounded(sql, library) }).toEqual({ sql, bounded: false });
  });

  it('for all rows of a table with one row per resource', () => {
    const books = library.get('books')!;
    const sql = 'SELECT a0."id" FROM "books" AS a0';
    expect(isBounded(sql, new Map([['books', books]]))).toBe(false);
    expect(isBounded(sql, new Map([['books', { ...books, small: true }]]))).toBe(true);
  });
});

describe('a read may take long', () => {
  it.each<[string, string]>([
    ['without a page', select(eq('kind', 'map'))],
    ['all of them', select(ALL)],
    ['in an order of no index', select(eq('kind', 'map'), [up('title')], 10)],
    ['in two directions', select(and(eq('kind', 'map'), eq('shelf', 'a')), [up('bought'), down('id')], 10)],
    ['past a gap in the index', select(eq('kind', 'map'), [up('bought')], 10)],
    ['with a condition of no index', select(and(eq('kind', 'map'), eq('loans', 3)), [up('shelf')], 10)],
    ['of one value or another', select(and(oneOf('kind', ['map', 'novel']), eq('shelf', 'a')), [up('bought')], 10)],
    ['with a condition on another table', select(and(eq('kind', 'map'), TAGGED), [], 10)],
    ['either of two conditions', select({ op: 'or', of: [eq('id', 1), eq('kind', 'map')] }, [], 10)],
    ['not one', select({ op: 'not', of: eq('id', 1) }, [], 10)],
    ['a search', select(CONTAINS, [], 10)],
    ['a search in one row', select(and(eq('id', 1), CONTAINS), [], 10)],
    ['by chance', select(ALL, [{ random: true }], 10)],
    ['far behind', select(ALL, [up('id')], 10, 1_000)],
    ['a number of rows', statements.count('books', [], eq('kind', 'map')).sql],
    ['an unknown table', 'SELECT a0."id" FROM "pets" AS a0 WHERE a0."id" = ?'],
  ])('%s', (_name, sql) => {
    expect({ sql, bounded: isBounded(sql, library) }).toEqual({ sql, bounded: false });
  });
});

/** A statement without an end. */
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n';

async function withScans(statementMs: number, work: (scans: SqliteScans) => Promise<void>): Promise<void> {
  await withFile(async (deep) => {
    const file = deep.replace('/deep/', '/');
    const writer = await SqliteWriter.open({ file, synchronous: 'normal' });
    await writer.exec('CREATE TABLE pets (name); INSERT INTO pets VALUES (1), (2)');
    const scans = new SqliteScans({ file, statementMs });
    try {
      await work(scans);
    } finally {
      await scans.close();
      await writer.close();
    }
  });
}

describe('scans', () => {
  it('abort a statement that takes too long with 503, and continue', async () => {
    await withScans(1_000, async (scans) => {
      await expect(scans.rows(ENDLESS, [])).rejects.toMatchObject({ code: 'rest_unavailable', status: 503 });
      expect(await scans.rows('SELECT name FROM pets', [])).toEqual([[1], [2]]);
    });
  });

  it('let fast statements overtake slow ones', async () => {
    await withScans(1_000, async (scans) => {
      const first = scans.rows(ENDLESS, []).catch(() => 'ended');
      expect(await first).toBe('ended');
      const slow = scans.rows(ENDLESS, []).catch(() => 'ended');
      const order = await Promise.race([slow, scans.rows('SELECT COUNT(*) FROM pets', [])]);
      expect(order).toEqual([[2]]);
      expect(await slow).toBe('ended');
    });
  });

  it('throw errors of the driver', async () => {
    await withScans(3_000, async (scans) => {
      await expect(scans.rows('SELECT nonsense', [])).rejects.toMatchObject({ code: 'SQLITE_ERROR' });
      await expect(scans.rows('DELETE FROM pets RETURNING name', [])).rejects.toMatchObject({
        code: 'SQLITE_READONLY',
      });
    });
  });

  it('continue while an idle process ends', async () => {
    await withScans(3_000, async (scans) => {
      expect(await scans.rows('SELECT name FROM pets', [])).toEqual([[1], [2]]);
      const { fast } = scans as any;
      fast.retire(fast.remote);
      expect(await scans.rows('SELECT name FROM pets', [])).toEqual([[1], [2]]);
    });
  });

  it('refuse statements after they were closed', async () => {
    await withScans(3_000, async (scans) => {
      await scans.close();
      await expect(scans.rows('SELECT 1', [])).rejects.toMatchObject({ status: 503 });
    });
  });
});

describe('reads', () => {
  it('run in a child process when they are unbounded and the file is large, or the text is long', async () => {
    await withStore(async (store) => {
      const went: string[] = [];
      const scans = { rows: async (sql: string) => (went.push(sql), []) } as unknown as SqliteScans;
      const reads = new SqliteReads(store.readConnection, scans, library);
      const search = 'SELECT a0."id" FROM "books" AS a0 WHERE a0."title" LIKE ?';
      expect(await reads.rows(search, ['%x%'])).toEqual([]);
      expect(went).toEqual([]);
      await reads.rows(search, ['x'.repeat(200)]);
      expect(went).toEqual([search]);
      await store.transaction((tx) => tx.insert('books', { title: 'x'.repeat(7 * 1024 ** 2) }));
      await reads.rows(search, ['%x%']);
      expect(went).toEqual([search, search]);
      expect(await reads.rows('SELECT a0."id" FROM "books" AS a0 WHERE a0."id" = ?', [1])).toEqual([[1]]);
      expect(went).toHaveLength(2);
    });
  });

  it('run in a child process for a while after three slow runs in a row, then for longer', async () => {
    await withStore(async (store) => {
      const went: string[] = [];
      let [ms, clock] = [50, 0];
      const here = { rows: () => ((clock += ms), [[1]]) } as any;
      const scans = { rows: async (sql: string) => (went.push(sql), [[1]]) } as unknown as SqliteScans;
      const reads = new SqliteReads(here, scans, store.statements.tables, () => clock);
      const byId = 'SELECT a0."id" FROM "books" AS a0 WHERE a0."id" = ?';
      for (const next of [50, 50, 0, 50, 50, 50]) {
        ms = next;
        expect(await reads.rows(byId, [1])).toEqual([[1]]);
        expect(went).toEqual([]);
      }
      /** Whether it ran elsewhere, `seconds` after the last time. */
      const isAway = async (seconds: number): Promise<boolean> => {
        clock += seconds * 1_000;
        went.length = 0;
        expect(await reads.rows(byId, [1])).toEqual([[1]]);
        return went.length > 0;
      };
      expect(await isAway(9)).toBe(true);
      // Tried again, and slow at once.
      expect(await isAway(2)).toBe(false);
      expect(await isAway(30)).toBe(true);
      ms = 0;
      expect(await isAway(11)).toBe(false);
      expect(await isAway(1)).toBe(false);
      ms = 50;
      for (let run = 0; run < 3; run++) expect(await isAway(0)).toBe(false);
      expect(await isAway(9)).toBe(true);
      ms = 0;
      expect(await isAway(2)).toBe(false);
    });
  });
});

function busy(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('a row that is read in pieces', () => {
  it('is consistent, whatever another process commits in between', async () => {
    const columns = ['one', 'two'];
    const drafts = table('drafts', [
      { name: 'id', kind: 'integer', primary: true },
      ...columns.map((name) => ({ name, kind: 'text' as const, default: '' })),
    ]);
    await withFile(async (file) => {
      let committed: Promise<unknown> | undefined;
      let commit: (() => Promise<unknown>) | undefined;
      const onStatement = (sql: string) => {
        if (!sql.includes('SUBSTR(CAST') || !commit) return;
        committed = commit();
        commit = undefined;
      };
      const store = await openSqliteStore(file, { synchronous: 'normal', onStatement }, tablesOf(drafts));
      const other = await SqliteWriter.openOnThisThread({ file, synchronous: 'normal' });
      try {
        const long = (letter: string) => letter.repeat(270 * 1024);
        const id = await store.transaction((tx) => tx.insert('drafts', { one: long('a'), two: long('a') }));
        const budget: OutputBudget = { bytes: 0, take: () => undefined };
        const read = () => store.reader.first('drafts', columns, eq('id', id), {}, budget);
        await read();
        const sql = 'UPDATE drafts SET one = ?, two = ? WHERE id = ?';
        commit = () => other.run(sql, [long('b'), long('b'), id]);
        const row = await read();
        await committed;
        expect([row!['one'][0], row!['two'][0]]).toEqual(['b', 'b']);
      } finally {
        await other.close();
        await store.close();
      }
    });
  });
});

describe('the data version', () => {
  it('includes commits of other processes, also late in a turn of the event loop', async () => {
    await withStore(async (store) => {
      const other = await SqliteWriter.openOnThisThread({ file: store.file, synchronous: 'normal' });
      const version = () => store.reader.version!(['books']);
      try {
        const [before, after] = await new Promise<unknown[]>((resolve) => {
          setImmediate(async () => {
            const first = await version();
            await other.run(`INSERT INTO books (title) VALUES ('x')`, []);
            // Read while this turn still runs: its callback comes before the next immediates.
            stat(store.file, async () => resolve([first, await version()]));
            busy(20);
          });
        });
        expect(after).not.toEqual(before);
      } finally {
        await other.close();
      }
    });
  });
});

describe('a search with cached ids', () => {
  it('does not show a row that was hidden after the version was read', async () => {
    await withFile(async (file) => {
      let committed: Promise<unknown> | undefined;
      let commit: (() => Promise<unknown>) | undefined;
      const onStatement = (sql: string) => {
        if (!sql.startsWith('PRAGMA data_version') || !commit) return;
        committed = commit();
        commit = undefined;
      };
      const store = await openSqliteStore(file, { synchronous: 'normal', onStatement }, library);
      const other = await SqliteWriter.openOnThisThread({ file, synchronous: 'normal' });
      try {
        await store.transaction((tx) => tx.insertMany('books', [{ kind: 'map', folded: 'needle', title: 'shown' }]));
        const where = and(eq('kind', 'map'), { op: 'contains', column: 'folded', value: 'needle' });
        const read = () => store.reader.select({ table: 'books', columns: ['title'], where, order: [] });
        expect(await store.reader.count('books', where)).toBe(1);
        expect(await read()).toEqual([{ title: 'shown' }]);
        await nextTurn();
        commit = () => other.run(`UPDATE books SET kind = 'draft', title = 'hidden'`, []);
        expect(await read()).toEqual([]);
        await committed;
      } finally {
        await other.close();
        await store.close();
      }
    });
  });
});
