// Decimal numbers are computed with to the last digit, never through a double.
import { describe, expect, it } from '@jest/globals';
import {
  canonicalDecimal,
  decimalOf,
  decimalText,
  divide,
  parseDecimal,
  plus,
  round,
  times,
  unitsOf,
} from '../../../src/model/functions/decimal.js';
import { decimalRule } from '../../../src/values/decimal-rule.js';

describe('a decimal', () => {
  it.each([
    ['12.5', 4, 125_000n, true],
    ['-0.05', 2, -5n, true],
    ['-0.051', 2, -6n, false],
    ['0.059', 2, 5n, false],
    ['+007.1000', 1, 71n, true],
    ['999999999999999999', 0, 999_999_999_999_999_999n, true],
  ])('%s has units of %i digits', (text, scale, units, exact) => {
    expect(unitsOf(parseDecimal(text)!, scale)).toEqual({ units, exact });
  });

  it.each([
    [-150n, 2, 1, -15n, true],
    [-151n, 2, 1, -16n, false],
    [100n, 2, 0, 1n, true],
    [-99n, 2, 0, -1n, false],
  ])('of %s units and %i digits has units of %i', (value, scale, coarser, units, exact) => {
    expect(unitsOf({ units: value, scale }, coarser)).toEqual({ units, exact });
  });

  it.each(['', '.', '1.', '.5', '1e3', '0x1', ' 1', '1,5', '--1', '∞', '1'.repeat(41)])('is not %j', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  it.each([
    [-5n, 2, '-0.05'],
    [0n, 3, '0.000'],
    [-12n, 0, '-12'],
    [123_456_789_012_345_678n, 4, '12345678901234.5678'],
  ])('of %s units is written with %i digits', (units, scale, text) => {
    expect(decimalText(units, scale)).toBe(text);
    expect(canonicalDecimal(text, { precision: 18, scale })).toBe(text);
  });

  it.each<[string | number, bigint, number]>([
    [0.1, 1n, 1],
    [1e21, 10n ** 21n, 0],
    [1.5e-7, 15n, 8],
    [-2.5e3, -2500n, 0],
    ['12.50', 125n, 1],
  ])('spelled %s has %s units of %i digits', (spelled, units, scale) => {
    expect(decimalOf(spelled)).toEqual({ units, scale });
  });

  it.each([Infinity, NaN, '', 'x', '1e9999', null])('is not spelled %s', (spelled) => {
    expect(decimalOf(spelled)).toBeUndefined();
  });

  it.each([
    ['1', '3', 2, '0.33'],
    ['2', '3', 2, '0.67'],
    ['-1', '8', 2, '-0.13'],
    ['1', '-8', 2, '-0.13'],
    ['1', '8', 3, '0.125'],
    ['0.001', '1000', 4, '0.0000'],
    ['10', '0.004', 0, '2500'],
  ])('%s divided by %s is, to %i digits, %s', (left, right, scale, text) => {
    const quotient = divide(parseDecimal(left)!, parseDecimal(right)!, scale)!;
    expect(decimalText(quotient.units, scale)).toBe(text);
  });

  it('is added, multiplied and rounded to the last digit', () => {
    const [large, small] = ['99999999999999999.9', '0.05'].map((text) => parseDecimal(text)!) as [never, never];
    expect(plus(large, small)).toEqual({ units: 9_999_999_999_999_999_995n, scale: 2 });
    expect(times(large, small)).toEqual({ units: 4_999_999_999_999_999_995n, scale: 3 });
    expect(['0.05', '-0.05', '0.049', '7'].map((text) => round(parseDecimal(text)!, 1).units)).toEqual([
      1n,
      -1n,
      0n,
      7n,
    ]);
    expect(divide(large, parseDecimal('0')!, 2)).toBeUndefined();
  });

  it('with too many digits does not fit a column', () => {
    const shape = { precision: 4, scale: 2 };
    expect(['99.99', '100', '1.001', '-99.99', 5].map((value) => canonicalDecimal(value, shape))).toEqual([
      '99.99',
      undefined,
      undefined,
      '-99.99',
      '5.00',
    ]);
  });
});

describe('the rule of a decimal', () => {
  const shape = { precision: 6, scale: 2 };
  const rule = decimalRule({ minimum: 0.005, maximum: 100, exclusiveMaximum: true, multipleOf: 0.25 }, shape);
  const outcome = (value: unknown) => {
    const checked = rule(value, 'price');
    return 'issue' in checked ? checked.issue.code : checked.value;
  };
  it('accepts small numbers and bounds, which JavaScript writes with an exponent', () => {
    const small = decimalRule({ minimum: 1e-7, multipleOf: 5e-8 }, { precision: 18, scale: 9 });
    const made = [1e-7, 1.5e-7, '0.00000015', 2e-9, 1.2e-7, 1e-10].map((value) => small(value, 'price'));
    expect(made.map((each) => ('issue' in each ? each.issue.code : each.value))).toEqual([
      '0.000000100',
      '0.000000150',
      '0.000000150',
      'rest_out_of_bounds',
      'rest_invalid_multiple',
      'rest_invalid_multiple',
    ]);
  });

  it.each([
    ['0.25', '0.25'],
    [0.5, '0.50'],
    ['99.75', '99.75'],
    ['0', 'rest_out_of_bounds'],
    ['100', 'rest_out_of_bounds'],
    ['0.3', 'rest_invalid_multiple'],
    ['0.255', 'rest_invalid_multiple'],
    ['10000', 'rest_out_of_bounds'],
    [Number.NaN, 'rest_invalid_type'],
    [123456789.1234567, 'rest_invalid_type'],
    [null, 'rest_invalid_type'],
    [{}, 'rest_invalid_type'],
  ])('makes %j %s', (value, wanted) => {
    expect(outcome(value)).toBe(wanted);
  });
});
