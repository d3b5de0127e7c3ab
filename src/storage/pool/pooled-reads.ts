// Reads outside transactions: each uses its own pooled connection, with retries when that connection was lost.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Requester } from '../../model/store.js';
import type { Bound, Connection, Ran } from '../sql/connection.js';
import type { Database } from './database.js';
import type { BoundedSemaphore } from '../sql/semaphore.js';

// Retries. Idle connections break together when a server restarts; the pool notices the others during the backoff. A
// standby cancels reads that conflict with replay, and an administrator who closes a connection may first cancel its
// statement.
const MAX_TRIES = 5;
/** Initial backoff in milliseconds; it grows with each retry. */
const BACKOFF_MS = 10;
/** A read that fails after more milliseconds is not retried: the server is overloaded or unreachable. */
const RETRY_WINDOW_MS = 3_000;

/** See `Connection`. Errors are mapped by `refused`. */
export class PooledReads implements Connection {
  constructor(
    private readonly database: Database,
    private readonly gate: BoundedSemaphore,
    private readonly refused: (error: unknown) => unknown | Promise<unknown>,
  ) {}

  async rows(sql: string, params: readonly Bound[], requester?: Requester): Promise<Bound[][]> {
    try {
      return await this.gate.run(() => this.tries(sql, params), requester);
    } catch (error) {
      throw await this.refused(error);
    }
  }

  run(): Promise<Ran> {
    throw new Error('Reads write nothing: use a transaction');
  }

  private async tries(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    const start = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        return await this.once(sql, params);
      } catch (error) {
        if (!this.again(error) || tries >= MAX_TRIES || performance.now() - start > RETRY_WINDOW_MS) throw error;
        await sleep(BACKOFF_MS * tries);
      }
    }
  }

  private async once(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    const session = await this.database.connect();
    let broken = false;
    try {
      return await session.rows(sql, params);
    } catch (error) {
      broken = this.again(error);
      throw error;
    } finally {
      session.release(broken);
    }
  }

  private again(error: unknown): boolean {
    if (this.database.timedOut(error)) return false;
    return this.database.lost(error) || this.database.dialect.transient(error);
  }
}
