import { expect, test } from '@jest/globals';
import { isSameValue } from '../../../../src/model/functions/same-value.js';

test.each([
  ['object', '{"a":1,"b":[{"c":1,"d":2}]}', '{"b":[{"d":2,"c":1}],"a":1}', true],
  ['json', '[{"a":1,"b":2}]', '[{"b":2,"a":1}]', true],
  ['array', '[1,2]', '[2,1]', false],
  ['object', '{"a":1}', '{"a":"1"}', false],
  ['object', '{"a":1}', '{"a":', false],
  ['json', '1', null, false],
  ['json', null, null, true],
  // Texts are compared as they are.
  ['string', '{"a":1,"b":2}', '{"b":2,"a":1}', false],
  ['integer', 1, 1, true],
])('values of type %s: %s and %s', (type, written, stored, isSame) => {
  expect(isSameValue({ type }, written, stored)).toBe(isSame);
});
