import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { StartupError } from '../../../src/errors/problem.js';
import type { Predicate, Row } from '../../../src/model/query.js';
import { explainQuery } from '../../../src/storage/explain-query.js';
import { openStore } from '../../../src/storage/open-store.js';
import { sqliteDialect } from '../../../src/storage/sqlite/dialect.js';
import { asFileError } from '../../../src/storage/sqlite/errors.js';
import { applySchema, type SqliteStore } from '../../../src/storage/sqlite/store.js';
import { library, withStore } from './library.js';

const ALL: Predicate = { op: 'true' };
const put = (store: SqliteStore, row: Row): Promise<number> => store.transaction((tx) => tx.insert('books', row));

describe('transactions', () => {
  it('replace a connection that cannot roll back', async () => {
    await withStore(async (store) => {
      await store.exclusive(async (db) => {
        const exec = db.exec.bind(db);
        db.exec = async (sql) => {
          if (sql === 'ROLLBACK') throw new Error('gone');
          await exec(sql);
        };
      });
      await expect(
        store.transaction(async (tx) => {
          await tx.insert('books', { title: 'x' });
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await put(store, { title: 'y' })).toBe(1);
      expect(await store.reader.count('books', ALL)).toBe(1);
    });
  });
});

describe('counts', () => {
  it('are recomputed after writes that bypass the store', async () => {
    await withStore(async (store, file) => {
      await put(store, { title: 'x' });
      const filtered: Predicate = { op: 'gt', column: 'id', value: 0 };
      expect(await store.reader.count('books', filtered)).toBe(1);
      const script = `new (require('libsql'))(process.argv[1]).exec("INSERT INTO books (kind) VALUES ('map')")`;
      await promisify(execFile)(process.execPath, ['-e', script, file]);
      expect(await store.reader.count('books', filtered)).toBe(2);
    });
  });
});

describe('full text', () => {
  it('is updated with the table', async () => {
    await withStore(async (store) => {
      const id = await put(store, { folded: 'first' });
      await store.transaction((tx) => tx.update('books', { folded: 'second' }, { op: 'eq', column: 'id', value: id }));
      await store.exclusive(
        async (db) =>
          void (await db.run(
            `INSERT INTO books_folded_fts (books_folded_fts, rank) VALUES ('integrity-check', 1)`,
            [],
          )),
      );
    });
  });

  it('is searched without scanning the table', async () => {
    await withStore(async (store) => {
      const one = (column: string): Predicate => ({ op: 'contains', column, value: 'abc' });
      const plan = async (where: Predicate): Promise<string> =>
        (await explainQuery(store, { table: 'books', columns: ['id'], where, order: [] })).join('\n');
      expect(await plan(one('folded'))).not.toContain('SCAN a0');
      expect(await plan(one('title'))).toContain('SCAN a0');
    });
  });
});

describe('the file', () => {
  it('is created with its folder and the given synchronous mode, once', async () => {
    await withStore(
      async (store, file) => {
        expect(existsSync(file)).toBe(true);
        const master = (): unknown =>
          store.readConnection.rows('SELECT name, sql FROM sqlite_master ORDER BY name', []);
        const before = master();
        await applySchema(store, library);
        expect(master()).toEqual(before);
        expect(
          await store.exclusive(async (db) => [
            await db.rows('PRAGMA synchronous', []),
            await db.rows('PRAGMA journal_mode', []),
          ]),
        ).toEqual([[[2]], [['wal']]]);
        expect(() => store.readConnection.exec('DELETE FROM books')).toThrow('readonly');
        const drift = await store.readConnection.source.driver.createSchemaBuilder().log();
        expect(drift.upQueries.map((query) => query.query)).toEqual([]);
      },
      { synchronous: 'full' },
    );
  });

  it.each([
    ['a folder', '.', /unable to open database file/],
    ['a text', 'text', /not a database \(restore the file/],
    ['below a file', 'text/x.sqlite', /mkdir/],
    // Node 20 made folders there for ever.
    ...(process.platform === 'linux'
      ? [['below /proc', '/proc/typecase/x.sqlite', /mkdir '.proc.typecase'/] as const]
      : []),
  ])('that is %s ends the start with a message', async (_, name, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'typecase-file-'));
    try {
      writeFileSync(join(folder, 'text'), 'no database, '.repeat(100));
      const opening = openStore(`sqlite:${resolve(folder, name)}`, { pool: 1 }, library);
      await expect(opening).rejects.toThrow(StartupError);
      await expect(opening).rejects.toThrow(
        `environment DATABASE_URL: the file ${resolve(folder, name)} cannot be used: `,
      );
      await expect(opening).rejects.toThrow(message);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('in a read-only folder is reported with an error number that libsql has no name for', () => {
    const error = Object.assign(new Error('attempt to write a readonly database'), {
      code: 'UNKNOWN_SQLITE_ERROR_1544',
    });
    expect(asFileError(error, 'x')).toBeInstanceOf(StartupError);
    expect(sqliteDialect.unwritableReason(error)).toBe('closed');
  });
});
