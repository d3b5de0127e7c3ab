// A bounded cache whose entries are valid for one version of the data that they were computed from.
import { LRUCache } from 'lru-cache';
import type { Requester } from '../../model/store.js';
import { SharedRequesters } from '../sql/shared-requesters.js';

/** Limits of a cache: entries, and bytes of keys and values together. */
export interface VersionCacheLimits<V> {
  max: number;
  maxBytes: number;
  /** Approximate bytes of a value. */
  sizeOf: (value: V) => number;
}

/** Approximate overhead of an entry. */
const ENTRY_BYTES = 100;

/** Exact as long as `version` changes with every commit, of any process, that changes the data behind a value. */
export class VersionCache<V extends {}> {
  /** Created with the first entry: it preallocates memory for `max` entries, and commands cache few. */
  private entries: LRUCache<string, { version: unknown; value: V }> | undefined;
  private readonly pending = new Map<string, Pending<V>>();

  constructor(private readonly limits: VersionCacheLimits<V>) {}

  /** The cached value of this version. */
  get(version: unknown, key: string): V | undefined {
    const entry = this.entries?.get(key);
    return entry?.version === version ? entry?.value : undefined;
  }

  /** Caches a value computed after `version` was read, in place of that of another version. */
  set(version: unknown, key: string, value: V): void {
    (this.entries ??= createCache(this.limits)).set(key, { version, value });
  }

  /**
   * The cached value, or the result of `compute`; concurrent callers of the same key share one call and its failure.
   * `compute` receives the requesters that wait for it.
   */
  async getOrCompute(version: unknown, key: string, compute: Compute<V>, requester?: Requester): Promise<V> {
    const known = this.get(version, key) ?? this.joinPending(version, key, requester);
    return known ?? this.compute(version, key, compute, sharedBy(requester));
  }

  private joinPending(version: unknown, key: string, requester: Requester | undefined): Promise<V> | undefined {
    const pending = this.pending.get(key);
    // A computation that all requesters have left may end without a result.
    if (!pending || pending.version !== version || pending.requesters.hasLeft) return undefined;
    pending.requesters.join(requester);
    return pending.value;
  }

  private async compute(version: unknown, key: string, compute: Compute<V>, requesters: SharedRequesters): Promise<V> {
    const entry = { version, value: compute(requesters), requesters };
    this.pending.set(key, entry);
    try {
      const value = await entry.value;
      // A request under a later version may have replaced this one.
      if (this.pending.get(key) === entry) this.set(version, key, value);
      return value;
    } finally {
      if (this.pending.get(key) === entry) this.pending.delete(key);
    }
  }
}

/** A nested computation has the requesters of the outer one. */
function sharedBy(requester: Requester | undefined): SharedRequesters {
  return requester instanceof SharedRequesters ? requester : new SharedRequesters(requester);
}

type Compute<V> = (requesters: SharedRequesters) => Promise<V>;

interface Pending<V> {
  version: unknown;
  value: Promise<V>;
  requesters: SharedRequesters;
}

function createCache<V extends {}>({ max, maxBytes, sizeOf }: VersionCacheLimits<V>) {
  return new LRUCache<string, { version: unknown; value: V }>({
    max,
    maxSize: maxBytes,
    sizeCalculation: ({ value }, key) => ENTRY_BYTES + key.length * 2 + sizeOf(value),
  });
}
