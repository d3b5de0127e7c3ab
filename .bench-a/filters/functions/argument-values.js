// Values of arguments as they were sent -> texts, integers, lists. Whatever does not fit is left out (decisions 32.8).
import { toInteger, toList } from '../../fields/coerce.js';
/** Longest list that is read; the rest is dropped (decisions 32.8). */
export const MAX_VALUES = 100;
/** What no database keeps. The u flag makes a surrogate match only where it stands alone. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;
/** A text, undefined for anything that is no scalar or empty. */
export function textOf(value) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
        return undefined;
    return String(value).replace(UNSTORABLE, '') || undefined;
}
/** The members of a list; a scalar is split at commas and whitespace. */
export function valuesOf(value) {
    const members = typeof value === 'object' && value !== null ? Object.values(value) : (toList(value) ?? []);
    return members.slice(0, MAX_VALUES);
}
/** The integers of a list. */
export function integersOf(value) {
    const numbers = valuesOf(value).map((member) => toInteger(typeof member === 'object' ? undefined : member));
    return [...new Set(numbers.filter((number) => Number.isSafeInteger(number)))];
}
/** An integer, not negative. */
export function countOf(value) {
    const number = toInteger(value);
    return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
