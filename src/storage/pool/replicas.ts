// Read replicas of a server, and which requests may read from them without missing the caller's own writes.
import { LRUCache } from 'lru-cache';
import { ResourceError } from '../../errors/resource-error.js';
import type { Caller, Requester, Reader } from '../../model/store.js';
import type { Replica } from './replica.js';
import { hasReached, type Progress } from '../sql/data-version.js';
import type { PoolLoad } from '../sql/administered-store.js';
import { ReplicaFailed } from './timeout-connection.js';
import type { CachingReader } from '../reads/caching-reader.js';

/** Progress that no server ever reaches. */
const UNREACHED: Progress = new Map([['', Infinity]]);
/**
 * Addresses of anonymous callers who have written. Each expires after an hour: no replica in use lags that far.
 */
const MAX_WRITERS = 10_000;
const WRITER_TTL_MS = 3_600_000;

/**
 * Chooses a replica by its progress, the number of commits per stripe. An authenticated caller may have written through
 * any process, and therefore reads from a replica only if it has every commit of the primary. An anonymous caller reads
 * from any replica, or, after a write through this process, from one that has reached the progress of that write.
 */
export class Replicas {
  private next = 0;
  private readonly writers = new LRUCache<string, Progress>({ max: MAX_WRITERS, ttl: WRITER_TTL_MS });

  constructor(
    private readonly primary: CachingReader,
    private readonly all: readonly Replica[],
  ) {}

  /** Runs all reads of a request on one server: a replica, or the primary when the replica lags behind or fails. */
  async readFor<T>(caller: Caller, work: (reader: Reader) => Promise<T>, requester?: Requester): Promise<T> {
    const primary = this.primary.for(requester);
    try {
      return await work((await this.readerFor(caller, primary, requester)) ?? primary);
    } catch (error) {
      if (!(error instanceof ReplicaFailed)) throw error;
      // A replica whose connections are all in use is not down.
      if (!(error.cause instanceof ResourceError)) error.replica.markDown(error.cause);
      else if (requester?.hasLeft) throw error.cause;
      return work(primary);
    }
  }

  /** Records the write of an anonymous caller: from now on they read no older state. */
  async noteWrite({ id, address }: Caller): Promise<void> {
    if (id > 0) return;
    // If the progress is unknown, no replica qualifies.
    const progress = await this.primary.progress().catch(() => UNREACHED);
    this.writers.set(address, progress);
  }

  /** The connections of each replica that has been reached. */
  loads(): PoolLoad[] {
    return this.all.flatMap((replica) => replica.load() ?? []);
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.close()));
  }

  private async readerFor(
    caller: Caller,
    primary: CachingReader,
    requester: Requester | undefined,
  ): Promise<Reader | undefined> {
    const next = this.nextReader();
    if (!next) return undefined;
    const reader = next.for(requester);
    const requiredProgress = caller.id > 0 ? primary.progress() : this.writers.get(caller.address);
    if (requiredProgress === undefined) return reader;
    const [required, reached] = await Promise.all([requiredProgress, reader.progress()]);
    return hasReached(reached, required) ? reader : undefined;
  }

  /** Round-robin over the replicas that are up. */
  private nextReader(): CachingReader | undefined {
    for (let attempts = 0; attempts < this.all.length; attempts++) {
      this.next = (this.next + 1) % this.all.length;
      const { reader } = this.all[this.next]!;
      if (reader) return reader;
    }
    return undefined;
  }
}
