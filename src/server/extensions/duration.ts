// Durations in the definitions of extensions.
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const MAX_MS = 24 * 3_600_000;

/** Milliseconds of `30s`, `5m`, `1h`; undefined for anything else, and outside of 1s to 24h. */
export function durationOf(text: unknown): number | undefined {
  const [, digits, unit] = /^(\d{1,6})(s|m|h)$/.exec(typeof text === 'string' ? text : '') ?? [];
  const ms = Number(digits) * (UNITS[unit ?? ''] ?? Number.NaN);
  return ms >= 1_000 && ms <= MAX_MS ? ms : undefined;
}
