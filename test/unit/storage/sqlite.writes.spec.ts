// Transactions that wait for each other share a COMMIT, and nothing else: one that fails undoes itself alone.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Predicate } from '../../../src/model/query.js';
import type { SqliteStore } from '../../../src/storage/sqlite/store.js';
import { books, library, table, tablesOf, withFile, withStore } from './library.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { SqliteWriter } from '../../../src/storage/sqlite/writer.js';
import { SqliteWrites } from '../../../src/storage/sqlite/writes.js';

const ALL: Predicate = { op: 'true' };
const insert = (store: SqliteStore, title: string): Promise<number> =>
  store.transaction((tx) => tx.insert('books', { title }));
const titles = async (store: SqliteStore): Promise<unknown[]> =>
  (await store.reader.select({ table: 'books', columns: ['title'], where: ALL, order: [] })).map((row) => row['title']);

/** The scripts that the writer runs meanwhile; `fail` may throw in place of one. */
async function scriptsDuring(
  store: SqliteStore,
  work: () => Promise<unknown>,
  fail: (sql: string, writer: SqliteWriter) => Promise<void> | void = () => undefined,
): Promise<string[]> {
  const ran: string[] = [];
  let restore = (): void => undefined;
  await store.exclusive(async (writer) => {
    const exec = writer.exec.bind(writer);
    writer.exec = async (sql) => {
      ran.push(sql);
      // The first one is the COMMIT of `exclusive` itself.
      if (ran.length > 1) await fail(sql, writer);
      await exec(sql);
    };
    restore = () => void (writer.exec = exec);
  });
  await work();
  restore();
  return ran.slice(1);
}

describe('transactions that wait together', () => {
  it('share a COMMIT', async () => {
    await withStore(async (store) => {
      const ran = await scriptsDuring(store, async () => {
        const ids = await Promise.all(['a', 'b', 'c', 'd'].map((title) => insert(store, title)));
        expect(ids).toEqual([1, 2, 3, 4]);
        expect(await titles(store)).toEqual(['a', 'b', 'c', 'd']);
      });
      expect(ran.filter((sql) => sql === 'COMMIT').length).toBeLessThan(4);
      expect(ran).toContain('SAVEPOINT member');
      expect(await store.transaction((tx) => tx.wrongCounters())).toEqual([]);
    });
  });

  it('are committed when the last waiting transaction gives up', async () => {
    await withFile(async (file) => {
      await (await openSqliteStore(file, { synchronous: 'normal' }, library)).close();
      const writes = new SqliteWrites({ file, synchronous: 'normal' }, 1_000, () => undefined);
      // Opens the connection, and holds the turn until the others wait.
      let queued!: () => void;
      const allQueued = new Promise<void>((resolve) => (queued = resolve));
      let begun!: () => void;
      const hasBegun = new Promise<void>((resolve) => (begun = resolve));
      const before = writes.alone(async () => {
        begun();
        await allQueued;
      });
      await hasBegun;
      const first = writes.together(async () => 'done');
      const second = writes.together(async (writer) => {
        const exec = writer.exec.bind(writer);
        // The group has been left open for the third one, which has given up when this completes.
        writer.exec = async (sql) => {
          await exec(sql);
          if (sql !== 'RELEASE member') return;
          writer.exec = exec;
          await third.catch(() => undefined);
        };
        return 'done';
      });
      const third = writes.together(async () => 'done');
      queued();
      await expect(third).rejects.toMatchObject({ code: 'rest_unavailable' });
      await expect(Promise.race([Promise.all([first, second]), sleep(5_000, 'hang', { ref: false })])).resolves.toEqual(
        ['done', 'done'],
      );
      await before;
      await writes.close(async () => undefined);
    });
  });

  it('are completed when the store is closed, however long they take', async () => {
    await withFile(async (file) => {
      const store = await openSqliteStore(file, { synchronous: 'normal', queueMs: 100 }, library);
      let begun!: () => void;
      const running = new Promise<void>((resolve) => (begun = resolve));
      const long = store.transaction(async (tx) => {
        await tx.insert('books', { title: 'long' });
        begun();
        await sleep(400);
      });
      await running;
      await store.close();
      await long;
      const again = await openSqliteStore(file, { synchronous: 'normal' }, library);
      expect(await titles(again)).toEqual(['long']);
      await again.close();
    });
  });

  it('are rolled back separately', async () => {
    await withStore(async (store) => {
      const failing = (title: string): Promise<number> =>
        store.transaction(async (tx) => {
          await tx.insert('books', { title });
          throw new Error(title);
        });
      const work = [insert(store, 'a'), failing('b'), insert(store, 'c'), failing('d'), insert(store, 'e')];
      const done = await Promise.allSettled(work);
      expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
      expect(await titles(store)).toEqual(['a', 'c', 'e']);
      expect(await store.transaction((tx) => tx.wrongCounters())).toEqual([]);
    });
  });

  it('complete after the COMMIT', async () => {
    await withStore(async (store) => {
      const seen: unknown[] = [];
      const one = async (title: string): Promise<void> => {
        await insert(store, title);
        seen.push((await titles(store)).includes(title));
      };
      await Promise.all(['a', 'b', 'c'].map(one));
      expect(seen).toEqual([true, true, true]);
    });
  });

  it('all fail when the COMMIT fails', async () => {
    await withStore(async (store) => {
      await scriptsDuring(
        store,
        async () => {
          const done = await Promise.allSettled(['a', 'b', 'c'].map((title) => insert(store, title)));
          expect(done.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
        },
        (sql) => {
          if (sql === 'COMMIT') throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
        },
      );
      expect(await titles(store)).toEqual([]);
      await insert(store, 'd');
      expect(await titles(store)).toEqual(['d']);
    });
  });

  it('are retried when another one of the group caused their rollback', async () => {
    await withStore(async (store) => {
      let fails = true;
      const calls: string[] = [];
      const noted = (title: string): Promise<number> =>
        store.transaction((tx) => {
          calls.push(title);
          return tx.insert('books', { title });
        });
      const undoAll = async (sql: string, writer: SqliteWriter): Promise<void> => {
        if (sql !== 'RELEASE member' || !fails) return;
        fails = false;
        // As SQLite does on some errors.
        await writer.exec('ROLLBACK');
        throw new Error('disk');
      };
      await scriptsDuring(
        store,
        async () => {
          const done = await Promise.allSettled(['a', 'b', 'c'].map(noted));
          expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        },
        undoAll,
      );
      expect(calls.filter((title) => title === 'a')).toHaveLength(2);
      expect((await titles(store)).sort()).toEqual(['a', 'c']);
    });
  });

  it('do not delay one that runs alone', async () => {
    await withStore(async (store) => {
      const order: string[] = [];
      const alone = (): Promise<void> => store.exclusive(async () => void order.push('alone'));
      await Promise.all([
        insert(store, 'a').then(() => order.push('a')),
        alone(),
        insert(store, 'b').then(() => order.push('b')),
      ]);
      expect(order.indexOf('alone')).toBeLessThan(order.indexOf('b'));
      expect(await titles(store)).toEqual(['a', 'b']);
    });
  });
});

describe('statistics of the planner', () => {
  const sampled = (store: SqliteStore): unknown =>
    store.readConnection.rows(`SELECT MAX(CAST(stat AS INTEGER)) FROM sqlite_stat1 WHERE tbl = 'books'`, [])[0]?.[0];
  const sampling = (store: SqliteStore): unknown[] => {
    const works: unknown[] = [];
    const writes = (store as any).writes;
    const between = writes.between.bind(writes);
    writes.between = (work: unknown) => (works.push(work), between(work));
    return works;
  };

  it('are sampled at the start only where a table has grown much', async () => {
    await withFile(async (file) => {
      const open = (): Promise<SqliteStore> => openSqliteStore(file, { synchronous: 'normal' }, tablesOf(books));
      let store = await open();
      // By a command that keeps no count of what it wrote.
      await store.exclusive(async (db) => {
        for (let n = 0; n < 600; n++) await db.exec(`INSERT INTO books (title) VALUES ('x')`);
      });
      await store.close();
      store = await open();
      await store.maintenance.sampled;
      // An estimate: not all pages are read.
      expect(sampled(store)).toBeGreaterThan(200);
      const works = sampling(store);
      await store.serve();
      await store.maintenance.sampled;
      expect(works).toEqual([]);
      await store.close();
    });
  });
});

describe('transactions of a command', () => {
  it('wait for another process without a limit', async () => {
    await withFile(async (file) => {
      const opening = { synchronous: 'normal', statementMs: 0 } as const;
      const stores = [await openSqliteStore(file, opening, library)];
      stores.push(await openSqliteStore(file, { ...opening, bulk: true }, library));
      const other = await SqliteWriter.open({ file, synchronous: 'normal' });
      await other.exec('BEGIN IMMEDIATE');
      // Longer than a client of a server would wait.
      const held = sleep(5_000).then(() => other.exec('ROLLBACK'));
      expect(await Promise.all(stores.map((store, at) => insert(store, `title ${at}`)))).toHaveLength(2);
      await held;
      await Promise.all([other, ...stores].map((each) => each.close()));
    });
  });
});

describe('changes of tables at a start', () => {
  it.each([
    ['SQLITE_FULL', 507],
    ['SQLITE_READONLY', 503],
  ])('fail at once on %s', async (code, status) => {
    await withStore(async (store) => {
      let tries = 0;
      const failing = store.changeTables(async () => {
        tries += 1;
        throw Object.assign(new Error('no'), { code });
      });
      await expect(failing).rejects.toMatchObject({ status, cause: { code } });
      expect(tries).toBe(1);
    });
  });

  it('wait for a process that has locked the file', async () => {
    await withStore(async (store) => {
      let tries = 0;
      const busy = store.changeTables(async () => {
        tries += 1;
        if (tries < 8) throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' });
        return 'done';
      });
      expect(await busy).toBe('done');
    });
  });
});

describe('a file with a text index of an earlier version', () => {
  it('gets a new index at the start', async () => {
    await withFile(async (file) => {
      const plain = table('books', [...books.columns.values()], [], books.counted);
      let store = await openSqliteStore(file, { synchronous: 'normal' }, tablesOf(plain));
      await store.exclusive(async (db) => {
        for (const sql of OLD_INDEX) await db.exec(sql);
      });
      await store.transaction((tx) => tx.insert('books', { folded: 'the quick brown fox' }));
      await store.close();
      store = await openSqliteStore(file, { synchronous: 'normal' }, tablesOf(books));
      const found = (value: string): Promise<number> =>
        store.reader.count('books', { op: 'contains', column: 'folded', value });
      expect([await found('quick bro'), await found('quick fox'), await found('fox')]).toEqual([1, 0, 1]);
      await store.transaction((tx) => tx.update('books', { folded: 'a lazy dog' }, ALL));
      expect([await found('quick'), await found('lazy dog')]).toEqual([0, 1]);
      const [[sql]] = store.readConnection.rows(
        `SELECT sql FROM sqlite_master WHERE name = 'books_folded_fts'`,
        [],
      ) as [[string]];
      expect(sql).toContain('detail=none');
      await store.close();
    });
  });
});

const OLD_INDEX = [
  `CREATE VIRTUAL TABLE "books_folded_fts" USING fts5("folded", content='books', content_rowid='id', tokenize='trigram')`,
  `CREATE TRIGGER "books_folded_fts_insert" AFTER INSERT ON "books" BEGIN INSERT INTO "books_folded_fts" (rowid, "folded") VALUES (new."id", new."folded"); END`,
  `CREATE TRIGGER "books_folded_fts_delete" AFTER DELETE ON "books" BEGIN INSERT INTO "books_folded_fts" ("books_folded_fts", rowid, "folded") VALUES ('delete', old."id", old."folded"); END`,
  `CREATE TRIGGER "books_folded_fts_update" AFTER UPDATE OF "folded" ON "books" WHEN old."folded" IS NOT new."folded" BEGIN INSERT INTO "books_folded_fts" ("books_folded_fts", rowid, "folded") VALUES ('delete', old."id", old."folded"); INSERT INTO "books_folded_fts" (rowid, "folded") VALUES (new."id", new."folded"); END`,
];
