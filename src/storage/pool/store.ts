// The store on a database server: reads use any pooled connection, transactions one each, serialized.
import type { DataSource } from 'typeorm';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { TableModel } from '../../model/model.js';
import type { Caller, Reader, RateCounterStore, Transaction } from '../../model/store.js';
import type { AdministeredStore, StoreAdmin } from '../sql/administered-store.js';
import type { OnSlow } from '../sql/connection.js';
import { asBootError, type Database, type Session } from './database.js';
import type { MigrateMode } from '../migrations/run.js';
import { BoundedSemaphore } from '../sql/semaphore.js';
import { PooledReads } from './pooled-reads.js';
import { type OnReplica, Replica, type ReplicaAddress } from './replica.js';
import { Replicas } from './replicas.js';
import { outcomeUnknown, retrying, tooSlow, unavailable, writeError } from '../sql/retry.js';
import { searchGate } from '../sql/scans.js';
import { completeCounters, makeTables } from '../migrations/apply-at-boot.js';
import { makeVersion, moveVersion, OWN_TABLES } from '../sql/data-version.js';
import { RememberingReader, SqlReader } from '../sql/reader.js';
import { SqlTransaction } from '../sql/transaction.js';
import type { Statement, Statements } from '../sql/statements.js';
import { SqlRateCounters } from '../sql/rate-counters.js';

/** Options of opening a server store. Times are milliseconds. */
export interface ServerStoreOptions {
  /** Pool size of this process; one connection is reserved for the writer. */
  pool: number;
  /** Called for statements that took `slowMs` (default 200) or longer. */
  onSlow?: OnSlow;
  slowMs?: number;
  /** Timeout of one statement before 503, default 5,000; 0: none. */
  statementMs?: number;
  /** Called with errors of `after` callbacks; default: standard error. */
  onError?: (error: unknown) => void;
  /** Called at boot for server settings with which acknowledged writes may be lost. */
  onWeak?: (setting: string) => void;
  /** Longest wait of a read for a connection before 503; default 2,000. */
  waitMs?: number;
  /** Longest wait of a transaction for its turn before 503; default 10,000. */
  queueMs?: number;
  /** Addresses of read replicas of the same engine. */
  replicas?: readonly string[];
  /** Called when a replica is marked down or serves again. */
  onReplica?: OnReplica;
  /** What a boot may change in the tables; default `auto`. */
  migrate?: MigrateMode;
  /** Set by commands: `plan` only reads, `run` migrates itself. */
  evolving?: 'plan' | 'run';
}

// Statements take a millisecond: the timeout limits the queue, this only its memory.
const MAX_QUEUED = 1_000;
const READ_WAIT = 2_000;

/** See `Store`. */
export class ServerStore implements AdministeredStore {
  readonly reader: RememberingReader;
  readonly rateCounters: RateCounterStore;
  readonly admin: StoreAdmin;
  readonly dataSource: DataSource;
  private readonly readers: BoundedSemaphore;
  private readonly writers: BoundedSemaphore;
  private readonly inside = new AsyncLocalStorage<{ open: boolean }>();
  private readonly move: Statement;
  private replicas: Replicas | undefined;

  constructor(
    readonly database: Database,
    readonly statements: Statements,
    private readonly options: ServerStoreOptions,
  ) {
    // A transaction may read through the pool as well: its own connection is not one of those that reads wait for.
    const size = Math.max(1, options.pool - 1);
    this.readers = new BoundedSemaphore({ size, queue: MAX_QUEUED, timeout: options.waitMs ?? READ_WAIT });
    const refused = (error: unknown): unknown => {
      if (database.timedOut(error)) return tooSlow();
      return database.lost(error) || database.dialect.transient(error) ? unavailable() : error;
    };
    const reads = new PooledReads(database, this.readers, refused);
    this.reader = new RememberingReader(reads, statements, searchGate(size));
    this.rateCounters = new SqlRateCounters(statements.dialect, (work) =>
      this.readers.run(() => retrying(() => this.aside(work), this.again)),
    );
    this.dataSource = database.source;
    this.admin = {
      statements,
      ownTables: OWN_TABLES,
      alone: (work) => database.alone(work),
      inspect: (work) => database.alone(work),
      read: (work) => this.aside(work),
    };
    this.writers = new BoundedSemaphore({ size: 1, queue: MAX_QUEUED, timeout: options.queueMs ?? 10_000 });
    this.move = moveVersion(statements);
  }

  get statementBytes(): number {
    return this.database.statementBytes;
  }

  readFor<T>(caller: Caller, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.replicas ? this.replicas.readFor(caller, work) : work(this.reader);
  }

  noteWrite(caller: Caller): Promise<void> | undefined {
    return this.replicas?.noteWrite(caller);
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    // It would deadlock with itself.
    if (this.inside.getStore()?.open)
      throw new Error('A transaction inside a transaction: pass the outer one down instead');
    const state = { open: true };
    try {
      const done = await this.writers.run(() =>
        this.inside.run(state, () => retrying(() => this.attempt(work), this.again)),
      );
      state.open = false;
      for (const run of done.afterwards) await this.afterwards(run);
      return done.answer;
    } catch (error) {
      throw this.database.timedOut(error) ? unavailable() : writeError(error, this.statements.dialect);
    } finally {
      state.open = false;
    }
  }

  /** The connection of a snapshot counts as one of the read connections. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.readers.run(async () => {
      const session = await this.database.connect();
      try {
        await session.beginSnapshot();
        return await work(new SqlReader(session, this.statements));
      } finally {
        session.release(true);
      }
    });
  }

  /** Creates what these tables lack; idempotent. Concurrently starting processes run it one after another. */
  async applySchema(tables: ReadonlyMap<string, TableModel>, shown: string): Promise<void> {
    if (this.options.onWeak) (await this.database.weaknesses()).forEach(this.options.onWeak);
    const all = [...OWN_TABLES, ...tables.values()];
    const { migrate } = this.options;
    if (migrate === 'off') return;
    await this.database.alone(async (session) => {
      await makeTables(session, this.statements, all, shown, migrate);
      await makeVersion(session, this.statements);
      // Locks the version row: from here on no other process can write what is being counted.
      await session.run(this.move.sql, this.move.params);
      await completeCounters(session, this.statements, all);
    });
  }

  /**
   * Connects to the replicas; unreachable ones are marked down. Throws BootError for errors that retrying cannot fix.
   */
  async useReplicas(addresses: readonly ReplicaAddress[]): Promise<void> {
    if (addresses.length === 0) return;
    const { waitMs = READ_WAIT, pool, onReplica = () => undefined } = this.options;
    const limits = { pool, waitMs, queue: MAX_QUEUED };
    const all = addresses.map((address) => new Replica(address, this.statements, limits, onReplica));
    this.replicas = new Replicas(this.reader, all);
    try {
      for (const replica of all) await replica.start();
    } catch (error) {
      throw asBootError(error, 'DATABASE_REPLICA_URLS');
    }
  }

  /** Servers do this themselves, but with a delay, and it may be disabled. */
  analyze(): Promise<void> {
    return this.aside(async (session) =>
      session.exec(this.statements.dialect.analyze([...this.statements.tables.keys()])),
    );
  }

  async close(): Promise<void> {
    await this.replicas?.close();
    await this.writers.run(() => this.database.close());
  }

  private readonly again = (error: unknown): boolean =>
    this.statements.dialect.transient(error) || this.database.lost(error);

  private async aside<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.database.connect();
    let broken = false;
    try {
      return await work(session);
    } catch (error) {
      broken = this.database.lost(error);
      throw error;
    } finally {
      session.release(broken);
    }
  }

  private async attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<Done<T>> {
    const session = await this.database.connect();
    let broken = true;
    try {
      await session.begin();
      const done = await this.work(session, work);
      broken = false;
      return done;
    } catch (error) {
      broken = this.database.lost(error) || (await failed(session.rollback()));
      throw error;
    } finally {
      session.release(broken);
    }
  }

  private async work<T>(session: Session, work: (tx: Transaction) => Promise<T>): Promise<Done<T>> {
    const tx = new SqlTransaction(session, this.statements);
    try {
      await session.run(this.move.sql, this.move.params);
      const answer = await work(tx);
      await tx.flush();
      tx.end();
      if (tx.wrote) await this.commit(session);
      else await session.rollback();
      return { answer, afterwards: tx.afterwards };
    } finally {
      tx.end();
    }
  }

  private async commit(session: Session): Promise<void> {
    try {
      await session.commit();
    } catch (error) {
      throw this.database.lost(error) ? outcomeUnknown() : error;
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

type Done<T> = { answer: T; afterwards: SqlTransaction['afterwards'] };

async function failed(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => false,
    () => true,
  );
}
