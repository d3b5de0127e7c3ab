// The settings of sessions on PostgreSQL. Runs where the environment names a server.
import { describe, expect, it } from '@jest/globals';
import type { ServerStore } from '../../../src/storage/pool/store.js';
import { runSql, availableEngines } from '../../support/fresh-database.js';
import { on, type OpenDatabase } from './library.js';

const sessions = availableEngines().includes('postgres') ? describe : describe.skip;
const CHOICES = `SELECT 'lz4' = ANY(enumvals) AS lz4 FROM pg_settings WHERE name = 'default_toast_compression'`;

sessions('a session on PostgreSQL', () => {
  const { withDatabase } = on('postgres');

  /** The method that a stored text of 16 KB is compressed with, and whether statements are compiled. */
  async function foundOf({ url, open }: OpenDatabase): Promise<{ method: unknown; jit: unknown }> {
    const store = (await open()) as ServerStore;
    try {
      const folded = 'a text that repeats itself, '.repeat(600);
      await store.transaction((tx) => tx.insert('books', { folded }));
      const [row] = await runSql(url, 'SELECT pg_column_compression(folded) AS method, folded FROM books');
      expect(row!['folded']).toBe(folded);
      const session = await store.database.connect();
      const [[jit] = []] = await session.rows('SHOW jit', []);
      session.release(false);
      return { method: row!['method'], jit };
    } finally {
      await store.close();
    }
  }

  it('compresses long texts with LZ4 where the server supports it, and disables JIT', () =>
    withDatabase(async (database) => {
      const [choices] = await runSql(database.url, CHOICES);
      expect(await foundOf(database)).toEqual({ method: choices?.['lz4'] ? 'lz4' : 'pglz', jit: 'off' });
    }));

  it('keeps the settings of the operator', () =>
    withDatabase(async (database) => {
      const name = new URL(database.url).pathname.slice(1);
      for (const chosen of [`default_toast_compression = 'pglz'`, 'jit = on'])
        await database.run(`ALTER DATABASE ${name} SET ${chosen}`);
      expect(await foundOf(database)).toEqual({ method: 'pglz', jit: 'on' });
    }));
});
