// A database of its own for whoever asks: a SQLite file, or a database made on a server and dropped afterwards. Used by every suite that needs one.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

/** Engines that suites run on. */
export type Engine = 'sqlite' | 'mysql' | 'postgres';

/** A fresh database. */
export interface FreshDatabase {
  /** As `DATABASE_URL` takes it. */
  url: string;
  /** Runs a statement past the store. */
  run(sql: string): Promise<void>;
  drop(): Promise<void>;
}

/** Where the servers are; `TEST_MYSQL_URL` and `TEST_POSTGRES_URL` name a database from which others are made. */
const SERVERS = {
  mysql: process.env['TEST_MYSQL_URL'] || 'mysql://root@127.0.0.1:3306/test',
  postgres: process.env['TEST_POSTGRES_URL'] || 'postgres://postgres@127.0.0.1:5432/postgres',
};

/** Engine of the suites that run on one: `TEST_ENGINE`. */
export function testEngine(): Engine {
  const engine = process.env['TEST_ENGINE'] || 'sqlite';
  if (engine === 'sqlite' || engine === 'mysql' || engine === 'postgres') return engine;
  throw new Error(`TEST_ENGINE is ${engine}; it may be sqlite, mysql or postgres`);
}

/** SQLite, and the servers that the environment names. */
export function enginesThere(): Engine[] {
  const engines: Engine[] = ['sqlite'];
  if (process.env['TEST_MYSQL_URL']) engines.push('mysql');
  if (process.env['TEST_POSTGRES_URL']) engines.push('postgres');
  return engines;
}

/** Makes a database nobody else uses. */
export async function freshDatabase(engine: Engine = testEngine()): Promise<FreshDatabase> {
  if (engine === 'sqlite') return freshFile();
  const name = `typecase_test_${process.pid}_${randomBytes(5).toString('hex')}`;
  const server = SERVERS[engine];
  const url = server.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  const execute = engine === 'mysql' ? onMysql : onPostgres;
  await execute(server, `CREATE DATABASE ${name}`);
  const force = engine === 'postgres' ? ' WITH (FORCE)' : '';
  return {
    url,
    run: (sql) => execute(url, sql),
    drop: () => execute(server, `DROP DATABASE ${name}${force}`),
  };
}

function freshFile(): FreshDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-database-'));
  const file = join(folder, 'deep', 'test.sqlite');
  return {
    url: `sqlite:${file}?synchronous=normal`,
    run: async (sql) => {
      const Database = createRequire(import.meta.url)('libsql') as new (path: string) => any;
      const database = new Database(file);
      database.exec(sql);
      database.close();
    },
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function onMysql(uri: string, sql: string): Promise<void> {
  const connection = await createConnection(uri);
  try {
    await connection.query(sql);
  } finally {
    await connection.end();
  }
}

async function onPostgres(connectionString: string, sql: string): Promise<void> {
  const { Client } = createRequire(import.meta.url)('pg') as { Client: new (options: object) => any };
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
