// Rule of decimal numbers: sent as text, or as a number that JSON has kept exactly; the value is the text with all its digits.
import {
  decimalOf,
  decimalText,
  inPrecision,
  parseDecimal,
  unitsOf,
  type DecimalShape,
} from '../model/functions/decimal.js';
import type { Scalar } from '../model/schema/schema.js';
import type { Constraint, Rule } from '../model/value.js';
import { constraint, ruleOf, typeConstraint } from './rule.js';
import { boundsOf } from './bounds.js';
import { choices } from '../text/choices.js';
import { counted } from './value-issue.js';
import type { ValueSchema } from '../model/schema/value-schema.js';

/** Significant digits of any decimal number that a double preserves. */
const EXACT_DIGITS = 15;

/** The rule of decimals of that shape, with the bounds of a schema. */
export function decimalRule(schema: ValueSchema, shape: DecimalShape): Rule {
  const coerce = (value: unknown): unknown => canonical(value, shape.scale) ?? value;
  const typed = typeConstraint(
    (value) => typeof value === 'string' && parseDecimal(value) !== undefined,
    'must be a decimal number such as 12.50, as text or as a number of at most 15 digits.',
  );
  return ruleOf(coerce, [typed, ...shapeLimits(shape), ...choiceOf(schema.enum, shape), ...bounds(schema, shape)]);
}

/** The text with all decimal places; unchanged if it has more of them, undefined for what is no decimal. */
function canonical(value: unknown, scale: number): string | undefined {
  const text = typeof value === 'number' ? textOfNumber(value) : typeof value === 'string' ? value.trim() : undefined;
  const parsed = text === undefined ? undefined : parseDecimal(text);
  if (!parsed) return undefined;
  const { units, exact } = unitsOf(parsed, scale);
  return exact ? decimalText(units, scale) : text;
}

/** The text of a number; undefined if it has so many digits that it may not be the one that was sent. */
function textOfNumber(value: number): string | undefined {
  // JavaScript writes small and large numbers with an exponent, which is no digit of them.
  const [digits = ''] = String(value).split('e');
  const decimal = decimalOf(value);
  if (!decimal || digits.replace(/^-?0?\.?0*|\D/g, '').length > EXACT_DIGITS) return undefined;
  return decimalText(decimal.units, decimal.scale);
}

function shapeLimits({ precision, scale }: DecimalShape): Constraint[] {
  const parsedOf = (text: string) => unitsOf(parseDecimal(text)!, scale);
  const fine = `must have at most ${counted(scale, 'digit')} after the decimal point.`;
  const large = `must have at most ${counted(precision - scale, 'digit')} before the decimal point.`;
  return [
    constraint('rest_invalid_multiple', (text: string) => (parsedOf(text).exact ? undefined : fine)),
    constraint('rest_out_of_bounds', (text: string) =>
      inPrecision(parsedOf(text).units, precision) ? undefined : large,
    ),
  ];
}

function choiceOf(allowed: readonly Scalar[] | undefined, { scale }: DecimalShape): Constraint[] {
  if (!allowed) return [];
  const texts = allowed.flatMap((value) => canonical(value, scale) ?? []);
  const must = `must be ${texts.length > 1 ? 'one of ' : ''}${choices(texts)}.`;
  return [constraint('rest_not_in_enum', (text: string) => (texts.includes(text) ? undefined : must))];
}

function bounds(schema: ValueSchema, { scale }: DecimalShape): Constraint[] {
  const units = (text: string): bigint => unitsOf(parseDecimal(text)!, scale).units;
  const limits: Constraint[] = [];
  const limit = (
    code: string,
    bound: number | undefined,
    must: string,
    fits: (value: bigint, at: bigint) => boolean,
  ) => {
    const parsed = bound === undefined ? undefined : decimalOf(bound);
    if (!parsed) return;
    // Compared with the digits of both, so that a finer bound is not rounded.
    const finer = Math.max(scale, parsed.scale);
    const at = unitsOf(parsed, finer).units;
    const widened = 10n ** BigInt(finer - scale);
    limits.push(constraint(code, (text: string) => (fits(units(text) * widened, at) ? undefined : `must be ${must}.`)));
  };
  const { lower, upper } = boundsOf(schema);
  limit(
    'rest_out_of_bounds',
    lower?.value,
    `${lower?.exclusive ? 'greater than' : 'at least'} ${lower?.value}`,
    (value, at) => (lower?.exclusive ? value > at : value >= at),
  );
  limit(
    'rest_out_of_bounds',
    upper?.value,
    `${upper?.exclusive ? 'less than' : 'at most'} ${upper?.value}`,
    (value, at) => (upper?.exclusive ? value < at : value <= at),
  );
  const { multipleOf } = schema;
  limit('rest_invalid_multiple', multipleOf, `a multiple of ${multipleOf}`, (value, at) => value % at === 0n);
  return limits;
}
