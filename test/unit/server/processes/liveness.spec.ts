import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Liveness } from '../../../../src/server/processes/liveness.js';

const TIMEOUT = 60;

test('a worker that replies is kept', async () => {
  let dead = 0;
  await new Promise<void>((resolve) => {
    let probes = 0;
    const send = () => {
      probes += 1;
      // Late, but in time.
      if (probes % 6 === 0) liveness.replied();
      if (probes < 30) return;
      liveness.stop();
      resolve();
    };
    const liveness = new Liveness(TIMEOUT, send, () => (dead += 1));
  });
  expect(dead).toBe(0);
});

test('a worker that does not reply is given up once, after six probes', async () => {
  let probes = 0;
  let dead = 0;
  const liveness = new Liveness(
    TIMEOUT,
    () => (probes += 1),
    () => (dead += 1),
  );
  while (dead === 0) await sleep(1);
  await sleep(TIMEOUT);
  liveness.stop();
  expect([probes, dead]).toEqual([6, 1]);
});

test('no probe is sent after stop', async () => {
  let probes = 0;
  new Liveness(
    TIMEOUT,
    () => (probes += 1),
    () => undefined,
  ).stop();
  await sleep(TIMEOUT);
  expect(probes).toBe(0);
});
