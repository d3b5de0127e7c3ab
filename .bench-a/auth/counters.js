// Counters that start anew after a while, for every limit in time. Here in the process; one beside Redis can take its place.
import { LRUCache } from 'lru-cache';
const MOST = 100_000;
/** Counters of this process; beyond 100,000 the ones longest untouched are lost. */
export class MemoryCounters {
    now;
    entries = new LRUCache({ max: MOST });
    constructor(now = Date.now) {
        this.now = now;
    }
    add(key, by, seconds) {
        const now = this.now();
        const known = this.entries.get(key);
        const entry = known && known.ends > now ? known : { count: 0, ends: now + seconds * 1000 };
        entry.count = Math.max(0, entry.count + by);
        if (entry !== known && entry.count > 0)
            this.entries.set(key, entry);
        return { count: entry.count, reset: Math.max(1, Math.ceil((entry.ends - now) / 1000)) };
    }
    forget(key) {
        this.entries.delete(key);
    }
}
