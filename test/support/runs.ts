// How long random tests go on: TEST_RUNS multiplies their numbers of runs (CI sets more than the default).
export const FACTOR = Number(process.env['TEST_RUNS'] || 0.05);

/** A number of runs of a property or of kills of a server, scaled; at least `least`. */
export function runs(full: number, least = 3): number {
  return Math.max(least, Math.round(full * FACTOR));
}

/** The step at which many places of possible faults are tried: 1, which is all of them, from TEST_RUNS=0.6 on. */
export function stride(): number {
  return Math.max(1, Math.round(0.6 / FACTOR));
}
