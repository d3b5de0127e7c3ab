// Times relative to now in saved conditions: `-7d`.

const OFFSET = /^([+-]?)(\d{1,6})([mhd])$/;
const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE };

/** Whether the operand of a saved condition is a time relative to now. */
export function isFixedTime(operand: unknown): operand is '$now' | { now: string } {
  if (operand === '$now') return true;
  const { now } = (typeof operand === 'object' && operand !== null ? operand : {}) as { now?: unknown };
  return typeof now === 'string' && OFFSET.test(now);
}

/** Milliseconds between now and such a time; negative for the past. */
export function offsetOf(operand: '$now' | { now: string }): number {
  if (operand === '$now') return 0;
  const [, sign, amount, unit] = OFFSET.exec(operand.now)!;
  return (sign === '-' ? -1 : 1) * Number(amount) * UNITS[unit!]!;
}
