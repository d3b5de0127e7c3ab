// Fixed-window counters for rate limits: the interface, and the implementation in the memory of one process.
import { LRUCache } from 'lru-cache';
import type { RateCounter } from '../../model/store.js';

/** Storage of rate limit counters. */
export interface Counters {
  /**
   * Adds to a counter and returns it; 0 only reads. The window of `seconds` starts with the first addition. `most` is
   * the limit that is checked, for counters that batch and must know how stale they may be.
   */
  add(key: string, by: number, seconds: number, most?: number): RateCounter | Promise<RateCounter>;
  /** Resets a counter. */
  forget(key: string): void | Promise<void>;
}

interface Entry {
  count: number;
  ends: number;
}

const MAX_COUNTERS = 100_000;
/** Minimum size of a counter, in characters; keys made by this folder have at most a hundred. */
const MIN_SIZE = 160;

/** Limits of an in-memory cache of counters by key: by size, because a number of entries would be allocated at start. */
export const COUNTER_BOUNDS = {
  maxSize: MAX_COUNTERS * MIN_SIZE,
  sizeCalculation: (_entry: unknown, key: string) => Math.max(MIN_SIZE, key.length),
};

/** Milliseconds on a clock that is never set back: with one that is, a window would not end before it has caught up. */
export const monotonic = (): number => performance.now();

/** Counters of this process; beyond 100,000 the least recently used are evicted. */
export class MemoryCounters implements Counters {
  private readonly entries = new LRUCache<string, Entry>(COUNTER_BOUNDS);

  constructor(private readonly now: () => number = monotonic) {}

  /** Number of counters. */
  get size(): number {
    return this.entries.size;
  }

  add(key: string, by: number, seconds: number): RateCounter {
    const now = this.now();
    const known = this.entries.get(key);
    const entry = known && known.ends > now ? known : { count: 0, ends: now + seconds * 1000 };
    entry.count = Math.max(0, entry.count + by);
    if (entry.count === 0) this.entries.delete(key);
    else if (entry !== known) this.entries.set(key, entry);
    return { count: entry.count, reset: Math.max(1, Math.ceil((entry.ends - now) / 1000)) };
  }

  forget(key: string): void {
    this.entries.delete(key);
  }
}
