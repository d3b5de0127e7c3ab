// The cache of results: valid for one data version, bounded in bytes, and computed once for concurrent callers.
import { expect, it } from '@jest/globals';
import { VersionCache } from '../../../src/storage/reads/version-cache.js';

const cacheOf = (maxBytes = 10_000) =>
  new VersionCache<number[]>({ max: 100, maxBytes, sizeOf: (ids) => ids.length * 8 });

it('computes a value once for concurrent callers', async () => {
  const cache = cacheOf();
  let asked = 0;
  let result: (ids: number[]) => void = () => undefined;
  const ask = () => {
    asked++;
    return new Promise<number[]>((resolve) => (result = resolve));
  };
  const all = [1, 2, 3].map(() => cache.getOrCompute(1, 'key', ask));
  expect(asked).toBe(1);
  result([7]);
  expect(await Promise.all(all)).toEqual([[7], [7], [7]]);
  expect(await cache.getOrCompute(1, 'key', ask)).toEqual([7]);
  expect(asked).toBe(1);
});

it('computes again for another version, even while the first computation runs', async () => {
  const cache = cacheOf();
  const results: ((ids: number[]) => void)[] = [];
  const ask = () => new Promise<number[]>((resolve) => results.push(resolve));
  const [old, late] = [cache.getOrCompute(1, 'key', ask), cache.getOrCompute(2, 'key', ask)];
  expect(results).toHaveLength(2);
  results[1]!([2]);
  results[0]!([1]);
  expect([await old, await late]).toEqual([[1], [2]]);
  expect(cache.get(2, 'key')).toEqual([2]);
});

it('shares a failure and does not cache it', async () => {
  const cache = cacheOf();
  let fail: (error: Error) => void = () => undefined;
  const ask = () => new Promise<number[]>((_, reject) => (fail = reject));
  const all = [1, 2].map(() => cache.getOrCompute(1, 'key', ask));
  fail(new Error('gone'));
  for (const { status } of await Promise.allSettled(all)) expect(status).toBe('rejected');
  expect(await cache.getOrCompute(1, 'key', async () => [1])).toEqual([1]);
});

it('caches at most the given number of bytes, keys included', () => {
  const cache = cacheOf();
  for (let n = 0; n < 50; n++) cache.set(cache.get(1, '') ?? 1, `${n}${'k'.repeat(1_000)}`, [n]);
  const kept = Array.from({ length: 50 }, (_, n) => cache.get(1, `${n}${'k'.repeat(1_000)}`)).filter(Boolean);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThan(6);
  cache.set(
    1,
    'large',
    Array.from({ length: 10_000 }, () => 1),
  );
  expect(cache.get(1, 'large')).toBeUndefined();
});
