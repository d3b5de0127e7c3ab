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
  private readonly asking = new Map<string, Asking<V>>();

  constructor(private readonly limits: VersionCacheLimits<V>) {}

  /** The cached value of this version. */
  get(version: unknown, key: string): V | undefined {
    const entry = this.entries?.get(key);
    return entry?.version === version ? entry?.value : undefined;
  }

  /** Caches a value computed after `version` was read, in place of that of another version. */
  set(version: unknown, key: string, value: V): void {
    (this.entries ??= made(this.limits)).set(key, { version, value });
  }

  /**
   * The cached value, or the result of `ask`; concurrent callers of the same key share one call and its failure. It is
   * told who waits for it.
   */
  async remembered(version: unknown, key: string, ask: Ask<V>, requester?: Requester): Promise<V> {
    const known = this.get(version, key) ?? this.underWay(version, key, requester);
    return known ?? this.ask(version, key, ask, sharedBy(requester));
  }

  private underWay(version: unknown, key: string, requester: Requester | undefined): Promise<V> | undefined {
    const asking = this.asking.get(key);
    // One that everybody has left may end without a result.
    if (!asking || asking.version !== version || asking.requesters.hasLeft) return undefined;
    asking.requesters.join(requester);
    return asking.value;
  }

  private async ask(version: unknown, key: string, ask: Ask<V>, requesters: SharedRequesters): Promise<V> {
    const entry = { version, value: ask(requesters), requesters };
    this.asking.set(key, entry);
    try {
      const value = await entry.value;
      // A request under a later version may have replaced this one.
      if (this.asking.get(key) === entry) this.set(version, key, value);
      return value;
    } finally {
      if (this.asking.get(key) === entry) this.asking.delete(key);
    }
  }
}

/** What is asked within another question has the requesters of that one. */
function sharedBy(requester: Requester | undefined): SharedRequesters {
  return requester instanceof SharedRequesters ? requester : new SharedRequesters(requester);
}

type Ask<V> = (requesters: SharedRequesters) => Promise<V>;

interface Asking<V> {
  version: unknown;
  value: Promise<V>;
  requesters: SharedRequesters;
}

function made<V extends {}>({ max, maxBytes, sizeOf }: VersionCacheLimits<V>) {
  return new LRUCache<string, { version: unknown; value: V }>({
    max,
    maxSize: maxBytes,
    sizeCalculation: ({ value }, key) => ENTRY_BYTES + key.length * 2 + sizeOf(value),
  });
}
