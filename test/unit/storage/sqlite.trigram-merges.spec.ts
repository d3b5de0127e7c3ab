// Segments of the trigram table: commits only add them, and the writing thread merges them in between.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Connection } from '../../../src/storage/sql/connection.js';
import {
  applySchema,
  openSqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
} from '../../../src/storage/sqlite/store.js';
import { TrigramMerges } from '../../../src/storage/sqlite/trigram-merges.js';
import type { SqliteWriter } from '../../../src/storage/sqlite/writer.js';
import type { Transaction } from '../../../src/model/store.js';
import { library, withFile, withStore } from './library.js';

const SEGMENTS = 'SELECT COUNT(DISTINCT segid) FROM books_folded_fts_idx';
const SETTINGS = `SELECT k, v FROM books_folded_fts_config WHERE k IN ('automerge', 'crisismerge') ORDER BY k`;
const OFF = [
  ['automerge', 0],
  ['crisismerge', 1000],
];

const settings = (store: SqliteStore): unknown => store.readConnection.rows(SETTINGS, []);

const segments = (store: SqliteStore): number => Number(store.readConnection.rows(SEGMENTS, [])[0]![0]);

/** Makes the index's setting `name` `value`, as something else than the store would. */
async function set(db: Connection, name: string, value: number): Promise<void> {
  await db.run(`INSERT INTO books_folded_fts (books_folded_fts, rank) VALUES ('${name}', ${value})`, []);
}

async function put(store: SqliteStore, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await store.transaction((tx) => tx.insert('books', { folded: `book number ${number} of pears` }));
}

/** Inserts `count` rows from another process, which merges nothing. */
async function writeBeside(file: string, count: number): Promise<void> {
  const script = `
    const db = new (require('libsql'))(process.argv[1], { timeout: 5_000 });
    for (let number = 0; number < ${count}; number += 1) db.exec("INSERT INTO books (folded) VALUES ('other')");`;
  await promisify(execFile)(process.execPath, ['-e', script, file]);
}

async function withFileOf(
  file: string,
  work: (store: SqliteStore) => Promise<void>,
  options: Partial<SqliteStoreOptions> = {},
): Promise<void> {
  const store = await openSqliteStore(file, { synchronous: 'normal', ...options }, library);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

describe('automatic merges of FTS5', () => {
  it('are turned off in a new file', async () => {
    await withStore(async (store) => expect(settings(store)).toEqual(OFF));
  });

  it('are turned off when a file is opened in which they are on', async () => {
    await withStore(async (store, file) => {
      await store.exclusive((db) => set(db, 'automerge', 4));
      await applySchema(store, library);
      expect(settings(store)).toEqual(OFF);
      await store.exclusive((db) => set(db, 'automerge', 4));
      await withFileOf(file, async (again) => expect(settings(again)).toEqual(OFF));
    });
  });

  it.each(['off', 'check'] as const)('are unchanged with DATABASE_MIGRATE=%s', async (mode) => {
    await withStore(async (store) => {
      await store.exclusive((db) => set(db, 'automerge', 4));
      await applySchema(store, library, { migrate: mode });
      expect(settings(store)).toContainEqual(['automerge', 4]);
    });
  });
});

describe('segments of trigram tables', () => {
  it('stay few while rows are written, and all rows are found', async () => {
    await withStore(async (store) => {
      await put(store, 100);
      await store.maintenance.merged;
      expect(segments(store)).toBeLessThan(32);
      const where = { op: 'contains', column: 'folded', value: 'of pears' } as const;
      expect(await store.reader.count('books', where)).toBe(100);
      await store.exclusive((db) => set(db, 'integrity-check', 1));
    });
  });

  it('of other processes are merged as well', async () => {
    await withStore(async (store, file) => {
      await writeBeside(file, 40);
      expect(segments(store)).toBe(40);
      await put(store, 8);
      await store.maintenance.merged;
      expect(segments(store)).toBeLessThan(16);
    });
  });

  it('in large numbers are merged at the start of a server, but not of a command', async () => {
    await withStore(async (store, file) => {
      await writeBeside(file, 40);
      await withFileOf(file, async () => expect(segments(store)).toBe(40), { statementMs: 0 });
      await withFileOf(file, ({ maintenance }) => maintenance.merged);
      expect(segments(store)).toBeLessThan(16);
    });
  });

  it('of a bulk transaction are merged in it', async () => {
    await withStore(
      async (store) => {
        for (let number = 0; number < 12; number += 1)
          await store.bulk((tx) => tx.insertMany('books', [{ folded: `bulk ${number}` }, { folded: 'pears' }]));
        expect(segments(store)).toBeLessThan(8);
      },
      { statementMs: 0 },
    );
  });

  it('of a bulk transaction are merged in it also when each row is read before the next one', async () => {
    await withStore(
      async (store) => {
        const write = async (tx: Transaction): Promise<void> => {
          for (let number = 0; number < 300; number += 1) {
            await tx.insert('books', { folded: `bulk ${number} of pears` });
            await tx.count('books', { op: 'eq', column: 'id', value: number });
          }
        };
        for (let round = 0; round < 6; round += 1) await store.bulk(write);
        expect(segments(store)).toBeLessThan(8);
      },
      { statementMs: 0 },
    );
  });

  it.each([
    ['with many pages at a time without other writers', { writes: [], segments: 4 }, [64, 64, 64, 64]],
    ['with few pages at a time beside other writers', { writes: [1, 2], segments: 4 }, [64, 16, 16, 64]],
    ['with many pages at a time when there are too many segments', { writes: [1, 2], segments: 200 }, [64, 64, 64, 64]],
  ])('are merged %s', async (_, { writes, segments: count }, expected) => {
    const merges = new TrigramMerges(library.values());
    const pages: number[] = [];
    let changes = 0;
    // An index with three steps of merges to do.
    const writer = {
      rows: async (sql: string) => [[sql.includes('total_changes') ? changes : count]],
      exec: async (sql: string) => {
        pages.push(Number(/'merge', (\d+)/.exec(sql)![1]));
        changes += pages.length < 4 ? pages.at(-1)! : 0;
      },
    } as unknown as SqliteWriter;
    await merges.all(async (step) => {
      const done = await step(writer);
      if (writes.includes(pages.length)) merges.isDue();
      return done;
    });
    expect(pages).toEqual(expected);
  });

  it('are merged beside another process without failed transactions', async () => {
    await withStore(async (store, file) => {
      await store.serve();
      const other = writeBeside(file, 400);
      let over = false;
      const end = (): boolean => (over = true);
      other.then(end, end);
      for (let number = 0; !over; number += 1)
        await store.transaction((tx) => tx.insert('books', { folded: `book number ${number} of pears` }));
      await other;
      await put(store, 16);
      expect(await store.reader.count('books', { op: 'eq', column: 'folded', value: 'other' })).toBe(400);
    });
  });

  it('are merged while others write, until the store closes', async () => {
    await withFile(async (file) => {
      const store = await openSqliteStore(file, { synchronous: 'normal' }, library);
      await Promise.all(Array.from({ length: 40 }, () => put(store, 2)));
      await store.close();
      await withFileOf(file, async (again) => {
        expect(await again.reader.count('books', { op: 'true' })).toBe(80);
        await again.exclusive((db) => set(db, 'integrity-check', 1));
      });
    });
  });
});
