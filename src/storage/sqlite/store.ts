// The store on a SQLite file: one writer in a worker thread, readers beside it (WAL mode).
import type { DataSource } from 'typeorm';
import { resolve } from 'node:path';
import { ResourceError } from '../../errors/resource-error.js';
import type { Caller, Requester, LockNeeds, Reader, Transaction } from '../../model/store.js';
import type { AdministeredStore, StoreAdmin, StoreLoad } from '../sql/administered-store.js';
import type { Bound, StatementWatch } from '../sql/connection.js';
import { COUNTS } from '../sql/row-counts.js';
import { LOCKED_MS, unavailable } from '../sql/retry.js';
import { STATEMENT_MS } from '../pool/database.js';
import { entitySchema } from '../sql/entity-schema.js';
import { ChangedTables, type OnChangedTables } from '../migrations/changed-tables.js';
import { applyTables, type StartOptions } from '../migrations/apply-at-start.js';
import { SqliteConnection, type SqliteConnectionOptions } from './connection.js';
import { sqliteDialect } from './dialect.js';
import { readOnlyReason } from './errors.js';
import { GuardedReads, noteCommit, SqliteReads } from './reads.js';
import { SqliteScans } from './scans.js';
import { SqliteMaintenance } from './maintenance.js';
import { stopMergesOfCommits } from './trigram-merges.js';
import { SqliteRateCounters } from './rate-counters.js';
import type { SqliteWriter, SqliteWriterOptions } from './writer.js';
import { Undone } from './short-writes.js';
import { SqliteWrites } from './writes.js';
import { SqlReader } from '../reads/reader.js';
import { SqlTransaction } from '../transactions/transaction.js';
import { IndexingTransaction } from './indexing-transaction.js';
import { ShortTransaction, StatementShapes, TooLong } from './short-transaction.js';
import { Statements } from '../sql/statements.js';
import type { TableModel } from '../../model/table.js';
import { CachingReader } from '../reads/caching-reader.js';

/** Options of opening a SQLite store. Times are milliseconds. */
export interface SqliteStoreOptions extends StatementWatch, StartOptions {
  /** For a command with bulk writes: its statements run on another thread, in parallel with its own work. */
  bulk?: boolean;
  /** `full` survives power loss; `normal` may then lose the last commits, never the file. */
  synchronous: 'full' | 'normal';
  /** Timeout of a read before 503, default 5,000; 0: none, and everything runs on this thread, as for commands. */
  statementMs?: number;
  /** Called with errors of `after` callbacks; default: standard error. */
  onError?: (error: unknown) => void;
  /** Longest wait for the writer before 503; default 10,000. */
  queueMs?: number;
  /** Called when another process has changed the tables for other schemas. */
  onChangedTables?: OnChangedTables;
  /** Called when a change of tables waits for another process. */
  onLocked?: () => void;
}

/**
 * SQLITE_MAX_LENGTH limits a row to a billion bytes; JavaScript strings are limited to less, so half of it suffices.
 */
const STATEMENT_BYTES = 512 * 1024 ** 2;
/** Longest wait for the writer. */
const QUEUE_MS = 10_000;
/** Milliseconds for which the result of a readiness check may be used again. */
const READINESS_MS = 1_000;
/** Longest wait for another process that changes the tables. */
const STARTUP_MS = 600_000;

/**
 * Opens the file (created when missing) and migrates its tables to the models. Throws StartupError where they contradict.
 */
export async function openSqliteStore(
  path: string,
  options: SqliteStoreOptions,
  tables: ReadonlyMap<string, TableModel>,
): Promise<SqliteStore> {
  const all = new Map(tables).set(COUNTS.name, COUNTS);
  const entities = [...all.values()].map((table) => entitySchema(table, sqliteDialect));
  const { synchronous, onSlow, slowMs, onStatement } = options;
  const sameThread = options.statementMs === 0 && !options.bulk;
  const { bulk = false } = options;
  const opening = { file: resolve(path), synchronous, entities, onSlow, slowMs, onStatement, sameThread, bulk };
  // The reader creates the file.
  const reader = await SqliteConnection.open(opening);
  const store = new SqliteStore(reader, opening, options, new Statements(sqliteDialect, all));
  try {
    await applySchema(store, tables, options);
    await store.serve();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Creates the missing parts of these tables in one transaction; idempotent. */
export async function applySchema(
  store: SqliteStore,
  tables: ReadonlyMap<string, TableModel>,
  options: StartOptions = {},
): Promise<void> {
  if (options.migrate === 'off') return;
  await store.changeTables(async (writer) => {
    await applyTables(writer, store.statements, [...tables.values()], store.file, options);
    if (options.migrate !== 'check') await stopMergesOfCommits(writer, tables.values());
  });
}

/** Transactions are serialized; concurrent reads see the last commit. */
export class SqliteStore implements AdministeredStore {
  readonly admin: StoreAdmin;
  readonly dataSource: DataSource;
  readonly statementBytes = STATEMENT_BYTES;
  readonly lowersTexts = true;
  readonly reader: CachingReader;
  readonly rateCounters: SqliteRateCounters;
  readonly maintenance: SqliteMaintenance;
  private closed = false;
  private readonly writes: SqliteWrites;
  private readonly changes: ChangedTables;
  private readonly scans: SqliteScans | undefined;
  /** Servers only: commands write on one thread anyway. */
  private readonly shapes: StatementShapes | undefined;

  constructor(
    readonly readConnection: SqliteConnection,
    private readonly opening: SqliteConnectionOptions & SqliteWriterOptions,
    private readonly options: SqliteStoreOptions,
    readonly statements: Statements,
  ) {
    const { statementMs = STATEMENT_MS } = options;
    const lossError = (): Error | undefined => this.writes.lossError();
    this.scans = statementMs === 0 ? undefined : new SqliteScans({ ...opening, statementMs, lossError });
    const read = async (sql: string): Promise<Bound[][]> => readConnection.rows(sql, []);
    this.changes = new ChangedTables(statements, (work) => work(read), options.onChangedTables);
    const reads = this.scans
      ? new GuardedReads(new SqliteReads(readConnection, this.scans, statements.tables), this.changes)
      : readConnection;
    this.reader = new CachingReader(reads, statements);
    this.shapes = this.scans && new StatementShapes(statements.tables);
    this.maintenance = new SqliteMaintenance(statements.tables, () => this.writes, readConnection, this.scans);
    this.rateCounters = new SqliteRateCounters(opening);
    this.dataSource = readConnection.source;
    this.admin = {
      statements,
      ownTables: [],
      exclusive: (work) => this.changeTables(work),
      inspect: (work) => this.inspect(work),
      read: (work) => work(this.readConnection),
      unsafeSettings: async () => [],
      readOnlyReason: async () => readOnlyReason(this.file),
    };
    const queueMs = options.queueMs ?? (opening.sameThread || opening.bulk ? STARTUP_MS : QUEUE_MS);
    this.writes = new SqliteWrites(opening, queueMs, (written) => {
      noteCommit();
      this.maintenance.committed(written);
    });
  }

  /** To be called after the start: uses short busy timeouts from here on. */
  async serve(): Promise<void> {
    await this.writes.serve();
    this.readConnection.serve();
    // Commands sample and merge when they write.
    if (!this.scans) return;
    try {
      this.maintenance.start();
    } catch {
      // Without migrations, a table may belong to another program: the plan reports it, and only its requests fail.
    }
  }

  /** Absolute path of the database. */
  get file(): string {
    return this.opening.file;
  }

  /** An embedded database has no replicas. */
  readFor<T>(_caller: Caller, work: (reader: Reader) => Promise<T>, requester?: Requester): Promise<T> {
    return work(this.reader.for(requester));
  }

  noteWrite(): void {}

  /**
   * Transactions with `needs` are those of single items: they are tried on this thread first (short-transaction.ts).
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, needs?: LockNeeds): Promise<T> {
    return this.changes.guard(() => this.fittingWrite(work, needs));
  }

  private async fittingWrite<T>(work: (tx: Transaction) => Promise<T>, needs?: LockNeeds): Promise<T> {
    const { shapes } = this;
    if (needs && shapes?.mayRun(needs.kind)) {
      try {
        return await this.short(work, shapes);
      } catch (error) {
        if (error instanceof TooLong) shapes.noteTooLong(needs.kind, error);
        else if (!(error instanceof Undone) && !sqliteDialect.isTransient(error)) throw error;
      }
    }
    return this.write(work, (writer) => new SqlTransaction(writer, this.statements));
  }

  /**
   * Trigram tables get the new rows in batches (indexing-transaction.ts). Nesting is not detected, because of its many
   * promises.
   */
  bulk<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.changes.guard(() =>
      this.write(work, (writer) => new IndexingTransaction(writer, this.statements), false),
    );
  }

  private async short<T>(work: (tx: Transaction) => Promise<T>, shapes: StatementShapes): Promise<T> {
    const attempt = async (writer: SqliteWriter): Promise<Finished<T>> => {
      const tx = ShortTransaction.on(writer, this.statements, shapes);
      try {
        return await run(work, tx);
      } catch (error) {
        // The work may have thrown an error of its own where a statement was refused.
        throw tx.refusal ?? error;
      }
    };
    return this.finish(await this.writes.short(attempt));
  }

  private async write<T>(
    work: (tx: Transaction) => Promise<T>,
    begin: (writer: SqliteWriter) => SqlTransaction,
    watched = true,
  ): Promise<T> {
    return this.finish(await this.writes.together((writer) => run(work, begin(writer)), watched));
  }

  private async finish<T>({ result, afterwards }: Finished<T>): Promise<T> {
    for (const callback of afterwards) await this.runCallback(callback);
    return result;
  }

  /** In WAL mode a read transaction is a snapshot and blocks no writer. It uses a connection of its own. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.changes.guard(() => this.ownSnapshot(work));
  }

  private async ownSnapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    // Opening would create an empty file where the file has been removed.
    const lost = this.writes.lossError();
    if (lost) throw unavailable(lost);
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

  /** Runs `work` in a transaction of its own on the writer, with retries when another process holds the lock. */
  exclusive<T>(work: (writer: SqliteWriter) => Promise<T>): Promise<T> {
    return this.writes.alone(work);
  }

  /** For changes of tables, with the long timeout of a start, while another process may be changing them. */
  async changeTables<T>(work: (writer: SqliteWriter) => Promise<T>): Promise<T> {
    const deadline = performance.now() + STARTUP_MS;
    let lockedTimer: NodeJS.Timeout | undefined;
    const onOpened = (): void => {
      lockedTimer ??= setTimeout(() => this.options.onLocked?.(), LOCKED_MS);
    };
    const begun = (writer: SqliteWriter): Promise<T> => {
      clearTimeout(lockedTimer);
      return work(writer);
    };
    try {
      for (;;) {
        try {
          return await this.writes.changing(begun, onOpened);
        } catch (error) {
          // Where the file is lost, every attempt fails at once.
          const isOver = this.closed || this.writes.lossError() !== undefined || performance.now() > deadline;
          if (!isBusy(error) || isOver) throw error;
        }
      }
    } finally {
      clearTimeout(lockedTimer);
    }
  }

  /** Reads one snapshot of the file, concurrently with the writer. */
  async inspect<T>(work: (reader: SqliteConnection) => Promise<T>): Promise<T> {
    this.readConnection.exec('BEGIN');
    try {
      return await work(this.readConnection);
    } finally {
      this.readConnection.exec('ROLLBACK');
    }
  }

  lossReason(withinMs = READINESS_MS): string | undefined {
    return this.writes.lossError(withinMs) && 'The file of the database was moved, replaced or removed.';
  }

  tableChanges(): Promise<string | undefined> {
    return this.changes.current();
  }

  load(): StoreLoad {
    return { pools: [], writersWaiting: this.writes.queued };
  }

  async close(): Promise<void> {
    this.closed = true;
    // Not awaited, because its writes are refused from here on.
    void this.maintenance.stop();
    await this.writes.close(async () => {
      await this.rateCounters.close();
      await this.scans?.close();
      await this.readConnection.close();
    });
  }

  private async runCallback(run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      (this.options.onError ?? console.error)(error);
    }
  }
}

/** Whether an error says that the lock was not granted in time; a file that cannot be written has the driver's error as its cause. */
function isBusy(error: unknown): boolean {
  return error instanceof ResourceError && !(error.cause instanceof Error);
}

/** The result of a transaction, and the callbacks to run after its COMMIT. */
interface Finished<T> {
  result: T;
  afterwards: SqlTransaction['callbacks'];
}

/** Runs `work` in a transaction that has begun; the caller commits it. */
async function run<T>(work: (tx: Transaction) => Promise<T>, tx: SqlTransaction): Promise<Finished<T>> {
  try {
    const result = await work(tx);
    await flush(tx);
    return { result, afterwards: tx.callbacks };
  } finally {
    tx.end();
  }
}

async function flush(tx: SqlTransaction): Promise<void> {
  try {
    await tx.flush();
  } catch (error) {
    tx.addTableName(error);
    throw error;
  }
}
