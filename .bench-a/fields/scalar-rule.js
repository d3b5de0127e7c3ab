import { toBoolean, toInteger, toNumber } from './coerce.js';
import { formatOf } from './formats.js';
import { refuseUnstorable } from './json-value.js';
import { compilePattern, LONGEST_MATCHED } from './pattern.js';
import { counted, refuse, refuseType } from './value-issue.js';
/** `type: boolean`. */
export const booleanRule = (value, param) => {
    const coerced = toBoolean(value);
    return coerced === undefined ? refuseType(param, 'must be true or false.') : { value: coerced };
};
/** `type: null`. */
export const nullRule = (value, param) => (value === null ? { value } : refuseType(param, 'must be null.'));
/** `type: integer` and `type: number`. */
export function numberCoercion(kind) {
    const coerce = kind === 'integer' ? toInteger : toNumber;
    const noun = kind === 'integer' ? 'a whole number' : 'a number';
    const fits = kind === 'integer' ? Number.isSafeInteger : Number.isFinite;
    return (value, param) => {
        const coerced = coerce(value);
        if (coerced === undefined)
            return refuseType(param, `must be ${noun}.`);
        // Beyond this JavaScript cannot tell neighbours apart, and no column keeps them.
        return fits(coerced) ? { value: coerced } : refuse('rest_out_of_bounds', param, 'is too large a number.');
    };
}
/** `type: string`: cleaning by format, storable characters only. */
export function stringCoercion(schema) {
    const clean = formatOf(schema.format)?.clean;
    return (value, param) => {
        if (typeof value !== 'string')
            return refuseType(param, 'must be a string.');
        const text = clean ? clean(value) : value;
        return refuseUnstorable(text, param) ?? { value: text };
    };
}
/** Bounds and multiples of a number. */
export function numberLimits(schema) {
    const limits = [];
    const { minimum, maximum, multipleOf } = schema;
    if (minimum !== undefined || maximum !== undefined) {
        const must = boundsText(schema);
        const low = minimum ?? -Infinity;
        const high = maximum ?? Infinity;
        const fits = (value) => (schema.exclusiveMinimum ? value > low : value >= low) &&
            (schema.exclusiveMaximum ? value < high : value <= high);
        limits.push((value, param) => (fits(value) ? undefined : refuse('rest_out_of_bounds', param, must)));
    }
    if (multipleOf !== undefined && multipleOf > 0) {
        limits.push((value, param) => isMultiple(value, multipleOf)
            ? undefined
            : refuse('rest_invalid_multiple', param, `must be a multiple of ${multipleOf}.`));
    }
    return limits;
}
function boundsText({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }) {
    const low = exclusiveMinimum ? `greater than ${minimum}` : `at least ${minimum}`;
    const high = exclusiveMaximum ? `less than ${maximum}` : `at most ${maximum}`;
    if (minimum === undefined)
        return `must be ${high}.`;
    return maximum === undefined ? `must be ${low}.` : `must be ${low} and ${high}.`;
}
function isMultiple(value, of) {
    const quotient = value / of;
    // 0.3 / 0.1 is not quite 3: binary fractions get the slack of a rounding error.
    return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 4 * Number.EPSILON;
}
/** Lengths, pattern and format of a text; the cheap ones first, so that long texts cost little. */
export function stringLimits(schema) {
    const limits = [];
    const { minLength, maxLength } = schema;
    if (maxLength !== undefined) {
        const must = `must have at most ${counted(maxLength, 'character')}.`;
        limits.push((text, param) => (isLonger(text, maxLength) ? refuse('rest_too_long', param, must) : undefined));
    }
    if (minLength !== undefined && minLength > 0) {
        const must = `must have at least ${counted(minLength, 'character')}.`;
        limits.push((text, param) => (isLonger(text, minLength - 1) ? undefined : refuse('rest_too_short', param, must)));
    }
    if (schema.pattern !== undefined)
        limits.push(patternLimit(schema.pattern));
    const check = formatOf(schema.format)?.check;
    if (check)
        limits.push(check);
    return limits;
}
function patternLimit(source) {
    const pattern = compilePattern(source);
    return (text, param) => {
        if (text.length > LONGEST_MATCHED)
            return refuse('rest_too_long', param, `must have at most ${LONGEST_MATCHED} characters.`);
        return pattern.test(text) ? undefined : refuse('rest_invalid_pattern', param, `must match the pattern ${source}.`);
    };
}
// Counts code points, but only where code units leave it open.
function isLonger(text, limit) {
    if (text.length <= limit)
        return false;
    if (text.length > limit * 2)
        return true;
    let count = 0;
    for (let at = 0; at < text.length; count++)
        at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    return count > limit;
}
