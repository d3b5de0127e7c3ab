// Counters that start anew after a while, for every limit in time. Here in the process; one beside Redis can take its place.
import { LRUCache } from 'lru-cache';

/** State of a counter. */
export interface Tally {
  count: number;
  /** Seconds until it starts anew. */
  reset: number;
}

/** Where limits count. */
export interface Counters {
  /** Adds to a counter, 0 to look at it; its `seconds` run from the first addition. */
  add(key: string, by: number, seconds: number): Tally | Promise<Tally>;
  /** Starts it anew at once. */
  forget(key: string): void | Promise<void>;
}

interface Entry {
  count: number;
  ends: number;
}

const MOST = 100_000;

/** Counters of this process; beyond 100,000 the ones longest untouched are lost. */
export class MemoryCounters implements Counters {
  private readonly entries = new LRUCache<string, Entry>({ max: MOST });

  constructor(private readonly now: () => number = Date.now) {}

  add(key: string, by: number, seconds: number): Tally {
    const now = this.now();
    const known = this.entries.get(key);
    const entry = known && known.ends > now ? known : { count: 0, ends: now + seconds * 1000 };
    entry.count = Math.max(0, entry.count + by);
    if (entry !== known && entry.count > 0) this.entries.set(key, entry);
    return { count: entry.count, reset: Math.max(1, Math.ceil((entry.ends - now) / 1000)) };
  }

  forget(key: string): void {
    this.entries.delete(key);
  }
}
