// Cache of responses to anonymous GET requests. Such a response depends only on its URL and the database, so it is
// valid while the data version stays the same.
import { LRUCache } from 'lru-cache';
import { ANONYMOUS } from '../../model/actor.js';
import type { Reader, Store } from '../../model/store.js';
import type { HttpResponse } from '../response/response.js';
import type { RoutedRequest } from './request-input.js';
import { contextOf } from '../request/request-context.js';

/** Bytes of all cached responses together, and of the largest one that is cached. */
const MAX_BYTES = 48 * 1024 * 1024;
const MAX_ENTRY_BYTES = 2 * 1024 * 1024;

interface Kept {
  version: unknown;
  answer: HttpResponse;
}

/** The response cache of one process. */
export class ResponseCache {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_ENTRY_BYTES,
    sizeCalculation: ({ answer }, key) => sizeOf(answer) + 2 * key.length + 500,
  });

  constructor(private readonly store: Store) {}

  /** The cached response if the data has not changed since, else the one that `make` creates with the given reader. */
  answer(request: RoutedRequest, make: (reader: Reader) => Promise<HttpResponse>): Promise<HttpResponse> {
    const { actor = ANONYMOUS } = contextOf(request);
    return this.store.readFor(actor, (reader) => this.from(reader, request, make));
  }

  // Version and response come from the same server: a replica that lags behind caches under its older version.
  private async from(
    reader: Reader,
    request: RoutedRequest,
    make: (reader: Reader) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const context = contextOf(request);
    const key = request.originalUrl;
    if (context.known || key === undefined || !reader.version) return make(reader);
    const version = await reader.version();
    const kept = this.kept.get(key);
    if (kept !== undefined && kept.version === version && version !== undefined) return kept.answer;
    const answer = await make(reader);
    // Responses that needed a password, or have a random order, must not be shared.
    if (answer.status === 200 && !context.confidential && !context.volatile && (await reader.version()) === version) {
      this.kept.set(key, { version, answer });
    }
    return answer;
  }
}

// V8 stores two bytes per character as soon as one character of a text does not fit into one.
function sizeOf({ body = '' }: HttpResponse): number {
  return typeof body === 'string' ? 2 * body.length : body.bytes;
}
