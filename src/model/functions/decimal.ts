// Exact decimal numbers: texts such as `-12.50`, computed with as whole numbers of their last digit.

/** Precision and scale of a decimal. */
export interface DecimalShape {
  precision: number;
  scale: number;
}

/** Maximum precision: every database computes exactly with that many digits. */
export const MAX_PRECISION = 18;

/** Precision and scale of a decimal field, from its schema. */
export function shapeOfDecimal({ precision = MAX_PRECISION, scale = 2 }: Partial<DecimalShape>): DecimalShape {
  return { precision, scale: Math.min(scale, precision) };
}

const SPELLING = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?$/;

/** Regular expression of the texts that are decimals of a shape; leading and trailing zeros are allowed. */
export function decimalPattern({ precision, scale }: DecimalShape): string {
  const integerPart = precision > scale ? `0*\\d{1,${precision - scale}}` : '0+';
  return `^[+-]?${integerPart}(?:\\.${scale > 0 ? `\\d{1,${scale}}` : ''}0${scale > 0 ? '*' : '+'})?$`;
}

/** A number with `scale` decimal places, as an integer in units of the last one. */
export interface Decimal {
  units: bigint;
  scale: number;
}

/** Parses digits with an optional sign and point; undefined for anything else. */
export function parseDecimal(text: string): Decimal | undefined {
  const parts = SPELLING.exec(text);
  if (!parts) return undefined;
  const [, sign, integerPart, fraction = ''] = parts;
  const digits = fraction.replace(/0+$/, '');
  const units = BigInt(`${integerPart}${digits}`);
  return { units: sign === '-' ? -units : units, scale: digits.length };
}

/**
 * The greatest number with `scale` decimal places that is not above `value`, in units of the last one; `exact` when it
 * is the value itself.
 */
export function unitsOf(value: Decimal, scale: number): { units: bigint; exact: boolean } {
  if (value.scale <= scale) return { units: value.units * 10n ** BigInt(scale - value.scale), exact: true };
  const step = 10n ** BigInt(value.scale - scale);
  const cut = value.units / step;
  const exact = cut * step === value.units;
  return { units: value.units < 0n && !exact ? cut - 1n : cut, exact };
}

/** The text of a number of units of the last decimal place, with all decimal places. */
export function decimalText(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const integerPart = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${integerPart}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
}

/** The text of a decimal with all its decimal places; undefined when it is no decimal of that shape. */
export function canonicalDecimal(value: unknown, { precision, scale }: DecimalShape): string | undefined {
  const parsed = typeof value === 'string' || typeof value === 'number' ? parseDecimal(String(value)) : undefined;
  if (!parsed) return undefined;
  const { units, exact } = unitsOf(parsed, scale);
  return exact && inPrecision(units, precision) ? decimalText(units, scale) : undefined;
}

/** Whether a number of units has at most `precision` digits. */
export function inPrecision(units: bigint, precision: number): boolean {
  const bound = 10n ** BigInt(precision);
  return units < bound && units > -bound;
}

/** The number that a database or a JSON text spells, exactly: `0.1` is a tenth. Undefined for what is no finite number. */
export function decimalOf(value: unknown): Decimal | undefined {
  const [digits = '', exponent = '0'] = String(value).toLowerCase().split('e');
  const parsed = parseDecimal(digits);
  if (!parsed || !/^[+-]?\d{1,3}$/.test(exponent)) return undefined;
  const scale = parsed.scale - Number(exponent);
  return scale >= 0 ? { units: parsed.units, scale } : { units: parsed.units * 10n ** BigInt(-scale), scale: 0 };
}

/** Sum of two decimals. */
export function plus(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { units: unitsOf(left, scale).units + unitsOf(right, scale).units, scale };
}

/** Product of two decimals. */
export function times(left: Decimal, right: Decimal): Decimal {
  return { units: left.units * right.units, scale: left.scale + right.scale };
}

/** Quotient of two decimals, rounded to `scale` decimal places; undefined for a division by zero. */
export function divide(left: Decimal, right: Decimal, scale: number): Decimal | undefined {
  if (right.units === 0n) return undefined;
  const shift = scale + right.scale - left.scale;
  const [above, below] = [10n ** BigInt(Math.max(shift, 0)), 10n ** BigInt(Math.max(-shift, 0))];
  return { units: divideRounded(left.units * above, right.units * below), scale };
}

/** A decimal rounded to at most `scale` decimal places. */
export function round(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return value;
  return { units: divideRounded(value.units, 10n ** BigInt(value.scale - scale)), scale };
}

/** The nearest whole number; a half is rounded away from zero, as amounts of money are. */
function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const size = (number: bigint) => (number < 0n ? -number : number);
  const nearest = (2n * size(dividend) + size(divisor)) / (2n * size(divisor));
  return dividend < 0n === divisor < 0n ? nearest : -nearest;
}
