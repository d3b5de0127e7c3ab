// The store on a database server: reads on any connection of the pool, transactions on one each, taking turns. Made by mysql.store.ts and postgres.store.ts.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { TableModel } from '../model/model.js';
import type { Caller, Reader, Store, Tallies, Transaction } from '../model/store.js';
import type { OnSlow } from './connection.js';
import { asRefusal, type Database, type Session } from './database.js';
import type { MigrateMode } from './evolution/run-plan.js';
import { Gate } from './gate.js';
import { PooledReads } from './pooled-reads.js';
import { type OnReplica, Replica, type ReplicaAddress } from './replica.js';
import { Replicas } from './replicas.js';
import { outcomeUnknown, retrying, unavailable, writeRefusal } from './retry.js';
import { completeCounters, makeTables } from './schema-apply.js';
import { makeVersion, moveVersion, OWN_TABLES } from './server-state.js';
import { RememberingReader, SqlReader } from './sql.reader.js';
import { SqlTransaction } from './sql.transaction.js';
import type { Statement, Statements } from './statements.js';
import { SqlTallies } from './tallies.js';

/** How a server store is opened. Times are milliseconds. */
export interface ServerStoreOptions {
  /** Connections of this process; one of them is the writer's. */
  pool: number;
  /** Told of statements that took `slowMs` (default 200) or longer. */
  onSlow?: OnSlow;
  slowMs?: number;
  /** Longest time of one statement before 503, default 5,000; 0: any. */
  statementMs?: number;
  /** Told of errors of `after` callbacks; default: standard error. */
  onError?: (error: unknown) => void;
  /** Told at boot of settings of the server with which acknowledged writes may be lost. */
  onWeak?: (setting: string) => void;
  /** Longest wait of a read for a connection before 503; default 2,000. */
  waitMs?: number;
  /** Longest wait of a transaction for its turn before 503; default 10,000. */
  queueMs?: number;
  /** Addresses of read replicas, of the same engine. */
  replicas?: readonly string[];
  /** Told that a replica is left alone, and that it serves again. */
  onReplica?: OnReplica;
  /** What a boot may do to the tables; default `auto`. */
  migrate?: MigrateMode;
  /** Opened by a command that looks only, or one that changes tables itself. */
  evolving?: 'plan' | 'run';
}

// Statements take a millisecond: what bounds a queue is the wait, this only keeps memory within bounds.
const QUEUE = 1_000;
const READ_WAIT = 2_000;

/** See `Store`. */
export class ServerStore implements Store {
  readonly reader: RememberingReader;
  readonly tallies: Tallies;
  private readonly readers: Gate;
  private readonly writers: Gate;
  private readonly inside = new AsyncLocalStorage<{ open: boolean }>();
  private readonly move: Statement;
  private replicas: Replicas | undefined;

  constructor(
    readonly database: Database,
    readonly statements: Statements,
    private readonly options: ServerStoreOptions,
  ) {
    // A transaction may read beside itself: its connection is not one of those that reads wait for.
    const size = Math.max(1, options.pool - 1);
    this.readers = new Gate({ size, queue: QUEUE, patience: options.waitMs ?? READ_WAIT });
    const refused = (error: unknown): unknown =>
      database.lost(error) || database.timedOut(error) || database.dialect.transient(error) ? unavailable() : error;
    this.reader = new RememberingReader(new PooledReads(database, this.readers, refused), statements);
    this.tallies = new SqlTallies(statements.dialect, (work) =>
      this.readers.run(() => retrying(() => this.aside(work), this.again)),
    );
    this.writers = new Gate({ size: 1, queue: QUEUE, patience: options.queueMs ?? 10_000 });
    this.move = moveVersion(statements);
  }

  readFor<T>(caller: Caller, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.replicas ? this.replicas.readFor(caller, work) : work(this.reader);
  }

  noteWrite(caller: Caller): Promise<void> | undefined {
    return this.replicas?.noteWrite(caller);
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    // It would wait for itself.
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
      throw this.database.timedOut(error) ? unavailable() : writeRefusal(error, this.statements.dialect);
    } finally {
      state.open = false;
    }
  }

  /** The connection of a snapshot is one of those that reads wait for. */
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

  /** Makes what is missing for these tables; a second call changes nothing. Processes that start together take turns. */
  async applySchema(tables: ReadonlyMap<string, TableModel>, shown: string): Promise<void> {
    if (this.options.onWeak) (await this.database.weaknesses()).forEach(this.options.onWeak);
    const all = [...OWN_TABLES, ...tables.values()];
    const { migrate } = this.options;
    if (migrate === 'off') return;
    await this.database.alone(async (session) => {
      await makeTables(session, this.statements, all, shown, migrate);
      await makeVersion(session, this.statements);
      // From here on nobody writes what is being counted.
      await session.run(this.move.sql, this.move.params);
      await completeCounters(session, this.statements, all);
    });
  }

  /** Connects to the replicas; those that are away are left alone. Throws BootError where one will never serve. */
  async useReplicas(addresses: readonly ReplicaAddress[]): Promise<void> {
    if (addresses.length === 0) return;
    const { waitMs = READ_WAIT, pool, onReplica = () => undefined } = this.options;
    const limits = { pool, waitMs, queue: QUEUE };
    const all = addresses.map((address) => new Replica(address, this.statements, limits, onReplica));
    this.replicas = new Replicas(this.reader, all);
    try {
      for (const replica of all) await replica.start();
    } catch (error) {
      throw asRefusal(error, 'DATABASE_REPLICA_URLS');
    }
  }

  /** Servers do this themselves, but only some time later, and some are told not to. */
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
