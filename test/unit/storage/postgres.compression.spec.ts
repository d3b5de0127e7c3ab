// How PostgreSQL compresses the texts it stores. Runs where the environment names a server.
import { describe, expect, it } from '@jest/globals';
import { ask, enginesThere } from '../../support/fresh-database.js';
import { on, type OpenDatabase } from './library.js';

const compression = enginesThere().includes('postgres') ? describe : describe.skip;
const CHOICES = `SELECT 'lz4' = ANY(enumvals) AS lz4 FROM pg_settings WHERE name = 'default_toast_compression'`;

compression('a long text on PostgreSQL', () => {
  const { withDatabase } = on('postgres');

  /** The method that a stored text of 16 KB is compressed with. */
  async function methodOf({ url, open }: OpenDatabase): Promise<unknown> {
    const store = await open();
    try {
      const folded = 'a text that repeats itself, '.repeat(600);
      await store.transaction((tx) => tx.insert('books', { folded }));
      const [row] = await ask(url, 'SELECT pg_column_compression(folded) AS method, folded FROM books');
      expect(row!['folded']).toBe(folded);
      return row!['method'];
    } finally {
      await store.close();
    }
  }

  it('is compressed with LZ4 where the server has it', () =>
    withDatabase(async (database) => {
      const [choices] = await ask(database.url, CHOICES);
      expect(await methodOf(database)).toBe(choices?.['lz4'] ? 'lz4' : 'pglz');
    }));

  it('is compressed as the operator has chosen', () =>
    withDatabase(async (database) => {
      const name = new URL(database.url).pathname.slice(1);
      await database.run(`ALTER DATABASE ${name} SET default_toast_compression = 'pglz'`);
      expect(await methodOf(database)).toBe('pglz');
    }));
});
