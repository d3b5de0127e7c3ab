// Runs of a consumer leave no listeners on abort signals.
import { expect, test } from '@jest/globals';
import { ConsumerRun } from '../../../src/events/consumers.js';
import type { SiteEvent } from '../../../src/model/audit.js';
import { collectGarbage } from '../../support/collect-garbage.js';

test('runs leave no listeners on the signals of the process', async () => {
  const [lease, stopping] = [new AbortController(), new AbortController()];
  let signals = 0;
  const consumer = {
    name: 'one',
    handle: (_events: readonly SiteEvent[], signal: AbortSignal) =>
      Promise.resolve(signal.aborted ? 1 : ((signals += 1), 0)),
  };
  const run = new ConsumerRun(consumer, {
    store: {} as never,
    log: { after: () => Promise.resolve([{ id: 1 }]) } as never,
    leases: {
      position: () => Promise.resolve(0),
      take: () => Promise.resolve({ signal: lease.signal, release: () => Promise.resolve() }),
    } as never,
    stopping: stopping.signal,
    onError: (error) => expect(error).toBeUndefined(),
  });
  const heapAfter = async (runs: number): Promise<number> => {
    for (let count = 0; count < runs; count++) {
      run.wake(1);
      await run.end();
      // Weak references are cleared between turns of the event loop.
      if (count % 1_000 === 0) await new Promise(setImmediate);
    }
    for (let count = 0; count < 3; count++) {
      collectGarbage();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return process.memoryUsage().heapUsed;
  };
  const before = await heapAfter(2_000);
  expect((await heapAfter(60_000)) - before).toBeLessThan(2 * 1024 * 1024);
  expect(signals).toBe(62_000);
});
