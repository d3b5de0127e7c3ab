// What only servers do: pools, lost connections, several hosts, several processes. Runs on those that the environment names.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import type { Predicate, Query } from '../../../src/model/query.js';
import type { Store, Transaction } from '../../../src/model/store.js';
import type { ColumnModel } from '../../../src/model/table.js';
import { DATA_VERSION } from '../../../src/storage/sql/data-version.js';
import type { Hosts } from '../../../src/storage/pool/hosts.js';
import type { Database, Session } from '../../../src/storage/pool/database.js';
import type { ServerStore } from '../../../src/storage/pool/store.js';
import { openStore } from '../../../src/storage/open-store.js';
import { MysqlSession } from '../../../src/storage/mysql/session.js';
import { runSql, availableEngines, openConnection } from '../../support/fresh-database.js';
import { books, library, on, tablesOf, tags, type OpenDatabase } from './library.js';
import { Proxy, serverOf, through } from './proxy.js';

const ALL: Predicate = { op: 'true' };
const eq = (column: string, value: any): Predicate => ({ op: 'eq', column, value });
const put = (store: Store, title: string): Promise<number> => store.transaction((tx) => tx.insert('books', { title }));
const servers = availableEngines().filter((engine) => engine !== 'sqlite');

const each = servers.length > 0 ? describe.each(servers) : describe.skip.each(['mysql', 'postgres'] as const);

each('a store on the server %s', (engine) => {
  const { withDatabase, withStore } = on(engine);
  const sleeping = engine === 'mysql' ? 'SELECT SLEEP(?)' : 'SELECT pg_sleep($1)';

  /** A store whose connections run through a proxy. */
  async function withProxy(work: (store: Store, proxy: Proxy, database: OpenDatabase) => Promise<void>): Promise<void> {
    await withDatabase(async (database) => {
      const proxy = await Proxy.before(serverOf(database.url));
      const store = await openStore(through(database.url, proxy.port), { pool: 4 }, library);
      try {
        await work(store, proxy, database);
      } finally {
        proxy.cutAfter = () => false;
        await store.close();
        await proxy.close();
      }
    });
  }

  it('returns 503 for reads and writes after it is closed, as while the server is unavailable', async () => {
    await withDatabase(async (database) => {
      const store = await database.open();
      await store.close();
      const late = { code: 'rest_unavailable', status: 503 };
      await expect(put(store, 'late')).rejects.toMatchObject(late);
      await expect(store.reader.count('books', ALL)).rejects.toMatchObject(late);
    });
  });

  it('reads versions and rate counters once for concurrent requests, even when the first of them has left', async () => {
    await withDatabase(async (database) => {
      const statements: string[] = [];
      const store = await database.open(library, { pool: 4, onStatement: (sql) => statements.push(sql) });
      try {
        const gone = store.reader.for!({ client: 'one', hasLeft: true });
        const readers = [gone, store.reader, store.reader.for!({ client: 'two' })];
        statements.length = 0;
        const versions = await Promise.all(readers.map((reader) => reader.version!(['books'])));
        const counters = await Promise.all(readers.map(() => store.rateCounters!.add('a', 0, 60)));
        expect(statements.filter((sql) => /typecase_(versions|tallies)/.test(sql))).toHaveLength(2);
        expect(new Set(versions).size).toBe(1);
        expect(counters).toEqual(readers.map(() => ({ count: 0, reset: 60 })));
        await put(store, 'new');
        expect(await store.reader.version!(['books'])).not.toEqual(versions[0]);
      } finally {
        await store.close();
      }
    });
  });

  it('updates statistics of growing tables, and vacuums them, even with autovacuum off', async () => {
    if (engine === 'mysql') return;
    await withDatabase(async (database) => {
      const store = await database.open();
      const known = async (what: 'reltuples' | 'relallvisible') =>
        Number((await runSql(database.url, `SELECT ${what} FROM pg_class WHERE relname = 'books'`))[0]![what]);
      const until = async (what: 'reltuples' | 'relallvisible', least: number) => {
        for (let tries = 0; tries < 400 && (await known(what)) < least; tries++) await sleep(50);
        expect(await known(what)).toBeGreaterThanOrEqual(least);
      };
      try {
        await runSql(database.url, 'ALTER TABLE books SET (autovacuum_enabled = off)');
        await put(store, 'first');
        await runSql(database.url, 'ANALYZE books');
        expect(await known('reltuples')).toBe(1);
        // Long enough that the table has several times as many pages.
        const title = 'x'.repeat(200);
        for (let n = 0; n < 13; n++)
          await Promise.all(Array.from({ length: 200 }, (_, at) => put(store, `${title.slice(8)}${n} ${at}`)));
        await until('reltuples', 401);
        await until('relallvisible', 1);
      } finally {
        await store.close();
      }
    });
  });

  it('has statistics of filled tables after it is opened', async () => {
    if (engine === 'mysql') return;
    await withDatabase(async (database) => {
      const sampled = async () =>
        (
          await runSql(
            database.url,
            `SELECT relname FROM pg_class WHERE relname IN ('books', 'book_tags') AND reltuples >= 0`,
          )
        ).length;
      const first = await database.open();
      await first.close();
      // Rows that came past every store, into a table without statistics.
      await runSql(database.url, `TRUNCATE books`);
      await runSql(database.url, `INSERT INTO books (title) SELECT 'x' FROM generate_series(1, 20)`);
      expect(await sampled()).toBe(0);
      const second = await database.open();
      try {
        for (let tries = 0; tries < 100 && (await sampled()) === 0; tries++) await sleep(50);
        expect(await sampled()).toBe(1);
      } finally {
        await second.close();
      }
    });
  });

  it('serves the first request after its connections died', async () => {
    await withProxy(async (store, proxy) => {
      for (let round = 1; round <= 5; round++) {
        proxy.cut();
        if (round % 2 === 0) await sleep(20);
        expect(await put(store, `t${round}`)).toBeGreaterThan(0);
        proxy.cut();
        expect(await Promise.all(Array.from({ length: 8 }, () => store.reader.count('books', ALL)))).toEqual(
          Array(8).fill(round),
        );
      }
    });
  });

  it('retries a transaction whose connection died before the commit', async () => {
    await withProxy(async (store, proxy) => {
      let tries = 0;
      await store.transaction(async (tx) => {
        await tx.insert('books', { title: 'x' });
        if (++tries === 1) proxy.cut();
        await tx.insert('books', { title: 'y' });
      });
      expect(tries).toBe(2);
      expect(await store.reader.count('books', ALL)).toBe(2);
    });
  });

  it('never retries a transaction whose commit has no response', async () => {
    await withProxy(async (store, proxy) => {
      let tries = 0;
      proxy.cutAfter = (sent) => /COMMIT(?!TED)/.test(sent.toString('latin1'));
      const lost = store.transaction(async (tx) => {
        tries++;
        await tx.insert('books', { title: 'x' });
      });
      await expect(lost).rejects.toMatchObject({ code: 'rest_unavailable', status: 503, headers: {} });
      proxy.cutAfter = () => false;
      expect(tries).toBe(1);
      expect(await store.reader.count('books', ALL)).toBe(1);
    });
  });

  it('retries a transaction whose last writes reached a host that had become read-only', async () => {
    await withStore(async (store, database) => {
      const id = await put(store, 'x');
      const statements =
        engine === 'mysql'
          ? [
              "CREATE TRIGGER shut BEFORE UPDATE ON books FOR EACH ROW BEGIN IF NEW.title = 'first' THEN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1290; END IF; END",
            ]
          : [
              "CREATE FUNCTION shut() RETURNS trigger AS $$ BEGIN IF NEW.title = 'first' THEN RAISE EXCEPTION 'shut' USING ERRCODE = '25006'; END IF; RETURN NEW; END $$ LANGUAGE plpgsql",
              'CREATE TRIGGER shut BEFORE UPDATE ON books FOR EACH ROW EXECUTE FUNCTION shut()',
            ];
      for (const sql of statements) await runSql(database.url, sql);
      const tried: string[] = [];
      await store.transaction(
        async (tx) => {
          const current = await tx.first('books', [...books.columns.keys()], eq('id', id));
          tried.push(tried.length === 0 ? 'first' : 'second');
          await tx.update('books', { title: tried.at(-1)! }, eq('id', id), current);
        },
        { names: ['x'] },
      );
      expect(tried).toEqual(['first', 'second']);
      expect(await store.reader.first('books', ['title'], eq('id', id))).toEqual({ title: 'second' });
    });
  });

  it('commits nothing of a transaction that a deadlock has ended, nor of its concurrent writes', async () => {
    await withStore(async (store) => {
      const [one, two] = [await put(store, 'one'), await put(store, 'two')];
      const mark = (tx: Transaction, isbn: string, id: number) => tx.update('books', { isbn }, eq('id', id));
      // The larger of the two, so that the server ends the other one.
      const large = store.transaction(
        async (tx) => {
          for (let n = 0; n < 50; n++) await tx.insert('books', { title: 'many' });
          await mark(tx, 'a', two);
          await sleep(300);
          await mark(tx, 'b', one);
        },
        { names: ['large'] },
      );
      await sleep(100);
      const small = store.transaction(
        async (tx) => {
          await mark(tx, 'c', one);
          await Promise.all([mark(tx, 'd', two), sleep(20).then(() => tx.insert('books', { title: 'once' }))]);
        },
        { names: ['small'] },
      );
      await Promise.all([large, small]);
      const once: Query = { table: 'books', columns: ['title'], where: eq('title', 'once'), order: [] };
      expect(await store.reader.select(once)).toHaveLength(1);
      expect(await store.transaction((tx) => tx.wrongCounters())).toEqual([]);
    });
  });

  it('returns 503 while its user has as many connections as the server allows', async () => {
    await withDatabase(async (database) => {
      await (await database.open()).close();
      const name = `typecase_few_${process.pid}`;
      const { pathname } = new URL(database.url);
      const rights =
        engine === 'mysql'
          ? [
              `CREATE USER ${name}@'%' IDENTIFIED BY 'few' WITH MAX_USER_CONNECTIONS 1`,
              `GRANT ALL ON ${pathname.slice(1)}.* TO ${name}@'%'`,
            ]
          : [
              `CREATE ROLE ${name} LOGIN PASSWORD 'few' CONNECTION LIMIT 1`,
              `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${name}`,
            ];
      for (const sql of rights) await runSql(database.url, sql);
      const url = new URL(database.url);
      Object.assign(url, { username: name, password: 'few' });
      const store = await database.open(library, { migrate: 'off' }, url.href);
      const free = store.transaction(async (tx) => {
        await expect(
          store.reader.select({ table: 'books', columns: ['id'], where: ALL, order: [] }),
        ).rejects.toMatchObject({ code: 'rest_unavailable', status: 503 });
        return tx.count('books', ALL);
      });
      try {
        expect(await free).toBe(0);
      } finally {
        await store.close();
        await runSql(database.url, engine === 'mysql' ? `DROP USER ${name}@'%'` : `DROP OWNED BY ${name}`);
        if (engine === 'postgres') await runSql(database.url, `DROP ROLE ${name}`);
      }
    });
  });

  it('returns 503 while the server is unavailable, and serves when it returns', async () => {
    await withDatabase(async (database) => {
      const first = await Proxy.before(serverOf(database.url));
      const store = await openStore(through(database.url, first.port), { pool: 4 }, library);
      await first.close();
      await expect(store.reader.count('books', ALL)).rejects.toMatchObject({ code: 'rest_unavailable' });
      await expect(put(store, 'x')).rejects.toMatchObject({
        code: 'rest_unavailable',
        headers: { 'Retry-After': '1' },
      });
      const second = await Proxy.before(serverOf(database.url), first.port);
      expect(await put(store, 'y')).toBeGreaterThan(0);
      await store.close();
      await second.close();
    });
  });

  it('waits at startup for a server that does not respond yet', async () => {
    await withDatabase(async (database) => {
      const reserved = await Proxy.before(serverOf(database.url));
      await reserved.close();
      const reasons: string[] = [];
      const opening = openStore(
        through(database.url, reserved.port),
        { pool: 4, onWait: (reason) => reasons.push(reason) },
        library,
      );
      await sleep(1_200);
      const proxy = await Proxy.before(serverOf(database.url), reserved.port);
      const store = await opening;
      expect(reasons.length).toBeGreaterThanOrEqual(2);
      expect(reasons[0]).toContain('ECONNREFUSED');
      expect(await put(store, 'x')).toBe(1);
      await store.close();
      await proxy.close();
    });
  });

  it('reports errors that waiting cannot fix at once', async () => {
    await withDatabase(async (database) => {
      const url = `${database.url}_not_there`;
      await expect(openStore(url, { pool: 2 }, library)).rejects.toMatchObject({
        problems: [{ path: 'DATABASE_URL', hint: expect.stringContaining('create the database') }],
      });
    });
  });

  it('uses the host that responds, and another one when it fails', async () => {
    await withDatabase(async (database) => {
      const [dead, one, two] = await Promise.all([1, 2, 3].map(() => Proxy.before(serverOf(database.url))));
      await dead!.close();
      const hosts = [dead, one, two].map((proxy) => `127.0.0.1:${proxy!.port}`).join(',');
      const store = await openStore(database.url.replace(/@[^/]+/, `@${hosts}`), { pool: 4 }, library);
      await put(store, 'x');
      await one!.close();
      await put(store, 'y');
      expect(await store.reader.count('books', ALL)).toBe(2);
      await store.close();
      await two!.close();
    });
  });

  it('closes connections to a host that it no longer uses, including those being opened', async () => {
    await withDatabase(async (database) => {
      const [one, two] = await Promise.all([1, 2].map(() => Proxy.before(serverOf(database.url))));
      const hosts = [one, two].map((proxy) => `127.0.0.1:${proxy!.port}`).join(',');
      const store = (await openStore(database.url.replace(/@[^/]+/, `@${hosts}`), { pool: 4 }, library)) as ServerStore;
      const pool = store.database as Database & { target: { hosts: Hosts } };
      const busy: Session[] = [];
      while (pool.connections().idle > 0) busy.push(await pool.connect());
      one!.slowMs = 500;
      const connecting = pool.connect();
      await sleep(100);
      pool.target.hosts.failOver(pool.target.hosts.current);
      const session = await connecting;
      const asked: string[] = [];
      // Connections to the former host may be closed meanwhile, which is a message too.
      for (const [name, proxy] of Object.entries({ one, two })) {
        proxy!.cutAfter = (sent) => sent.includes("'which host'") && asked.push(name) < 0;
      }
      await session.exec("SELECT 'which host'");
      expect(asked).toEqual(['two']);
      for (const each of [session, ...busy]) each.release(false);
      await store.close();
      await Promise.all([one!.close(), two!.close()]);
    });
  });

  it('limits the wait of reads for a connection, while transactions continue', async () => {
    await withStore(
      async (store) => {
        const { connect } = (store as any).database;
        let release = (): void => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        const { database } = store as any;
        database.connect = async () => {
          const session = await connect.call(database);
          const { rows } = session;
          session.rows = async (sql: string, params: any) => {
            await held;
            return rows.call(session, sql, params);
          };
          return session;
        };
        const reads = [1, 2, 3].map(() => store.reader.count('books', ALL));
        await sleep(20);
        await expect(store.reader.count('books', ALL)).rejects.toMatchObject({ code: 'rest_unavailable' });
        database.connect = connect;
        expect(await put(store, 'x')).toBe(1);
        release();
        await Promise.all(reads);
      },
      { waitMs: 100 },
    );
  });

  it('serializes writes with other processes: values that were read do not change before the write', async () => {
    await withStore(async (store, database) => {
      const others = [await database.open(), await database.open()];
      const id = await put(store, 'x');
      const raise = (own: Store): Promise<void> =>
        own.transaction(async (tx) => {
          const row = await tx.first('books', ['loans'], eq('id', id));
          const taken = await tx.count('books', eq('isbn', `n${row!['loans']}`));
          if (taken === 0) await tx.insert('books', { title: 'y', isbn: `n${row!['loans']}` });
          await tx.update('books', { loans: row!['loans'] + 1 }, eq('id', id));
        });
      await Promise.all(Array.from({ length: 60 }, (_, i) => raise([store, ...others][i % 3]!)));
      expect(await store.reader.first('books', ['loans'], eq('id', id))).toEqual({ loans: 60 });
      expect(await others[0]!.reader.count('books', eq('kind', 'novel'))).toBe(61);
      for (const other of others) await other.close();
    });
  });

  it('can be opened by several processes at once', async () => {
    await withDatabase(async (database) => {
      const stores = await Promise.all(Array.from({ length: 5 }, () => database.open()));
      await Promise.all(stores.map((store, i) => put(store, `t${i}`)));
      expect(await stores[0]!.reader.count('books', ALL)).toBe(5);
      for (const store of stores) await store.close();
    });
  });

  it('does not wait at startup for a schema change of another database', async () => {
    if (engine !== 'mysql') return;
    await withDatabase(async (one) => {
      await withDatabase(async (other) => {
        const window = await openConnection(other.url);
        try {
          await window.runSql(`SELECT GET_LOCK(CONCAT('typecase.schema.', CRC32(DATABASE())), 100)`);
          await (await one.open()).close();
        } finally {
          await window.close();
        }
      });
    });
  });

  it('waits at startup for a schema change of another process, however long it takes', async () => {
    if (engine !== 'mysql') return;
    const { rows } = MysqlSession.prototype;
    const short = jest.spyOn(MysqlSession.prototype, 'rows').mockImplementation(function (
      this: MysqlSession,
      sql,
      params,
    ) {
      return rows.call(this, sql.replace(', 600)', ', 1)'), params);
    });
    await withDatabase(async (database) => {
      const other = await openConnection(database.url);
      try {
        await other.runSql(`SELECT GET_LOCK(CONCAT('typecase.schema.', CRC32(DATABASE())), 100)`);
        let opened = false;
        const opening = database.open().finally(() => (opened = true));
        opening.catch(() => undefined);
        await sleep(2_500);
        expect(opened).toBe(false);
        await other.runSql('SELECT RELEASE_ALL_LOCKS()');
        await (await opening).close();
      } finally {
        short.mockRestore();
        await other.close();
      }
    });
  });

  it('opens with a new column beside a writer, whichever of them a deadlock ends', async () => {
    await withDatabase(async (database) => {
      const store = await database.open();
      let begin!: () => void;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const writing = store.transaction(
        async (tx) => {
          await tx.lock(['one']);
          begin();
          // Meanwhile the other process changes the table, and waits for this transaction.
          await sleep(500);
          return tx.insert('books', { title: 'x' });
        },
        { names: [] },
      );
      await begun;
      const shelf: ColumnModel = { name: 'place', kind: 'varchar', length: 20, default: '' };
      const wider = { ...books, columns: new Map(books.columns).set('place', shelf) };
      const other = await database.open(tablesOf(wider, tags));
      expect(await writing).toBeGreaterThan(0);
      expect(await other.reader.count('books', eq('place', ''))).toBe(1);
      await other.close();
      await store.close();
    });
  });

  it('takes over the database of a release in which all transactions were serialized', async () => {
    await withDatabase(async (database) => {
      const before = await database.open();
      await put(before, 'x');
      await before.close();
      for (const table of ['typecase_versions', 'typecase_locks']) await runSql(database.url, `DROP TABLE ${table}`);
      await runSql(database.url, 'CREATE TABLE typecase_state (name varchar(20) PRIMARY KEY, n bigint)');
      await runSql(database.url, `INSERT INTO typecase_state VALUES ('version', 7)`);
      const stores = await Promise.all(Array.from({ length: 4 }, () => database.open()));
      await Promise.all(stores.map((store, i) => put(store, `t${i}`)));
      expect(await stores[0]!.reader.count('books', eq('kind', 'novel'))).toBe(5);
      await expect(runSql(database.url, 'SELECT n FROM typecase_state')).rejects.toThrow(/typecase_state/);
      for (const store of stores) await store.close();
    });
  });

  it('aborts statements that take too long', async () => {
    await withStore(async (store) => {
      const read = (store.reader as any).db.rows(sleeping, [30]);
      // MySQL's own sleep wakes up early instead of failing.
      if (engine === 'postgres') await expect(read).rejects.toMatchObject({ code: 'rest_unavailable' });
      else await Promise.resolve(read).catch((error) => expect(error).toMatchObject({ code: 'rest_unavailable' }));
    });
  });

  it('does not retry a statement that took too long', async () => {
    const columns = 'information_schema.COLUMNS';
    const slow =
      engine === 'mysql'
        ? `SELECT COUNT(*) FROM ${columns} AS a, ${columns} AS b, ${columns} AS c WHERE LENGTH(CONCAT(a.COLUMN_NAME, b.COLUMN_NAME, c.COLUMN_NAME)) > ?`
        : 'SELECT COUNT(*) FROM generate_series(1, 100000) AS a, generate_series(1, 100000) AS b WHERE a + b > $1';
    const said: string[] = [];
    await withStore(
      async (store) => {
        await expect((store.reader as any).db.rows(slow, [0])).rejects.toMatchObject({
          code: 'rest_unavailable',
          status: 503,
          message: expect.stringMatching(/narrow/i),
          headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
        });
        expect(said.filter((sql) => sql === slow)).toHaveLength(1);
        expect(await put(store, 'x')).toBeGreaterThan(0);
      },
      { statementMs: 300, slowMs: 0, onSlow: (sql) => said.push(sql) },
    );
  });

  it('scans texts once for the count and the pages of a search, until a write', async () => {
    const said: string[] = [];
    await withStore(
      async (store, database) => {
        const other = await database.open();
        const add = (own: Store, folded: string) => own.transaction((tx) => tx.insert('books', { folded }));
        for (const folded of ['a plum', 'a pear', 'plum jam']) await add(store, folded);
        const where: Predicate = { op: 'contains', column: 'folded', value: 'plum' };
        const page = async (direction: 'asc' | 'desc') =>
          (
            await store.reader.select({
              table: 'books',
              columns: ['folded'],
              where,
              order: [{ column: 'id', direction }],
              limit: 2,
            })
          ).map((row) => row['folded']);
        said.length = 0;
        expect(await store.reader.count('books', where)).toBe(2);
        expect(await page('asc')).toEqual(['a plum', 'plum jam']);
        expect(await page('desc')).toEqual(['plum jam', 'a plum']);
        expect(said.filter((sql) => /LOCATE|LIKE/.test(sql))).toHaveLength(1);
        await add(other, 'plum again');
        expect(await page('desc')).toEqual(['plum again', 'plum jam']);
        expect(await store.reader.count('books', where)).toBe(3);
        await other.close();
      },
      { slowMs: 0, onSlow: (sql) => said.push(sql) },
    );
  });

  it('reads pages from an index that serves their order, and without it when it has been dropped', async () => {
    await withStore(async (store, database) => {
      for (const title of ['a', 'b', 'c']) await put(store, title);
      const order = ['shelf', 'bought', 'id'].map((column) => ({ column, direction: 'desc' as const }));
      const page: Query = { table: 'books', columns: ['title'], where: eq('kind', 'novel'), order, limit: 2 };
      const found = [{ title: 'c' }, { title: 'b' }];
      expect(await store.reader.select(page)).toEqual(found);
      await runSql(database.url, engine === 'mysql' ? 'DROP INDEX books_kind ON books' : 'DROP INDEX books_kind');
      expect(await store.reader.select(page)).toEqual(found);
      expect(await store.transaction((tx) => tx.select(page))).toEqual(found);
      const first: Query = { table: 'books', columns: ['title'], where: eq('title', 'a'), order: [] };
      const together = store.transaction((tx) => Promise.all([tx.select(first), tx.select(page), tx.select(first)]));
      expect(await together).toEqual([[{ title: 'a' }], found, [{ title: 'a' }]]);
    });
  });

  it('reads all ids of a relation with the row, however many', async () => {
    await withStore(async (store, database) => {
      const id = await put(store, 'much read');
      // More than 1 MiB as a text, where MariaDB ends such texts by default; MySQL ends them at 1 KiB.
      const ids = Array.from({ length: 140_000 }, (_, at) => 9_000_000 + at);
      const pairs = ids.map((target) => `(${id}, ${target})`).join();
      await runSql(database.url, `INSERT INTO book_tags (owner_id, target_id) VALUES ${pairs}`);
      const query: Query = { table: 'books', columns: ['title'], where: eq('id', id), order: [] };
      const made = store.reader.made!(query, 1024, [{ table: 'book_tags', direction: 'asc' }]);
      const [row] = (await store.reader.run!(made, made.params))!;
      expect(String(row!.at(-1)) === ids.join()).toBe(true);
    });
  });

  it('does not change the version for a transaction that wrote nothing', async () => {
    await withStore(async (store) => {
      const version = (): Promise<unknown> => (store as any).database.source.query(DATA_VERSION);
      const before = await version();
      await store.transaction((tx) => tx.count('books', ALL));
      expect(await version()).toEqual(before);
      await put(store, 'x');
      expect(await version()).not.toEqual(before);
    });
  });

  it('changes the version of the written tables only', async () => {
    await withStore(async (store) => {
      const { reader } = store;
      const versions = () =>
        Promise.all([reader.version!(['books']), reader.version!(['book_tags']), reader.version!()]);
      await put(store, 'x');
      const before = await versions();
      const { reader: noting, tables } = reader.noting!();
      await noting.count('books', { op: 'contains', column: 'title', value: 'x' });
      expect([...tables]).toEqual(['books']);
      expect((await reader.versions!())!([...tables])).toBe(before[0]);
      await store.transaction((tx) => tx.insert('book_tags', { owner_id: 1, target_id: 1 }));
      const after = await versions();
      expect(after.map((version, at) => version === before[at])).toEqual([true, false, false]);
    });
  });

  it('runs transactions concurrently unless they share a lock or must run alone', async () => {
    await withStore(async (store, { open }) => {
      const other = await open();
      const running: string[] = [];
      const seen: string[] = [];
      const run = (own: Store, name: string, needs?: { names?: string[]; shared?: string[] }, alone = false) =>
        own.transaction(async (tx) => {
          if (alone) tx.alone();
          running.push(name);
          await tx.insert('books', { title: name });
          await sleep(300);
          seen.push(...running.filter((each) => each !== name).map((each) => [each, name].sort().join(' ')));
          running.splice(running.indexOf(name), 1);
        }, needs);
      await Promise.all([
        run(store, 'a', { names: ['one'] }),
        run(other, 'b', { names: ['one'] }),
        run(other, 'c', { names: ['two'], shared: ['one'] }),
        run(store, 'd', { shared: ['three'] }),
        run(other, 'e', { shared: ['three'] }),
      ]);
      expect(seen).toContain('d e');
      for (const pair of ['a b', 'a c', 'b c']) expect(seen).not.toContain(pair);
      seen.length = 0;
      await Promise.all([run(store, 'f'), run(other, 'g', { names: ['four'] }), run(other, 'h', {}, true)]);
      expect(seen).toEqual([]);
      expect(await store.reader.count('books', ALL)).toBe(8);
      await other.close();
    });
  });

  it('stores large rows, and refuses those that exceed the limit of the server (max_allowed_packet of MySQL)', async () => {
    await withStore(async (store, database) => {
      // 16M on MariaDB, 64M on MySQL, as they come.
      const sql = 'SELECT @@max_allowed_packet AS most';
      const most = engine === 'mysql' ? Number((await runSql(database.url, sql))[0]!['most']) : 16 * 1024 ** 2;
      const huge = 'x'.repeat(most + 1);
      const written = store.transaction((tx) => tx.insert('books', { folded: huge }));
      if (engine === 'mysql') await expect(written).rejects.toMatchObject({ code: 'rest_request_too_large' });
      else expect(await written).toBe(1);
      expect(await put(store, 'x')).toBeGreaterThan(0);
    });
  });

  it('creates the tables that TypeORM would create', async () => {
    await withStore(async (store) => {
      const { source } = (store as any).database;
      expect(source.hasMetadata('books')).toBe(true);
      const rows = await source.getRepository('books').find();
      expect(rows).toEqual([]);
    });
  });
});
