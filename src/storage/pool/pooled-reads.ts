// Reads outside transactions: each uses its own pooled connection, with retries when that connection was lost.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Requester } from '../../model/store.js';
import type { Bound, Connection, Ran, Statement } from '../sql/connection.js';
import type { Database, Session } from './database.js';
import type { BoundedSemaphore } from '../sql/semaphore.js';
import { SmallReads } from './small-reads.js';

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
  private readonly small = new SmallReads(this);

  constructor(
    private readonly database: Database,
    private readonly gate: BoundedSemaphore,
    private readonly refused: (error: unknown) => unknown | Promise<unknown>,
  ) {}

  async rows(sql: string, params: readonly Bound[], requester?: Requester): Promise<Bound[][]> {
    try {
      return await this.gate.run(() => this.tries((session) => session.rows(sql, params)), requester);
    } catch (error) {
      throw await this.refused(error);
    }
  }

  get readsTogether(): boolean {
    return this.database.readsTogether ?? false;
  }

  smallRows(sql: string, params: readonly Bound[], requester?: Requester): Promise<Bound[][]> {
    return this.small.rows(sql, params, requester);
  }

  /** See `SmallReadParts`: after an error of one of the statements, the others may succeed. */
  async rowsOfEach(
    statements: readonly Statement[],
    requester: Requester | undefined,
  ): Promise<Bound[][][] | undefined> {
    const together = async (): Promise<Bound[][][] | undefined> => {
      try {
        return await this.tries((session) => session.rowsOfEach?.(statements));
      } catch (error) {
        if (this.database.lost(error)) throw error;
        return undefined;
      }
    };
    try {
      return await this.gate.run(together, requester);
    } catch (error) {
      throw await this.refused(error);
    }
  }

  run(): Promise<Ran> {
    throw new Error('Reads write nothing: use a transaction');
  }

  private async tries<T>(read: (session: Session) => T | Promise<T>): Promise<T> {
    const start = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        return await this.once(read);
      } catch (error) {
        if (!this.again(error) || tries >= MAX_TRIES || performance.now() - start > RETRY_WINDOW_MS) throw error;
        await sleep(BACKOFF_MS * tries);
      }
    }
  }

  private async once<T>(read: (session: Session) => T | Promise<T>): Promise<T> {
    const session = await this.database.connect();
    let broken = false;
    try {
      return await read(session);
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
