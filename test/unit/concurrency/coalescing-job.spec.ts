// When a job that is requested many times is run.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { CoalescingJob } from '../../../src/concurrency/coalescing-job.js';

/** A job whose runs end when the test says so. */
function heldJob(): { job: CoalescingJob; ends: (() => void)[] } {
  const ends: (() => void)[] = [];
  const job = new CoalescingJob(() => new Promise((resolve) => void ends.push(resolve)));
  return { job, ends };
}

describe('a coalescing job', () => {
  it('runs at once, one run at a time, and once more for all requests during a run', async () => {
    const { job, ends } = heldJob();
    for (let n = 0; n < 3; n += 1) job.request();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await turn();
    expect(ends).toHaveLength(2);
    ends[1]!();
    await turn();
    expect(ends).toHaveLength(2);
    job.request();
    expect(ends).toHaveLength(3);
  });

  it('runs again when it is requested in any microtask around the end of a run', async () => {
    for (let delay = 0; delay < 8; delay += 1) {
      let runs = 0;
      const job = new CoalescingJob(async () => void (runs += 1));
      job.request();
      for (let n = 0; n < delay; n += 1) await undefined;
      const before = runs;
      job.request();
      await turn();
      expect({ delay, later: runs > before }).toEqual({ delay, later: true });
    }
  });

  it('reports whether it runs, and when it is idle', async () => {
    const { job, ends } = heldJob();
    expect(job.isRunning).toBe(false);
    await job.idle();
    job.request();
    job.request();
    let idle = false;
    const waiting = job.idle().then(() => (idle = true));
    expect(job.isRunning).toBe(true);
    ends[0]!();
    await turn();
    expect([job.isRunning, idle]).toEqual([true, false]);
    ends[1]!();
    await waiting;
    expect(job.isRunning).toBe(false);
  });
});
