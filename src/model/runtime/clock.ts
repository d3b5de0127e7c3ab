// The time that rules compare with. What was decided by it must not be cached: readers are counted.

let count = 0;

/** The current time in milliseconds since the epoch, for a rule. */
export function ruleTime(): number {
  count += 1;
  return Date.now();
}

/** How often rules have asked for the time; a difference between two calls means that the result in between depends on it. */
export function ruleTimeReads(): number {
  return count;
}
