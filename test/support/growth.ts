// How the time of a synchronous function grows with its input. Jest cannot interrupt such a function and does not fail a
// test that took too long, so a test for linear time has to measure it.
import { collectGarbage } from './collect-garbage.js';

/** Sizes double from the first to the last, until one takes `LONG_ENOUGH` milliseconds. */
const SMALLEST = 256;
const LARGEST = 2 ** 16;
const LONG_ENOUGH = 8;
/** If the growth is doubtful, until one takes this many milliseconds: a small quadratic part shows at larger sizes. */
const TOO_LONG = 100;
const DOUBTFUL_GROWTH = 5.5;
/** Shorter times count as this many milliseconds: below it the machine's noise is larger than what is measured. */
const NOISE = 0.5;
/** Four times the input may take this many times as long: 4 when linear, 5 with a logarithm, 16 when quadratic. */
const LARGEST_GROWTH = 10;
/** Growth between these two is doubtful: one slowed measurement would decide. */
const CERTAINLY_LINEAR = 7;
const CERTAINLY_NOT = 13;
/** Milliseconds of the larger input from which growth is clear of noise. */
const CLEAR_MS = 30;
/** Runs of one size, of which the fastest counts. */
const RUNS = 3;
/**
 * Maximum number of measurements. Other work on the machine, or a garbage collection, may slow one down, so doubtful or
 * non-linear growth is measured again, each time with inputs twice as large; for each size the shortest time counts.
 * Clear growth in long enough times is accepted from the third measurement on.
 */
const TRIES = 6;

interface Growth {
  /** The size of the larger input; the smaller one is a quarter of it. */
  size: number;
  /** Milliseconds. */
  small: number;
  large: number;
}

/**
 * Fails when the time of `work` grows clearly faster than its input. `input(size)` makes an input of that size, up to
 * 65536. Linear work costs about 50 ms at any speed; more on a loaded machine, where a doubtful growth is measured again.
 */
export function expectLinear<T>(input: (size: number) => T, work: (input: T) => unknown): void {
  const times = new Map<number, number>();
  let growth = measure(input, work, SMALLEST, times);
  for (let attempt = 1; attempt < TRIES && growthOf(growth) > CERTAINLY_LINEAR; attempt++) {
    if (attempt > 2 && growth.large > CLEAR_MS && growthOf(growth) > CERTAINLY_NOT) break;
    // Otherwise garbage of earlier tests may be collected while a large input is measured.
    collectGarbage();
    growth = measure(input, work, SMALLEST * 2 ** attempt, times);
  }
  if (growthOf(growth) <= LARGEST_GROWTH) return;
  const { size, small, large } = growth;
  throw new Error(`${small.toFixed(1)} ms at size ${size / 4}, ${large.toFixed(1)} ms at size ${size}`);
}

function growthOf({ small, large }: Omit<Growth, 'size'>): number {
  return large / Math.max(small, NOISE);
}

function measure<T>(
  input: (size: number) => T,
  work: (input: T) => unknown,
  smallest: number,
  times: Map<number, number>,
): Growth {
  const timeOf = (size: number): number => {
    const time = Math.min(leastTime(input(size), work), times.get(size) ?? Infinity);
    times.set(size, time);
    return time;
  };
  let size = smallest;
  let [small, middle, large] = [0, 0, timeOf(size)];
  do {
    size *= 2;
    [small, middle, large] = [middle, large, timeOf(size)];
  } while (size < LARGEST && (size < 4 * smallest || !isConclusive({ small, large })));
  return { size, small, large };
}

/** Whether larger inputs would only cost more time. */
function isConclusive({ small, large }: Omit<Growth, 'size'>): boolean {
  if (large < LONG_ENOUGH) return false;
  return large > TOO_LONG || large > LARGEST_GROWTH * small || large < DOUBTFUL_GROWTH * small;
}

function leastTime<T>(input: T, work: (input: T) => unknown): number {
  let least = Infinity;
  for (let run = 0; run < RUNS; run++) {
    // Processor time, because the process may have to wait for others.
    const before = process.cpuUsage();
    work(input);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
