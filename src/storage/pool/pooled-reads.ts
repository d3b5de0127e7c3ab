// Reads outside transactions: each uses its own pooled connection, with retries when that connection was lost.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Requester } from '../../model/store.js';
import type { Bound, Connection, RunResult, Statement } from '../sql/connection.js';
import type { Database, Session } from './database.js';
import type { BoundedSemaphore } from '../sql/semaphore.js';
import { SmallReads } from './small-reads.js';

// Retries. Idle connections break together when a server restarts; the pool notices the others during the backoff. A
// standby cancels reads that conflict with replay, and an administrator who closes a connection may first cancel its
// statement.
const MAX_ATTEMPTS = 5;
/** Initial backoff in milliseconds; it grows with each retry. */
const BACKOFF_MS = 10;
/** A read that fails after more milliseconds is not retried: the server is overloaded or unreachable. */
const RETRY_WINDOW_MS = 3_000;

/** See `Connection`. Errors are mapped by `mapError`. */
export class PooledReads implements Connection {
  private readonly small = new SmallReads(this);

  constructor(
    private readonly database: Database,
    private readonly gate: BoundedSemaphore,
    private readonly mapError: (error: unknown) => unknown | Promise<unknown>,
  ) {}

  async rows(sql: string, params: readonly Bound[], requester?: Requester): Promise<Bound[][]> {
    try {
      return await this.gate.run(() => this.retry((session) => session.rows(sql, params)), requester);
    } catch (error) {
      throw await this.mapError(error);
    }
  }

  get readsTogether(): boolean {
    return this.database.readsTogether ?? false;
  }

  smallRows(sql: string, params: readonly Bound[], requester?: Requester): Promise<Bound[][]> {
    return this.small.rows(sql, params, requester);
  }

  /** See `SmallReadParts`: after an error of one of the statements, the others may still succeed. */
  async rowsOfEach(
    statements: readonly Statement[],
    requester: Requester | undefined,
  ): Promise<Bound[][][] | undefined> {
    const together = async (): Promise<Bound[][][] | undefined> => {
      try {
        return await this.retry((session) => session.rowsOfEach?.(statements));
      } catch (error) {
        if (this.database.isLost(error)) throw error;
        return undefined;
      }
    };
    try {
      return await this.gate.run(together, requester);
    } catch (error) {
      throw await this.mapError(error);
    }
  }

  run(): Promise<RunResult> {
    throw new Error('Reads write nothing: use a transaction');
  }

  private async retry<T>(read: (session: Session) => T | Promise<T>): Promise<T> {
    const start = performance.now();
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.attempt(read);
      } catch (error) {
        if (!this.isRetryable(error) || attempts >= MAX_ATTEMPTS || performance.now() - start > RETRY_WINDOW_MS)
          throw error;
        await sleep(BACKOFF_MS * attempts);
      }
    }
  }

  private async attempt<T>(read: (session: Session) => T | Promise<T>): Promise<T> {
    const session = await this.database.connect();
    let broken = false;
    try {
      return await read(session);
    } catch (error) {
      broken = this.isRetryable(error);
      throw error;
    } finally {
      session.release(broken);
    }
  }

  private isRetryable(error: unknown): boolean {
    if (this.database.isTimedOut(error)) return false;
    return this.database.isLost(error) || this.database.dialect.isTransient(error);
  }
}
