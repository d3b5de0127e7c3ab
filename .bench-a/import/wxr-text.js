// Small readings of WXR texts: numbers, dates, logins. Called by the mappings.
import { invalidParams } from '../errors/resource-error.js';
/** Ids beyond this are not kept: columns of some engines end here. */
export const MAX_ID = 2_147_483_647;
/** A copy that does not keep the piece of the file it was cut from in memory. */
export function ownText(text) {
    return Buffer.from(text).toString();
}
/** A whole number; 0 for anything else. */
export function wholeNumber(text) {
    const trimmed = text.trim();
    const number = /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : 0;
    return number === 0 ? 0 : number;
}
/** `YYYY-MM-DD HH:MM:SS` in our form; undefined for an empty or zero date; refuses what is not in the calendar. */
export function dateTime(text, name) {
    const trimmed = text.trim();
    if (trimmed === '' || trimmed.startsWith('0000-00-00'))
        return undefined;
    const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(trimmed);
    const stamp = found && `${found[1]}T${found[2]}`;
    const time = stamp ? Date.parse(`${stamp}Z`) : NaN;
    // Date.parse lets 30 February through as 1 March.
    if (!stamp || Number.isNaN(time) || new Date(time).toISOString().slice(0, 19) !== stamp) {
        throw invalidParams([{ param: name, code: 'rest_invalid_date', message: `${name} is no date: "${trimmed.slice(0, 40)}".` }]);
    }
    return stamp;
}
/** A login of allowed characters only: exports edited by hand carry stray ones. */
export function cleanLogin(text) {
    return ownText(text.normalize('NFKD').replace(/[^A-Za-z0-9 _.@-]/g, '').replace(/\s+/g, ' ').trim().slice(0, 60));
}
//# sourceMappingURL=wxr-text.js.map