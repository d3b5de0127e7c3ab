// Statistics that a command asks for while another connection makes them, too.
import { describe, expect, it } from '@jest/globals';
import { driverError } from '../../support/faults.js';
import { availableEngines } from '../../support/fresh-database.js';
import { on } from './library.js';

const DEADLOCK = { mysql: { errno: 1213, code: 'ER_LOCK_DEADLOCK' }, postgres: { code: '40P01' } };

describe.each(['mysql', 'postgres'] as const)('statistics on %s', (engine) => {
  const { withStore } = on(engine);
  const there = availableEngines().includes(engine) ? it : it.skip;

  there('are made again after a deadlock', async () => {
    await withStore(async (store) => {
      const { database } = store as any;
      const connect = database.connect.bind(database);
      const asked: string[] = [];
      database.connect = async () => {
        const session = await connect();
        const exec = session.exec.bind(session);
        session.exec = async (sql: string) => {
          asked.push(sql);
          if (asked.length === 1) throw driverError(DEADLOCK[engine]);
          return exec(sql);
        };
        return session;
      };
      await (store as any).analyze();
      expect(asked.filter((sql) => sql.startsWith('ANALYZE'))).toHaveLength(2);
      expect(asked[0]).toBe(asked[1]);
    });
  });

  there('are made by several connections at once', async () => {
    await withStore(async (store) => {
      await Promise.all(Array.from({ length: 6 }, () => (store as any).analyze()));
    });
  });
});
