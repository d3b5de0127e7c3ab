// Cache of responses to anonymous GET requests. Such a response depends only on its URL and the database, so it is
// valid while the tables that it was made from stay as they are.
import { LRUCache } from 'lru-cache';
import { ANONYMOUS } from '../../model/actor.js';
import type { Reader, Store } from '../../model/store.js';
import type { HttpResponse } from '../response/response.js';
import { prefersStrict } from './strict-handling.js';
import type { RoutedRequest } from '../routes/request-input.js';
import { contextOf } from '../request/request-context.js';
import type { SiteSettings } from '../../model/site/site-settings.js';

/** Bytes of all cached responses together, and of the largest one that is cached. */
const MAX_BYTES = 48 * 1024 * 1024;
const MAX_ENTRY_BYTES = 2 * 1024 * 1024;
/** How many URLs are remembered as requested once: at least so many, at most twice as many. */
const MIN_REMEMBERED = 10_000;

interface CachedResponse {
  /** Tables that it was made from, and their version before it was made. */
  tables: readonly string[];
  version: unknown;
  response: HttpResponse;
}

/** The response cache of one process. */
export class ResponseCache {
  private readonly cache = new LRUCache<string, CachedResponse>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_ENTRY_BYTES,
    sizeCalculation: ({ response }, key) => sizeOf(response) + 2 * key.length + 500,
  });

  /**
   * Hashes of URLs that were requested once, and of those before them. Forgetting the oldest one of a single set
   * takes time: V8 looks for it behind all that were forgotten before.
   */
  private requested = new Set<number>();
  private requestedBefore = new Set<number>();

  /** Reads without credentials with a response from the cache, and those that were not. */
  hits = 0;
  misses = 0;

  /** Settings of the site that the responses were made with. */
  private settings: Readonly<SiteSettings>;

  constructor(
    private readonly store: Store,
    private readonly site: { settings: Readonly<SiteSettings> },
    /** When off, nothing is cached. */
    private readonly isOn: boolean,
  ) {
    this.settings = site.settings;
  }

  /** The cached response if the data has not changed since, else the one that `make` creates with the given reader. */
  responseTo(request: RoutedRequest, make: (reader: Reader) => Promise<HttpResponse>): Promise<HttpResponse> {
    const context = contextOf(request);
    const { actor = ANONYMOUS } = context;
    return this.store.readFor(actor, (reader) => this.from(reader, request, make), context);
  }

  // Version and response come from the same server: versions of two servers cannot be compared. The version is read
  // first: a response that is newer than its version is only recreated, never sent wrongly.
  private async from(
    reader: Reader,
    request: RoutedRequest,
    make: (reader: Reader) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const context = contextOf(request);
    const url = request.originalUrl;
    const { settings } = this.site;
    if (settings !== this.settings) this.cache.clear();
    this.settings = settings;
    // Strict handling may reject what is cached for others.
    const strict = prefersStrict(request.headers);
    if (!this.isOn || context.known || strict || url === undefined || !reader.version) return make(reader);
    const key = `${reader.side ?? ''} ${url}`;
    const cached = this.cache.get(key);
    if (cached !== undefined && cached.version === (await reader.version(cached.tables))) {
      this.hits += 1;
      return cached.response;
    }
    this.misses += 1;
    // Caching a response that is never requested again costs more than creating it a second time.
    if (cached === undefined && !this.isRepeated(key)) return make(reader);
    const versions = await reader.versions?.();
    if (!versions || !reader.noting) return make(reader);
    const noting = reader.noting();
    const response = await make(noting.reader);
    // Responses that needed a password, or have a random order, must not be shared.
    if (response.status === 200 && settings === this.site.settings && !context.confidential && !context.volatile) {
      const tables = [...noting.tables];
      this.cache.set(key, { tables, version: versions(tables), response });
    }
    return response;
  }

  /** Whether a URL was requested before, among the last `MIN_REMEMBERED`. */
  private isRepeated(key: string): boolean {
    const hash = hashOf(key);
    if (this.requested.delete(hash) || this.requestedBefore.delete(hash)) return true;
    if (this.requested.size >= MIN_REMEMBERED) {
      this.requestedBefore = this.requested;
      this.requested = new Set();
    }
    this.requested.add(hash);
    return false;
  }
}

// After a collision a response is only cached sooner.
function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

// V8 stores two bytes per character as soon as one character of a text does not fit into one. Each of two compressed
// forms that stay with a response is at most half as large.
function sizeOf({ body = '' }: HttpResponse): number {
  return typeof body === 'string' ? 3 * body.length : 2 * body.bytes;
}
