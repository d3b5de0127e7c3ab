// Rules of strings, numbers and booleans.
import type { ValueSchema } from '../model/schema.js';
import type { Checked, Rule } from '../model/value.js';
import { toBoolean, toInteger, toNumber } from './coerce.js';
import { formatOf } from './formats.js';
import { unstorableIssue } from './json-value.js';
import { compilePattern, LONGEST_MATCHED } from './pattern.js';
import { counted, issue, typeIssue, type Issue } from './value-issue.js';

/** Maximum length of a text that its format sanitizes, in characters; longer than any URI or e-mail address. */
const MAX_SANITIZED_CHARACTERS = 16_384;

type Limit<T> = (value: T, param: string) => Issue | undefined;

/** `type: boolean`. */
export const booleanRule: Rule = (value, param) => {
  const coerced = toBoolean(value);
  return coerced === undefined ? typeIssue(param, 'must be true or false.') : { value: coerced };
};

/** `type: null`. */
export const nullRule: Rule = (value, param) => (value === null ? { value } : typeIssue(param, 'must be null.'));

/** `type: integer` and `type: number`. */
export function numberCoercion(kind: 'integer' | 'number'): Rule {
  const coerce = kind === 'integer' ? toInteger : toNumber;
  const noun = kind === 'integer' ? 'a whole number' : 'a number';
  const fits = kind === 'integer' ? Number.isSafeInteger : Number.isFinite;
  return (value, param): Checked => {
    const coerced = coerce(value);
    if (coerced === undefined) return typeIssue(param, `must be ${noun}.`);
    // Larger integers are neither exact in JavaScript nor storable.
    return fits(coerced) ? { value: coerced } : issue('rest_out_of_bounds', param, 'is too large a number.');
  };
}

/** `type: string`: sanitized by format, storable characters only. */
export function stringCoercion(schema: ValueSchema): Rule {
  const clean = formatOf(schema.format)?.clean;
  return (value, param): Checked => {
    if (typeof value !== 'string') return typeIssue(param, 'must be a string.');
    if (clean && value.length > MAX_SANITIZED_CHARACTERS)
      return issue('rest_too_long', param, `must have at most ${MAX_SANITIZED_CHARACTERS} characters.`);
    const text = clean ? clean(value) : value;
    return unstorableIssue(text, param) ?? { value: text };
  };
}

/** Bounds and multiples of a number. */
export function numberLimits(schema: ValueSchema): Limit<number>[] {
  const limits: Limit<number>[] = [];
  const { minimum, maximum, multipleOf } = schema;
  if (minimum !== undefined || maximum !== undefined) {
    const must = boundsText(schema);
    const low = minimum ?? -Infinity;
    const high = maximum ?? Infinity;
    const fits = (value: number): boolean =>
      (schema.exclusiveMinimum ? value > low : value >= low) &&
      (schema.exclusiveMaximum ? value < high : value <= high);
    limits.push((value, param) => (fits(value) ? undefined : issue('rest_out_of_bounds', param, must)));
  }
  if (multipleOf !== undefined && multipleOf > 0) {
    limits.push((value, param) =>
      isMultiple(value, multipleOf)
        ? undefined
        : issue('rest_invalid_multiple', param, `must be a multiple of ${multipleOf}.`),
    );
  }
  return limits;
}

function boundsText({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ValueSchema): string {
  const low = exclusiveMinimum ? `greater than ${minimum}` : `at least ${minimum}`;
  const high = exclusiveMaximum ? `less than ${maximum}` : `at most ${maximum}`;
  if (minimum === undefined) return `must be ${high}.`;
  return maximum === undefined ? `must be ${low}.` : `must be ${low} and ${high}.`;
}

function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  // 0.3 / 0.1 is not exactly 3: allow for the rounding error of binary fractions.
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 4 * Number.EPSILON;
}

/** Lengths, pattern and format of a text; cheap checks first, so that long texts cost little. */
export function stringLimits(schema: ValueSchema): Limit<string>[] {
  const limits: Limit<string>[] = [];
  const { minLength, maxLength } = schema;
  if (maxLength !== undefined) {
    const must = `must have at most ${counted(maxLength, 'character')}.`;
    limits.push((text, param) => (isLonger(text, maxLength) ? issue('rest_too_long', param, must) : undefined));
  }
  if (minLength !== undefined && minLength > 0) {
    const must = `must have at least ${counted(minLength, 'character')}.`;
    limits.push((text, param) => (isLonger(text, minLength - 1) ? undefined : issue('rest_too_short', param, must)));
  }
  if (schema.pattern !== undefined) limits.push(patternLimit(schema.pattern, maxLength));
  const check = formatOf(schema.format)?.check;
  if (check) limits.push(check);
  return limits;
}

function patternLimit(source: string, maxLength?: number): Limit<string> {
  const pattern = compilePattern(source, maxLength);
  return (text, param) => {
    if (text.length > LONGEST_MATCHED)
      return issue('rest_too_long', param, `must have at most ${LONGEST_MATCHED} characters.`);
    return pattern.test(text) ? undefined : issue('rest_invalid_pattern', param, `must match the pattern ${source}.`);
  };
}

// Counts code points, but only where the number of code units does not decide.
function isLonger(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > limit * 2) return true;
  let count = 0;
  for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count > limit;
}
