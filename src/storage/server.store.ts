// The store on a database server: reads on any connection of the pool, transactions on one each, taking turns. Made by mysql.store.ts and postgres.store.ts.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { TableModel } from '../model/model.js';
import type { Reader, Store, Transaction } from '../model/store.js';
import type { Bound, Connection, OnSlow, Ran } from './connection.js';
import type { Database, Session } from './database.js';
import type { MigrateMode } from './evolution/run-plan.js';
import { Gate } from './gate.js';
import { outcomeUnknown, retrying, unavailable } from './retry.js';
import { completeCounters, makeTables } from './schema-apply.js';
import { makeVersion, moveVersion, STATE } from './server-state.js';
import { RememberingReader } from './sql.reader.js';
import { SqlTransaction } from './sql.transaction.js';
import type { Statement, Statements } from './statements.js';

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
  /** What a boot may do to the tables; default `auto`. */
  migrate?: MigrateMode;
}

// Statements take a millisecond: what bounds a queue is the wait, this only keeps memory within bounds.
const QUEUE = 1_000;
// Idle connections die together when a server restarts; the pool notices the others meanwhile.
const READ_TRIES = 3;

/** See `Store`. */
export class ServerStore implements Store {
  readonly reader: Reader;
  private readonly writers: Gate;
  private readonly inside = new AsyncLocalStorage<{ open: boolean }>();
  private readonly move: Statement;

  constructor(
    readonly database: Database,
    readonly statements: Statements,
    private readonly options: ServerStoreOptions,
  ) {
    // A transaction may read beside itself: its connection is not one of those that reads wait for.
    const size = Math.max(1, options.pool - 1);
    const readers = new Gate({ size, queue: QUEUE, patience: options.waitMs ?? 2_000 });
    this.reader = new RememberingReader(new PooledReads(database, readers), statements);
    this.writers = new Gate({ size: 1, queue: QUEUE, patience: options.queueMs ?? 10_000 });
    this.move = moveVersion(statements);
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    // It would wait for itself.
    if (this.inside.getStore()?.open)
      throw new Error('A transaction inside a transaction: pass the outer one down instead');
    const state = { open: true };
    const again = (error: unknown): boolean => this.statements.dialect.transient(error) || this.database.lost(error);
    try {
      const done = await this.writers.run(() =>
        this.inside.run(state, () => retrying(() => this.attempt(work), again)),
      );
      state.open = false;
      for (const run of done.afterwards) await this.afterwards(run);
      return done.answer;
    } catch (error) {
      throw this.database.timedOut(error) ? unavailable() : error;
    } finally {
      state.open = false;
    }
  }

  /** Makes what is missing for these tables; a second call changes nothing. Processes that start together take turns. */
  async applySchema(tables: ReadonlyMap<string, TableModel>, shown: string): Promise<void> {
    if (this.options.onWeak) (await this.database.weaknesses()).forEach(this.options.onWeak);
    const all = [STATE, ...tables.values()];
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

  /** Servers do this themselves, but only some time later, and some are told not to. */
  async analyze(): Promise<void> {
    const session = await this.database.connect();
    try {
      await session.exec(this.statements.dialect.analyze([...this.statements.tables.keys()]));
    } finally {
      session.release(false);
    }
  }

  async close(): Promise<void> {
    await this.writers.run(() => this.database.close());
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

/** Reads outside transactions: each takes a connection for itself, again where that one turned out dead. */
class PooledReads implements Connection {
  constructor(
    private readonly database: Database,
    private readonly gate: Gate,
  ) {}

  rows(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    return this.gate.run(() => this.tries(sql, params));
  }

  run(): Promise<Ran> {
    throw new Error('Reads write nothing: use a transaction');
  }

  private async tries(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.once(sql, params);
      } catch (error) {
        const { lost, timedOut } = this.database;
        if (timedOut(error) || (lost(error) && tries >= READ_TRIES)) throw unavailable();
        if (!lost(error)) throw error;
      }
    }
  }

  private async once(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    const session = await this.database.connect();
    let broken = false;
    try {
      return await session.rows(sql, params);
    } catch (error) {
      broken = this.database.lost(error);
      throw error;
    } finally {
      session.release(broken);
    }
  }
}
