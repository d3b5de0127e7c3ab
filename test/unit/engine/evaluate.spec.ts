// Conditions on rows that are not stored yet compare as the database would.
import { describe, expect, it } from '@jest/globals';
import { evaluate } from '../../../src/engine/rights/evaluate.js';
import { and, not, or, type Predicate } from '../../../src/model/query.js';

const row = { price: '10.00', low: '9.50', amount: 3, day: '2026-03-01', later: '2026-11-01', none: null };
const compare = (op: 'lt' | 'le' | 'gt' | 'ge', column: string, value: string | number): Predicate => ({
  op,
  column,
  value,
});
const unknown = compare('gt', 'none', 1);
const held = compare('gt', 'amount', 2);

describe('the evaluation of a predicate on a row in memory', () => {
  it.each<[string, Predicate, boolean]>([
    ['compares decimals by value', compare('gt', 'price', '9.99'), true],
    ['compares numbers', compare('le', 'amount', 2), false],
    ['compares days', compare('lt', 'day', '2026-10-01'), true],
    ['includes a bound', compare('ge', 'amount', 3), true],
    ['excludes a bound', compare('lt', 'amount', 3), false],
    ['compares two columns', { op: 'columns', left: 'low', compare: 'lt', right: 'price' }, true],
    ['compares two days', { op: 'columns', left: 'later', compare: 'le', right: 'day' }, false],
    ['finds two columns equal', { op: 'columns', left: 'day', compare: 'eq', right: 'day' }, true],
    ['compares nothing with a column', { op: 'columns', left: 'none', compare: 'lt', right: 'price' }, false],
    ['compares nothing', unknown, false],
    ['knows nothing of the opposite either', not(unknown), false],
    ['knows nothing of both', and(held, unknown), false],
    ['knows enough of one of two', or(unknown, held), true],
    ['knows nothing of the opposite of both', not(and(held, unknown)), false],
    ['knows that not both hold', not(and(not(held), unknown)), true],
  ])('%s', async (_name, predicate, holds) => {
    expect(await evaluate(predicate, row, undefined)).toBe(holds);
  });
});
