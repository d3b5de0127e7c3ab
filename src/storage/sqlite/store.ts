// The store on a SQLite file: one writer behind a mutex, in a worker thread; readers run concurrently (WAL mode).
import type { DataSource } from 'typeorm';
import { AsyncLocalStorage } from 'node:async_hooks';
import { resolve } from 'node:path';
import { E_TIMEOUT, Mutex, withTimeout } from 'async-mutex';
import { ResourceError } from '../../errors/resource-error.js';
import type { TableModel } from '../../model/model.js';
import type { Caller, Reader, Transaction } from '../../model/store.js';
import type { AdministeredStore, StoreAdmin } from '../sql/administered-store.js';
import type { OnSlow } from '../sql/connection.js';
import { COUNTS } from '../sql/row-counts.js';
import { STATEMENT_MS } from '../pool/database.js';
import { entitySchema } from '../sql/entity-schema.js';
import type { MigrateMode } from '../migrations/run.js';
import { outcomeUnknown, retrying, unavailable, writeError } from '../sql/retry.js';
import { applyTables } from '../migrations/apply-at-boot.js';
import { SqliteConnection, type SqliteConnectionOptions } from './connection.js';
import { sqliteDialect } from './dialect.js';
import { SqliteReads } from './reads.js';
import { hasEnded } from './remote.js';
import { SqliteScans } from './scans.js';
import { SqliteStatistics } from './statistics.js';
import { SqliteRateCounters } from './rate-counters.js';
import { SqliteWriter, type SqliteWriterOptions } from './writer.js';
import { RememberingReader, SqlReader } from '../sql/reader.js';
import { SqlTransaction } from '../sql/transaction.js';
import { Statements } from '../sql/statements.js';

/** Options of opening a SQLite store. Times are milliseconds. */
export interface SqliteStoreOptions {
  /** `full` survives power loss; `normal` may then lose the last commits, never the file. */
  synchronous: 'full' | 'normal';
  /** Called for statements that took `slowMs` (default 200) or longer. */
  onSlow?: OnSlow;
  slowMs?: number;
  /** Timeout of a read before 503, default 5,000; 0: none, and all reads run on this thread, as for commands. */
  statementMs?: number;
  /** Called with errors of `after` callbacks; default: standard error. */
  onError?: (error: unknown) => void;
  /** Longest wait for the writer before 503; default 10,000. */
  queueMs?: number;
  /** What a boot may change in the tables; default `auto`. */
  migrate?: MigrateMode;
}

/**
 * SQLITE_MAX_LENGTH limits a row to a billion bytes; JavaScript strings are limited to less, so half of it suffices.
 */
const STATEMENT_BYTES = 512 * 1024 ** 2;
/** Longest wait for another process that changes the tables. */
const BOOT_MS = 600_000;

/**
 * Opens the file (created when missing) and migrates its tables to the models. Throws BootError where they contradict.
 */
export async function openSqliteStore(
  path: string,
  options: SqliteStoreOptions,
  tables: ReadonlyMap<string, TableModel>,
): Promise<SqliteStore> {
  const all = new Map(tables).set(COUNTS.name, COUNTS);
  const entities = [...all.values()].map((table) => entitySchema(table, sqliteDialect));
  const { synchronous, onSlow, slowMs } = options;
  const opening = { file: resolve(path), synchronous, entities, ...(onSlow && { onSlow }), slowMs };
  // The reader creates the file.
  const reader = await SqliteConnection.open(opening);
  const writer = await openWriter(opening, reader);
  const store = new SqliteStore(writer, reader, opening, options, new Statements(sqliteDialect, all));
  try {
    await applySchema(store, tables, options.migrate);
    await store.sampled;
  } catch (error) {
    await store.close();
    throw error;
  }
  await writer.serve();
  reader.serve();
  return store;
}

async function openWriter(opening: SqliteWriterOptions, reader: SqliteConnection): Promise<SqliteWriter> {
  try {
    return await SqliteWriter.open(opening);
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/** Creates what these tables lack, in one transaction; idempotent. */
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

/** Transactions are serialized; concurrent reads see the last commit. */
export class SqliteStore implements AdministeredStore {
  readonly admin: StoreAdmin;
  readonly dataSource: DataSource;
  readonly statementBytes = STATEMENT_BYTES;
  readonly reader: Reader;
  readonly rateCounters: SqliteRateCounters;
  /** Resolves when the last due sampling of the planner's statistics has finished. */
  sampled: Promise<void> = Promise.resolve();
  private readonly queue;
  private readonly scans: SqliteScans | undefined;
  private readonly statistics: SqliteStatistics;
  private readonly inside = new AsyncLocalStorage<{ open: boolean }>();

  constructor(
    private writer: SqliteWriter,
    readonly readConnection: SqliteConnection,
    private readonly opening: SqliteConnectionOptions & SqliteWriterOptions,
    private readonly options: SqliteStoreOptions,
    readonly statements: Statements,
  ) {
    const { statementMs = STATEMENT_MS } = options;
    this.scans = statementMs === 0 ? undefined : new SqliteScans({ ...opening, statementMs });
    const reads = this.scans ? new SqliteReads(readConnection, this.scans, statements.tables) : readConnection;
    this.reader = new RememberingReader(reads, statements);
    this.statistics = new SqliteStatistics(statements.tables.values());
    this.rateCounters = new SqliteRateCounters(opening);
    this.dataSource = readConnection.source;
    this.admin = {
      statements,
      ownTables: [],
      alone: (work) => this.alone(work),
      inspect: (work) => this.look(work),
      read: (work) => work(this.readConnection),
    };
    this.queue = withTimeout(new Mutex(), options.queueMs ?? 10_000, E_TIMEOUT);
  }

  /** Absolute path of the database. */
  get file(): string {
    return this.opening.file;
  }

  /** An embedded database has no replicas. */
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

  /** In WAL mode a read transaction is a snapshot and blocks no writer. It uses a connection of its own. */
  async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const connection = await SqliteConnection.open(this.opening);
    try {
      connection.exec('BEGIN');
      // BEGIN alone takes no snapshot: the first read does.
      connection.rows('SELECT 1 FROM sqlite_master LIMIT 1', []);
      return await work(new SqlReader(connection, this.statements));
    } finally {
      if (connection.inTransaction) connection.exec('COMMIT');
      await connection.close();
    }
  }

  /**
   * Runs `work` alone between BEGIN IMMEDIATE and COMMIT on the writer, with retries when another process holds the
   * lock.
   */
  async exclusive<T>(work: (writer: SqliteWriter) => Promise<T>): Promise<T> {
    // It would deadlock with itself.
    if (this.inside.getStore()?.open)
      throw new Error('A transaction inside a transaction: pass the outer one down instead');
    const state = { open: true };
    try {
      return await this.queue.runExclusive(() =>
        this.inContext(state, () => retrying(() => this.attempt(work), sqliteDialect.transient)),
      );
    } catch (error) {
      throw error === E_TIMEOUT || hasEnded(error) ? unavailable() : writeError(error, sqliteDialect);
    } finally {
      state.open = false;
    }
  }

  /** `exclusive`, with the long timeout of a boot, while another process may be changing the tables. */
  async alone<T>(work: (writer: SqliteWriter) => Promise<T>): Promise<T> {
    const deadline = performance.now() + BOOT_MS;
    for (;;) {
      try {
        return await this.exclusive(work);
      } catch (error) {
        if (!(error instanceof ResourceError) || performance.now() > deadline) throw error;
      }
    }
  }

  /** Reads one snapshot of the file, concurrently with the writer. */
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
      await this.rateCounters.close();
      await this.scans?.close();
      await this.readConnection.close();
      await this.writer.checkpoint();
      await this.writer.close();
    });
  }

  // An active AsyncLocalStorage slows down every promise of the process: disable it after the transaction, as no other
  // one is running.
  private async inContext<T>(state: { open: boolean }, run: () => Promise<T>): Promise<T> {
    try {
      return await this.inside.run(state, run);
    } finally {
      this.inside.disable();
    }
  }

  private async attempt<T>(work: (writer: SqliteWriter) => Promise<T>): Promise<T> {
    if (this.writer.ended) await this.replaceWriter();
    await this.writer.exec('BEGIN IMMEDIATE');
    try {
      const answer = await work(this.writer);
      await this.commit();
      if (this.statistics.isDue(this.writer.written)) this.sampled = this.sample();
      return answer;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  private async commit(): Promise<void> {
    try {
      await this.writer.exec('COMMIT');
    } catch (error) {
      throw hasEnded(error) ? outcomeUnknown() : error;
    }
  }

  private async rollback(): Promise<void> {
    try {
      // A full disk and some other errors have rolled back already.
      if (this.writer.inTransaction) await this.writer.exec('ROLLBACK');
    } catch {
      // Replace a connection in an unknown state.
      await this.replaceWriter();
    }
  }

  private async replaceWriter(): Promise<void> {
    await this.writer.close();
    const writer = await SqliteWriter.open(this.opening);
    await writer.serve();
    this.writer = writer;
  }

  /** Samples statistics between transactions. Written rows are counted per writer, so a replaced one samples later. */
  private async sample(): Promise<void> {
    try {
      for (const script of this.statistics.slices()) await this.queue.runExclusive(() => this.slice(script));
      // Other connections reload statistics only with the schema.
      this.readConnection.exec('PRAGMA writable_schema = RESET');
      await this.scans?.refresh();
    } catch {
      // Another process is writing, or the store is closed: the old statistics stay until the next time.
    }
  }

  private async slice(script: string): Promise<void> {
    try {
      await this.writer.exec(script);
    } catch (error) {
      await this.rollback();
      throw error;
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
