// Reads outside transactions: each takes a connection of a pool for itself, again where that one turned out dead. Used by stores and replicas.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bound, Connection, Ran } from './connection.js';
import type { Database } from './database.js';
import type { Gate } from './gate.js';

// Idle connections die together when a server restarts; the pool notices the others in the pauses. A standby ends reads that
// stand in the way of what it replays, and whoever ends a connection may first end its statement.
const TRIES = 5;
/** Milliseconds, longer each time. */
const PAUSE = 10;

/** See `Connection`. Errors leave as `refused` words them. */
export class PooledReads implements Connection {
  constructor(
    private readonly database: Database,
    private readonly gate: Gate,
    private readonly refused: (error: unknown) => unknown,
  ) {}

  async rows(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    try {
      return await this.gate.run(() => this.tries(sql, params));
    } catch (error) {
      throw this.refused(error);
    }
  }

  run(): Promise<Ran> {
    throw new Error('Reads write nothing: use a transaction');
  }

  private async tries(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.once(sql, params);
      } catch (error) {
        if (!this.again(error) || tries >= TRIES) throw error;
        await sleep(PAUSE * tries);
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
    return this.database.lost(error) || this.database.dialect.transient(error);
  }
}
