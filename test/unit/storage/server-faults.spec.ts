// Servers that fail under load: killed connections, a dead host, a full pool, commits without a response. Nothing hangs, nothing is saved twice.
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Predicate } from '../../../src/model/query.js';
import type { Store } from '../../../src/model/store.js';
import { openStore } from '../../../src/storage/open-store.js';
import { administrator } from '../../support/actors.js';
import { startTestSite } from '../../support/start-test-site.js';
import { type Engine, availableEngines, openConnection, type DirectConnection } from '../../support/fresh-database.js';
import type { Sent } from '../../support/send.js';
import { library, on } from './library.js';
import { Proxy, serverOf, through } from './proxy.js';

const ALL: Predicate = { op: 'true' };
const servers = availableEngines().filter((engine) => engine !== 'sqlite');
const each = servers.length > 0 ? describe.each(servers) : describe.skip.each(['mysql', 'postgres'] as const);

/** Ends every connection to this database but the one that asks; returns how many. */
async function killAll(window: DirectConnection, engine: Engine): Promise<number> {
  if (engine === 'postgres') {
    const mine = 'datname = current_database() AND pid <> pg_backend_pid()';
    return (await window.runSql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${mine}`)).length;
  }
  const mine = 'DB = DATABASE() AND ID <> CONNECTION_ID()';
  const found = await window.runSql(`SELECT ID AS id FROM information_schema.PROCESSLIST WHERE ${mine}`);
  // One that has gone meanwhile is none.
  for (const { id } of found) await window.runSql(`KILL CONNECTION ${id}`).catch(() => undefined);
  return found.length;
}

/** Holds the lock of the whole site until the end of the transaction. */
function holdSite(engine: Engine): string {
  if (engine === 'postgres') return 'SELECT pg_advisory_xact_lock(7238202, 0)';
  return 'SELECT slot FROM typecase_locks WHERE slot = 0 FOR UPDATE';
}

/** Locks a table until the session ends. */
const LOCKED = {
  sqlite: [],
  mysql: ['LOCK TABLES books WRITE'],
  postgres: ['BEGIN', 'LOCK TABLE books IN ACCESS EXCLUSIVE MODE'],
};

/** Makes new connections to a database read-only. The setting of MySQL is for a whole server: it is one of the session here. */
const READ_ONLY: Record<Engine, (database: { url: string; run(sql: string): Promise<void> }, proxy: Proxy) => unknown> =
  {
    sqlite: () => undefined,
    mysql: (_, proxy) => {
      const isolation = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';
      const closed = 'SET SESSION TRANSACTION READ ONLY'.padEnd(isolation.length);
      proxy.rewritten = (sent) => Buffer.from(sent.toString('latin1').replace(isolation, closed), 'latin1');
    },
    postgres: ({ url, run }) =>
      run(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`),
  };

/** The first statement of a connection, and one that makes it read-only. */
const FIRST_STATEMENT: Record<Engine, [RegExp, string]> = {
  sqlite: [/./, ''],
  mysql: [/SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED/, 'SET SESSION TRANSACTION READ ONLY'],
  postgres: [/SELECT set_config\(name[^\0]*/, 'SET default_transaction_read_only = on'],
};

/** Connections of this database with a transaction that nobody works on. */
async function forgotten(window: DirectConnection, engine: Engine): Promise<number> {
  const sql =
    engine === 'postgres'
      ? `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`
      : `SELECT t.trx_id FROM information_schema.INNODB_TRX AS t JOIN information_schema.PROCESSLIST AS p ON p.ID = t.trx_mysql_thread_id WHERE p.DB = DATABASE()`;
  return (await window.runSql(sql)).length;
}

/** What writers and readers met. */
interface Load {
  saved: string[];
  unknown: string[];
  failedReads: unknown[];
  /** Ends the load and waits for it. */
  stop(): Promise<void>;
}

/** Writers and readers that go on until they are stopped; every title is written once. */
function load(store: Store): Load {
  let running = true;
  const met: Load = { saved: [], unknown: [], failedReads: [], stop: async () => undefined };
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; running; n++) {
      const title = `w${writer}-${n}`;
      try {
        await store.transaction(async (tx) => {
          const id = await tx.insert('books', { title });
          await tx.insert('book_tags', { owner_id: id, target_id: 1 });
        });
        met.saved.push(title);
      } catch (error) {
        // Anything but "try again" and "nobody knows" ends the test.
        expect(error).toMatchObject({ code: 'rest_unavailable', status: 503 });
        if (!(error as any).headers['Retry-After']) met.unknown.push(title);
      }
    }
  };
  const read = async (): Promise<void> => {
    while (running) await store.reader.select(BOOKS).catch((error) => met.failedReads.push(error));
  };
  const all = Promise.all([write(1), write(2), write(3), read(), read(), read()]);
  // Its failure is seen by whoever stops it.
  all.catch(() => undefined);
  met.stop = async () => {
    running = false;
    await all;
  };
  return met;
}

const BOOKS = { table: 'books', columns: ['title'], where: ALL, order: [] };

/** Everything acknowledged is there, once; what is there beside it are writes whose outcome nobody knew; counts are right. */
async function expectWhole(store: Store, { saved, unknown }: Load): Promise<void> {
  const there = (await store.reader.select(BOOKS)).map(({ title }) => String(title));
  expect(new Set(there).size).toBe(there.length);
  const seen = new Set(there);
  expect(saved.filter((title) => !seen.has(title))).toEqual([]);
  const known = new Set([...saved, ...unknown]);
  expect(there.filter((title) => !known.has(title))).toEqual([]);
  expect(await store.reader.count('book_tags', ALL)).toBe(there.length);
  expect(await store.transaction((tx) => tx.wrongCounters())).toEqual([]);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

each('the server %s', (engine) => {
  const { withDatabase, withStore } = on(engine);

  it('whose connections are all killed under load: reads continue, writes are saved once, no transaction stays open', async () => {
    await withStore(async (store, { url }) => {
      const window = await openConnection(url);
      const met = load(store);
      let killed = 0;
      for (let round = 0; round < 15; round++) {
        const before = met.saved.length;
        await until(() => met.saved.length > before + 3);
        killed += await killAll(window, engine);
      }
      const last = met.saved.length;
      await until(() => met.saved.length > last + 10);
      await met.stop();
      expect(killed).toBeGreaterThan(15);
      expect(met.failedReads).toEqual([]);
      await expectWhole(store, met);
      expect(await forgotten(window, engine)).toBe(0);
      await window.close();
    });
  });

  it('with two addresses, one of which fails under load', async () => {
    await withDatabase(async ({ url }) => {
      const [one, two] = [await Proxy.before(serverOf(url)), await Proxy.before(serverOf(url))];
      const hosts = [one, two].map(({ port }) => `127.0.0.1:${port}`).join(',');
      const store = await openStore(url.replace(/@[^/]+/, `@${hosts}`), { pool: 4 }, library);
      const met = load(store);
      await until(() => met.saved.length > 20);
      await one.close();
      const before = met.saved.length;
      await until(() => met.saved.length > before + 20);
      // Back again, and the other one goes.
      const again = await Proxy.before(serverOf(url), one.port);
      await two.close();
      const last = met.saved.length;
      await until(() => met.saved.length > last + 20);
      await met.stop();
      expect(met.failedReads).toEqual([]);
      await expectWhole(store, met);
      await store.close();
      await again.close();
    });
  });

  it('with two addresses, the first of which accepts no writes: the tables are created on the other', async () => {
    await withDatabase(async (database) => {
      const [closed, open] = [await Proxy.before(serverOf(database.url)), await Proxy.before(serverOf(database.url))];
      const [first, readOnly] = FIRST_STATEMENT[engine];
      // The texts of statements keep their lengths.
      closed.rewritten = (sent) =>
        Buffer.from(
          sent.toString('latin1').replace(first, (found) => readOnly.padEnd(found.length)),
          'latin1',
        );
      const hosts = [closed, open].map(({ port }) => `127.0.0.1:${port}`).join(',');
      const url = database.url.replace(/@[^/]+/, `@${hosts}`);
      const store = await openStore(url, { pool: 4, onWait: (reason) => expect(reason).toBe('none') }, library);
      await store.transaction((tx) => tx.insert('books', { title: 'x' }));
      expect(await store.reader.count('books', ALL)).toBe(1);
      await store.close();
      await closed.close();
      await open.close();
    });
  });

  it('is unavailable: the log gets the message of the driver without the statement', async () => {
    await withDatabase(async (database) => {
      const proxy = await Proxy.before(serverOf(database.url));
      const store = await database.open(library, {}, through(database.url, proxy.port));
      await proxy.close();
      const refused = { code: 'rest_unavailable', cause: `connect ECONNREFUSED 127.0.0.1:${proxy.port}` };
      await expect(store.reader.select(BOOKS)).rejects.toMatchObject(refused);
      await expect(store.transaction((tx) => tx.insert('books', { title: 'x' }))).rejects.toMatchObject(refused);
      await store.close();
    });
  });

  it('rejects logins: 503 until it accepts them again', async () => {
    await withDatabase(async (database) => {
      const proxy = await Proxy.before(serverOf(database.url));
      const store = await database.open(library, {}, through(database.url, proxy.port));
      // New connections ask for a database that is not there, whose name is as long.
      const name = new URL(database.url).pathname.slice(1);
      const other = `${name.slice(0, -1)}x`;
      proxy.rewritten = (sent) => Buffer.from(sent.toString('latin1').replace(name, other), 'latin1');
      proxy.cut();
      const refused = {
        code: 'rest_unavailable',
        headers: { 'Retry-After': '1' },
        cause: expect.stringContaining(other),
      };
      const write = () => store.transaction((tx) => tx.insert('books', { title: 'x' }));
      await expect(store.reader.select(BOOKS)).rejects.toMatchObject(refused);
      await expect(write()).rejects.toMatchObject(refused);
      proxy.rewritten = (sent) => sent;
      await write();
      expect(await store.reader.count('books', ALL)).toBe(1);
      await store.close();
      await proxy.close();
    });
  });

  it('is locked by one writer: the others get 503 with Retry-After in time', async () => {
    await withStore(
      async (store) => {
        let release = (): void => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        const holder = store.transaction(async (tx) => {
          await tx.insert('books', { title: 'held' });
          await held;
        });
        const others = Array.from({ length: 200 }, (_, i) =>
          store.transaction((tx) => tx.insert('books', { title: `t${i}` })),
        );
        for (const outcome of await Promise.allSettled(others)) {
          expect(outcome).toMatchObject({
            status: 'rejected',
            reason: { code: 'rest_unavailable', status: 503, headers: { 'Retry-After': '1' } },
          });
        }
        // Reads have a connection of their own.
        expect(await store.reader.count('books', ALL)).toBe(0);
        release();
        await holder;
        await store.transaction((tx) => tx.insert('books', { title: 'next' }));
        expect(await store.reader.count('books', ALL)).toBe(2);
      },
      { pool: 2, queueMs: 200 },
    );
  });

  it('is locked by another process: a writer waits, then gets 503 with Retry-After', async () => {
    await withStore(async (store, { url }) => {
      const window = await openConnection(url);
      await window.runSql('BEGIN');
      await window.runSql(holdSite(engine));
      const waiting = store.transaction((tx) => tx.insert('books', { title: 'x' }));
      await expect(waiting).rejects.toMatchObject({ code: 'rest_unavailable', headers: { 'Retry-After': '1' } });
      await window.runSql('ROLLBACK');
      await store.transaction((tx) => tx.insert('books', { title: 'x' }));
      expect(await store.reader.count('books', ALL)).toBe(1);
      await window.close();
    });
  });

  it('has a table that another session has locked: requests get 503 and the log names the lock', async () => {
    await withStore(async (store, { url }) => {
      const window = await openConnection(url);
      for (const sql of LOCKED[engine]) await window.runSql(sql);
      const refused = {
        code: 'rest_unavailable',
        message: expect.stringMatching(/busy/),
        headers: { 'Retry-After': '1' },
        cause: expect.stringMatching(/lock (wait )?timeout/i),
      };
      const writing = store.transaction((tx) => tx.insert('books', { title: 'x' }));
      const outcomes = await Promise.allSettled([store.reader.select(BOOKS), writing]);
      await window.close();
      for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: refused });
      await store.transaction((tx) => tx.insert('books', { title: 'x' }));
      expect(await store.reader.count('books', ALL)).toBe(1);
    });
  });

  it('has a table that another session has locked: a command waits for it, and reports it', async () => {
    await withDatabase(async ({ url }) => {
      const told: string[] = [];
      const store = await openStore(url, { pool: 4, statementMs: 0, onLong: (sql) => told.push(sql) }, library);
      const window = await openConnection(url);
      for (const sql of LOCKED[engine]) await window.runSql(sql);
      const work = store.transaction((tx) => tx.insert('books', { title: 'x' }));
      await until(() => told.some((sql) => sql.includes('books')));
      await window.close();
      await work;
      expect(await store.reader.count('books', ALL)).toBe(1);
      await store.close();
    });
  });

  it('has a locked table that a write only reads: the write is refused because of the lock', async () => {
    await withDatabase(async ({ url }) => {
      const site = await startTestSite('schemas', { DATABASE_URL: url });
      const window = await openConnection(url);
      try {
        for (const sql of LOCKED[engine]) await window.runSql(sql.replace('books', 'terms'));
        const as = administrator(site).headers;
        const { status, body, headers } = await site.send('PUT', '/posts/999', { as, body: { content: 'x' } });
        expect({ status, code: body.code, after: headers['retry-after'] }).toEqual({
          status: 503,
          code: 'rest_unavailable',
          after: '1',
        });
      } finally {
        await window.close();
        await site.close();
      }
    });
  });

  it('accepts no writes: they are refused with that reason, the message of the driver is logged, reads continue', async () => {
    await withDatabase(async (database) => {
      const proxy = await Proxy.before(serverOf(database.url));
      const store = await database.open(library, {}, through(database.url, proxy.port));
      await store.transaction((tx) => tx.insert('books', { title: 'x' }));
      await READ_ONLY[engine](database, proxy);
      proxy.cut();
      await expect(store.transaction((tx) => tx.insert('books', { title: 'y' }))).rejects.toMatchObject({
        code: 'rest_unavailable',
        status: 503,
        message: expect.stringMatching(/accepts no writes.*Nothing was changed/),
        headers: { 'Retry-After': '10' },
        cause: expect.stringMatching(/read.only transaction/i),
      });
      expect(await store.reader.count('books', ALL)).toBe(1);
      await store.close();
      await proxy.close();
    });
  });

  it('fails before the response to a commit: the client repeats with its key and gets the first response', async () => {
    await withDatabase(async ({ url }) => {
      const proxy = await Proxy.before(serverOf(url));
      const site = await startTestSite('schemas', { DATABASE_URL: through(url, proxy.port) });
      const { headers } = administrator(site);
      const post = (round: number) =>
        site.send('POST', '/posts', {
          as: headers,
          headers: { 'Idempotency-Key': `key-${round}` },
          body: { title: `Post ${round}`, status: 'publish', content: 'x' },
        });
      // Whatever a login writes is written before the wire is cut.
      expect((await post(0)).status).toBe(201);
      for (let round = 1; round <= 10; round++) {
        proxy.cutAfter = (sent) => /COMMIT(?!TED)/.test(sent.toString('latin1'));
        const lost = await post(round);
        proxy.cutAfter = () => false;
        expect({ status: lost.status, again: lost.headers['retry-after'] }).toEqual({ status: 503, again: undefined });
        expect(lost.body.message).toMatch(/before you repeat/);
        const response = await post(round);
        expect([response.status, response.headers['idempotency-replayed']]).toEqual([201, 'true']);
        expect(response.body.title.raw).toBe(`Post ${round}`);
        expect((await site.send('GET', `/posts/${response.body.id}`)).status).toBe(200);
      }
      const { headers: totals } = await site.send('GET', '/posts');
      expect(totals['x-wp-total']).toBe('11');
      await site.close();
      await proxy.close();
    });
  });

  it('fails before the response to a commit: the file of an upload is kept, and that of a deletion marked', async () => {
    await withDatabase(async ({ url }) => {
      const proxy = await Proxy.before(serverOf(url));
      const site = await startTestSite('schemas', { DATABASE_URL: through(url, proxy.port) });
      const { headers: as } = administrator(site);
      const files = () =>
        readdirSync(site.folder, { recursive: true }).filter((path) => String(path).endsWith('note.txt'));
      const cut = async (method: 'POST' | 'DELETE', path: string, sent: Sent) => {
        proxy.cutAfter = (bytes) => /COMMIT(?!TED)/.test(bytes.toString('latin1'));
        expect((await site.send(method, path, sent)).body.message).toMatch(/before you repeat/);
        proxy.cutAfter = () => false;
      };
      // Whatever a login writes is written before the wire is cut.
      await site.send('POST', '/posts', { as, body: { title: 'First' }, status: 201 });
      await cut('POST', '/media', { as, file: { name: 'note.txt', type: 'text/plain', content: 'read me' } });
      const { body } = await site.send('GET', '/media', { as, status: 200 });
      expect(body).toHaveLength(1);
      expect(files()).toHaveLength(1);
      await cut('DELETE', `/media/${body[0].id}`, { as, query: { force: true } });
      expect((await site.send('GET', '/media', { as, status: 200 })).body).toEqual([]);
      // The sweep removes it a day later.
      expect(await site.site.writer.site.files.claimed(new Date(Date.now() + 60_000))).toHaveLength(1);
      await site.close();
      await proxy.close();
    });
  });
});

(servers.includes('mysql') ? it : it.skip)(
  'stores that start concurrently on cluster nodes without common locks create their tables',
  async () => {
    await on('mysql').withDatabase(async (database) => {
      const proxy = await Proxy.before(serverOf(database.url));
      // Named locks hold on one node only. The text keeps its length.
      proxy.rewritten = (sent) =>
        sent.includes('GET_LOCK(')
          ? Buffer.from(sent.toString('latin1').replace('GET_LOCK(', 'COALESCE('), 'latin1')
          : sent;
      const url = through(database.url, proxy.port);
      const opening = await Promise.allSettled(Array.from({ length: 3 }, () => database.open(library, {}, url)));
      try {
        expect(opening.map((each) => (each.status === 'rejected' ? String(each.reason) : 'started'))).toEqual(
          opening.map(() => 'started'),
        );
      } finally {
        for (const each of opening) if (each.status === 'fulfilled') await each.value.close();
        await proxy.close();
      }
    });
  },
);
