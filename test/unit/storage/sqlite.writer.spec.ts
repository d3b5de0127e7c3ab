// The writing connection in its thread: outcomes and errors are those of the driver, and a thread that dies takes nothing with it.
import { describe, expect, it } from '@jest/globals';
import type { Predicate } from '../../../src/model/query.js';
import { UniqueViolation } from '../../../src/storage/sql/connection.js';
import { hasEnded, Remote } from '../../../src/storage/sqlite/remote.js';
import type { SqliteStore } from '../../../src/storage/sqlite/store.js';
import { SqliteWriter } from '../../../src/storage/sqlite/writer.js';
import { withFile, withStore } from './library.js';

const ALL: Predicate = { op: 'true' };

/** Runs `work` on a writer of its own, with one table. */
async function withWriter(work: (writer: SqliteWriter, file: string) => Promise<void>): Promise<void> {
  await withFile(async (deep) => {
    const file = deep.replace('/deep/', '/');
    const writer = await SqliteWriter.open({ file, synchronous: 'normal' });
    try {
      await writer.exec('CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT UNIQUE)');
      await work(writer, file);
    } finally {
      await writer.close();
    }
  });
}

/** Ends the thread of a store's writer, as a fault of the driver would. */
async function kill(store: SqliteStore): Promise<void> {
  await (store as any).writes.writer.remote.close();
}

describe('a writer', () => {
  it('returns rows, changes and ids, and reports whether a transaction is open', async () => {
    await withWriter(async (writer) => {
      expect(await writer.run('INSERT INTO pets (name) VALUES (?)', ['cat'])).toEqual({ changes: 1, id: 1 });
      expect(writer.inTransaction).toBe(false);
      await writer.exec('BEGIN IMMEDIATE');
      expect(writer.inTransaction).toBe(true);
      expect(await writer.run('UPDATE pets SET name = ?', ['dog'])).toMatchObject({ changes: 1 });
      await writer.exec('ROLLBACK');
      expect(writer.inTransaction).toBe(false);
      expect(await writer.rows('SELECT id, name, NULL, 1.5 FROM pets', [])).toEqual([[1, 'cat', null, 1.5]]);
      expect(writer.written).toBe(2);
    });
  });

  it('returns many and large rows in order', async () => {
    await withWriter(async (writer) => {
      const texts = Array.from({ length: 40 }, (_, i) => `${i}:${'ö'.repeat(i % 3 === 0 ? 300_000 : 10)}`);
      for (const text of texts) await writer.run('INSERT INTO pets (name) VALUES (?)', [text]);
      const rows = await writer.rows('SELECT name FROM pets ORDER BY id', []);
      expect(rows.map(([name]) => name)).toEqual(texts);
      const nothing = await writer.rows('SELECT name FROM pets WHERE id = ?', [0]);
      expect(nothing).toEqual([]);
    });
  });

  it('throws errors of the driver with their codes, and continues', async () => {
    await withWriter(async (writer) => {
      await writer.run('INSERT INTO pets (name) VALUES (?)', ['cat']);
      const again = writer.run('INSERT INTO pets (name) VALUES (?)', ['cat']);
      await expect(again).rejects.toThrow(UniqueViolation);
      await expect(again).rejects.toMatchObject({ table: 'pets', columns: ['name'] });
      await expect(writer.rows('SELECT nonsense FROM pets', [])).rejects.toMatchObject({
        code: 'SQLITE_ERROR',
        message: expect.stringContaining('nonsense'),
      });
      expect(await writer.rows('SELECT COUNT(*) FROM pets', [])).toEqual([[1]]);
    });
  });

  it('waits for another process, then reports that the file is busy', async () => {
    await withWriter(async (writer, file) => {
      await writer.serve();
      const other = await SqliteWriter.open({ file, synchronous: 'normal' });
      await other.exec('BEGIN IMMEDIATE');
      await expect(writer.exec('BEGIN IMMEDIATE')).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
      await other.close();
      await writer.exec('BEGIN IMMEDIATE');
    });
  });

  it('reports slow statements with their duration in the thread', async () => {
    await withFile(async (deep) => {
      const slow: string[] = [];
      const file = deep.replace('/deep/', '/');
      const writer = await SqliteWriter.open({
        file,
        synchronous: 'normal',
        slowMs: 0,
        onSlow: (sql) => slow.push(sql),
      });
      await writer.rows('SELECT 1', []);
      await writer.close();
      expect(slow).toEqual(['SELECT 1']);
    });
  });

  it('refuses a file that is not a database', async () => {
    await withFile(async (deep) => {
      const opening = SqliteWriter.open({ file: deep, synchronous: 'normal' });
      await expect(opening).rejects.toThrow('open');
    });
  });

  it('whose thread fails rejects its requests, and no promise that nobody awaits', async () => {
    await withFile(async (deep) => {
      const writer = await SqliteWriter.open({ file: deep.replace('/deep/', '/'), synchronous: 'normal' });
      const { remote } = writer as unknown as {
        remote: { channel: { post(request: unknown): void }; exited: unknown };
      };
      // Not a request: the thread throws.
      remote.channel.post(null);
      const error = await writer.rows('SELECT 1', []).catch((thrown: unknown) => thrown);
      expect([hasEnded(error), writer.ended]).toEqual([true, true]);
      await expect(remote.exited).resolves.toBeUndefined();
      await writer.close();
    });
  });

  it('rejects requests after its end', async () => {
    await withWriter(async (writer) => {
      await writer.close();
      const error = await writer.rows('SELECT 1', []).catch((thrown: unknown) => thrown);
      expect(hasEnded(error)).toBe(true);
      expect(writer.ended).toBe(true);
    });
  });
});

describe('a connection in a child process', () => {
  it('can be killed during a statement, and rejects all waiting requests', async () => {
    await withWriter(async (_writer, file) => {
      const opening = {
        file,
        synchronous: 'full',
        readOnly: true,
        busyMs: 100,
        cacheKiB: 1_000,
        statements: 5,
      } as const;
      const remote = await Remote.inProcess(opening);
      await expect(remote.request('run', 'DELETE FROM pets', [])).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
      const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n';
      const asked = [remote.request('rows', endless, []), remote.request('rows', 'SELECT 1', [])];
      const ends = Promise.all(asked.map((each) => each.catch((error: unknown) => hasEnded(error))));
      remote.kill();
      expect(await ends).toEqual([true, true]);
      await remote.close();
    });
  });
});

describe('a store whose writing thread dies', () => {
  it('rejects running transactions with 503, rolled back completely, and continues', async () => {
    await withStore(async (store) => {
      await store.transaction((tx) => tx.insert('books', { title: 'before' }));
      const dying = store.transaction(async (tx) => {
        await tx.insert('books', { title: 'lost' });
        await kill(store);
        await tx.insert('books', { title: 'lost as well' });
      });
      await expect(dying).rejects.toMatchObject({ code: 'rest_unavailable', status: 503 });
      await store.transaction((tx) => tx.insert('books', { title: 'after' }));
      expect(await store.reader.count('books', ALL)).toBe(2);
      expect(await store.transaction((tx) => tx.wrongCounters())).toEqual([]);
    });
  });

  it('continues when no transaction was running', async () => {
    await withStore(async (store) => {
      await kill(store);
      expect(await store.transaction((tx) => tx.insert('books', { title: 'x' }))).toBe(1);
    });
  });

  it('reports an unknown outcome for a change that was being committed', async () => {
    await withStore(async (store) => {
      const error = await store
        .exclusive(async (writer) => {
          const exec = writer.exec.bind(writer);
          writer.exec = async (sql) => {
            if (sql === 'COMMIT') await kill(store);
            await exec(sql);
          };
        })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'rest_unavailable', status: 503, headers: {} });
    });
  });
});
