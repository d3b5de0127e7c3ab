// One connection to a SQLite file: TypeORM's DataSource owns it, statements go past TypeORM to the driver. Made by sqlite.store.ts.
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DataSource, type EntitySchema } from 'typeorm';
import { type Bound, type Connection, type OnSlow, type Ran, UniqueViolation } from './connection.js';
import { sqliteDialect } from './sqlite.dialect.js';

/** How long a statement waits for another process; it blocks the event loop while it does. */
const BUSY_MS = 150;
/** At boot nobody is served yet. */
const BUSY_BOOT_MS = 5_000;
const STATEMENTS = 500;

/** What better-sqlite3 and libsql have in common. */
interface Driver {
  readonly inTransaction: boolean;
  prepare(sql: string): DriverStatement;
  exec(sql: string): void;
}

interface DriverStatement {
  raw(): DriverStatement;
  all(params: readonly Bound[]): Bound[][];
  run(params: readonly Bound[]): { changes: number; lastInsertRowid: number | bigint };
}

/** How a connection is opened. */
export interface SqliteConnectionOptions {
  file: string;
  /** `full` survives power loss; `normal` may then lose the last commits, never the file. */
  synchronous: 'full' | 'normal';
  entities: EntitySchema[];
  readOnly: boolean;
  onSlow?: OnSlow;
  slowMs?: number;
}

/** Statements are prepared once and kept. Errors of the driver pass through, duplicates as UniqueViolation. */
export class SqliteConnection implements Connection {
  private readonly readers = new Map<string, DriverStatement>();
  private readonly writers = new Map<string, DriverStatement>();
  /** Rows written through this connection so far, rolled back ones included. */
  written = 0;

  private constructor(
    readonly source: DataSource,
    private readonly driver: Driver,
    private readonly slowMs: number,
    private readonly onSlow: OnSlow | undefined,
  ) {}

  /** Opens the file, made with its directory when missing. */
  static async open(options: SqliteConnectionOptions): Promise<SqliteConnection> {
    const source = new DataSource({
      type: 'better-sqlite3',
      driver: loadDriver(),
      database: options.file,
      entities: options.entities,
      enableWAL: !options.readOnly,
      timeout: BUSY_BOOT_MS,
      synchronize: false,
      logging: false,
      invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    });
    await source.initialize();
    const driver = (source.driver as unknown as { databaseConnection: Driver }).databaseConnection;
    driver.exec(`PRAGMA synchronous = ${options.synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
    driver.exec('PRAGMA cache_size = -32000');
    if (options.readOnly) driver.exec('PRAGMA query_only = ON');
    return new SqliteConnection(source, driver, options.slowMs ?? 200, options.onSlow);
  }

  /** Boot is over: from here on waiting for another process is short, and retried outside the event loop. */
  serve(): void {
    this.rows(`PRAGMA busy_timeout = ${BUSY_MS}`, []);
  }

  get inTransaction(): boolean {
    return this.driver.inTransaction;
  }

  rows(sql: string, params: readonly Bound[]): Bound[][] {
    const start = performance.now();
    let statement = this.readers.get(sql);
    if (!statement) keep(this.readers, sql, (statement = this.driver.prepare(sql).raw()));
    // `all` and never `get`: libsql leaves a statement open after its first row, and with it an old snapshot.
    return this.timed(sql, statement.all(params), start);
  }

  run(sql: string, params: readonly Bound[]): Ran {
    const start = performance.now();
    try {
      let statement = this.writers.get(sql);
      if (!statement) keep(this.writers, sql, (statement = this.driver.prepare(sql)));
      const { changes, lastInsertRowid } = statement.run(params);
      this.written += changes;
      return this.timed(sql, { changes, id: Number(lastInsertRowid) }, start);
    } catch (error) {
      const duplicate = sqliteDialect.duplicate(error, sql);
      throw duplicate ? new UniqueViolation(duplicate.table, duplicate.columns) : error;
    }
  }

  /** BEGIN, COMMIT, DDL: whatever has neither rows nor parameters. */
  exec(sql: string): void {
    const start = performance.now();
    this.driver.exec(sql);
    this.timed(sql, undefined, start);
  }

  /** Moves the log into the file, so that a copy of the file alone is whole. Left for later when somebody reads or writes. */
  checkpoint(): void {
    try {
      this.driver.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The next process to open the file does it.
    }
  }

  async close(): Promise<void> {
    this.readers.clear();
    this.writers.clear();
    await this.source.destroy();
  }

  /** Closes for good, open transaction and all: the way out when even ROLLBACK fails. */
  async abandon(): Promise<void> {
    await this.close().catch(() => undefined);
    // libsql keeps a closed connection, and its lock on the file, until the last statement is collected.
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
  }

  private timed<T>(sql: string, answer: T, start: number): T {
    const ms = performance.now() - start;
    if (ms >= this.slowMs) this.onSlow?.(sql, ms);
    return answer;
  }
}

// The oldest goes for a new one: preparing it again now and then costs less than knowing at each use which was used last.
function keep(statements: Map<string, DriverStatement>, sql: string, statement: DriverStatement): void {
  if (statements.size >= STATEMENTS) statements.delete(statements.keys().next().value!);
  statements.set(sql, statement);
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
