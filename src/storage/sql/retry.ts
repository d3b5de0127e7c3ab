// Retries whole transactions after busy or deadlock errors: limited attempts with full jitter, then 503.
import { setTimeout as sleep } from 'node:timers/promises';
import { ResourceError } from '../../errors/resource-error.js';
import type { Dialect } from './dialect.js';

/** Milliseconds after which a wait for another process is reported. */
export const LOCKED_MS = 1_000;

/** Maximum number of attempts, and of milliseconds in which they begin. */
export interface RetryLimits {
  attempts: number;
  ms: number;
}

/** Limits for a request, whose client waits for the response. */
const REQUEST_LIMITS: RetryLimits = { attempts: 5, ms: 3_000 };
/** Limits for a command, for which no client waits, and which would have to start over. */
export const COMMAND_LIMITS: RetryLimits = { attempts: Infinity, ms: 600_000 };
const FIRST_PAUSE_MS = 20;
/** Longest pause between two attempts. */
const MAX_PAUSE_MS = 1_000;

/**
 * Retries `work` within `limits` while `isTransient` is true of its errors. Then throws the last error as
 * converted by `toError`, by default 503 `rest_unavailable`.
 */
export async function retry<T>(
  work: () => Promise<T>,
  isTransient: (error: unknown) => boolean,
  toError: (error: unknown) => unknown = unavailable,
  limits = REQUEST_LIMITS,
): Promise<T> {
  const deadline = performance.now() + limits.ms;
  for (let attempts = 1; ; attempts++) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      const pause = Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** attempts, MAX_PAUSE_MS);
      if (attempts >= limits.attempts || performance.now() + pause > deadline) throw toError(error);
      await sleep(pause);
    }
  }
}

/**
 * Makes up to `attempts` attempts at a schema change, with pauses of up to a second, while `isTransient` is true of its
 * errors. Then throws the last one.
 */
export async function retryChange<T>(
  work: () => Promise<T>,
  isTransient: (error: unknown) => boolean,
  attempts: number,
): Promise<T> {
  for (let remaining = attempts - 1; ; remaining--) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || remaining <= 0) throw error;
      await sleep(Math.random() * MAX_PAUSE_MS);
    }
  }
}

/** 503: the database is busy or unreachable. `why` is the error of the driver. */
export function unavailable(why?: unknown): ResourceError {
  return withCause(why, new ResourceError('rest_unavailable', { status: 503, headers: { 'Retry-After': '1' } }));
}

/** Adds the message of a driver's error for the log, but no other member: they contain statements with values. */
function withCause(why: unknown, refusal: ResourceError): ResourceError {
  // Node tries every address of a name and throws an AggregateError, which has no message.
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
export function writeError(error: unknown, dialect: Pick<Dialect, 'unwritableReason' | 'isUnencodable'>): unknown {
  if (dialect.isUnencodable?.(error)) return unencodable();
  const why = dialect.unwritableReason(error);
  if (why === undefined) return error;
  const refusal = why === 'full' ? new ResourceError('rest_insufficient_storage') : unwritable();
  refusal.cause = sanitize(error);
  return refusal;
}

/** Code and message of a driver's error: its other members contain statements with values. */
function sanitize(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return Object.assign(new Error(error.message), 'code' in error ? { code: error.code } : {});
}

/** 503: the database responds, but writes nothing. `why` is the error of the driver. */
export function rejectsWrites(why: unknown): ResourceError {
  return withCause(why, unwritable());
}

function unwritable(): ResourceError {
  const message = 'The database accepts no writes at the moment. Nothing was changed; try again later.';
  return new ResourceError('rest_unavailable', { status: 503, message, headers: { 'Retry-After': '10' } });
}

/**
 * The error where it is unknown whether a change was committed: the client must check, because a retry could write
 * twice. `why` is the error of the driver.
 */
export function outcomeUnknown(why?: unknown): ResourceError {
  const message = 'The database was lost while your change was being saved. See whether it was, before you repeat it.';
  return withCause(why, new ResourceError('rest_unavailable', { status: 503, message, undecided: true }));
}

/** Waits for a lock; calls `onLocked` when that takes longer than `LOCKED_MS`: another process holds it. */
export async function waitForLock<T>(wait: () => Promise<T>, onLocked: (() => void) | undefined): Promise<T> {
  const timer = setTimeout(() => onLocked?.(), LOCKED_MS);
  try {
    return await wait();
  } finally {
    clearTimeout(timer);
  }
}
