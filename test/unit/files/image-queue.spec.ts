// How many image jobs run at once, and what happens to the others.
import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImageQueue, type ImageJobKind } from '../../../src/files/image-queue.js';

const BUSY = { code: 'rest_unavailable', fault: 'client' };

/** A job that ends when it is told to. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, work: () => ended };
}

it('runs at most as many jobs as there are places', async () => {
  const queue = new ImageQueue({ places: 2 });
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await sleep(2);
    running--;
  };
  await Promise.all(Array.from({ length: 12 }, () => queue.run('upload', work)));
  expect({ most, running }).toEqual({ most: 2, running: 0 });
});

it('prefers uploads to readers who have waited longer', async () => {
  const queue = new ImageQueue({ places: 1 });
  const first = held();
  const order: string[] = [];
  const job = (kind: ImageJobKind) => queue.run(kind, async () => void order.push(kind));
  const all = [queue.run('upload', first.work), job('reader'), job('upload'), job('reader'), job('upload')];
  first.end();
  await Promise.all(all);
  expect(order).toEqual(['upload', 'upload', 'reader', 'reader']);
});

it('rejects jobs beyond its capacity without starting them', async () => {
  const queue = new ImageQueue({ places: 1, waiting: { upload: 1, reader: 1 } });
  const first = held();
  const running = queue.run('upload', first.work);
  await sleep(1);
  const waiting = [queue.run('upload', async () => 'one'), queue.run('reader', async () => 'two')];
  let begun = 0;
  for (const kind of ['upload', 'reader'] as const)
    await expect(queue.run(kind, async () => ++begun)).rejects.toMatchObject(BUSY);
  first.end();
  expect([await running, ...(await Promise.all(waiting)), begun]).toEqual([undefined, 'one', 'two', 0]);
  expect(await queue.run('upload', async () => 'free again')).toBe('free again');
});

it('rejects a job after the maximum wait, and frees places after failures', async () => {
  const queue = new ImageQueue({ places: 1, waitMs: 5 });
  const first = held();
  const running = queue.run('upload', first.work);
  let begun = false;
  await expect(queue.run('upload', async () => (begun = true))).rejects.toMatchObject(BUSY);
  first.end();
  await running;
  await expect(queue.run('upload', () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
  expect(await queue.run('upload', async () => 'next')).toBe('next');
  expect(begun).toBe(false);
});

it('lets clients take turns, and evicts jobs of the client with the most', async () => {
  const queue = new ImageQueue({ places: 1, waiting: { upload: 4, reader: 0 } });
  const first = held();
  const order: string[] = [];
  const job = (name: string, client: string) => queue.run('upload', async () => void order.push(name), client);
  const running = queue.run('upload', first.work, 'a');
  const waiting = ['a1', 'a2', 'a3', 'a4'].map((name) => job(name, 'a').catch(() => order.push(`no ${name}`)));
  const others = [job('b1', 'b'), job('c1', 'c')];
  await expect(job('b2', 'b')).rejects.toMatchObject(BUSY);
  first.end();
  await Promise.all([running, ...waiting, ...others]);
  expect(order).toEqual(['no a4', 'no a3', 'a1', 'b1', 'c1', 'a2']);
});
