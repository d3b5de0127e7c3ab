// Statistics that a command asks for while another connection makes them, too.
import { describe, expect, it } from '@jest/globals';
import { driverError } from '../../support/faults.js';
import { availableEngines } from '../../support/fresh-database.js';
import { on } from './library.js';

const DEADLOCK = { mysql: { errno: 1213, code: 'ER_LOCK_DEADLOCK' }, postgres: { code: '40P01' } };

/** The statements of all connections from now on. `before` is called before each of them. */
function watched(store: unknown, before: (asked: readonly string[]) => void = () => undefined): string[] {
  const { database } = store as any;
  const connect = database.connect.bind(database);
  const asked: string[] = [];
  database.connect = async () => {
    const session = await connect();
    const exec = session.exec.bind(session);
    session.exec = async (sql: string) => {
      asked.push(sql);
      before(asked);
      return exec(sql);
    };
    return session;
  };
  return asked;
}

describe.each(['mysql', 'postgres'] as const)('statistics on %s', (engine) => {
  const { withStore } = on(engine);
  const there = availableEngines().includes(engine) ? it : it.skip;

  there('are made again after a deadlock', async () => {
    await withStore(async (store) => {
      const asked = watched(store, (statements) => {
        if (statements.length === 1) throw driverError(DEADLOCK[engine]);
      });
      await (store as any).analyze();
      expect(asked.filter((sql) => sql.startsWith('ANALYZE'))).toHaveLength(2);
      expect(asked[0]).toBe(asked[1]);
    });
  });

  there('are made by several connections at once', async () => {
    await withStore(async (store) => {
      const asked = watched(store);
      await Promise.all(Array.from({ length: 6 }, () => (store as any).analyze()));
      const made = asked.filter((sql) => sql.startsWith('ANALYZE'));
      expect(made.length).toBeGreaterThanOrEqual(6);
      // In one order, so that they do not wait for each other in a circle.
      const [first] = made;
      expect(new Set(made)).toEqual(new Set([first]));
      const tables = [...first!.matchAll(/[`"](\w+)[`"]/g)].map(([, name]) => name!);
      expect(tables).toContain('books');
      expect(tables).toEqual([...tables].sort());
    });
  });
});
