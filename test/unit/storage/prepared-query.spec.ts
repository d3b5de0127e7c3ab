// Statements on a connection of PostgreSQL. Runs where the environment names a server.
import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type Response, PreparedQuery } from '../../../src/storage/postgres/prepared-query.js';
import type { Bound } from '../../../src/storage/sql/connection.js';

const url = process.env['TEST_POSTGRES_URL'];

type Ask = (sql: string, params?: Bound[], named?: boolean, generation?: number) => Promise<Response>;

async function connected(work: (ask: Ask) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url!, pipeline: true } as object);
  await client.connect();
  try {
    await work(
      (sql, params = [], named = true, generation = 0) =>
        client.query(new PreparedQuery(sql, params, named, generation) as never)['response'],
    );
  } finally {
    await client.end();
  }
}

(url ? describe : describe.skip)('a statement on PostgreSQL', () => {
  const VALUES = `SELECT CAST($1 AS bigint), CAST($2 AS text), CAST($3 AS numeric), CAST($4 AS text)`;

  it.each([
    ['prepared once for all', true],
    ['prepared each time', false],
  ])('%s returns numbers as numbers, texts as texts and NULL, the first time and later', (_name, named) =>
    connected(async (ask) => {
      for (const [n, text] of [
        [1, '1'],
        [-7, 'it\'s "so"'],
        [2, 'ends\0here'],
      ] as const) {
        const { rows, rowCount } = await ask(VALUES, [n, text, null, null], named);
        expect(rows).toEqual([[n, text.replace('\0', '\ufffd'), null, null]]);
        expect(rowCount).toBe(1);
      }
    }),
  );

  it('can be sent several times before the first response', () =>
    connected(async (ask) => {
      const responses = await Promise.all([1, 2, 3].map((n) => ask('SELECT CAST($1 AS int) + 1', [n])));
      expect(responses.map(({ rows }) => rows)).toEqual([[[2]], [[3]], [[4]]]);
    }));

  it('reports how many rows it wrote or read', () =>
    connected(async (ask) => {
      await ask('CREATE TEMPORARY TABLE n (n int PRIMARY KEY)');
      const insert = 'INSERT INTO n VALUES ($1), ($2)';
      expect(await ask(insert, [1, 2])).toEqual({ rows: [], rowCount: 2 });
      expect(await ask(insert, [3, 4])).toEqual({ rows: [], rowCount: 2 });
      expect(await ask('UPDATE n SET n = n + 10 WHERE n > $1 RETURNING n', [3])).toEqual({ rows: [[14]], rowCount: 1 });
      expect(await ask('DELETE FROM n WHERE n = $1', [99])).toEqual({ rows: [], rowCount: 0 });
      expect((await ask('SELECT n FROM n ORDER BY n')).rows).toEqual([[1], [2], [3], [14]]);
    }));

  it('is prepared again for a later generation, when its columns have changed', () =>
    connected(async (ask) => {
      await ask('CREATE TEMPORARY TABLE n (n int)');
      await ask('INSERT INTO n VALUES (7)');
      const select = 'SELECT n FROM n';
      expect((await ask(select)).rows).toEqual([[7]]);
      await ask('ALTER TABLE n ALTER COLUMN n TYPE text');
      await expect(ask(select)).rejects.toMatchObject({ code: '0A000' });
      const both = await Promise.allSettled([ask(select), ask(select, [], true, 1), ask(select, [], true, 1)]);
      expect(both).toMatchObject([{ status: 'rejected' }, { value: { rows: [['7']] } }, { value: { rows: [['7']] } }]);
      const kept = 'SELECT name FROM pg_prepared_statements WHERE statement = $1';
      expect((await ask(kept, [select], false)).rows).toHaveLength(1);
    }));

  it('can be sent again after a failure of the first or a later execution', () =>
    connected(async (ask) => {
      const divide = 'SELECT 10 / CAST($1 AS int)';
      for (const n of [0, 0, 5, 0, 2]) {
        const response = await ask(divide, [n]).catch((error: { code?: string }) => error.code);
        expect(response).toEqual(n === 0 ? '22012' : { rows: [[10 / n]], rowCount: 1 });
      }
      const kept = 'SELECT name FROM pg_prepared_statements WHERE statement = $1';
      expect((await ask(kept, [divide], false)).rows).toHaveLength(1);
      for (let n = 0; n < 3; n++) {
        await expect(ask('SELECT missing')).rejects.toMatchObject({ code: '42703' });
        await expect(ask('SELECT 1 / CAST($1 AS int) + 1', [0])).rejects.toMatchObject({ code: '22012' });
      }
      expect((await ask(kept, ['SELECT 1 / CAST($1 AS int) + 1'], false)).rows).toHaveLength(1);
      expect((await ask('SELECT 1')).rows).toEqual([[1]]);
    }));
});
