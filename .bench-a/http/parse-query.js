// Query strings and form bodies to plain data (decisions 2.9): `a=1,2` stays text, `a[]=1`, `a[0]=1` and `a[b]=1` become lists and objects.
import { parse } from 'qs';
import { limits } from './limits.js';
import { badParameters } from './refusals.js';
import { hasReservedSegment } from './reserved-names.js';
const SIMPLE = /^[\w.~,:*=&-]*$/;
/** Parameters of a query string as it stands in the request line; 400 when there are too many. */
export function parseQuery(text) {
    if (!text)
        return Object.create(null);
    if (SIMPLE.test(text)) {
        const simple = parseSimple(text);
        if (simple)
            return simple;
    }
    return parseWith(text, limits.queryParameters);
}
/** Parameters of an urlencoded body. */
export function parseForm(text) {
    return text === '' ? Object.create(null) : parseWith(text, limits.formParameters);
}
// Nine queries in ten hold nothing to decode and no name twice; anything else is left to the library.
function parseSimple(text) {
    const parameters = Object.create(null);
    const parts = text.split('&', limits.queryParameters + 1);
    if (parts.length > limits.queryParameters)
        return undefined;
    for (const part of parts) {
        const at = part.indexOf('=');
        const name = at < 0 ? part : part.slice(0, at);
        if (name === '')
            continue;
        if (name in parameters)
            return undefined;
        if (!hasReservedSegment(name))
            parameters[name] = at < 0 ? '' : part.slice(at + 1);
    }
    return parameters;
}
function parseWith(text, parameterLimit) {
    try {
        return parse(text, {
            depth: limits.queryDepth,
            parameterLimit,
            arrayLimit: limits.arrayItems,
            throwOnLimitExceeded: true,
            plainObjects: true,
            ignoreQueryPrefix: false,
            decoder: decodePart,
        });
    }
    catch (error) {
        if (!(error instanceof RangeError))
            throw error;
        throw badParameters(`At most ${parameterLimit} parameters and ${limits.arrayItems} items of one list are read. Send fewer.`);
    }
}
// The library skips a parameter whose key decodes to null.
function decodePart(text, decode, _charset, type) {
    const decoded = decode(text);
    return type === 'key' && hasReservedSegment(decoded) ? null : decoded;
}
