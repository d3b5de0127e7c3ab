// A bounded cache whose entries are valid for one data version.
import { LRUCache } from 'lru-cache';

/** Limits of a cache: entries, and bytes of keys and values together. */
export interface VersionCacheLimits<V> {
  max: number;
  maxBytes: number;
  /** Approximate bytes of a value. */
  sizeOf: (value: V) => number;
}

/** Approximate overhead of an entry. */
const ENTRY_BYTES = 100;

/** Exact as long as `version` changes with every commit of any process. */
export class VersionCache<V extends {}> {
  private readonly entries: LRUCache<string, V>;
  private readonly asking = new Map<string, { version: unknown; answer: Promise<V> }>();
  private version: unknown;

  constructor({ max, maxBytes, sizeOf }: VersionCacheLimits<V>) {
    const sizeCalculation = (value: V, key: string): number => ENTRY_BYTES + key.length * 2 + sizeOf(value);
    this.entries = new LRUCache({ max, maxSize: maxBytes, sizeCalculation });
  }

  /** The cached value of this version; a new version clears the cache. */
  get(version: unknown, key: string): V | undefined {
    if (version !== this.version) {
      this.entries.clear();
      this.version = version;
    }
    return this.entries.get(key);
  }

  /** Caches a value computed after `version` was read; ignored when the data has changed since. */
  set(version: unknown, key: string, value: V): void {
    if (version === this.version) this.entries.set(key, value);
  }

  /** The cached value, or the result of `ask`; concurrent callers of the same key share one call and its failure. */
  async remembered(version: unknown, key: string, ask: () => Promise<V>): Promise<V> {
    const known = this.get(version, key) ?? this.underWay(version, key);
    return known ?? this.ask(version, key, ask);
  }

  private underWay(version: unknown, key: string): Promise<V> | undefined {
    const asking = this.asking.get(key);
    return asking?.version === version ? asking?.answer : undefined;
  }

  private async ask(version: unknown, key: string, ask: () => Promise<V>): Promise<V> {
    const entry = { version, answer: ask() };
    this.asking.set(key, entry);
    try {
      const value = await entry.answer;
      this.set(version, key, value);
      return value;
    } finally {
      if (this.asking.get(key) === entry) this.asking.delete(key);
    }
  }
}
