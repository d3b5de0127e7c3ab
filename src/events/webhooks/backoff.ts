// When a failed delivery is tried again.

/** Longest pause that a receiver may ask for, in milliseconds. */
export const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

/** Greatest pause, in milliseconds. */
export const MAX_BACKOFF_MS = 24 * 60 * 60 * 1000;
const FACTOR = 4;

/**
 * Milliseconds until the next attempt after so many: exponential, with a jitter of half of it, so that receivers that were
 * down are not overrun. `first`: the pause after the first attempt; `random` from 0 to 1.
 */
export function pauseAfter(attempts: number, first: number, random = Math.random()): number {
  const full = Math.min(first * FACTOR ** (attempts - 1), MAX_BACKOFF_MS);
  return Math.round(full / 2 + (full / 2) * random);
}

/** Attempts up to which no pause is longer than the longest that a receiver may ask for; `first` as for `pauseAfter`. */
export function attemptsWithShortPauses(first: number): number {
  return Math.max(0, 1 + Math.floor(Math.log(MAX_RETRY_AFTER_MS / first) / Math.log(FACTOR)));
}

/** Whole milliseconds of the pause that a `Retry-After` asks for, in seconds or as a date; 0 without one. */
export function pauseAskedFor(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const seconds = Number(retryAfter);
  const pause = Number.isNaN(seconds) ? Date.parse(retryAfter) - now : seconds * 1000;
  // Rounded, because not every database stores fractions in a whole number.
  return pause > 0 ? Math.ceil(Math.min(pause, MAX_RETRY_AFTER_MS)) : 0;
}
