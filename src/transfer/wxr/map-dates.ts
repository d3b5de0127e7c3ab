// Dates of items and comments: local time and GMT are kept as exported.
import type { Row } from '../../model/query.js';
import { dateTime } from '../wxr-file/wxr-text.js';

/** The dates of a source object. */
export interface Dates {
  /** In client form, for publication and scheduling. */
  values: { date?: string; date_gmt?: string };
  /** Local time and GMT, where both are known. */
  columns: Row;
}

/** Parses a pair of dates; without any, the item has a floating date. */
export function datesOf(local: string, gmt: string, fallback = ''): Dates {
  const date = dateTime(local, 'date');
  const utc = dateTime(gmt, 'date_gmt');
  if (date && utc) return { values: { date_gmt: `${utc}Z` }, columns: { date, date_gmt: utc } };
  if (utc) return { values: { date_gmt: `${utc}Z` }, columns: {} };
  if (date) return { values: { date }, columns: {} };
  const published = Date.parse(fallback);
  return {
    values: Number.isNaN(published) ? {} : { date_gmt: new Date(published).toISOString().slice(0, 19) + 'Z' },
    columns: {},
  };
}
