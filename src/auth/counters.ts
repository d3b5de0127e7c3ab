// Counters that start anew after a while, for every limit in time. Here those of one process; site-counters.ts chooses among them and the shared ones.
import { LRUCache } from 'lru-cache';
import type { Tally } from '../model/store.js';

/** Where limits count. */
export interface Counters {
  /**
   * Adds to a counter, 0 to look at it; its `seconds` run from the first addition. `most`: the limit it is held against,
   * for counters that may be a little behind and must know how little that is.
   */
  add(key: string, by: number, seconds: number, most?: number): Tally | Promise<Tally>;
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
