// Full-text scans of a table: which reads may need one, and how many a pool runs concurrently.
import type { Predicate } from '../../model/query.js';
import { BoundedSemaphore } from './semaphore.js';
import { tooManySearches } from './retry.js';

/** Queue capacity; further scans are rejected, because each may take as long as the statement timeout. */
const MAX_QUEUED = 16;
/** Longest wait in the queue, in milliseconds. */
const QUEUE_TIMEOUT_MS = 5_000;

/** Whether a condition searches texts: an index may not serve it, so its time grows with the table. */
export function searchesTexts(where: Predicate): boolean {
  if (where.op === 'and' || where.op === 'or') return where.of.some(searchesTexts);
  if (where.op === 'not') return searchesTexts(where.of);
  return where.op === 'exists' ? searchesTexts(where.where) : where.op === 'contains';
}

/** Semaphore that gives searches a third of the read connections, so that other reads always find one. */
export function searchGate(readers: number): BoundedSemaphore {
  const size = Math.max(1, Math.floor(readers / 3));
  return new BoundedSemaphore({ size, queue: MAX_QUEUED, timeout: QUEUE_TIMEOUT_MS, refusal: tooManySearches });
}
