// Pauses between the attempts of a delivery.

/** Longest pause that a receiver may request, in milliseconds. */
export const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

/** Greatest pause, in milliseconds. */
export const MAX_BACKOFF_MS = 24 * 60 * 60 * 1000;
const FACTOR = 4;

/**
 * Milliseconds until the next attempt after a number of attempts: exponential backoff, half of it jitter, so that
 * receivers that were down are not overloaded. `first`: the pause after the first attempt; `random` from 0 to 1.
 */
export function pauseAfter(attempts: number, first: number, random = Math.random()): number {
  const full = Math.min(first * FACTOR ** (attempts - 1), MAX_BACKOFF_MS);
  return Math.round(full / 2 + (full / 2) * random);
}

/**
 * Number of attempts up to which no pause exceeds the longest that a receiver may request; `first` as for `pauseAfter`.
 */
export function attemptsWithShortPauses(first: number): number {
  return Math.max(0, 1 + Math.floor(Math.log(MAX_RETRY_AFTER_MS / first) / Math.log(FACTOR)));
}

/**
 * The pause of a `Retry-After` header (seconds or a date) in whole milliseconds; 0 without one. `now` in milliseconds.
 */
export function requestedPause(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const seconds = Number(retryAfter);
  const pause = Number.isNaN(seconds) ? Date.parse(retryAfter) - now : seconds * 1000;
  // Rounded, because not every database accepts fractions for an integer column.
  return pause > 0 ? Math.ceil(Math.min(pause, MAX_RETRY_AFTER_MS)) : 0;
}
