// The store on a database server: reads use any pooled connection, transactions one each, side by side where they can.
import { CoalescingJob } from '../../concurrency/coalescing-job.js';
import type { DataSource } from 'typeorm';
import type { Caller, Requester, LockNeeds, Reader, RateCounterStore, Transaction } from '../../model/store.js';
import type { AdministeredStore, StoreAdmin, StoreLoad } from '../sql/administered-store.js';
import type { StatementWatch } from '../sql/connection.js';
import { asStartupError, type Database, isShutOut, type PoolOptions, type Session } from './database.js';
import { BoundedSemaphore } from '../sql/semaphore.js';
import { ChangedTables, type OnChangedTables } from '../migrations/changed-tables.js';
import { GrowingTables } from './growing-tables.js';
import { PooledReads } from './pooled-reads.js';
import { type OnReplica, Replica, type ReplicaAddress } from './replica.js';
import { Replicas } from './replicas.js';
import { retry, tooSlow, unavailable, unencodable } from '../sql/retry.js';
import { searchGate, type TextIndex } from '../sql/scans.js';
import {
  commitSteps,
  completeCounters,
  invalidateTexts,
  migrateTables,
  type StartOptions,
} from '../migrations/apply-at-start.js';
import { lockSite, prepareLocks } from '../migrations/prepare-locks.js';
import { OWN_TABLES } from '../sql/data-version.js';
import { SqlReader } from '../reads/reader.js';
import { BulkTransaction } from '../bulk/bulk-transaction.js';
import { SqlTransaction } from '../transactions/transaction.js';
import type { Statements } from '../sql/statements.js';
import { ServerWrites } from './writes.js';
import { SqlRateCounters } from '../sql/rate-counters.js';
import type { TableModel } from '../../model/table.js';
import { CachingReader } from '../reads/caching-reader.js';

/** Options of opening a server store. Times are milliseconds. */
export interface ServerStoreOptions extends StatementWatch, StartOptions, Pick<PoolOptions, 'onLocked'> {
  /** Pool size of this process; a quarter of it, at least one connection, is never used by transactions. */
  pool: number;
  /** Timeout of one statement before 503, default 5,000; 0: none. */
  statementMs?: number;
  /** Called with errors of `after` callbacks; default: standard error. */
  onError?: (error: unknown) => void;
  /** Called at start for server settings with which acknowledged writes may be lost. */
  onUnsafeSetting?: (setting: string) => void;
  /** Longest wait of a read for a connection before 503; default 2,000. */
  waitMs?: number;
  /** Longest wait of a transaction for its turn before 503; default 10,000. */
  queueMs?: number;
  /** Addresses of read replicas of the same engine. */
  replicas?: readonly string[];
  /** Called when a replica is marked down or serves again. */
  onReplica?: OnReplica;
  /** Called when another process has changed the tables for other schemas. */
  onChangedTables?: OnChangedTables;
  /** Set by commands: `plan` only reads, `run` migrates itself. */
  evolving?: 'plan' | 'run';
}

// Statements take about a millisecond: the timeout bounds the queue, this limit only its memory.
const MAX_QUEUED = 1_000;
const READ_WAIT = 2_000;

/** See `Store`. */
export class ServerStore implements AdministeredStore {
  readonly reader: CachingReader;
  readonly rateCounters: RateCounterStore;
  readonly admin: StoreAdmin;
  readonly dataSource: DataSource;
  private readonly readers: BoundedSemaphore;
  private readonly writes: ServerWrites;
  private readonly changes: ChangedTables;
  private replicas: Replicas | undefined;
  private closed = false;

  constructor(
    readonly database: Database,
    readonly statements: Statements,
    private readonly options: ServerStoreOptions,
    private readonly texts?: TextIndex,
  ) {
    const size = Math.max(2, options.pool);
    // Reads never take every connection, so that transactions can proceed.
    this.readers = new BoundedSemaphore({ size: size - 1, queue: MAX_QUEUED, timeout: options.waitMs ?? READ_WAIT });
    this.changes = new ChangedTables(
      statements,
      (work) => this.withConnection((session) => work(async (sql) => session.rows(sql, []))),
      options.onChangedTables,
    );
    const mapError = (error: unknown): unknown => {
      if (database.isTimedOut(error)) return tooSlow();
      if (database.dialect.isUnencodable?.(error)) return unencodable();
      const isAway = isShutOut(error) || database.isLost(error) || database.dialect.isTransient(error);
      return isAway ? unavailable(error) : this.changes.explain(error);
    };
    // A transaction may also read through the pool, so some connections are never used by transactions.
    const writers = size - Math.max(1, Math.ceil(size / 4));
    const limits = { size: writers, queue: MAX_QUEUED, timeout: options.queueMs ?? 10_000 };
    const growing = new GrowingTables(() => this.maintainOutgrown());
    const merges = new CoalescingJob(() => this.mergeEntries());
    const onWritten = (many: boolean): void => {
      growing.noteTransaction(many);
      if (many) merges.request();
    };
    this.writes = new ServerWrites(database, statements, limits, { onError: options.onError, onWritten }, texts);
    const reads = new PooledReads(database, this.readers, mapError);
    this.reader = new CachingReader(reads, statements, searchGate(size - 1), '', texts);
    const counting = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
      this.readers.run(() => retry(() => this.withConnection(work), this.writes.isRetryable));
    this.rateCounters = new SqlRateCounters(statements.dialect, counting, reads);
    this.dataSource = database.source;
    this.admin = {
      statements,
      ownTables: this.ownTables,
      texts,
      completeTexts: () => this.completeTexts(),
      exclusive: (work) => database.exclusive(work),
      inspect: (work) => database.exclusive(work),
      read: (work) => this.withConnection(work),
      unsafeSettings: () => database.unsafeSettings(),
      readOnlyReason: () => database.readOnlyReason(),
    };
  }

  private get ownTables(): readonly TableModel[] {
    return [...OWN_TABLES, ...(this.texts?.tables ?? [])];
  }

  get statementBytes(): number {
    return this.database.statementBytes;
  }

  readFor<T>(caller: Caller, work: (reader: Reader) => Promise<T>, requester?: Requester): Promise<T> {
    if (this.replicas) return this.replicas.readFor(caller, work, requester);
    return work(this.reader.for(requester));
  }

  noteWrite(caller: Caller): Promise<void> | undefined {
    return this.replicas?.noteWrite(caller);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, needs?: LockNeeds): Promise<T> {
    return this.changes.guard(() => this.writes.run(work, SqlTransaction, needs));
  }

  bulk<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.changes.guard(() => this.writes.run(work, BulkTransaction));
  }

  /** The connection of a snapshot counts as one of the read connections. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const read = async (): Promise<T> => {
      const session = await this.database.connect();
      try {
        await session.beginSnapshot();
        return await work(new SqlReader(session, this.statements));
      } finally {
        session.release(true);
      }
    };
    return this.changes.guard(() => this.readers.run(read));
  }

  /** Creates the missing parts of these tables; idempotent. Processes that start concurrently take turns. */
  async applySchema(tables: ReadonlyMap<string, TableModel>, shown: string): Promise<void> {
    if (this.options.onUnsafeSetting) (await this.database.unsafeSettings()).forEach(this.options.onUnsafeSetting);
    const all = [...this.ownTables, ...tables.values()];
    if (this.options.migrate === 'off') return this.withConnection(async (session) => this.texts?.load(session));
    await this.database.exclusive(async (session) => {
      const steps = await migrateTables(session, this.statements, all, shown, this.options, this.texts);
      await prepareLocks(session, this.statements);
      await invalidateTexts(session, this.texts, steps);
      await commitSteps(session, this.statements);
      // From here on no other process can write the rows that are counted.
      await lockSite(session, this.statements);
      await completeCounters(session, this.statements, all);
    });
    await this.completeTexts();
  }

  private async completeTexts(): Promise<void> {
    const { texts } = this;
    if (texts) await this.database.exclusive((session) => texts.complete(session), 'texts');
  }

  /**
   * Connects to the replicas; unreachable ones are marked down. Throws StartupError for errors that retrying cannot fix.
   */
  async useReplicas(addresses: readonly ReplicaAddress[]): Promise<void> {
    if (addresses.length === 0) return;
    const { waitMs = READ_WAIT, pool, onReplica = () => undefined } = this.options;
    const limits = { pool, waitMs, queue: MAX_QUEUED };
    const all = addresses.map((address) => new Replica(address, this.statements, limits, onReplica, this.texts));
    this.replicas = new Replicas(this.reader, all);
    try {
      for (const replica of all) await replica.start();
    } catch (error) {
      throw asStartupError(error, 'DATABASE_REPLICA_URLS');
    }
  }

  /** Servers do this themselves, but with a delay, and it may be disabled. */
  analyze(): Promise<void> {
    return this.withConnection((session) => this.maintain(session, [...this.statements.tables.keys()]));
  }

  /**
   * Analyzes tables whose statistics are missing or outdated: without them the planner assumes that every list is
   * short, and autovacuum may be off or late. Vacuums them, too: until then an index-only scan has to look up each row
   * in the table.
   */
  async maintainOutgrown(): Promise<void> {
    const { dialect, tables } = this.statements;
    const { staleTables } = dialect;
    if (staleTables === undefined) return;
    await this.withConnection(async (session) => {
      const found = (await session.rows(staleTables, [])).map(([name]) => String(name));
      const names = found.filter((name) => tables.has(name));
      if (names.length > 0) await this.maintain(session, names);
    });
  }

  /**
   * Merges the index entries that transactions with many rows have deferred. On a separate connection, so that it does
   * not delay the inserting one. After an error, the next merge or a search processes the rest.
   */
  private async mergeEntries(): Promise<void> {
    const { mergeEntries } = this.statements.dialect;
    if (mergeEntries === undefined || this.closed) return;
    await this.withConnection(async (session) => session.exec(mergeEntries)).catch(() => undefined);
  }

  private async maintain(session: Session, tables: readonly string[]): Promise<void> {
    const { analyze, vacuum, isTransient } = this.statements.dialect;
    // In a fixed order, because a concurrent ANALYZE keeps its locks on all tables until its end.
    const inOrder = [...tables].sort();
    await retry(async () => session.exec(analyze(inOrder)), isTransient);
    if (!vacuum) return;
    for (const table of tables) {
      if (this.closed) return;
      try {
        await session.exec(vacuum(table));
      } catch {
        // For example a timeout: the next run continues from there.
      }
    }
  }

  tableChanges(): Promise<string | undefined> {
    return this.changes.current();
  }

  load(): StoreLoad {
    const { open, idle } = this.database.connections();
    const { connections, all: writersWaiting } = this.writes.waiting;
    const waiting = this.readers.waiting + connections;
    const size = Math.max(2, this.options.pool);
    const own = { role: 'primary' as const, size, inUse: open - idle, idle, waiting };
    return { pools: [own, ...(this.replicas?.loads() ?? [])], writersWaiting };
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.replicas?.close();
    await this.database.close();
  }

  private async withConnection<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.database.connect();
    let broken = false;
    try {
      return await work(session);
    } catch (error) {
      broken = this.database.isLost(error);
      throw error;
    } finally {
      session.release(broken);
    }
  }
}
