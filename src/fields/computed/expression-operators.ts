// The operators of expressions: what they take, which type their value has, how it is made.
import { divide, plus, round, times, type Decimal } from '../../model/functions/decimal.js';
import { isNumeric, toView, type ExpressionType, type Node, type Value } from './expression-node.js';
import { toUtc } from '../../values/date-time.js';
import type { Place } from '../../model/option-check.js';

/** Reports a mistake at a place below the expression. */
export type Fail = (at: Place, message: string, hint?: string) => void;

/** An operator on other expressions. */
export interface Operator {
  description: string;
  /** One expression, a list of two, or a list of two or more. */
  takes: 'one' | 'pair' | 'list';
  /** It takes `digits`: the number of decimal places to keep. */
  digits?: 'optional' | 'required';
  /** Type of its value; undefined after a call of `fail`, whose places begin with the number of the operand. */
  type(operands: readonly ExpressionType[], fail: Fail, digits: number): ExpressionType | undefined;
  value(operands: readonly Value[], types: readonly ExpressionType[], digits: number, zone: string): Value;
}

/** Decimal places of a quotient, unless `digits` says otherwise. */
const DEFAULT_DIGITS = 2;
/** Maximum number of decimal places of a product. */
const MAX_SCALE = 40;
/** In milliseconds. */
const SECOND = 1000;
/** In seconds. */
const DAY = 24 * 60 * 60;

type Calculate = (left: Decimal, right: Decimal, digits: number) => Decimal | undefined;

/** Calculates from left to right; null where an operand is null. */
function calculation(calculate: Calculate): Operator['value'] {
  return ([first, ...rest], _types, digits) => {
    let result: Value | undefined = first;
    for (const next of rest) {
      if (!isNumber(result) || !isNumber(next)) return null;
      result = calculate(result, next, digits);
    }
    return isNumber(result) ? result : null;
  };
}

function isNumber(value: Value | undefined): value is Decimal {
  return typeof value === 'object' && value !== null;
}

/** The type of a calculation: a number where one takes part, then a decimal, then an integer. */
function numeric(types: readonly ExpressionType[], fail: Fail, scaleOf: (scales: number[]) => number) {
  const wrong = types.findIndex((type) => !isNumeric(type));
  if (wrong >= 0) return void fail([wrong], `a number is needed here, this is a ${types[wrong]!.kind}`);
  if (types.some(({ kind }) => kind === 'number')) return { kind: 'number' } as const;
  if (types.every(({ kind }) => kind === 'integer')) return { kind: 'integer' } as const;
  const scale = scaleOf(types.map((type) => type.scale ?? 0));
  if (scale > MAX_SCALE)
    return void fail(
      [],
      `the value would have ${scale} digits after the decimal point`,
      'round a part of it: {"round": …}',
    );
  return { kind: 'decimal', scale } as const;
}

const greatest = (scales: number[]): number => Math.max(...scales);
const total = (scales: number[]): number => scales.reduce((sum, scale) => sum + scale, 0);

function withDigits(type: ExpressionType | undefined, digits: number): ExpressionType | undefined {
  if (!type || type.kind === 'number') return type;
  return digits === 0 ? { kind: 'integer' } : { kind: 'decimal', scale: digits };
}

/** Whole units between two dates or date-times, cut towards zero; `unit` in seconds. */
function between(kinds: readonly string[], unit: number): Omit<Operator, 'description'> {
  return {
    takes: 'pair',
    type(types, fail) {
      const wrong = types.findIndex(({ kind }) => !kinds.includes(kind));
      if (wrong >= 0)
        return void fail([wrong], `a ${kinds.join(' or ')} is needed here, this is a ${types[wrong]!.kind}`);
      const local = types.flatMap(({ kind, clock }) => (kind === 'datetime' ? [clock === 'site'] : []));
      if (new Set(local).size > 1)
        return void fail(
          [],
          'one of the two is the time of the site, the other one UTC',
          'give both fields the same "clock"',
        );
      return { kind: 'integer' };
    },
    value([from, to], [type], _digits, zone) {
      if (typeof from !== 'string' || typeof to !== 'string') return null;
      // A day of the site is one day, however many hours it has; seconds are those that pass.
      const place = unit < DAY && type!.clock === 'site' ? zone : 'UTC';
      const seconds = (momentOf(to, place) - momentOf(from, place)) / SECOND;
      return Number.isFinite(seconds) ? { units: BigInt(Math.trunc(seconds / unit)), scale: 0 } : null;
    },
  };
}

function momentOf(stored: string, zone: string): number {
  return Date.parse(`${toUtc(`${stored.slice(0, 10)}T${stored.slice(11) || '00:00:00'}`, undefined, zone)}Z`);
}

/** The common type of alternative values. */
function common(types: readonly ExpressionType[], fail: Fail): ExpressionType | undefined {
  const [first] = types as [ExpressionType, ...ExpressionType[]];
  if (isNumeric(first)) return numeric(types, fail, greatest);
  const wrong = types.findIndex(({ kind, clock }) => kind !== first.kind || clock !== first.clock);
  if (wrong < 0) return first;
  return void fail(
    [wrong],
    `a ${first.kind} is needed here, as the first one is${first.clock ? ', of the same clock' : ''}`,
  );
}

/** Every operator, by name. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  add: {
    description: 'The sum of numbers.',
    takes: 'list',
    type: (types, fail) => numeric(types, fail, greatest),
    value: calculation(plus),
  },
  subtract: {
    description: 'The first number less the second.',
    takes: 'pair',
    type: (types, fail) => numeric(types, fail, greatest),
    value: calculation((left, right) => plus(left, { ...right, units: -right.units })),
  },
  multiply: {
    description: 'The product of numbers.',
    takes: 'list',
    type: (types, fail) => numeric(types, fail, total),
    value: calculation(times),
  },
  divide: {
    description: 'The first number divided by the second, rounded to `digits` after the decimal point (default 2).',
    takes: 'pair',
    digits: 'optional',
    type: (types, fail, digits) => withDigits(numeric(types, fail, greatest), digits),
    value: calculation(divide),
  },
  round: {
    description: 'The number rounded to `digits` after the decimal point.',
    takes: 'one',
    digits: 'required',
    type: (types, fail, digits) => withDigits(numeric(types, fail, greatest), digits),
    value: ([value], _types, digits) => (isNumber(value) ? round(value, digits) : null),
  },
  daysBetween: {
    description: 'Whole days from the first date or date-time to the second.',
    ...between(['date', 'datetime'], DAY),
  },
  secondsBetween: {
    description: 'Seconds from the first date-time to the second.',
    ...between(['datetime'], 1),
  },
  concat: {
    description: 'The values as one text; missing ones are left out.',
    takes: 'list',
    type: () => ({ kind: 'text' }),
    value: (values, types) => values.map((value, at) => toView(value, types[at]!) ?? '').join(''),
  },
  coalesce: {
    description: 'The first value that is there.',
    takes: 'list',
    type: common,
    value: (values) => values.find((value) => value !== null) ?? null,
  },
};

/** A node of an operator; undefined after a call of `fail`. */
export function operatorNode(name: string, operands: readonly Node[], fail: Fail, digits?: number): Node | undefined {
  const operator = OPERATORS[name]!;
  const places = digits ?? DEFAULT_DIGITS;
  const types = operands.map(({ type }) => type);
  const type = operator.type(types, fail, places);
  return (
    type && {
      type,
      value: (row, zone) =>
        operator.value(
          operands.map((each) => each.value(row, zone)),
          types,
          places,
          zone,
        ),
    }
  );
}
