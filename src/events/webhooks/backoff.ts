// When a failed delivery is tried again.

/** Greatest pause, in milliseconds. */
const MOST_MS = 24 * 60 * 60 * 1000;
const FACTOR = 4;

/**
 * Milliseconds until the next attempt after so many: exponential, with a jitter of half of it, so that receivers that were
 * down are not overrun. `first`: the pause after the first attempt; `random` from 0 to 1.
 */
export function pauseAfter(attempts: number, first: number, random = Math.random()): number {
  const full = Math.min(first * FACTOR ** (attempts - 1), MOST_MS);
  return Math.round(full / 2 + (full / 2) * random);
}
