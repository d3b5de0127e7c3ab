// Reads that wait: one client with many slow ones keeps no other waiting for longer than about one of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Predicate } from '../../../src/model/query.js';
import type { Requester, Store } from '../../../src/model/store.js';
import type { Bound, Connection } from '../../../src/storage/sql/connection.js';
import { postgresDialect } from '../../../src/storage/postgres/dialect.js';
import { CachingReader } from '../../../src/storage/reads/caching-reader.js';
import { searchGate } from '../../../src/storage/sql/scans.js';
import { BoundedSemaphore } from '../../../src/storage/sql/semaphore.js';
import { Statements } from '../../../src/storage/sql/statements.js';
import { type Engine, availableEngines } from '../../support/fresh-database.js';
import { library, on } from './library.js';

const GREEDY = { client: 'greedy' };
const MODEST = { client: 'modest' };
const STRANGER = { id: 0, address: '192.0.2.1' };

/**
 * Statements that take a tenth of a second. The long value keeps SQLite from running its own on the event loop; it takes
 * less, because one that takes a tenth goes to a process of its own from then on.
 */
const SLOW: Record<Engine, { sql: string; params: Bound[] }> = {
  sqlite: {
    sql: `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 60000) SELECT MAX(x), ? FROM n`,
    params: ['x'.repeat(200)],
  },
  mysql: { sql: 'SELECT SLEEP(0.1)', params: [] },
  postgres: { sql: 'SELECT pg_sleep(0.1)', params: [] },
};
/** Reads that run at once: one process on SQLite, two connections of a pool of three. */
const AT_ONCE: Record<Engine, number> = { sqlite: 1, mysql: 2, postgres: 2 };

describe.each(availableEngines())('on %s', (engine) => {
  const statement = { table: 'books', listed: false, ...SLOW[engine] };
  const read = (store: Store, requester: Requester | undefined) =>
    store.readFor(STRANGER, async (reader) => reader.run!(statement, statement.params), requester);

  it('two hundred slow reads of one client delay each read of another client by about one of them', async () => {
    await on(engine).withDatabase(async (database) => {
      const store = await database.open(library, { pool: 3 });
      try {
        await read(store, MODEST);
        let finished = 0;
        const many = Array.from({ length: 200 }, () =>
          read(store, GREEDY).then(
            () => (finished += 1),
            () => undefined,
          ),
        );
        await Promise.race(many);
        // The engine itself is one client among the others.
        for (const requester of [MODEST, MODEST, undefined, MODEST]) {
          const before = finished;
          await read(store, requester);
          // One that ran when it came, those that ran beside it, and those that a busy machine begins before it looks.
          expect(finished - before).toBeLessThanOrEqual(3 * AT_ONCE[engine]);
        }
        // Writes have places of their own.
        const before = finished;
        await store.transaction((tx) => tx.insert('books', { title: 'written' }));
        expect(finished - before).toBeLessThanOrEqual(2 * AT_ONCE[engine]);
        await Promise.all(many);
      } finally {
        await store.close();
      }
    });
  });

  it('reads of a client that has disconnected are not run', async () => {
    await on(engine).withDatabase(async (database) => {
      const statements: string[] = [];
      const store = await database.open(library, { pool: 2, onStatement: (sql) => statements.push(sql) });
      try {
        const gone = { client: 'gone', hasLeft: false };
        const first = read(store, GREEDY);
        const left = Promise.allSettled(Array.from({ length: 20 }, () => read(store, gone)));
        await sleep(20);
        gone.hasLeft = true;
        await first;
        await read(store, MODEST);
        expect((await left).every(({ status }) => status === 'rejected')).toBe(true);
        expect(statements.filter((sql) => sql === statement.sql)).toHaveLength(2);
      } finally {
        await store.close();
      }
    });
  });
});

/** A server on which every search takes its time, one at a time, and the reader on it. */
function slowServer(ms = 10) {
  const readers = 3;
  const gate = new BoundedSemaphore({ size: readers, queue: 1_000, timeout: 60_000 });
  const searched: unknown[] = [];
  const db: Connection = {
    rows: (sql, params, requester) =>
      gate.run(async (): Promise<Bound[][]> => {
        if (!sql.includes('LIKE')) return [[1]];
        searched.push(params[0]);
        await sleep(ms);
        return sql.includes('COUNT') ? [[2_000]] : Array.from({ length: 1_001 }, (_, id) => [id]);
      }, requester),
    run: () => Promise.reject(new Error('no writes')),
  };
  const reader = new CachingReader(db, new Statements(postgresDialect(library), library), searchGate(readers));
  return { reader, searched };
}

const search = (word: string): Predicate => ({ op: 'contains', column: 'folded', value: word });

describe('searches', () => {
  it('of one client leave room for other clients in the queue', async () => {
    const { reader } = slowServer();
    let finished = 0;
    const greedy = reader.for(GREEDY);
    const many = Array.from({ length: 200 }, (_, n) =>
      greedy.count('books', search(`word ${n}`)).then(
        () => (finished += 1),
        () => undefined,
      ),
    );
    await sleep(5);
    const before = finished;
    expect(await reader.for(MODEST).count('books', search('modest'))).toBe(2_000);
    // Two statements: the ids, then the number, because there are many.
    expect(finished - before).toBeLessThanOrEqual(2);
    await Promise.all(many);
    expect(finished).toBeLessThan(50);
  });

  it('that several clients wait for run once, at the earliest turn of these clients', async () => {
    const { reader, searched } = slowServer();
    const greedy = reader.for(GREEDY);
    const words = Array.from({ length: 12 }, (_, n) => `word ${n}`);
    const many = words.map((word) => greedy.count('books', search(word)));
    await sleep(5);
    await reader.for(MODEST).count('books', search('word 11'));
    const before = new Set(searched).size;
    await Promise.all(many);
    expect(before).toBeLessThan(6);
    // Each word twice: its ids, then their number.
    expect(searched).toHaveLength(24);
  });

  it('continue for the remaining requesters when the first one leaves', async () => {
    const { reader, searched } = slowServer(100);
    const gone = { client: 'gone', hasLeft: false };
    const busy = reader.for(GREEDY).count('books', search('busy'));
    await sleep(5);
    const [left, alone] = ['both', 'alone'].map((word) => reader.for(gone).count('books', search(word)));
    const refused = expect(alone).rejects.toMatchObject({ status: 503 });
    await sleep(5);
    const stays = reader.for(MODEST).count('books', search('both'));
    await sleep(5);
    gone.hasLeft = true;
    expect(await stays).toBe(2_000);
    expect(await left).toBe(2_000);
    await refused;
    await busy;
    expect(new Set(searched).size).toBe(2);
    expect(await reader.for(MODEST).count('books', search('alone'))).toBe(2_000);
  });
});
