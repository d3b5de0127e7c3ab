// Findings of `check --data` about more items than it lists.
import { expect, it } from '@jest/globals';
import { MAX_FINDINGS, mostOf } from '../../../src/maintenance/most-findings.js';

const findings = (count: number) => Array.from({ length: count }, (_, id) => ({ message: `thing ${id}` }));

it('are listed where there are not too many', () => {
  expect(mostOf(findings(MAX_FINDINGS), 'thing: one')).toHaveLength(MAX_FINDINGS);
});

it('end with one that says that there are more, and that is not repaired', () => {
  const listed = mostOf(findings(MAX_FINDINGS + 1), 'thing: one');
  expect(listed).toHaveLength(MAX_FINDINGS + 1);
  expect(listed.at(-1)).toEqual({
    message: 'thing: one: more than 1000 of these problems: check again once they are fixed',
  });
});
