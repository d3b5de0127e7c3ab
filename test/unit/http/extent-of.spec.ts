// Whether a condition covers all, the own, some or no items: all combinations of the values that it names are tried.
import { expect, test } from '@jest/globals';
import { extentOf } from '../../../src/http/browse/extent-of.js';
import { and, equals, FALSE, not, oneOf, or, TRUE, type Predicate } from '../../../src/model/query.js';

const CALLER = 7;
const mine = equals('author', CALLER);
const shown = equals('status', 'publish');
const empty: Predicate = { op: 'null', column: 'status' };
const long: Predicate = { op: 'gt', column: 'length', value: 5 };

const CASES: [condition: Predicate, extent: string][] = [
  [TRUE, 'all'],
  [FALSE, 'none'],
  [shown, 'some'],
  [mine, 'own'],
  [or(mine, not(mine)), 'all'],
  [and(mine, not(mine)), 'none'],
  [or(and(mine, shown), and(mine, not(shown))), 'own'],
  [or(and(mine, shown), and(mine, not(shown)), not(mine)), 'all'],
  [and(mine, shown), 'some'],
  [or(mine, shown), 'some'],
  [and(shown, equals('status', 'draft')), 'none'],
  [or(oneOf('status', ['publish', 'draft']), not(oneOf('status', ['draft', 'publish']))), 'all'],
  [and(empty, shown), 'none'],
  [or(empty, not(empty)), 'all'],
  [or(empty, shown), 'some'],
  [long, 'some'],
  [or(long, not(long)), 'all'],
  [and(long, mine), 'some'],
  [and(...Array.from({ length: 40 }, (_, at) => equals(`column${at}`, at + 100))), 'some'],
];

test.each(CASES)('%j reaches %s', (condition, extent) => {
  expect(extentOf(condition, CALLER)).toBe(extent);
});

test('an anonymous caller owns no items', () => {
  expect(extentOf(equals('author', 0), 0)).toBe('some');
});
