// Reads from a replica that fail when it no longer responds.
import type { Requester } from '../../model/store.js';
import type { PooledReads } from './pooled-reads.js';
import type { Bound, Connection, RunResult } from '../sql/connection.js';
import type { Replica } from './replica.js';
import { READING_MS } from './database.js';

/** Reads with a client-side timeout, for hosts that no longer respond. */
export class TimeoutConnection implements Connection {
  constructor(
    private readonly reads: PooledReads,
    private readonly replica: Replica,
  ) {}

  async rows(sql: string, params: readonly Bound[], requester?: Requester): Promise<Bound[][]> {
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ReplicaFailed(this.replica, new Error('it says nothing'))), READ_TIMEOUT);
    });
    try {
      return await Promise.race([this.reads.rows(sql, params, requester), expired]);
    } finally {
      clearTimeout(timer);
    }
  }

  run(): Promise<RunResult> {
    return this.reads.run();
  }
}

/** Client-side timeout, longer than the server's statement timeout: when it expires, the replica is unreachable. */
const READ_TIMEOUT = READING_MS + 1_000;

/** A replica failed. The reads of the request are repeated on the primary. */
export class ReplicaFailed extends Error {
  constructor(
    readonly replica: Replica,
    cause: unknown,
  ) {
    super('A replica failed', { cause });
  }
}
