// Rules of strings, numbers and booleans.
import { boundsOf, type Bound } from './bounds.js';
import { decimalOf, unitsOf } from '../model/functions/decimal.js';
import { Rejection, type Constraint, type Rule } from '../model/value.js';
import { toBoolean, toInteger, toNumber } from './coerce.js';
import { formatOf } from './formats.js';
import { storable } from './json-value.js';
import { compilePattern, LONGEST_MATCHED } from './patterns/pattern.js';
import { constraint, ruleOf, typeConstraint } from './rule.js';
import { counted, issue } from './value-issue.js';
import type { ValueSchema } from '../model/schema/value-schema.js';

/** Maximum length of a text that its format sanitizes, in characters; longer than any URI or e-mail address. */
const MAX_SANITIZED_CHARACTERS = 16_384;

/** Rounding error of a quotient above which its fraction is meaningless; then the decimal digits are divided. */
const LARGEST_ERROR = 2 ** -10;

/** `type: boolean`. */
export const booleanRule = ruleOf(
  (value) => toBoolean(value) ?? value,
  [typeConstraint((value) => typeof value === 'boolean', 'must be true or false.')],
);

/** `type: null`. */
export const nullRule = ruleOf((value) => value, [typeConstraint((value) => value === null, 'must be null.')]);

/** `type: integer` and `type: number`. */
export function numberRule(kind: 'integer' | 'number'): Rule {
  const coerce = kind === 'integer' ? toInteger : toNumber;
  const must = kind === 'integer' ? 'must be a whole number.' : 'must be a number.';
  const fits = kind === 'integer' ? Number.isSafeInteger : Number.isFinite;
  return ruleOf(
    (value) => coerce(value) ?? value,
    [
      typeConstraint((value) => typeof value === 'number' && coerce(value) !== undefined, must),
      // Larger integers are neither exact in JavaScript nor storable.
      constraint('rest_out_of_bounds', (value: number) => (fits(value) ? undefined : 'is too large a number.')),
    ],
  );
}

/** `type: string`: sanitized by format, storable characters only. */
export function stringRule(schema: ValueSchema): Rule {
  const clean = formatOf(schema.format)?.clean;
  const isString = typeConstraint((value) => typeof value === 'string', 'must be a string.');
  if (!clean) return ruleOf((value) => value, [isString, storable]);
  // The limit is that of the text sent: sanitizing may lengthen it.
  const must = `must have at most ${MAX_SANITIZED_CHARACTERS} characters.`;
  const coerce = (value: unknown, param: string): unknown => {
    if (typeof value !== 'string') return value;
    if (value.length > MAX_SANITIZED_CHARACTERS) return new Rejection(issue('rest_too_long', param, must).issue);
    return clean(value);
  };
  return ruleOf(coerce, [isString, constraint('rest_too_long'), storable]);
}

/** Bounds and multiples of a number. */
export function numberLimits(schema: ValueSchema): Constraint[] {
  const limits: Constraint[] = [];
  const { multipleOf } = schema;
  const { lower, upper } = boundsOf(schema);
  if (lower || upper) {
    const must = boundsText(lower, upper);
    const fits = (value: number): boolean =>
      (!lower || (lower.exclusive ? value > lower.value : value >= lower.value)) &&
      (!upper || (upper.exclusive ? value < upper.value : value <= upper.value));
    limits.push(constraint('rest_out_of_bounds', (value: number) => (fits(value) ? undefined : must)));
  }
  if (multipleOf !== undefined && multipleOf > 0) {
    const must = `must be a multiple of ${multipleOf}.`;
    limits.push(
      constraint('rest_invalid_multiple', (value: number) => (isMultiple(value, multipleOf) ? undefined : must)),
    );
  }
  return limits;
}

function boundsText(lower: Bound | undefined, upper: Bound | undefined): string {
  const low = lower && (lower.exclusive ? `greater than ${lower.value}` : `at least ${lower.value}`);
  const high = upper && (upper.exclusive ? `less than ${upper.value}` : `at most ${upper.value}`);
  return `must be ${[low, high].filter((bound) => bound !== undefined).join(' and ')}.`;
}

function isMultiple(value: number, of: number): boolean {
  if (Number.isInteger(of)) return value % of === 0;
  const quotient = value / of;
  // 0.3 / 0.1 is not exactly 3: allow for the rounding error of binary fractions.
  const error = Math.abs(quotient) * 4 * Number.EPSILON;
  if (error < LARGEST_ERROR) return Math.abs(quotient - Math.round(quotient)) <= error;
  const [dividend, divisor] = [decimalOf(value)!, decimalOf(of)!];
  const scale = Math.max(dividend.scale, divisor.scale);
  return unitsOf(dividend, scale).units % unitsOf(divisor, scale).units === 0n;
}

/** Lengths, pattern and format of a text; cheap checks first, so that long texts cost little. */
export function stringLimits(schema: ValueSchema): Constraint[] {
  const limits: Constraint[] = [];
  const { minLength, maxLength } = schema;
  if (maxLength !== undefined) {
    const must = `must have at most ${counted(maxLength, 'character')}.`;
    limits.push(constraint('rest_too_long', (text: string) => (isLonger(text, maxLength) ? must : undefined)));
  }
  if (minLength !== undefined && minLength > 0) {
    const must = `must have at least ${counted(minLength, 'character')}.`;
    limits.push(constraint('rest_too_short', (text: string) => (isLonger(text, minLength - 1) ? undefined : must)));
  }
  if (schema.pattern !== undefined) limits.push(...patternLimits(schema.pattern, maxLength));
  limits.push(...(formatOf(schema.format)?.constraints ?? []));
  return limits;
}

function patternLimits(source: string, maxLength?: number): Constraint[] {
  const pattern = compilePattern(source, maxLength);
  const tooLong = `must have at most ${LONGEST_MATCHED} characters.`;
  const must = `must match the pattern ${source}.`;
  return [
    constraint('rest_too_long', (text: string) => (text.length > LONGEST_MATCHED ? tooLong : undefined)),
    constraint('rest_invalid_pattern', (text: string) => (pattern.test(text) ? undefined : must)),
  ];
}

// Counts code points, but only where the number of code units does not decide.
function isLonger(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > limit * 2) return true;
  let count = 0;
  for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count > limit;
}
