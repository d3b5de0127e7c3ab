// Parts of rules that are true or false for every row.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { foldConstants } from '../../../src/engine/rights/fold-constants.js';
import { and, equals, FALSE, not, or, type Predicate, TRUE } from '../../../src/model/query.js';
import { runs } from '../../support/runs.js';

const own = equals('author', 1);
const published = equals('status', 'publish');
const dated = equals('status', 'future');

describe('constant parts of a rule are folded', () => {
  it.each<[string, Predicate, Predicate]>([
    ['one or its opposite', or(own, not(own)), TRUE],
    ['one and its opposite', and(own, not(own)), FALSE],
    ['his own, published or not, and those of others', or(and(own, or(published, not(published))), not(own)), TRUE],
    ['a part that cancels out', and(own, or(published, dated, not(or(published, dated)))), own],
    ['nothing that cancels out', or(and(own, published), not(own)), or(and(own, published), not(own))],
    ['a single condition', own, own],
  ])('%s', (_name, rule, settled) => {
    expect(foldConstants(rule)).toEqual(settled);
  });

  it('without changing which rows satisfy the rule', () => {
    const condition = fc.integer({ min: 0, max: 7 }).map((n) => equals(`c${n}`, 1));
    const rule = fc.letrec<{ rule: Predicate }>((tie) => ({
      rule: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        condition,
        fc.array(tie('rule'), { maxLength: 4 }).map((parts) => and(...parts)),
        fc.array(tie('rule'), { maxLength: 4 }).map((parts) => or(...parts)),
        tie('rule').map(not),
      ),
    })).rule;
    fc.assert(
      fc.property(rule, fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 20 }), (made, rows) => {
        const settled = foldConstants(made);
        for (const row of rows) expect(holds(settled, row)).toBe(holds(made, row));
      }),
      { numRuns: runs(2_000) },
    );
  });
});

/** Whether a rule holds for the row whose columns are the bits of a number. */
function holds(rule: Predicate, row: number): boolean {
  switch (rule.op) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'and':
      return rule.of.every((part) => holds(part, row));
    case 'or':
      return rule.of.some((part) => holds(part, row));
    case 'not':
      return !holds(rule.of, row);
    case 'eq':
      return (row & (1 << Number(rule.column.slice(1)))) !== 0;
    default:
      throw new TypeError(rule.op);
  }
}
