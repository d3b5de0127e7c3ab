// Converts a full or partial date of `date_query` into the stored text to compare with.
import { isPlainObject } from '../../values/json-value.js';
import { DEFAULT_CLOCK, parseDateTime } from '../../values/date-time.js';
import { storedDateTime } from '../../fields/datetime.field.js';
import { countOf, textOf } from './argument-values.js';
import type { FieldModel } from '../../model/field.js';

const PARTIAL = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d):(\d\d))?)?)?$/;
const NAMES = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/** Year, month, day, hour, minute, second; undefined where not given. */
type Parts = (number | undefined)[];

/** First or last second of the given period; undefined when it is not a date. */
export function boundOf(value: unknown, end: 'first' | 'last', field: FieldModel, zone: string): string | undefined {
  const parts = isPlainObject(value) ? partsOfObject(value) : partsOfText(textOf(value)?.trim() ?? '');
  const text = parts ? complete(parts, end) : textOf(value)?.trim();
  if (text === undefined || typeof parseDateTime(text) === 'string') return undefined;
  return storedDateTime(text, field.schema.clock ?? DEFAULT_CLOCK, zone);
}

function partsOfObject(value: Record<string, unknown>): Parts {
  return NAMES.map((name) => (Object.hasOwn(value, name) ? countOf(value[name]) : undefined));
}

function partsOfText(text: string): Parts | undefined {
  return PARTIAL.exec(text)
    ?.slice(1)
    .map((digits) => (digits === undefined ? undefined : Number(digits)));
}

function complete(parts: Parts, end: 'first' | 'last'): string | undefined {
  const last = end === 'last';
  const [year, month = last ? 12 : 1] = parts;
  if (year === undefined || year > 9999) return undefined;
  const [
    ,
    ,
    day = last ? lengthOf(year, month) : 1,
    hour = last ? 23 : 0,
    minute = last ? 59 : 0,
    second = last ? 59 : 0,
  ] = parts;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`;
}

/** Days of a month. Date maps years below 100 to the last century; leap years repeat every 400 years. */
function lengthOf(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
