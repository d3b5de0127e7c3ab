// Dates of items and comments: both clocks are kept as the export has them. Called by the mappings.
import type { Row } from '../model/query.js';
import { dateTime } from './wxr-text.js';

/** What the dates of a source say. */
export interface Dates {
  /** As a client would send it, so that publication and scheduling see it. */
  values: { date?: string; date_gmt?: string };
  /** Both clocks, where both are known. */
  columns: Row;
}

/** Reads a pair of dates; without any, the item floats. */
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
