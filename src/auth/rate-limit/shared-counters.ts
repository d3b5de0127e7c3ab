// Rate limit counters shared by processes: in the database, with a fallback while that is away, and with batching
// where one statement per request would cost too much.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RateCounterStore, RateCounter } from '../../model/store.js';
import { COUNTER_BOUNDS, type Counters, monotonic } from './memory-counters.js';

/** Counters in the database. */
export class StoreCounters implements Counters {
  constructor(private readonly store: RateCounterStore) {}

  add(key: string, by: number, seconds: number): Promise<RateCounter> {
    return this.store.add(nameOf(key), by, seconds);
  }

  forget(key: string): Promise<void> {
    return this.store.forget(nameOf(key));
  }
}

// Hashed, so that no IP addresses are stored.
function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Callbacks of `FallbackCounters`: the primary counters fail, and work again. */
export interface FallbackListener {
  failed(error: unknown): void;
  recovered(): void;
}

/** Milliseconds before failed counters are tried again. */
const RETRY_MS = 2_000;

/** Uses the primary counters, and the fallback while those fail: a rate limit never fails a request. */
export class FallbackCounters implements Counters {
  private retryAt = 0;
  private failing = false;

  constructor(
    private readonly first: Counters,
    private readonly second: Counters,
    private readonly listener: FallbackListener,
    private readonly now: () => number = monotonic,
  ) {}

  add(key: string, by: number, seconds: number, most?: number): Promise<RateCounter> {
    return this.run((counters) => counters.add(key, by, seconds, most));
  }

  forget(key: string): Promise<void> {
    return this.run((counters) => counters.forget(key));
  }

  private async run<T>(command: (counters: Counters) => T | Promise<T>): Promise<T> {
    if (this.now() < this.retryAt) return command(this.second);
    try {
      const result = await command(this.first);
      if (this.failing) this.listener.recovered();
      this.failing = false;
      return result;
    } catch (error) {
      this.retryAt = this.now() + RETRY_MS;
      if (!this.failing) this.listener.failed(error);
      this.failing = true;
      return command(this.second);
    }
  }
}

interface Gathered {
  /** Count of all processes at the last synchronization. */
  known: number;
  /** Count of this process since then. */
  pending: number;
  ends: number;
  passing: boolean;
}

/** Part of a limit that a process counts locally before it synchronizes. */
const BATCH_SHARE = 1 / 10;

/**
 * Counts locally and synchronizes a tenth of the limit at a time, without delaying the request: all processes together
 * admit at most a tenth of the limit per process too much. Above the limit nothing is synchronized.
 */
export class GatheringCounters implements Counters {
  private readonly entries = new LRUCache<string, Gathered>(COUNTER_BOUNDS);

  constructor(
    private readonly shared: Counters,
    private readonly now: () => number = monotonic,
  ) {}

  add(key: string, by: number, seconds: number, most = 0): RateCounter {
    const now = this.now();
    let entry = this.entries.get(key);
    if (!entry || entry.ends <= now) {
      entry = { known: 0, pending: 0, ends: now + seconds * 1000, passing: false };
      this.entries.set(key, entry);
    }
    entry.pending += by;
    const count = entry.known + entry.pending;
    if (entry.pending >= Math.max(1, most * BATCH_SHARE) && count <= most && !entry.passing)
      void this.pass(key, entry, seconds);
    return { count, reset: Math.max(1, Math.ceil((entry.ends - now) / 1000)) };
  }

  async forget(key: string): Promise<void> {
    this.entries.delete(key);
    await this.shared.forget(key);
  }

  private async pass(key: string, entry: Gathered, seconds: number): Promise<void> {
    const passed = entry.pending;
    entry.passing = true;
    try {
      const { count, reset } = await this.shared.add(key, passed, seconds);
      entry.known = count;
      entry.pending -= passed;
      entry.ends = this.now() + reset * 1000;
    } catch {
      // It stays pending and is sent with the next batch.
    } finally {
      entry.passing = false;
    }
  }
}
