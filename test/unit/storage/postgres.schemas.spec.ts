// PostgreSQL databases with several schemas, and users with few rights.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { planStore } from '../../../src/storage/migrate-store.js';
import { openStore } from '../../../src/storage/open-store.js';
import { availableEngines, freshDatabase, type FreshDatabase, runSql } from '../../support/fresh-database.js';
import { books, library, table, tablesOf } from './library.js';

(availableEngines().includes('postgres') ? describe : describe.skip)('a database of PostgreSQL', () => {
  const role = `typecase_role_${randomBytes(4).toString('hex')}`;
  let database: FreshDatabase;
  /** The database as the role sees it. */
  let url: string;
  let name: string;

  beforeEach(async () => {
    database = await freshDatabase('postgres');
    const address = new URL(database.url);
    name = address.pathname.slice(1);
    await database.run(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    [address.username, address.password] = [role, 'secret'];
    url = address.href;
  });
  afterEach(async () => {
    const { url: admin } = database;
    await runSql(admin, `DROP OWNED BY ${role} CASCADE`);
    await runSql(admin, `REVOKE ALL ON DATABASE ${name} FROM ${role}`);
    await database.drop();
    await runSql(admin.replace(name, 'postgres'), `DROP ROLE ${role}`);
  });

  const indexes = (schema: string) =>
    runSql(database.url, `SELECT indexdef FROM pg_indexes WHERE schemaname = '${schema}' AND indexdef LIKE '%trgm%'`);

  it('has pg_trgm in a schema that statements do not search', async () => {
    await database.run('CREATE SCHEMA extensions');
    await database.run('CREATE EXTENSION pg_trgm SCHEMA extensions');
    for (let times = 0; times < 2; times++) {
      const store = await openStore(database.url, { pool: 2 }, library);
      try {
        expect((await planStore(store, library)).steps).toEqual([]);
        expect(await indexes('public')).toHaveLength(1);
        await store.transaction((tx) => tx.insert('books', { folded: `needle ${times}` }));
        const where = { op: 'contains', column: 'folded', value: 'needle' } as const;
        expect(await store.reader.count('books', where)).toBe(times + 1);
      } finally {
        await store.close();
      }
    }
  });

  it('is checked without trigram indexes, where its user may not make the extension', async () => {
    await database.run(`REVOKE CREATE ON DATABASE ${name} FROM PUBLIC`);
    await database.run(`GRANT ALL ON SCHEMA public TO ${role}`);
    for (const migrate of ['auto', 'check'] as const) {
      const store = await openStore(url, { pool: 2, migrate }, library);
      try {
        expect((await planStore(store, library)).steps).toEqual([]);
      } finally {
        await store.close();
      }
    }
  });

  it('has the tables of another site in a schema that statements search too', async () => {
    const other = await openStore(database.url, { pool: 2 }, library);
    await other.transaction((tx) => tx.insert('books', { title: 'theirs' }));
    await other.close();
    await database.run(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    await database.run(`CREATE SCHEMA ${role} AUTHORIZATION ${role}`);
    const own = tablesOf(table('books', [...books.columns.values()].slice(0, 4)));
    for (const migrate of ['auto', 'check'] as const) {
      const store = await openStore(url, { pool: 2, migrate }, own);
      try {
        expect(await store.admin.readOnlyReason()).toBeUndefined();
        await store.transaction((tx) => tx.insert('books', { title: 'ours' }));
      } finally {
        await store.close();
      }
    }
    expect(await runSql(database.url, 'SELECT title FROM public.books')).toEqual([{ title: 'theirs' }]);
    expect(await runSql(database.url, `SELECT title FROM ${role}.books`)).toHaveLength(2);
    const migrations = (schema: string) => runSql(database.url, `SELECT id FROM ${schema}.typecase_migrations`);
    expect([await migrations('public'), await migrations(role)]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });
});
