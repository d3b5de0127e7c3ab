// Counters of several processes: in the database, with a stand-in while that is away, and gathered where one statement per request is too much.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Tallies, Tally } from '../model/store.js';
import type { Counters } from './counters.js';

/** Counters in the database. */
export class StoreCounters implements Counters {
  constructor(private readonly tallies: Tallies) {}

  add(key: string, by: number, seconds: number): Promise<Tally> {
    return this.tallies.add(nameOf(key), by, seconds);
  }

  forget(key: string): Promise<void> {
    return this.tallies.forget(nameOf(key));
  }
}

// Addresses of people are nobody's business who reads the database.
function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** What `FallbackCounters` tells when the first counters fail, and when they are back. */
export interface FallbackNews {
  failed(error: unknown): void;
  recovered(): void;
}

/** Milliseconds before failed counters are asked again. */
const PAUSE = 2_000;

/** Counts with the first counters, and with the second while those fail: a limit never fails a request. */
export class FallbackCounters implements Counters {
  private askedAgain = 0;
  private failing = false;

  constructor(
    private readonly first: Counters,
    private readonly second: Counters,
    private readonly news: FallbackNews,
    private readonly now: () => number = Date.now,
  ) {}

  add(key: string, by: number, seconds: number, most?: number): Promise<Tally> {
    return this.ask((counters) => counters.add(key, by, seconds, most));
  }

  forget(key: string): Promise<void> {
    return this.ask((counters) => counters.forget(key));
  }

  private async ask<T>(question: (counters: Counters) => T | Promise<T>): Promise<T> {
    if (this.now() < this.askedAgain) return question(this.second);
    try {
      const answer = await question(this.first);
      if (this.failing) this.news.recovered();
      this.failing = false;
      return answer;
    } catch (error) {
      this.askedAgain = this.now() + PAUSE;
      if (!this.failing) this.news.failed(error);
      this.failing = true;
      return question(this.second);
    }
  }
}

interface Gathered {
  /** What all processes had counted when they were last asked. */
  known: number;
  /** What this one has counted since. */
  pending: number;
  ends: number;
  passing: boolean;
}

const MOST = 100_000;
/** Part of a limit that a process counts by itself before it tells the others. */
const SHARE = 1 / 10;

/**
 * Counts here and passes a tenth of the limit on at a time, beside the request: what all processes let through together is
 * at most a tenth of the limit per process too much. Above the limit nothing is passed on.
 */
export class GatheringCounters implements Counters {
  private readonly entries = new LRUCache<string, Gathered>({ max: MOST });

  constructor(
    private readonly shared: Counters,
    private readonly now: () => number = Date.now,
  ) {}

  add(key: string, by: number, seconds: number, most = 0): Tally {
    const now = this.now();
    let entry = this.entries.get(key);
    if (!entry || entry.ends <= now) {
      entry = { known: 0, pending: 0, ends: now + seconds * 1000, passing: false };
      this.entries.set(key, entry);
    }
    entry.pending += by;
    const count = entry.known + entry.pending;
    if (entry.pending >= Math.max(1, most * SHARE) && count <= most && !entry.passing)
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
      // It stays pending, and the next tenth takes it along.
    } finally {
      entry.passing = false;
    }
  }
}
