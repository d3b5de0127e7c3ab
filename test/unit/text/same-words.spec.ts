import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { sameWords } from '../../../src/text/same-words.js';
import { runs } from '../../support/runs.js';

const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();

it('compares texts as if white space were collapsed', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\u00a0', '\u2003'), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (one, other) => expect(sameWords(one, other)).toBe(squeezed(one) === squeezed(other))),
    { numRuns: runs(5000) },
  );
});

it('terminates for texts of megabytes', () => {
  expect(sameWords(`${' '.repeat(2 ** 23)}a`, ' a')).toBe(true);
  expect(sameWords('a '.repeat(2 ** 22), 'a\n'.repeat(2 ** 22))).toBe(true);
});
