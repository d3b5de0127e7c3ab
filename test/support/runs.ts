// Number of runs of random tests: TEST_RUNS is their factor (CI sets more than the default).
export const FACTOR = Number(process.env['TEST_RUNS'] || 0.05);

/** A number of runs of a property or of kills of a server, scaled; at least `least`. */
export function runs(full: number, least = 3): number {
  return Math.max(least, Math.round(full * FACTOR));
}

/** Step size over the places of possible faults: 1, which tries all of them, from TEST_RUNS=0.6 on. */
export function stride(): number {
  return Math.max(1, Math.round(0.6 / FACTOR));
}
