// Rules as readable text.
import { expect, it } from '@jest/globals';
import type { RuleSchema } from '../../../src/model/schema/permission-schema.js';
import { ruleText } from '../../../src/schema/compile/rule-text.js';

it.each<[RuleSchema, string]>([
  [true, 'everybody'],
  [false, 'nobody'],
  ['lend_books', 'the capability "lend_books"'],
  [{ can: 'lend_books' }, 'the capability "lend_books"'],
  [{ signedIn: true }, 'signed in'],
  [{ signedIn: false }, 'not signed in'],
  [{ is: { author: '$me', state: ['open', null] } }, 'author = the caller and state = "open" or null'],
  [
    { any: ['a', { all: ['b', { not: 'c' }] }] },
    'the capability "a" or (the capability "b" and not the capability "c")',
  ],
  [{ not: { any: ['a', 'b'] } }, 'not (the capability "a" or the capability "b")'],
  [{ rule: 'edit' }, 'the rule "edit"'],
  [{ through: 'book', rule: 'read' }, 'the rule "read" of book'],
  [{ orphaned: 'book' }, 'no book'],
  [{ capabilityIn: 'right' }, 'the capability named in right'],
  [
    { referencedBy: ['loan.book', 'hold.book'], where: { state: 'lent' }, rule: 'read' },
    'named by loan.book or hold.book where state = "lent" with its rule "read"',
  ],
])('%j', (rule, text) => {
  expect(ruleText(rule)).toBe(text);
});
