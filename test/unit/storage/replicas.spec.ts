// Reads on replicas: callers always see their own writes, through whatever process; a replica that lags, is unavailable
// or unsuitable fails no request.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Predicate } from '../../../src/model/query.js';
import type { Caller, Reader, Store } from '../../../src/model/store.js';
import { availableEngines, type FreshDatabase, freshDatabase } from '../../support/fresh-database.js';
import type { StoreOptions } from '../../../src/storage/open-store.js';
import { catchUp } from './catch-up.js';
import { on, type OpenDatabase, table, tablesOf, library } from './library.js';
import { Proxy, serverOf, through } from './proxy.js';

const ALL: Predicate = { op: 'true' };
const KNOWN: Caller = { id: 7, address: '192.0.2.1' };
const STRANGER: Caller = { id: 0, address: '192.0.2.2' };
const put = (store: Store, title: string): Promise<number> => store.transaction((tx) => tx.insert('books', { title }));
const count = (store: Store, caller: Caller): Promise<number> =>
  store.readFor(caller, (reader) => reader.count('books', ALL));
const servers = availableEngines().filter((engine) => engine !== 'sqlite');
const each = servers.length > 0 ? describe.each(servers) : describe.skip.each(['mysql', 'postgres'] as const);

interface Stage {
  store: Store;
  database: OpenDatabase;
  replica: FreshDatabase;
  /** What the operator was told, in order. */
  told: string[];
  proxy: Proxy;
}

each('replicas of a server %s', (engine) => {
  const { withDatabase } = on(engine);

  /** A primary with one book, and a replica behind a proxy that has it too and stands still from then on. */
  async function withReplica(
    work: (stage: Stage) => Promise<void>,
    options: Partial<StoreOptions> = {},
  ): Promise<void> {
    await withDatabase(async (database) => {
      const replica = await freshDatabase(engine);
      const proxy = await Proxy.before(serverOf(replica.url));
      const first = await database.open();
      await put(first, 'first');
      await first.close();
      await (await database.open(library, {}, replica.url)).close();
      await catchUp(database.url, replica.url);
      const told: string[] = [];
      const onReplica = (_shown: string, reason?: string): number => told.push(reason ?? 'serves');
      const replicas = [through(replica.url, proxy.port)];
      const store = await database.open(library, { replicas, onReplica, ...options });
      try {
        await work({ store, database, replica, told, proxy });
      } finally {
        await store.close();
        await proxy.close();
        await replica.drop();
      }
    });
  }

  it('serve anonymous callers their state, and authenticated ones the state of the primary', async () => {
    await withReplica(async ({ store, database, replica }) => {
      await put(store, 'second');
      expect(await count(store, STRANGER)).toBe(1);
      expect(await count(store, KNOWN)).toBe(2);
      await catchUp(database.url, replica.url);
      expect(await count(store, STRANGER)).toBe(2);
      const side = await store.readFor(KNOWN, async (reader) => reader);
      expect(side).not.toBe(store.reader);
    });
  });

  it('never hide an own write, through whatever process it went', async () => {
    await withReplica(async ({ store, database, replica }) => {
      const other = await database.open();
      for (let round = 2; round <= 40; round++) {
        await put(round % 2 ? store : other, `t${round}`);
        if (round % 7 === 0) await catchUp(database.url, replica.url);
        expect(await count(store, KNOWN)).toBe(round);
      }
      await other.close();
    });
  });

  it('never hide the write of an anonymous caller from that caller, but from others while they lag', async () => {
    await withReplica(async ({ store, database, replica }) => {
      await put(store, 'his');
      await store.noteWrite(STRANGER);
      expect(await count(store, STRANGER)).toBe(2);
      expect(await count(store, { id: 0, address: '192.0.2.3' })).toBe(1);
      await catchUp(database.url, replica.url);
      await put(store, 'not his');
      expect(await count(store, STRANGER)).toBe(2);
    });
  });

  it('stay in service when all of their connections are in use', async () => {
    await withReplica(
      async ({ store, told }) => {
        let failed = 0;
        const read = () => count(store, STRANGER).catch(() => (failed += 1));
        await Promise.all(Array.from({ length: 300 }, read));
        // Some waited too long, on the replica and then on the primary.
        expect(failed).toBeGreaterThan(0);
        expect(told).toEqual([]);
        expect(await store.readFor(STRANGER, async (reader) => reader)).not.toBe(store.reader);
      },
      { pool: 2, waitMs: 1 },
    );
  });

  it('show one state to one request, even when they fail during it', async () => {
    await withReplica(async ({ store, proxy, told }) => {
      await put(store, 'second');
      const sides: Reader[] = [];
      const seen = await store.readFor(STRANGER, async (reader) => {
        sides.push(reader);
        const before = await reader.count('books', ALL);
        if (sides.length === 1) await proxy.close();
        const rows = await reader.select({
          table: 'books',
          columns: ['title'],
          where: ALL,
          order: [{ column: 'id', direction: 'asc' }],
        });
        return { before, titles: rows.map(({ title }) => title) };
      });
      expect(seen).toEqual({ before: 2, titles: ['first', 'second'] });
      expect(sides).toHaveLength(2);
      expect(sides[1]).toBe(store.reader);
      // It is said once, however many ask meanwhile.
      expect(await Promise.all(Array.from({ length: 20 }, () => count(store, STRANGER)))).toEqual(Array(20).fill(2));
      expect(told).toHaveLength(1);
    });
  });

  it('return to service by themselves', async () => {
    await withReplica(async ({ store, proxy, told, replica }) => {
      await put(store, 'second');
      await proxy.close();
      expect(await count(store, STRANGER)).toBe(2);
      const again = await Proxy.before(serverOf(replica.url), proxy.port);
      while (!told.includes('serves')) await sleep(50);
      expect(await count(store, STRANGER)).toBe(1);
      await again.close();
    });
  });

  it('are ignored when they are unavailable at startup, or lack tables or columns', async () => {
    await withReplica(async ({ database, replica, proxy }) => {
      const away = await Proxy.before(serverOf(replica.url));
      await away.close();
      const told: string[] = [];
      const options = {
        replicas: [through(replica.url, away.port), through(replica.url, proxy.port)],
        onReplica: (shown: string, reason?: string) => void told.push(`${shown}: ${reason ?? 'serves'}`),
      };
      const more = tablesOf(...library.values(), table('shelves', [{ name: 'id', kind: 'integer', primary: true }]));
      const store = await database.open(more, options);
      try {
        await put(store, 'second');
        expect(await count(store, STRANGER)).toBe(2);
        expect(told).toEqual([expect.stringMatching(/REFUSED/), expect.stringMatching(/shelves/)]);
      } finally {
        await store.close();
      }
    });
  });

  it('that can never serve abort the start', async () => {
    await withDatabase(async (database) => {
      const replicas = [`${database.url}_not_there`];
      await expect(database.open(library, { replicas })).rejects.toMatchObject({
        problems: [{ path: 'DATABASE_REPLICA_URLS', hint: expect.stringContaining('create the database') }],
      });
    });
  });

  it('are not marked down by errors of a request', async () => {
    await withReplica(async ({ store, told }) => {
      let runs = 0;
      const refused = store.readFor(STRANGER, async () => {
        runs++;
        throw new Error('not found');
      });
      await expect(refused).rejects.toThrow('not found');
      expect({ runs, told }).toEqual({ runs: 1, told: [] });
    });
  });
});
