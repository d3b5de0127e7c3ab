// Date-times, stored as `YYYY-MM-DDTHH:MM:SS` in the time zone that `clock` selects.
import type { FieldType } from '../model/registry.js';
import { DEFAULT_CLOCK, parseDateTime, toUtc, toWall } from '../values/date-time.js';
import { plainValue } from '../values/keywords.js';
import { emptyAsNull, optionalValue } from './optional-value.js';
import { scalarColumn } from './scalar-column.js';

/**
 * Stored form of a date-time sent by a client: site time for `site` clocks, UTC otherwise.
 * `text` has passed the field's validation.
 */
export function storedDateTime(text: string, clock: 'site' | 'utc' | 'offset', zone: string): string {
  const parsed = parseDateTime(text);
  if (typeof parsed === 'string') return text;
  if (clock === 'site') {
    return parsed.offsetMinutes === undefined
      ? parsed.wall
      : toWall(toUtc(parsed.wall, parsed.offsetMinutes, zone), zone);
  }
  return parsed.offsetMinutes === undefined ? parsed.wall : toUtc(parsed.wall, parsed.offsetMinutes, zone);
}

export const datetimeField: FieldType = {
  name: 'datetime',
  description:
    'A date and time (ISO 8601). `clock` says how it is stored and shown: UTC with its offset (default), UTC without, or site wall time.',
  keys: { clock: { type: 'string', enum: ['site', 'utc', 'offset'] } },
  value: (field) => plainValue('string', optionalValue(field), { format: 'date-time' }),
  compile(field) {
    field.schema = optionalValue(field.schema);
    const clock = field.schema.clock ?? DEFAULT_CLOCK;
    const toView = (stored: string) => (stored === '' ? '' : `${stored}+00:00`);
    scalarColumn(field, { kind: 'datetime', contentType: 'datetime' }, '', clock === 'offset' ? { toView } : {});
    emptyAsNull(field);
    const column = field.column!;
    field.toStore = (value, draft, op) => {
      draft.row[column] = value === null ? null : storedDateTime(value as string, clock, op.site.settings.timezone);
    };
  },
};
