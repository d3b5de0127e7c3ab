// A file that is made read-only under a server: writes are refused as those of a database that takes none, and work again, without
// another start, once the rights are back.
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openSqliteStore, type SqliteStore } from '../../../src/storage/sqlite/store.js';
import { library, withFile } from './library.js';

const NOBODY = 65_534;
/** Permissions hold nobody back who is root. */
const isRoot = process.getuid?.() === 0;
const onPosix = process.platform !== 'win32' ? test : test.skip;

/** Gives the files of a database to the user that the test continues as. */
function become(folder: string): void {
  if (!isRoot) return;
  for (const path of [dirname(folder), folder, ...paths(folder)]) chownSync(path, NOBODY, NOBODY);
  process.seteuid!(NOBODY);
}

const paths = (folder: string) => readdirSync(folder).map((name) => join(folder, name));

onPosix.each(['full', 'normal'] as const)(
  'short writes succeed again once the permissions are restored (synchronous=%s)',
  async (synchronous) => {
    await withFile(async (file) => {
      await (await openSqliteStore(file, { synchronous }, library)).close();
      const store = await openSqliteStore(file, { synchronous }, library);
      // The connection of short transactions is not open yet.
      const insert = (title: string) => store.transaction((tx) => tx.insert('books', { title }), { names: ['a'] });
      become(dirname(file));
      for (const path of paths(dirname(file))) chmodSync(path, 0o400);
      try {
        await expect(insert('a')).rejects.toMatchObject({ code: 'rest_unavailable', status: 503 });
        await expect(insert('b')).rejects.toMatchObject({ code: 'rest_unavailable', status: 503 });
        for (const path of paths(dirname(file))) chmodSync(path, 0o600);
        // The connection that was opened meanwhile may still fail: it is the last to do so.
        await insert('c').catch(() => undefined);
        await insert('d');
        expect(await titles(store)).toContain('d');
        expect(await titles(store)).not.toContain('a');
      } finally {
        if (isRoot) process.seteuid!(0);
        await store.close();
      }
    });
  },
);

async function titles(store: SqliteStore): Promise<unknown[]> {
  const rows = await store.reader.select({ table: 'books', columns: ['title'], where: { op: 'true' }, order: [] });
  return rows.map(({ title }) => title);
}
