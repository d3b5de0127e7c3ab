// A reading connection to a SQLite file on the main thread: owned by TypeORM's DataSource; statements go directly to
// the driver.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type EntitySchema } from 'typeorm';
import { type Bound, type Connection, type RunResult, type StatementWatch, report } from '../sql/connection.js';
import { errorCode } from './errors.js';
import { makePrivateFile } from '../../disk/private-file.js';
import { prepareRows, type Driver, type Rows } from './statement-runner.mjs';

/** Busy timeout of a statement in milliseconds; it blocks the event loop. */
const BUSY_MS = 20;
/** Busy timeout at start, before requests are served. */
const STARTUP_BUSY_MS = 5_000;
/** Pause before the journal mode is set again, in milliseconds. */
const PAUSE_MS = 10;
const STATEMENTS = 500;
/**
 * Rows of a few kilobytes leave up to half of a 4 KiB page unused. With larger pages the file is smaller, and a list
 * reads fewer of them; a commit writes more bytes.
 */
const PAGE_BYTES = 16_384;

/** Options of opening a connection. */
export interface SqliteConnectionOptions extends StatementWatch {
  file: string;
  entities: EntitySchema[];
}

/** Statements are prepared once and cached. Errors of the driver pass through. */
export class SqliteConnection implements Connection {
  private readonly statements = new Map<string, Rows>();

  private constructor(
    readonly source: DataSource,
    private readonly driver: Driver,
    private readonly watch: StatementWatch,
  ) {}

  /** Opens the file; creates it when missing. */
  static async open(options: SqliteConnectionOptions): Promise<SqliteConnection> {
    makePrivateFile(options.file);
    let driver!: Driver;
    const source = new DataSource({
      type: 'better-sqlite3',
      driver: loadDriver(),
      database: options.file,
      entities: options.entities,
      timeout: STARTUP_BUSY_MS,
      synchronize: false,
      logging: false,
      invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
      prepareDatabase: async (opened) => {
        driver = opened as Driver;
        // Affects new files only, before anything is written to them.
        driver.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
        await setWriteAheadLog(driver);
      },
    });
    await source.initialize();
    driver.exec('PRAGMA cache_size = -16000');
    driver.exec('PRAGMA query_only = ON');
    return new SqliteConnection(source, driver, options);
  }

  /**
   * To be called after the start: uses the short busy timeout from here on; longer waits happen off the event loop
   * (reads.ts).
   */
  serve(): void {
    this.rows(`PRAGMA busy_timeout = ${BUSY_MS}`, []);
  }

  get inTransaction(): boolean {
    return this.driver.inTransaction;
  }

  rows(sql: string, params: readonly Bound[]): Bound[][] {
    const start = performance.now();
    let read = this.statements.get(sql);
    if (!read) this.cache(sql, (read = prepareRows(this.driver, sql)));
    return this.timed(sql, read(params), start);
  }

  run(): RunResult {
    throw new Error('This connection reads: use a transaction');
  }

  /** Runs a statement without rows or parameters (BEGIN, COMMIT). */
  exec(sql: string): void {
    const start = performance.now();
    this.driver.exec(sql);
    this.timed(sql, undefined, start);
  }

  async close(): Promise<void> {
    this.statements.clear();
    await this.source.destroy();
  }

  private timed<T>(sql: string, result: T, start: number): T {
    report(this.watch, sql, performance.now() - start, 'reader');
    return result;
  }

  // Evicts the oldest statement: preparing one again occasionally costs less than tracking which was used last.
  private cache(sql: string, statement: Rows): void {
    if (this.statements.size >= STATEMENTS) this.statements.delete(this.statements.keys().next().value!);
    this.statements.set(sql, statement);
  }
}

/**
 * Sets the journal mode, which is stored in the file. When several processes do so in a new file, SQLite lets one
 * succeed and refuses the others at once, instead of letting them wait for the lock. Throws the driver's error when the
 * file is still locked after STARTUP_BUSY_MS.
 */
export async function setWriteAheadLog(driver: Pick<Driver, 'exec'>): Promise<void> {
  for (const end = Date.now() + STARTUP_BUSY_MS; ; await sleep(PAUSE_MS)) {
    try {
      return driver.exec('PRAGMA journal_mode = WAL');
    } catch (error) {
      if (!errorCode(error).startsWith('SQLITE_BUSY') || Date.now() > end) throw error;
    }
  }
}

/** better-sqlite3 where it is installed (it is faster), else libsql, which needs no compiler. */
function loadDriver(): unknown {
  const require = createRequire(import.meta.url);
  try {
    return require('better-sqlite3');
  } catch {
    return require('libsql');
  }
}
