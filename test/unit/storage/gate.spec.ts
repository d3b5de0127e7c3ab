import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { BoundedSemaphore } from '../../../src/storage/sql/semaphore.js';

it('lets so many in at once, the others in their order', async () => {
  const gate = new BoundedSemaphore({ size: 2, queue: 10, timeout: 60_000 });
  const begun: number[] = [];
  let inside = 0;
  let most = 0;
  await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      gate.run(async () => {
        begun.push(n);
        most = Math.max(most, ++inside);
        await sleep(5);
        inside--;
      }),
    ),
  );
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

it('sends away who finds the queue full or waited too long, and goes on after failures', async () => {
  const gate = new BoundedSemaphore({ size: 1, queue: 1, timeout: 30 });
  const long = gate.run(() => sleep(80));
  const waits = gate.run(async () => undefined);
  const refused = { code: 'rest_unavailable', status: 503, headers: { 'Retry-After': '1' } };
  await expect(gate.run(async () => undefined)).rejects.toMatchObject(refused);
  await expect(waits).rejects.toMatchObject(refused);
  await long;
  await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.run(async () => 'in')).toBe('in');
});
