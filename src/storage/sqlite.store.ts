// The store on a SQLite file: one writer behind a mutex, one reader beside it, WAL between them. Opened by main.ts and cli.ts.
import { AsyncLocalStorage } from 'node:async_hooks';
import { resolve } from 'node:path';
import { E_TIMEOUT, Mutex, withTimeout } from 'async-mutex';
import { ResourceError } from '../errors/resource-error.js';
import type { TableModel } from '../model/model.js';
import type { Caller, Reader, Store, Transaction } from '../model/store.js';
import type { OnSlow } from './connection.js';
import { COUNTS } from './counters.js';
import { entitySchema } from './entity-schema.js';
import type { MigrateMode } from './evolution/run-plan.js';
import { retrying, unavailable, writeRefusal } from './retry.js';
import { applyTables } from './schema-apply.js';
import { SqliteConnection, type SqliteConnectionOptions } from './sqlite.connection.js';
import { sqliteDialect } from './sqlite.dialect.js';
import { SqliteStatistics } from './sqlite.statistics.js';
import { RememberingReader, SqlReader } from './sql.reader.js';
import { SqliteTallies } from './sqlite.tallies.js';
import { SqlTransaction } from './sql.transaction.js';
import { Statements } from './statements.js';

/** How a SQLite store is opened. Times are milliseconds. */
export interface SqliteStoreOptions {
  /** `full` survives power loss; `normal` may then lose the last commits, never the file. */
  synchronous: 'full' | 'normal';
  /** Told of statements that took `slowMs` (default 200) or longer. */
  onSlow?: OnSlow;
  slowMs?: number;
  /** Told of errors of `after` callbacks; default: standard error. */
  onError?: (error: unknown) => void;
  /** Longest wait for the writer before 503; default 10,000. */
  queueMs?: number;
  /** What a boot may do to the tables; default `auto`. */
  migrate?: MigrateMode;
}

/** Longest wait for another process that changes the tables. */
const BOOT_MS = 600_000;

/** Opens the file (made when missing) and brings its tables up to the models. Throws BootError where they contradict. */
export async function openSqliteStore(
  path: string,
  options: SqliteStoreOptions,
  tables: ReadonlyMap<string, TableModel>,
): Promise<SqliteStore> {
  const all = new Map(tables).set(COUNTS.name, COUNTS);
  const entities = [...all.values()].map((table) => entitySchema(table, sqliteDialect));
  const opening: SqliteConnectionOptions = { ...options, file: resolve(path), entities, readOnly: false };
  const writer = await SqliteConnection.open(opening);
  const reader = await SqliteConnection.open({ ...opening, readOnly: true });
  const store = new SqliteStore(writer, reader, opening, options, new Statements(sqliteDialect, all));
  try {
    await applySchema(store, tables, options.migrate);
  } catch (error) {
    await store.close();
    throw error;
  }
  writer.serve();
  reader.serve();
  return store;
}

/** Makes what is missing for these tables, in one transaction; a second call changes nothing. */
export async function applySchema(
  store: SqliteStore,
  tables: ReadonlyMap<string, TableModel>,
  mode?: MigrateMode,
): Promise<void> {
  if (mode === 'off') return;
  await store.alone(async (writer) => {
    await applyTables(writer, store.statements, [...tables.values()], store.file, mode);
  });
}

/** Transactions run one after the other, each wholly; reads beside them see the last commit. */
export class SqliteStore implements Store {
  readonly reader: Reader;
  readonly tallies: SqliteTallies;
  private readonly queue;
  private readonly statistics = new SqliteStatistics();
  private readonly inside = new AsyncLocalStorage<{ open: boolean }>();

  constructor(
    private writer: SqliteConnection,
    readonly readConnection: SqliteConnection,
    private readonly opening: SqliteConnectionOptions,
    private readonly options: SqliteStoreOptions,
    readonly statements: Statements,
  ) {
    this.reader = new RememberingReader(readConnection, statements);
    this.tallies = new SqliteTallies(opening);
    this.queue = withTimeout(new Mutex(), options.queueMs ?? 10_000, E_TIMEOUT);
  }

  /** Absolute path of the database. */
  get file(): string {
    return this.opening.file;
  }

  /** One file has one side. */
  readFor<T>(_caller: Caller, work: (reader: Reader) => Promise<T>): Promise<T> {
    return work(this.reader);
  }

  noteWrite(): void {}

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const done = await this.exclusive(async (writer) => {
      const tx = new SqlTransaction(writer, this.statements);
      try {
        const answer = await work(tx);
        await tx.flush();
        return { answer, afterwards: tx.afterwards };
      } finally {
        tx.end();
      }
    });
    for (const run of done.afterwards) await this.afterwards(run);
    return done.answer;
  }

  /** In WAL mode a read transaction keeps its state and holds up no writer. Its connection is its own. */
  async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const connection = await SqliteConnection.open({ ...this.opening, readOnly: true });
    try {
      connection.exec('BEGIN');
      // BEGIN alone chooses no state: the first read does.
      connection.rows('SELECT 1 FROM sqlite_master LIMIT 1', []);
      return await work(new SqlReader(connection, this.statements));
    } finally {
      if (connection.inTransaction) connection.exec('COMMIT');
      await connection.close();
    }
  }

  /** Runs `work` between BEGIN IMMEDIATE and COMMIT on the writer, alone, again when another process was in the way. */
  async exclusive<T>(work: (writer: SqliteConnection) => Promise<T>): Promise<T> {
    // It would wait for itself.
    if (this.inside.getStore()?.open)
      throw new Error('A transaction inside a transaction: pass the outer one down instead');
    const state = { open: true };
    try {
      return await this.queue.runExclusive(() =>
        this.marked(state, () => retrying(() => this.attempt(work), sqliteDialect.transient)),
      );
    } catch (error) {
      throw error === E_TIMEOUT ? unavailable() : writeRefusal(error, sqliteDialect);
    } finally {
      state.open = false;
    }
  }

  /** `exclusive`, with all the patience that a process has at its start while another one changes the tables. */
  async alone<T>(work: (writer: SqliteConnection) => Promise<T>): Promise<T> {
    const deadline = performance.now() + BOOT_MS;
    for (;;) {
      try {
        return await this.exclusive(work);
      } catch (error) {
        if (!(error instanceof ResourceError) || performance.now() > deadline) throw error;
      }
    }
  }

  /** Reads of one state of the file, beside whoever writes. */
  async look<T>(work: (reader: SqliteConnection) => Promise<T>): Promise<T> {
    this.readConnection.exec('BEGIN');
    try {
      return await work(this.readConnection);
    } finally {
      this.readConnection.exec('ROLLBACK');
    }
  }

  async close(): Promise<void> {
    await this.queue.runExclusive(async () => {
      await this.tallies.close();
      await this.readConnection.close();
      this.writer.checkpoint();
      await this.writer.close();
    });
  }

  // While the mark is kept, every promise of the process pays for it; nobody else is inside, so it can go with the transaction.
  private async marked<T>(state: { open: boolean }, run: () => Promise<T>): Promise<T> {
    try {
      return await this.inside.run(state, run);
    } finally {
      this.inside.disable();
    }
  }

  private async attempt<T>(work: (writer: SqliteConnection) => Promise<T>): Promise<T> {
    this.writer.exec('BEGIN IMMEDIATE');
    try {
      const answer = await work(this.writer);
      this.writer.exec('COMMIT');
      this.statistics.refresh(this.writer, this.readConnection);
      return answer;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  private async rollback(): Promise<void> {
    try {
      // A full disk and some other errors have rolled back already.
      if (this.writer.inTransaction) this.writer.exec('ROLLBACK');
    } catch {
      // A connection in an unknown state serves nobody.
      await this.writer.abandon();
      this.writer = await SqliteConnection.open(this.opening);
      this.writer.serve();
    }
  }

  private async afterwards(run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      (this.options.onError ?? console.error)(error);
    }
  }
}
