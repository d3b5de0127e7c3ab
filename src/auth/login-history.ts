// Remembers, in the memory of this process, which networks have signed in and which have failed. It decides the
// priority of waiting password checks; no request is rejected because of it.
import { LRUCache } from 'lru-cache';
import { networkOf } from './rate-limit/client-address.js';
import { MemoryCounters } from './rate-limit/memory-counters.js';
import type { Turn } from '../concurrency/fair-queue.js';

const PLACES = 20_000;
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;
/** Seconds for which failures of a network are remembered: longer than a distributed flood takes to come back to it. */
const FAILURE_TTL_SECONDS = 60 * 60;
/** Up to this many failures count as typing errors. */
const MAX_TYPING_ERRORS = 5;

/** Successes by network and account (20,000), failures by network (100,000); the least recently used are evicted. */
export class LoginHistory {
  private readonly known = new LRUCache<string, true>({
    // Not `max`: its memory would be allocated at start.
    maxSize: PLACES,
    sizeCalculation: () => 1,
    ttl: RETENTION_MS,
  });
  private readonly failures = new MemoryCounters();

  recordSuccess(address: string, account: number): void {
    this.known.set(placeOf(address, account), true);
  }

  /** Counts a wrong password, or an attempt rejected by a full queue: both add load. */
  recordFailure(address: string): void {
    this.failures.add(networkOf(address), 1, FAILURE_TTL_SECONDS);
  }

  /**
   * Priority: first accounts that have signed in from this network before, then networks without failures, then those
   * with few.
   */
  turnOf(address: string, account: number | undefined): Turn {
    const client = networkOf(address);
    if (account !== undefined && this.known.has(placeOf(address, account))) return { lane: 0, client };
    const { count } = this.failures.add(client, 0, FAILURE_TTL_SECONDS);
    return { lane: count === 0 ? 1 : count <= MAX_TYPING_ERRORS ? 2 : 3, client };
  }
}

function placeOf(address: string, account: number): string {
  return `${networkOf(address)} ${account}`;
}
