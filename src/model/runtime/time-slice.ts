// Cooperative scheduling: long work yields the event loop regularly, so that other requests are served in between.
import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds of work before a yield. */
const SLICE_MS = 12;

/** One piece of work that is divided into time slices. */
export class TimeSlice {
  private end = performance.now() + SLICE_MS;

  /** Undefined while time is left; else a promise that resolves after other tasks have run. */
  pause(): Promise<void> | undefined {
    return performance.now() < this.end ? undefined : this.yield();
  }

  private async yield(): Promise<void> {
    await turn();
    this.end = performance.now() + SLICE_MS;
  }
}
