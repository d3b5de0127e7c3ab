// A database for one suite: a SQLite file, or a database that is created on a server and dropped afterwards.
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
  /** Runs a statement without the store. */
  run(sql: string): Promise<void>;
  drop(): Promise<void>;
}

/** URLs of the servers: `TEST_MYSQL_URL` and `TEST_POSTGRES_URL` name a database over which others are created. */
const SERVERS = {
  mysql: process.env['TEST_MYSQL_URL'] || 'mysql://root@127.0.0.1:3306/test',
  postgres: process.env['TEST_POSTGRES_URL'] || 'postgres://postgres@127.0.0.1:5432/postgres',
};

/** The engine of suites that run on a single one, from the Jest project (jest.config.mjs). */
export function testEngine(): Engine {
  const { TEST_ENGINE: engine = 'sqlite' } = globalThis as { TEST_ENGINE?: string };
  if (engine === 'sqlite' || engine === 'mysql' || engine === 'postgres') return engine;
  throw new Error(`TEST_ENGINE is ${engine}; it may be sqlite, mysql or postgres`);
}

/** SQLite, and the servers that the environment names. */
export function availableEngines(): Engine[] {
  const engines: Engine[] = ['sqlite'];
  if (process.env['TEST_MYSQL_URL']) engines.push('mysql');
  if (process.env['TEST_POSTGRES_URL']) engines.push('postgres');
  return engines;
}

/** Engine of a `DATABASE_URL`. */
export function engineOf(url: string): Engine {
  return url.startsWith('sqlite:') ? 'sqlite' : /^(mysql|mariadb):/.test(url) ? 'mysql' : 'postgres';
}

/** A connection that bypasses the store. */
export interface DirectConnection {
  /** Runs a statement and returns its rows. */
  runSql(sql: string): Promise<Record<string, any>[]>;
  close(): Promise<void>;
}

/** Opens a separate connection to a database. */
export async function openConnection(url: string): Promise<DirectConnection> {
  return { sqlite: sqliteConnection, mysql: mysqlConnection, postgres: postgresConnection }[engineOf(url)](url);
}

/** Runs one statement without the store; returns its rows. */
export async function runSql(url: string, sql: string): Promise<Record<string, any>[]> {
  const connection = await openConnection(url);
  try {
    return await connection.runSql(sql);
  } finally {
    await connection.close();
  }
}

/** Runs `work` while the database itself refuses to write to a table. */
export async function whileRefusing(
  url: string,
  table: string,
  event: 'INSERT' | 'UPDATE',
  work: () => Promise<void>,
): Promise<void> {
  const { make, drop } = REFUSALS[engineOf(url)](table, event);
  for (const sql of make) await runSql(url, sql);
  try {
    await work();
  } finally {
    for (const sql of drop) await runSql(url, sql);
  }
}

type Refusal = (table: string, event: string) => { make: string[]; drop: string[] };

const REFUSALS: Record<Engine, Refusal> = {
  sqlite: (table, event) => ({
    make: [`CREATE TRIGGER broken BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, 'broken by a test'); END`],
    drop: ['DROP TRIGGER broken'],
  }),
  mysql: (table, event) => ({
    make: [
      `CREATE TRIGGER broken BEFORE ${event} ON ${table} FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'broken by a test'`,
    ],
    drop: ['DROP TRIGGER broken'],
  }),
  postgres: (table, event) => ({
    make: [
      `CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken by a test'; END $$`,
      `CREATE TRIGGER broken BEFORE ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION broken()`,
    ],
    drop: [`DROP TRIGGER broken ON ${table}`, 'DROP FUNCTION broken'],
  }),
};

/** Creates a database for the caller alone. */
export async function freshDatabase(engine: Engine = testEngine()): Promise<FreshDatabase> {
  if (engine === 'sqlite') return freshFile();
  const name = `typecase_test_${process.pid}_${randomBytes(5).toString('hex')}`;
  const server = SERVERS[engine];
  const url = server.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  await runSql(server, `CREATE DATABASE ${name}`);
  const force = engine === 'postgres' ? ' WITH (FORCE)' : '';
  const run = async (sql: string): Promise<void> => void (await runSql(url, sql));
  return { url, run, drop: async () => void (await runSql(server, `DROP DATABASE ${name}${force}`)) };
}

function freshFile(): FreshDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-database-'));
  const url = `sqlite:${join(folder, 'deep', 'test.sqlite')}?synchronous=normal`;
  return {
    url,
    run: async (sql) => void (await runSql(url, sql)),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function sqliteConnection(url: string): Promise<DirectConnection> {
  const [, file] = /^sqlite:([^?]*)/.exec(url)!;
  // The server may be reading the file.
  const database = new (loadDriver())(file!, { timeout: 5_000 });
  return {
    async runSql(sql) {
      if (/^\s*(SELECT|PRAGMA)/i.test(sql)) return database.prepare(sql).all();
      database.exec(sql);
      return [];
    },
    close: async () => database.close(),
  };
}

// The driver that the server uses.
function loadDriver(): new (file: string, options: object) => any {
  const require = createRequire(import.meta.url);
  try {
    return require('better-sqlite3');
  } catch {
    return require('libsql');
  }
}

async function mysqlConnection(url: string): Promise<DirectConnection> {
  const connection = await createConnection(url.replace(/^mariadb:/, 'mysql:'));
  return {
    async runSql(sql) {
      const [rows] = await connection.query(sql);
      return Array.isArray(rows) ? (rows as Record<string, any>[]) : [];
    },
    close: () => connection.end(),
  };
}

async function postgresConnection(url: string): Promise<DirectConnection> {
  const { Client } = createRequire(import.meta.url)('pg') as { Client: new (options: object) => any };
  const client = new Client({ connectionString: url });
  await client.connect();
  return { runSql: async (sql) => (await client.query(sql)).rows, close: () => client.end() };
}
