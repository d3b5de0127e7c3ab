// The read replicas of a server, and who may be answered from them: whoever cannot miss a write of his own. Used by server.store.ts.
import { LRUCache } from 'lru-cache';
import type { Caller, Reader } from '../model/store.js';
import { type Replica, ReplicaFailed } from './replica.js';
import type { RememberingReader } from './sql.reader.js';

/** Addresses of strangers who have written. Each is forgotten after an hour; no replica is that late and in use. */
const WRITERS = 10_000;
const KEPT_MS = 3_600_000;

/**
 * Every commit moves the version of the data. A known caller may have written through any process: he is served from a
 * replica whose version is the primary's. A stranger is served from any, or, once he has written through this process,
 * from one that has the version he wrote.
 */
export class Replicas {
  private next = 0;
  private readonly writers = new LRUCache<string, number>({ max: WRITERS, ttl: KEPT_MS });

  constructor(
    private readonly primary: RememberingReader,
    private readonly all: readonly Replica[],
  ) {}

  /** Runs all reads of a request on one side: a replica, or the primary where that is behind or fails meanwhile. */
  async readFor<T>(caller: Caller, work: (reader: Reader) => Promise<T>): Promise<T> {
    try {
      return await work((await this.readerFor(caller)) ?? this.primary);
    } catch (error) {
      if (!(error instanceof ReplicaFailed)) throw error;
      error.replica.leaveAlone(error.cause);
      return work(this.primary);
    }
  }

  /** A stranger has written: from now on he sees no state without it. */
  async noteWrite({ id, address }: Caller): Promise<void> {
    if (id > 0) return;
    // Where the version cannot be had, no replica will do.
    const version = await this.primary.version().then(Number, () => Infinity);
    this.writers.set(address, version);
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.close()));
  }

  private async readerFor(caller: Caller): Promise<Reader | undefined> {
    const reader = this.turn();
    if (!reader) return undefined;
    const wanted = caller.id > 0 ? this.primary.version() : this.writers.get(caller.address);
    if (wanted === undefined) return reader;
    const [least, there] = await Promise.all([wanted, reader.version()]);
    return Number(there) >= Number(least) ? reader : undefined;
  }

  /** The next one that answers. */
  private turn(): RememberingReader | undefined {
    for (let tries = 0; tries < this.all.length; tries++) {
      this.next = (this.next + 1) % this.all.length;
      const { reader } = this.all[this.next]!;
      if (reader) return reader;
    }
    return undefined;
  }
}
