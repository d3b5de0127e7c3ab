// A snapshot on every engine: one state however long it is read, and nobody waits for it.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Predicate } from '../../../src/model/query.js';
import type { Reader, Store } from '../../../src/model/store.js';
import { availableEngines } from '../../support/fresh-database.js';
import { on } from './library.js';

const ALL: Predicate = { op: 'true' };
const LIMIT_OF_MYSQL = `SHOW VARIABLES WHERE Variable_name IN ('max_statement_time', 'max_execution_time')`;
const book = (store: Store): Promise<void> =>
  store.transaction(async (tx) => {
    const id = await tx.insert('books', { title: 'x', loans: 1 });
    await tx.insert('book_tags', { owner_id: id, target_id: 1 });
  });

/** Books as rows, as their maintained count and as tags: three tables that one transaction writes. */
async function seen(reader: Reader): Promise<number[]> {
  const rows = await reader.select({ table: 'books', columns: ['id'], where: ALL, order: [] });
  return [
    rows.length,
    await reader.count('books', { op: 'eq', column: 'kind', value: 'novel' }),
    await reader.count('book_tags', ALL),
  ];
}

describe.each(availableEngines())('a snapshot on %s', (engine) => {
  const { withStore } = on(engine);

  it('shows one state while several processes write', async () => {
    await withStore(async (store, database) => {
      // Two connections of one process to one file would wait for each other without letting the other go on.
      const other = engine === 'sqlite' ? store : await database.open();
      await book(store);
      const stop = new AbortController();
      const writers = [...new Set([store, other])].map(async (own) => {
        let written = 0;
        for (; !stop.signal.aborted; written++) {
          await book(own);
          await turn();
        }
        return written;
      });
      try {
        for (let round = 0; round < 5; round++) {
          await store.snapshot(async (reader) => {
            const [first] = await seen(reader);
            // Somebody has written meanwhile, or nothing would be shown here.
            while ((await store.reader.count('books', ALL)) < first! + 5) await turn();
            expect(await seen(reader)).toEqual([first, first, first]);
          });
        }
      } finally {
        stop.abort();
      }
      const written = (await Promise.all(writers)).reduce((sum, n) => sum + n, 0);
      expect(written).toBeGreaterThan(0);
      const [rows, counted, tags] = await seen(store.reader);
      expect([counted, tags]).toEqual([rows, rows]);
      if (other !== store) await other.close();
    });
  });

  it('begins with the call, not with the first read', async () => {
    await withStore(async (store) => {
      await store.snapshot(async (reader) => {
        await book(store);
        expect(await seen(reader)).toEqual([0, 0, 0]);
      });
      expect(await seen(store.reader)).toEqual([1, 1, 1]);
    });
  });

  it('leaves the store unchanged, also when its work fails', async () => {
    await withStore(
      async (store) => {
        for (let round = 0; round < 4; round++)
          await expect(store.snapshot(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
        await book(store);
        expect(await seen(store.reader)).toEqual([1, 1, 1]);
      },
      { pool: 2 },
    );
  });

  if (engine !== 'sqlite')
    it('has no timeout, unlike other reads', async () => {
      await withStore(async (store) => {
        // MariaDB and MySQL call it by different names.
        const setting = engine === 'mysql' ? LIMIT_OF_MYSQL : 'SHOW statement_timeout';
        const limit = async (reader: Reader): Promise<number> =>
          Number.parseFloat((await (reader as any).db.rows(setting, []))[0].at(-1));
        expect(await store.snapshot(limit)).toBe(0);
        for (let read = 0; read < 4; read++) expect(await limit(store.reader)).toBeGreaterThan(0);
      });
    });
});
