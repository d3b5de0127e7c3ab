// How a client's value becomes a scalar of the schema's type (decisions 2.9); undefined where it does not.
// Called by the scalar rules and by the choice between several types.
// Whitespace around a number is harmless in query strings.
const NUMERIC = /^[ \t\n\r\v\f]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/;
const LONGEST_NUMBER = 400;
/** A number, or a text that spells one; may be infinite where the text is too large. */
export function toNumber(value) {
    if (typeof value === 'number')
        return Number.isNaN(value) ? undefined : value + 0;
    if (typeof value !== 'string' || value.length > LONGEST_NUMBER || !NUMERIC.test(value))
        return undefined;
    return Number(value) + 0;
}
/** A number without fraction. */
export function toInteger(value) {
    const number = toNumber(value);
    return number === undefined || (Number.isFinite(number) && !Number.isInteger(number)) ? undefined : number;
}
const BOOLEANS = { true: true, '1': true, false: false, '0': false };
/** `true`, `false`, 1, 0 and their texts in any case. */
export function toBoolean(value) {
    if (typeof value === 'boolean')
        return value;
    if (typeof value === 'number')
        return value === 1 ? true : value === 0 ? false : undefined;
    return typeof value === 'string' && value.length <= 5 ? BOOLEANS[value.toLowerCase()] : undefined;
}
/** A list, or a scalar split at commas and whitespace. */
export function toList(value) {
    if (Array.isArray(value))
        return value;
    if (typeof value === 'string')
        return value.split(/[ \t\n\r\v\f,]+/).filter((part) => part !== '');
    return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
        ? [String(value)]
        : undefined;
}
