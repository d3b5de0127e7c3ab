// Whole transactions again after a busy or deadlocked database: bounded tries, full jitter, then 503. Called by the stores.
import { setTimeout as sleep } from 'node:timers/promises';
import { ResourceError } from '../errors/resource-error.js';
import type { Dialect } from './dialect.js';

const TRIES = 5;
const PATIENCE = 3_000;
const FIRST_PAUSE = 20;

/** Runs `work` up to five times within three seconds while `transient` says so. Throws 503 `rest_unavailable` after that. */
export async function retrying<T>(work: () => Promise<T>, transient: (error: unknown) => boolean): Promise<T> {
  const deadline = performance.now() + PATIENCE;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!transient(error)) throw error;
      const pause = Math.random() * FIRST_PAUSE * 2 ** tries;
      if (tries >= TRIES || performance.now() + pause > deadline) throw unavailable();
      await sleep(pause);
    }
  }
}

/** The database has no time for us now. */
export function unavailable(): ResourceError {
  return new ResourceError('rest_unavailable', { status: 503, headers: { 'Retry-After': '1' } });
}

/** What a client is told of an error of a transaction: a database that cannot write says so, others are as they were. */
export function writeRefusal(error: unknown, dialect: Pick<Dialect, 'unwritable'>): unknown {
  const why = dialect.unwritable(error);
  if (why === undefined) return error;
  const refusal = why === 'full' ? new ResourceError('rest_insufficient_storage') : unwritable();
  refusal.cause = error;
  return refusal;
}

function unwritable(): ResourceError {
  const message = 'The database takes no writes at the moment. Nothing was changed; try again later.';
  return new ResourceError('rest_unavailable', { status: 503, message, headers: { 'Retry-After': '10' } });
}

/** A change may or may not have been saved: whoever asked for it looks, we must not repeat it. */
export function outcomeUnknown(): ResourceError {
  const message = 'The database was lost while your change was being saved. See whether it was, before you repeat it.';
  return new ResourceError('rest_unavailable', { status: 503, message });
}
