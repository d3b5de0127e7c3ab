// Errors after which a transaction is retried, at whatever statement they occur, and those after which it must not be.
import { beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import type { Predicate } from '../../../src/model/query.js';
import type { Store, Transaction } from '../../../src/model/store.js';
import { availableEngines, freshDatabase, type Engine, type FreshDatabase } from '../../support/fresh-database.js';
import { openStore } from '../../../src/storage/open-store.js';
import { driverError, Faults, type Place } from '../../support/faults.js';
import { library } from './library.js';

const ALL: Predicate = { op: 'true' };
const mysql = (errno: number, code: string): [string, () => Error] => [`${errno}`, () => driverError({ errno, code })];
const other = (code: string): [string, () => Error] => [code, () => driverError({ code })];

/** The whole transaction may run again: the database has undone it. */
const TRANSIENT: Record<Engine, [string, () => Error][]> = {
  sqlite: [other('SQLITE_BUSY'), other('SQLITE_BUSY_SNAPSHOT'), other('SQLITE_LOCKED')],
  mysql: [
    mysql(1213, 'ER_LOCK_DEADLOCK'),
    mysql(1205, 'ER_LOCK_WAIT_TIMEOUT'),
    mysql(1020, 'ER_CHECKREAD'),
    mysql(1317, 'ER_QUERY_INTERRUPTED'),
    mysql(3101, 'ER_TRANSACTION_ROLLBACK_DURING_COMMIT'),
    mysql(1412, 'ER_TABLE_DEF_CHANGED'),
    mysql(9007, 'write conflict of TiDB'),
    mysql(8002, 'lock conflict of TiDB'),
    mysql(8028, 'schema change of TiDB'),
  ],
  postgres: [other('40001'), other('40P01'), other('55P03')],
};

/** The connection serves no more: another one may, but a lost COMMIT may have been heard. */
const LOST: Record<Engine, [string, () => Error][]> = {
  sqlite: [],
  mysql: [mysql(1047, 'ER_UNKNOWN_COM_ERROR'), mysql(1927, 'ER_CONNECTION_KILLED'), other('PROTOCOL_CONNECTION_LOST')],
  postgres: [other('57P01'), other('08006'), other('ECONNRESET')],
};

const FULL: Record<Engine, () => Error> = {
  sqlite: () => driverError({ code: 'SQLITE_FULL' }),
  mysql: () => driverError({ errno: 1021, code: 'ER_DISK_FULL' }),
  postgres: () => driverError({ code: '53100' }),
};

describe.each(availableEngines())('a transaction on %s', (engine) => {
  let database: FreshDatabase;
  let store: Store;
  let faults: Faults;
  let serial = 0;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    store = await openStore(database.url, { pool: 3 }, library);
    faults = Faults.of(store);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  /** Three tables, a maintained count and a sum. */
  const write = (isbn: string) => async (tx: Transaction) => {
    const id = await tx.insert('books', { title: 'x', isbn });
    await tx.insert('book_tags', { owner_id: id, target_id: 1 });
    tx.add('books', id, 'loans', 2);
    return id;
  };
  const rows = (isbn: string) => store.reader.count('books', { op: 'eq', column: 'isbn', value: isbn });

  async function statements(): Promise<number> {
    faults.plan('begin', () => new Error('never'), 0);
    await store.transaction(write(`n${++serial}`));
    return faults.statements;
  }

  /** Every place of the transaction. */
  async function places(): Promise<Place[]> {
    const count = await statements();
    expect(count).toBeGreaterThanOrEqual(4);
    return ['begin', ...Array.from({ length: count }, (_, i) => i + 1), 'commit'];
  }

  it.each(TRANSIENT[engine])('is retried after %s at any statement', async (_name, fault) => {
    for (const place of await places()) {
      const isbn = `n${++serial}`;
      faults.plan(place, fault, 2);
      await store.transaction(write(isbn));
      expect({ place, begun: faults.begun, struck: faults.struck }).toEqual({ place, begun: 3, struck: 2 });
      expect(await rows(isbn)).toBe(1);
    }
    expect(await store.transaction((tx) => tx.wrongCounters())).toEqual([]);
  });

  it.each(TRANSIENT[engine])('ends with 503 after repeated %s, and is rolled back', async (_name, fault) => {
    const before = await store.reader.count('book_tags', ALL);
    for (const place of ['begin', 2, 'commit'] as const) {
      const isbn = `n${++serial}`;
      faults.plan(place, fault, Infinity);
      await expect(store.transaction(write(isbn))).rejects.toMatchObject({
        code: 'rest_unavailable',
        status: 503,
        headers: { 'Retry-After': '1' },
      });
      expect(faults.begun).toBeGreaterThan(1);
      expect(faults.begun).toBeLessThanOrEqual(5);
      faults.end();
      expect(await rows(isbn)).toBe(0);
    }
    expect(await store.reader.count('book_tags', ALL)).toBe(before);
    await store.transaction(write(`n${++serial}`));
  });

  it('logs the message of the driver for a full disk, without the statement and its values', async () => {
    faults.plan(2, () => Object.assign(FULL[engine](), { sql: `INSERT INTO books VALUES ('a secret')` }));
    const refused = await store.transaction(write(`n${++serial}`)).catch((error: unknown) => error);
    faults.end();
    expect(refused).toMatchObject({ code: 'rest_insufficient_storage', cause: { message: 'said by a test' } });
    expect(JSON.stringify((refused as Error).cause)).not.toContain('secret');
  });

  if (LOST[engine].length > 0)
    it.each(LOST[engine])('is retried after %s, but never after the commit was sent', async (_name, fault) => {
      const all = await places();
      // Nobody knows which of the statements that were sent with the commit were the last to run.
      const sentBefore = faults.statements - faults.withCommit;
      for (const place of all) {
        const isbn = `n${++serial}`;
        const ends = place === 'commit' || (place !== 'begin' && place > sentBefore);
        faults.plan(place, fault);
        const running = store.transaction(write(isbn));
        if (ends) {
          await expect(running).rejects.toMatchObject({ code: 'rest_unavailable', status: 503, headers: {} });
          expect(faults.begun).toBe(1);
        } else {
          await running;
          expect({ place, begun: faults.begun }).toEqual({ place, begun: 2 });
          expect(await rows(isbn)).toBe(1);
        }
      }
    });

  if (LOST[engine].length > 0)
    it.each([...TRANSIENT[engine], ...LOST[engine]])('retries a read after %s, a few times', async (_n, fault) => {
      const { database: pool } = store as any;
      const { connect } = pool;
      let asked = 0;
      const failing = (times: number) => async () => {
        const session = await connect.call(pool);
        const { rows } = session;
        session.rows = async (sql: string, params: unknown) => {
          if (asked++ < times) throw fault();
          return rows.call(session, sql, params);
        };
        return session;
      };
      const shelves = { table: 'books', columns: ['shelf'], where: ALL, order: [], limit: 1 };
      try {
        pool.connect = failing(4);
        await store.reader.select(shelves);
        expect(asked).toBe(5);
        asked = 0;
        pool.connect = failing(Infinity);
        await expect(store.reader.select(shelves)).rejects.toMatchObject({ code: 'rest_unavailable', status: 503 });
        expect(asked).toBe(5);
      } finally {
        pool.connect = connect;
      }
    });

  it('rethrows other errors', async () => {
    for (const place of await places()) {
      const isbn = `n${++serial}`;
      faults.plan(place, () => driverError({ errno: 1105, code: 'XX000', message: 'unknown' }));
      await expect(store.transaction(write(isbn))).rejects.toThrow('unknown');
      expect({ place, begun: faults.begun }).toEqual({ place, begun: 1 });
      expect(await rows(isbn)).toBe(0);
    }
    expect(await store.transaction((tx) => tx.wrongCounters())).toEqual([]);
  });
});
