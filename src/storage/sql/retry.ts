// Retries whole transactions after busy or deadlock errors: limited tries with full jitter, then 503.
import { setTimeout as sleep } from 'node:timers/promises';
import { ResourceError } from '../../errors/resource-error.js';
import type { Dialect } from './dialect.js';

/** A wait for another process that takes longer than this is reported, in milliseconds. */
export const LOCKED_MS = 1_000;

/** How often something is tried, and for how many milliseconds. */
export interface Patience {
  tries: number;
  ms: number;
}

/** Of a request, whose client waits for the response. */
const OF_REQUESTS: Patience = { tries: 5, ms: 3_000 };
/** Of a command: no client waits, and it would have to begin again. */
export const OF_COMMANDS: Patience = { tries: Infinity, ms: 600_000 };
const FIRST_PAUSE = 20;
/** Longest pause before something is tried again, in milliseconds. */
const LONGEST_PAUSE = 1_000;

/**
 * Runs `work` again while `transient` is true, as often and as long as `patience` says. Throws what `given` makes of
 * the last error after that: 503 `rest_unavailable`.
 */
export async function retrying<T>(
  work: () => Promise<T>,
  transient: (error: unknown) => boolean,
  given: (error: unknown) => unknown = unavailable,
  patience = OF_REQUESTS,
): Promise<T> {
  const deadline = performance.now() + patience.ms;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!transient(error)) throw error;
      const pause = Math.random() * Math.min(FIRST_PAUSE * 2 ** tries, LONGEST_PAUSE);
      if (tries >= patience.tries || performance.now() + pause > deadline) throw given(error);
      await sleep(pause);
    }
  }
}

/**
 * Runs a schema change up to `tries` times, with pauses of up to a second, while `isPassing` is true of its errors.
 * Throws the last one after that.
 */
export async function retryingChange<T>(
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean,
  tries: number,
): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || left <= 0) throw error;
      await sleep(Math.random() * LONGEST_PAUSE);
    }
  }
}

/** 503: the database is busy, or away. `why` is the error of the driver. */
export function unavailable(why?: unknown): ResourceError {
  return because(why, new ResourceError('rest_unavailable', { status: 503, headers: { 'Retry-After': '1' } }));
}

/** Adds the message of a driver's error for the log, but no other member: they contain statements with values. */
function because(why: unknown, refusal: ResourceError): ResourceError {
  // Node tries every address of a name: the error that stands for all of them has no message.
  const first: unknown = why instanceof AggregateError ? why.errors[0] : why;
  if (first instanceof Error) refusal.cause = first.message;
  return refusal;
}

/** 503: a read exceeded the statement timeout. Retrying costs as much again, hence the longer Retry-After. */
export function tooSlow(): ResourceError {
  const message =
    'This takes the database too long. Narrow it: search for a longer or rarer text, add filters, or ask for a smaller page.';
  return new ResourceError('rest_unavailable', { status: 503, message, headers: { 'Retry-After': '10' } });
}

/** 503: too many concurrent searches, or other reads of many rows. */
export function tooManyScans(): ResourceError {
  const message =
    'Too many searches or other slow reads are under way. Try again after as many seconds as Retry-After says, or narrow yours.';
  return new ResourceError('rest_unavailable', { status: 503, message, headers: { 'Retry-After': '2' } });
}

/** 400: a value has a character that the database cannot hold. */
export function unencodable(): ResourceError {
  const message =
    'A text has a character that the database of this site cannot hold. Leave it out, or tell the operator.';
  return new ResourceError('rest_invalid_param', { message, data: { status: 400, params: {}, details: {} } });
}

/**
 * Converts an error of a transaction: a database that cannot write, or cannot write a text, gets a status of its own,
 * other errors stay unchanged.
 */
export function writeError(error: unknown, dialect: Pick<Dialect, 'unwritable' | 'unencodable'>): unknown {
  if (dialect.unencodable?.(error)) return unencodable();
  const why = dialect.unwritable(error);
  if (why === undefined) return error;
  const refusal = why === 'full' ? new ResourceError('rest_insufficient_storage') : unwritable();
  refusal.cause = essenceOf(error);
  return refusal;
}

/** Code and message of a driver's error: its other members contain statements with values. */
function essenceOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return Object.assign(new Error(error.message), 'code' in error ? { code: error.code } : {});
}

/** 503: the database responds, but writes nothing. `why` is the error of the driver. */
export function takesNoWrites(why: unknown): ResourceError {
  return because(why, unwritable());
}

function unwritable(): ResourceError {
  const message = 'The database accepts no writes at the moment. Nothing was changed; try again later.';
  return new ResourceError('rest_unavailable', { status: 503, message, headers: { 'Retry-After': '10' } });
}

/**
 * It is unknown whether the change was committed: the client has to check, a retry could write twice. `why` is the error
 * of the driver.
 */
export function outcomeUnknown(why?: unknown): ResourceError {
  const message = 'The database was lost while your change was being saved. See whether it was, before you repeat it.';
  return because(why, new ResourceError('rest_unavailable', { status: 503, message, undecided: true }));
}

/** Waits for a lock; `onLocked` is called where that takes longer than `LOCKED_MS`: another process holds it. */
export async function waitForLock<T>(wait: () => Promise<T>, onLocked: (() => void) | undefined): Promise<T> {
  const timer = setTimeout(() => onLocked?.(), LOCKED_MS);
  try {
    return await wait();
  } finally {
    clearTimeout(timer);
  }
}
