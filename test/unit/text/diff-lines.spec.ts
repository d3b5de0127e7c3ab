import { expect, it } from '@jest/globals';
import { diffLines } from '../../../src/text/diff-lines.js';

it('marks removed, added and unchanged lines', () => {
  expect(diffLines('a\nb\nc', 'a\nB\nc')).toEqual([
    { op: 'equal', text: 'a' },
    { op: 'delete', text: 'b' },
    { op: 'insert', text: 'B' },
    { op: 'equal', text: 'c' },
  ]);
  expect(diffLines('', 'x')).toEqual([{ op: 'insert', text: 'x' }]);
  expect(diffLines('', '')).toEqual([]);
});

it('compares texts of too many lines as single lines', () => {
  const long = 'x\n'.repeat(2 ** 20);
  expect(diffLines(long, `${long}y`).map(({ op }) => op)).toEqual(['delete', 'insert']);
  expect(diffLines(long, '')).toEqual([{ op: 'delete', text: long }]);
  expect(diffLines(long, long)).toEqual([{ op: 'equal', text: long }]);
});

it('abandons a search that takes too long', () => {
  const lines = (seed: number) => Array.from({ length: 5000 }, (_, at) => (at * seed) % 5003).join('\n');
  expect(diffLines(lines(7), lines(11)).length).toBeLessThanOrEqual(10_000);
});
