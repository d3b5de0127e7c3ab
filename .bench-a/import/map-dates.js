import { dateTime } from './wxr-text.js';
/** Reads a pair of dates; without any, the item floats. */
export function datesOf(local, gmt, fallback = '') {
    const date = dateTime(local, 'date');
    const utc = dateTime(gmt, 'date_gmt');
    if (date && utc)
        return { values: { date_gmt: `${utc}Z` }, columns: { date, date_gmt: utc } };
    if (utc)
        return { values: { date_gmt: `${utc}Z` }, columns: {} };
    if (date)
        return { values: { date }, columns: {} };
    const published = Date.parse(fallback);
    return { values: Number.isNaN(published) ? {} : { date_gmt: new Date(published).toISOString().slice(0, 19) + 'Z' }, columns: {} };
}
//# sourceMappingURL=map-dates.js.map