// The grammar of expressions, the option `value` of the computed function `expression`.
import { AGGREGATES } from '../../fields/computed/expression.js';
import { OPERATORS, type Operator } from '../../fields/computed/expression-operators.js';
import { SCALARS } from './rules.js';
import { choice, listOf, mapOf, ref, word, type Grammar } from './pieces.js';

const MOST_OPERANDS = 50;
const DIGITS: Grammar = {
  type: 'integer',
  minimum: 0,
  maximum: 10,
  description: 'Digits after the decimal point that are kept; a half is rounded away from zero.',
};

const AGGREGATE_TEXT: Record<(typeof AGGREGATES)[number], string> = {
  sum: 'The sum of this field of the items of `over`; 0 without any.',
  min: 'The minimum of this field of the items of `over`; null without any.',
  max: 'The maximum of this field of the items of `over`; null without any.',
};

const only = (...names: string[]): Grammar => ({ propertyNames: { enum: names } });
const withDigits = Object.entries(OPERATORS).filter(([, { digits }]) => digits);

/** Which members may be combined. */
const TOGETHER = withDigits.reduce(
  (otherwise, [name, { digits }]) =>
    choice(
      { type: 'object', required: [name] },
      { ...only(name, 'digits'), ...(digits === 'required' && { required: ['digits'] }) },
      otherwise,
    ),
  AGGREGATES.reduce<Grammar>(
    (otherwise, name) =>
      choice({ type: 'object', required: [name] }, { ...only(name, 'over', 'where'), required: ['over'] }, otherwise),
    choice({ type: 'object', required: ['count'] }, only('count', 'where'), {
      maxProperties: 1,
      dependentRequired: { over: [AGGREGATES[0]], where: ['count'], digits: [withDigits[0]![0]] },
    }),
  ),
);

/** Definition of an expression. */
export const EXPRESSION: Grammar = {
  type: ['number', 'string', 'object'],
  description: 'A number, a text, a field, or an operator on other expressions.',
  minProperties: 1,
  properties: {
    field: word('The value of this field.'),
    ...Object.fromEntries(Object.entries(OPERATORS).map(([name, operator]) => [name, operandsOf(operator)])),
    digits: DIGITS,
    count: word('Number of the items that refer to this one: resource.field.'),
    ...Object.fromEntries(AGGREGATES.map((name) => [name, word(AGGREGATE_TEXT[name])])),
    over: word('With sum, min, max: the reference of those items, resource.field.'),
    where: mapOf(SCALARS, 'With count, sum, min, max: only items whose fields have one of these values.', {
      minProperties: 1,
    }),
  },
  additionalProperties: false,
  ...TOGETHER,
};

function operandsOf({ takes, description }: Operator): Grammar {
  if (takes === 'one') return { ...ref('expression'), description };
  return listOf(ref('expression'), description, { minItems: 2, maxItems: takes === 'pair' ? 2 : MOST_OPERANDS });
}
