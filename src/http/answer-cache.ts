// Answers to strangers, kept until the data moves. A GET without credentials depends on its address and on the database alone:
// while the data version stands still, so does the answer. Asked by ResourceController.
import { LRUCache } from 'lru-cache';
import { ANONYMOUS } from '../model/actor.js';
import type { Reader, Store } from '../model/store.js';
import type { Answer } from './answer.js';
import type { RoutedRequest } from './asked.js';
import { contextOf } from './request-context.js';

/** Characters of all kept bodies together, and of the largest one that is kept. */
const MOST = 32 * 1024 * 1024;
const LARGEST = 1024 * 1024;

interface Kept {
  version: unknown;
  answer: Answer;
}

/** The answers of one process. */
export class AnswerCache {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MOST,
    maxEntrySize: LARGEST,
    sizeCalculation: ({ answer }, key) => (answer.body?.length ?? 0) + key.length + 500,
  });

  constructor(private readonly store: Store) {}

  /** The kept answer if the data has not moved since, else the one that `make` makes of what the reader shows. */
  answer(request: RoutedRequest, make: (reader: Reader) => Promise<Answer>): Promise<Answer> {
    const { actor = ANONYMOUS } = contextOf(request);
    return this.store.readFor(actor, (reader) => this.from(reader, request, make));
  }

  // Version and answer are of the same side: one that is behind keeps its answers under the version it had.
  private async from(
    reader: Reader,
    request: RoutedRequest,
    make: (reader: Reader) => Promise<Answer>,
  ): Promise<Answer> {
    const context = contextOf(request);
    const key = request.originalUrl;
    if (context.known || key === undefined || !reader.version) return make(reader);
    const version = await reader.version();
    const kept = this.kept.get(key);
    if (kept !== undefined && kept.version === version && version !== undefined) return kept.answer;
    const answer = await make(reader);
    // Answers that a password opened, or chance ordered, are nobody else's.
    if (answer.status === 200 && !context.confidential && !context.volatile && (await reader.version()) === version) {
      this.kept.set(key, { version, answer });
    }
    return answer;
  }
}
