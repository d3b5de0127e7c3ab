// A moment as `date_query` writes it, whole or in part -> the stored text to compare with. Called by the dates argument.
import { isPlainObject } from '../../fields/json-value.js';
import { parseDateTime } from '../../fields/date-time.js';
import { storedDateTime } from '../../fields/datetime.field.js';
import { countOf, textOf } from './argument-values.js';
const PARTIAL = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d):(\d\d))?)?)?$/;
const NAMES = ['year', 'month', 'day', 'hour', 'minute', 'second'];
/** First or last second of what was written; undefined when it is no date. */
export function boundOf(value, end, field, zone) {
    const parts = isPlainObject(value) ? partsOfObject(value) : partsOfText(textOf(value)?.trim() ?? '');
    const text = parts ? completed(parts, end) : textOf(value)?.trim();
    if (text === undefined || typeof parseDateTime(text) === 'string')
        return undefined;
    return storedDateTime(text, field.schema.clock ?? 'utc', zone);
}
function partsOfObject(value) {
    return NAMES.map((name) => (Object.hasOwn(value, name) ? countOf(value[name]) : undefined));
}
function partsOfText(text) {
    return PARTIAL.exec(text)
        ?.slice(1)
        .map((digits) => (digits === undefined ? undefined : Number(digits)));
}
function completed(parts, end) {
    const last = end === 'last';
    const [year, month = last ? 12 : 1] = parts;
    if (year === undefined || year > 9999)
        return undefined;
    const [, , day = last ? lengthOf(year, month) : 1, hour = last ? 23 : 0, minute = last ? 59 : 0, second = last ? 59 : 0,] = parts;
    const two = (number) => String(number).padStart(2, '0');
    return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`;
}
/** Days of a month. Years below 100 would be taken for ones of the last century; leap years repeat every 400. */
function lengthOf(year, month) {
    return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
