// Work shared by the requests of one turn of the event loop: once for all of a key, never begun before any of them asked.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { OncePerTurn } from '../../../src/concurrency/once-per-turn.js';

const worker = (results: Record<string, () => Promise<number>>) => {
  const shared = new OncePerTurn<number, string>();
  const begun: string[] = [];
  const run = (key: string, asker = 'one') =>
    shared.run(key, asker, (askers) => {
      begun.push(`${key} for ${askers.join()}`);
      return results[key]!();
    });
  return { run, begun };
};

it('runs work once per key and turn, at its end, for all callers', async () => {
  const { run, begun } = worker({ a: async () => 1, b: async () => 2 });
  const first = [run('a'), run('b')];
  await Promise.resolve();
  const later = [run('a', 'two'), run('b', 'two'), run('a', 'three')];
  expect(begun).toEqual([]);
  expect(await Promise.all([...first, ...later])).toEqual([1, 2, 1, 2, 1]);
  expect(begun).toEqual(['a for one,two,three', 'b for one,two']);
});

it('runs work again for calls that arrive while it is running', async () => {
  const finish: ((value: number) => void)[] = [];
  const { run, begun } = worker({ a: () => new Promise((resolve) => finish.push(resolve)) });
  const before = run('a');
  await nextTurn();
  const after = run('a', 'two');
  await nextTurn();
  expect(begun).toEqual(['a for one', 'a for two']);
  finish[1]!(2);
  finish[0]!(1);
  expect(await Promise.all([before, after])).toEqual([1, 2]);
});

it('shares a failure, and runs work again after it', async () => {
  let fails = true;
  const { run } = worker({
    a: async () => {
      if (fails) throw new Error('gone');
      return 1;
    },
  });
  for (const { status } of await Promise.allSettled([run('a'), run('a')])) expect(status).toBe('rejected');
  fails = false;
  expect(await run('a')).toBe(1);
});
