// How rules are put together, and that their two steps give the result of the whole.
import { describe, expect, it } from '@jest/globals';
import { Rejection, type Checked, type Rule } from '../../../src/model/value.js';
import { compileRule } from '../../../src/values/compile-value-rule.js';
import {
  codesOf,
  withConstraints,
  constraint,
  converting,
  withException,
  ruleOf,
  walkedRule,
} from '../../../src/values/rule.js';

/** What the two steps of a rule find, taken singly. */
function inSteps(rule: Rule, value: unknown): Checked {
  const coerced = rule.coerce(value, 'p');
  for (const { code, reason, data } of rule.constraints) {
    if (coerced instanceof Rejection) {
      if (coerced.issue.code === code) return { issue: coerced.issue };
      continue;
    }
    const why = reason?.(coerced);
    if (why !== undefined)
      return { issue: { code, param: 'p', message: `p ${why}`, ...(data ? { data: data('p') } : {}) } };
  }
  return { value: coerced };
}

const VALUES = [
  '',
  'a',
  'a,b',
  '1',
  '1.5',
  'true',
  '\0',
  0,
  1,
  7,
  1e300,
  true,
  null,
  [],
  [1, 1],
  ['x'],
  [[]],
  {},
  { a: 1 },
];

describe('the steps of a rule', () => {
  it.each([
    [{ type: 'string', minLength: 1, maxLength: 2 }],
    [{ type: 'string', format: 'uri', maxLength: 3 }],
    [{ type: 'integer', minimum: 1, maximum: 5 }],
    [{ type: ['integer', 'null'], enum: [1, 7] }],
    [{ type: ['boolean', 'string', 'array'] }],
    [{ type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 2, uniqueItems: true }],
    [{ type: 'object', properties: { a: { type: 'boolean' } }, additionalProperties: false, minProperties: 1 }],
    [{ anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 1 }] }],
    [{ oneOf: [{ type: 'integer' }, { type: 'number' }], enum: [1] }],
    [{}],
  ])('give the same result as the rule of %j', (schema) => {
    const rule = compileRule(schema);
    for (const value of VALUES) expect([value, inSteps(rule, value)]).toEqual([value, { ...rule(value, 'p') }]);
  });

  it('have an error code each that the rule can return', () => {
    const rule = compileRule({ type: 'array', items: { type: 'string', format: 'date' }, uniqueItems: true });
    expect(codesOf(rule)).toEqual([
      'rest_invalid_type',
      'rest_too_many_items',
      'rest_invalid_pattern',
      'rest_invalid_date',
      'invalid_date',
      'rest_duplicate_items',
    ]);
  });
});

describe('derived rules', () => {
  const number = compileRule({ type: 'integer', minimum: 3 });
  const even = constraint('odd', (value: number) => (value % 2 ? 'must be even.' : undefined));

  it('apply further constraints after their own', () => {
    const rule = withConstraints(number, [even]);
    expect(rule('4', 'p')).toEqual({ value: 4 });
    expect(rule('5', 'p')).toEqual({ issue: { code: 'odd', param: 'p', message: 'p must be even.' } });
    expect(rule('1', 'p')).toMatchObject({ issue: { code: 'rest_out_of_bounds' } });
  });

  it('exempt a value that was sent, not one that results from conversion', () => {
    const rule = withException(number, (value) => value === 1);
    expect(rule(1, 'p')).toEqual({ value: 1 });
    expect({ ...rule('1', 'p') }).toMatchObject({ issue: { code: 'rest_out_of_bounds' } });
    expect(inSteps(rule, '1')).toMatchObject({ issue: { code: 'rest_out_of_bounds' } });
    expect(rule('3', 'p')).toEqual({ value: 3 });
  });

  it('convert accepted values, and constrain the result', () => {
    const rule = converting(number, (value) => (value as number) + 1, [even]);
    expect(rule('3', 'p')).toEqual({ value: 4 });
    expect(rule('4', 'p')).toMatchObject({ issue: { code: 'odd' } });
    expect({ ...rule('2', 'p') }).toMatchObject({ issue: { code: 'rest_out_of_bounds' } });
    expect(codesOf(rule)).toEqual(['rest_invalid_type', 'rest_out_of_bounds', 'odd']);
  });

  it('traverse a value once, and report findings by code', () => {
    let walks = 0;
    const rule = walkedRule(
      (value, param) => {
        walks++;
        return value === 'x' ? { issue: { code: 'bad', param, message: 'm' } } : { value };
      },
      ['bad', 'bad'],
    );
    expect(inSteps(rule, 'x')).toEqual({ issue: { code: 'bad', param: 'p', message: 'm' } });
    expect([walks, codesOf(rule)]).toEqual([1, ['bad']]);
  });

  it('treat a value that becomes undefined as not sent', () => {
    const rule = ruleOf(() => undefined, [even]);
    expect(rule(5, 'p')).toEqual({ value: undefined });
  });
});
