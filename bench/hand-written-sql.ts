// The database of the hand-written server: prepared statements on SQLite, MySQL or MariaDB, or PostgreSQL.
import Database from 'libsql';
import { createPool } from 'mysql2/promise';
import { Pool, types } from 'pg';

export type Value = string | number;
/** Runs a writing statement; returns the id of the row that it inserted, 0 for none. */
export type Write = (sql: string, values: readonly Value[]) => Promise<number> | number;

/** Statements have `?` for their values and double quotes around names. */
export interface Sql {
  readonly engine: 'sqlite' | 'mysql' | 'postgres';
  rows(sql: string, values: readonly Value[]): Promise<Value[][]> | Value[][];
  /** Runs `work` in one transaction, whose commit survives a power loss. */
  transaction<T>(work: (write: Write) => Promise<T>): Promise<T>;
}

const POOL = 10;

/** Opens the database of a `DATABASE_URL` in Typecase's format. */
export function openSql(url: string): Sql {
  if (url.startsWith('sqlite:')) return sqlite(url.slice('sqlite:'.length).split('?')[0]!);
  return url.startsWith('postgres') ? postgres(url) : mysql(url);
}

function sqlite(file: string): Sql {
  const reader = new Database(file);
  reader.exec('PRAGMA cache_size = -32000');
  reader.exec('PRAGMA query_only = ON');
  const writer = new Database(file);
  writer.exec('PRAGMA synchronous = FULL');
  writer.exec('PRAGMA busy_timeout = 5000');
  const [reads, writes] = [prepared(reader), prepared(writer)];
  const run: Write = (sql, values) => Number(writes(sql).run(values).lastInsertRowid);
  let turn: Promise<unknown> = Promise.resolve();
  return {
    engine: 'sqlite',
    rows: (sql, values) => reads(sql).raw().all(values) as Value[][],
    transaction(work) {
      const next = turn.then(async () => {
        writer.exec('BEGIN IMMEDIATE');
        try {
          const response = await work(run);
          writer.exec('COMMIT');
          return response;
        } catch (error) {
          writer.exec('ROLLBACK');
          throw error;
        }
      });
      turn = next.catch(() => undefined);
      return next;
    },
  };
}

function prepared(database: Database.Database): (sql: string) => Database.Statement {
  const statements = new Map<string, Database.Statement>();
  return (sql) => {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = database.prepare(sql)));
    return statement;
  };
}

function mysql(url: string): Sql {
  const pool = createPool({ uri: url, connectionLimit: POOL, rowsAsArray: true });
  // Statements quote names with double quotes.
  pool.pool.on('connection', (connection) =>
    connection.query("SET SESSION sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES')"),
  );
  return {
    engine: 'mysql',
    rows: async (sql, values) => (await pool.execute(sql, [...values]))[0] as unknown as Value[][],
    async transaction(work) {
      const connection = await pool.getConnection();
      try {
        await connection.beginTransaction();
        const response = await work(async (sql, values) => {
          const [{ insertId }] = (await connection.execute(sql, [...values])) as unknown as [{ insertId: number }];
          return insertId;
        });
        await connection.commit();
        return response;
      } catch (error) {
        await connection.rollback();
        throw error;
      } finally {
        connection.release();
      }
    },
  };
}

function postgres(connectionString: string): Sql {
  // int8 as a number: counts and ids stay below 2^53.
  types.setTypeParser(20, Number);
  const pool = new Pool({ connectionString, max: POOL });
  const names = new Map<string, { name: string; text: string }>();
  const named = (sql: string) => {
    let known = names.get(sql);
    let n = 0;
    if (!known) names.set(sql, (known = { name: `s${names.size}`, text: sql.replaceAll('?', () => `$${(n += 1)}`) }));
    return known;
  };
  return {
    engine: 'postgres',
    rows: async (sql, values) =>
      (await pool.query({ ...named(sql), values: [...values], rowMode: 'array' })).rows as Value[][],
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const response = await work(async (sql, values) => {
          const inserts = sql.startsWith('INSERT INTO "contents" ');
          const text = inserts ? `${sql} RETURNING "id"` : sql;
          const { rows } = await client.query({ ...named(text), values: [...values], rowMode: 'array' });
          return inserts ? Number((rows as Value[][])[0]![0]) : 0;
        });
        await client.query('COMMIT');
        return response;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}
