// Items of a tree that are above themselves.
import { expect, it } from '@jest/globals';
import { idsInLoops } from '../../../../src/model/functions/loops.js';

it.each<[string, [number, number][], number[]]>([
  [
    'a tree',
    [
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 3],
    ],
    [],
  ],
  [
    'an item below itself',
    [
      [1, 1],
      [2, 1],
    ],
    [1],
  ],
  [
    'two loops, and what is below them',
    [
      [9, 4],
      [4, 5],
      [5, 4],
      [7, 8],
      [8, 6],
      [6, 7],
      [3, 9],
    ],
    [4, 5, 6, 7, 8],
  ],
  [
    'a parent that does not exist',
    [
      [2, 5],
      [5, 77],
    ],
    [],
  ],
])('%s', (_what, pairs, loops) => expect(idsInLoops(new Map(pairs))).toEqual(loops));

it('a long chain that ends in a loop', () => {
  const above = new Map(Array.from({ length: 100_000 }, (_, at) => [at + 1, Math.max(1, at)]));
  expect(idsInLoops(above)).toEqual([1]);
});
