// Transactions on a database server, one connection each: side by side where they can, otherwise one after the other.
import type { LockNeeds, Transaction } from '../../model/store.js';
import { type Database, isShutOut, type Session } from './database.js';
import { BulkTransaction } from '../bulk/bulk-transaction.js';
import { MustRunAlone, TransactionLocks } from '../sql/locks.js';
import { outcomeUnknown, retry, rejectsWrites, unavailable, writeError } from '../sql/retry.js';
import type { TextIndex } from '../sql/scans.js';
import { BoundedSemaphore } from '../sql/semaphore.js';
import type { Statements } from '../sql/statements.js';
import { TransactionNesting } from '../transactions/nesting.js';
import { SqlTransaction } from '../transactions/transaction.js';
import type { Statement } from '../sql/connection.js';

type Work<T> = (tx: Transaction) => Promise<T>;
/** The class of a transaction: of one write, or of many new rows. */
type TransactionKind = typeof SqlTransaction;
type Committed<T> = { result: T; afterwards: SqlTransaction['callbacks'] };

/** Limits of the transactions of a store. */
export interface WriteLimits {
  /** Connections that transactions may use at once. */
  size: number;
  /** Maximum number of transactions that wait for a connection. */
  queue: number;
  /** Longest wait for a turn before 503, in milliseconds. */
  timeout: number;
}

/** Callbacks for the transactions of a store. */
export interface WriteListeners {
  /** Called with errors of `after` callbacks; default: standard error. */
  onError: ((error: unknown) => void) | undefined;
  /** Called after each commit that wrote something; `many`: it inserted many rows. */
  onWritten: (many: boolean) => void;
}

/** The transactions of one store. */
export class ServerWrites {
  private readonly writers: BoundedSemaphore;
  private readonly alone: BoundedSemaphore;
  private readonly nesting = new TransactionNesting();

  constructor(
    private readonly database: Database,
    private readonly statements: Statements,
    { size, ...queue }: WriteLimits,
    private readonly listeners: WriteListeners,
    private readonly texts?: TextIndex,
  ) {
    this.writers = new BoundedSemaphore({ size, ...queue });
    this.alone = new BoundedSemaphore({ size: 1, ...queue });
  }

  /** Number of transactions that wait for a connection, and of all that wait. */
  get waiting(): { connections: number; all: number } {
    const connections = this.writers.waiting;
    return { connections, all: connections + this.alone.waiting };
  }

  /** Whether an error does not result from the work itself, so that the work may be run again. */
  readonly isRetryable = (error: unknown): boolean =>
    this.statements.dialect.isTransient(error) || this.database.isLost(error);

  /** The error to report after the last failed attempt. */
  private readonly toError = (error: unknown): unknown =>
    this.database.isReadOnly(error) ? rejectsWrites(error) : unavailable(error);

  /** Runs work in a transaction; see `Store.transaction`. */
  async run<T>(work: Work<T>, kind: TransactionKind, needs?: LockNeeds): Promise<T> {
    this.nesting.assertNotNested();
    try {
      const attempts = () => this.retry(work, kind, needs);
      // The detection of nesting slows down every promise, and a transaction of many rows has many.
      const done = await (kind === BulkTransaction ? attempts() : this.nesting.run(attempts));
      for (const run of done.afterwards) await this.runCallback(run);
      return done.result;
    } catch (error) {
      if (this.database.isTimedOut(error) || isShutOut(error)) throw unavailable(error);
      throw writeError(error, this.statements.dialect);
    }
  }

  private async retry<T>(work: Work<T>, kind: TransactionKind, needs?: LockNeeds): Promise<Committed<T>> {
    const run = (locks?: LockNeeds) =>
      this.writers.run(() => retry(() => this.attempt(work, kind, locks), this.isRetryable, this.toError));
    if (needs && this.statements.dialect.locks!.sideBySide) {
      try {
        return await run(needs);
      } catch (error) {
        if (!(error instanceof MustRunAlone)) throw error;
      }
    }
    // Transactions of this process that run alone wait here, without holding a connection each.
    return this.alone.run(() => run());
  }

  private locksOn(session: Session, needs?: LockNeeds): TransactionLocks {
    return new TransactionLocks(session, this.statements.dialect.locks!, needs);
  }

  private async attempt<T>(work: Work<T>, kind: TransactionKind, needs?: LockNeeds): Promise<Committed<T>> {
    const session = await this.database.connect();
    let broken = true;
    try {
      const done = await this.work(session, work, kind, needs);
      broken = false;
      return done;
    } catch (error) {
      broken = this.database.isLost(error) || (await failed(session.rollback()));
      throw error;
    } finally {
      session.release(broken);
    }
  }

  private async work<T>(
    session: Session,
    work: Work<T>,
    kind: TransactionKind,
    needs?: LockNeeds,
  ): Promise<Committed<T>> {
    const locks = this.locksOn(session, needs);
    const begun = session.begin(locks.first());
    begun.catch(() => undefined);
    const tx = new kind(session, this.statements, locks, begun, this.texts?.begin());
    try {
      if (!needs?.early) await begun;
      const { bulk } = this.statements.dialect;
      if (kind === BulkTransaction && bulk !== undefined) await session.exec(bulk);
      const result = await work(tx);
      await begun;
      await tx.readsCompleted();
      await tx.send();
      const last = tx.last();
      tx.end();
      if (tx.hasWritten) await this.commit(session, last, tx);
      else await session.rollback();
      if (tx.hasWritten) {
        tx.committed();
        this.listeners.onWritten(kind === BulkTransaction);
      }
      return { result, afterwards: tx.callbacks };
    } catch (error) {
      // Rethrows a failure to lock first: without locks the work may have failed for what it should not have seen.
      await begun;
      throw error;
    } finally {
      tx.end();
    }
  }

  private async commit(session: Session, last: readonly Statement[], tx: SqlTransaction): Promise<void> {
    try {
      await session.commit(last);
    } catch (error) {
      tx.addTableName(error);
      throw this.database.isLost(error) && !this.database.isReadOnly(error) ? outcomeUnknown(error) : error;
    }
  }

  private async runCallback(run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      (this.listeners.onError ?? console.error)(error);
    }
  }
}

async function failed(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => false,
    () => true,
  );
}
