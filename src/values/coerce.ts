// Coercion of values sent by clients to scalars of the schema's type; undefined where that is impossible.

// Query strings may have white space around a number.
const NUMERIC = /^[ \t\n\r\v\f]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/;
const MAX_NUMBER_CHARACTERS = 400;

/** A number, or a text that represents one; infinite where the text is too large. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value + 0;
  if (typeof value !== 'string' || value.length > MAX_NUMBER_CHARACTERS || !NUMERIC.test(value)) return undefined;
  return Number(value) + 0;
}

/** A number without a fraction. */
export function toInteger(value: unknown): number | undefined {
  const number = toNumber(value);
  return number === undefined || (Number.isFinite(number) && !Number.isInteger(number)) ? undefined : number;
}

const BOOLEANS: Record<string, boolean | undefined> = { true: true, '1': true, false: false, '0': false };

/** `true`, `false`, 1, 0 and their texts in any case. */
export function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value === 1 ? true : value === 0 ? false : undefined;
  return typeof value === 'string' && value.length <= 5 ? BOOLEANS[value.toLowerCase()] : undefined;
}

const SEPARATORS = /[ \t\n\r\v\f,]+/;
/** The same between moments, in which a blank may stand before the time of day. */
export const MOMENT_SEPARATORS = /[ \t\n\r\v\f]*,[ \t\n\r\v\f,]*|[ \t\n\r\v\f]+(?!\d\d:\d\d)/;

/**
 * A list, or a scalar split at commas and white space; of a text with more than `most` items, the first `most` and one
 * or two more. `between` is what separates the items.
 */
export function toList(value: unknown, most = Infinity, between = SEPARATORS): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  // There may be an empty part at either end besides the items.
  const parts = Math.min(most + 3, 2 ** 32 - 1);
  if (typeof value === 'string') return value.split(between, parts).filter((part) => part !== '');
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
    ? [String(value)]
    : undefined;
}
