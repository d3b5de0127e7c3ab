// The time that rules compare with. Its reads are counted, because results that depend on it must not be cached.

let count = 0;

/** The current time in milliseconds since the epoch, for a rule. */
export function ruleTime(): number {
  count += 1;
  return Date.now();
}

/** How often rules have read the time; if it differs between two calls, the result made in between depends on it. */
export function ruleTimeReads(): number {
  return count;
}
