import { describe, expect, it } from '@jest/globals';
import { FairQueue } from '../../../src/concurrency/fair-queue.js';

const turnsOf = (queue: FairQueue) => {
  const served: string[] = [];
  let release = () => undefined as void;
  const first = queue.run({ lane: 0, client: 'first' }, () => new Promise<void>((resolve) => (release = resolve)));
  const all: Promise<unknown>[] = [first];
  return {
    served,
    /** Queues work; its label is noted when it is served, or with `!` when it is refused. */
    add(lane: number, client: string, label = client) {
      const work = queue.run({ lane, client }, async () => void served.push(label));
      all.push(work.catch(() => served.push(`!${label}`)));
    },
    async finish() {
      release();
      await Promise.all(all);
      return served;
    },
  };
};
const queueOf = (places = 100, share = 100) => new FairQueue({ atOnce: 1, places, share }, () => new Error('no place'));

describe('the fair queue', () => {
  it('lets the clients of a lane take turns, however many tasks each has', async () => {
    const queue = turnsOf(queueOf());
    for (let at = 0; at < 5; at++) queue.add(1, 'greedy', `g${at}`);
    queue.add(1, 'modest', 'm');
    expect(await queue.finish()).toEqual(['g0', 'm', 'g1', 'g2', 'g3', 'g4']);
  });

  it('prefers the first lanes without starving the others', async () => {
    const queue = turnsOf(queueOf());
    for (let at = 0; at < 20; at++) for (const lane of [3, 2, 1, 0]) queue.add(lane, `lane ${lane}`, String(lane));
    const served = await queue.finish();
    const share = (lane: string) => served.slice(0, 32).filter((each) => each === lane).length;
    expect([share('0'), share('1'), share('2'), share('3')]).toEqual([16, 8, 4, 4]);
  });

  it('rejects tasks of a client beyond its share', async () => {
    const queue = turnsOf(queueOf(100, 2));
    for (let at = 0; at < 4; at++) queue.add(1, 'greedy', `g${at}`);
    queue.add(1, 'modest', 'm');
    expect((await queue.finish()).sort()).toEqual(['!g2', '!g3', 'g0', 'g1', 'm']);
  });

  it('evicts tasks for higher priorities and for clients with fewer tasks', async () => {
    const queue = turnsOf(queueOf(3));
    for (let at = 0; at < 3; at++) queue.add(2, 'greedy', `g${at}`);
    queue.add(2, 'other', 'o');
    queue.add(0, 'known', 'k');
    queue.add(3, 'late', 'l');
    expect((await queue.finish()).sort()).toEqual(['!g1', '!g2', '!l', 'g0', 'k', 'o']);
  });

  it('evicts no task for a client with as many tasks', async () => {
    const queue = turnsOf(queueOf(2));
    for (const client of ['a', 'b', 'c']) queue.add(1, client);
    expect((await queue.finish()).sort()).toEqual(['!c', 'a', 'b']);
  });

  it('rejects all waiting tasks without a capacity', async () => {
    const queue = queueOf(0);
    const work = async () => 'done';
    const first = queue.run({ lane: 0, client: 'a' }, work);
    await expect(queue.run({ lane: 0, client: 'b' }, work)).rejects.toThrow('no place');
    expect(await first).toBe('done');
  });

  it('continues after failed tasks', async () => {
    const queue = queueOf();
    await expect(queue.run({ lane: 0, client: '' }, () => Promise.reject(new Error('broken')))).rejects.toThrow();
    expect(await queue.run({ lane: 0, client: '' }, async () => 'fine')).toBe('fine');
  });
});
