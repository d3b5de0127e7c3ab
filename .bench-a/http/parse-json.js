// JSON bodies to plain data: bounded before the engine's parser sees them, worded by us when they are broken (decisions 2.5, 2.15).
import { limits } from './limits.js';
import { invalidJson } from './refusals.js';
import { dropReserved, mayHoldReserved } from './reserved-names.js';
/** The members of a JSON object; throws `rest_invalid_json`. Blank text is an empty object. */
export function parseJsonObject(text) {
    if (text.trim() === '')
        return Object.create(null);
    bound(text);
    const value = parseText(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw invalidJson(0, `it is ${nameOf(value)}, and an object {"name": value, …} is expected.`);
    }
    if (mayHoldReserved(text))
        dropReserved(value);
    return Object.setPrototypeOf(value, null);
}
// One pass over the text, strings skipped, so that neither depth nor width can cost more than their length.
function bound(text) {
    let depth = 0;
    let keys = 0;
    for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code === 0x22) {
            at = endOfString(text, at);
            if (at < 0)
                return; // an open string: the parser says where
        }
        else if (code === 0x7b || code === 0x5b) {
            if (++depth > limits.jsonDepth)
                throw invalidJson(1, `it is nested deeper than ${limits.jsonDepth} levels.`);
        }
        else if (code === 0x7d || code === 0x5d)
            depth--;
        else if (code === 0x3a && ++keys > limits.jsonKeys) {
            throw invalidJson(1, `it has more than ${limits.jsonKeys} members.`);
        }
    }
}
function endOfString(text, open) {
    let quote = text.indexOf('"', open + 1);
    while (quote > 0) {
        let slashes = 0;
        while (text.charCodeAt(quote - 1 - slashes) === 0x5c)
            slashes++;
        if (slashes % 2 === 0)
            return quote;
        quote = text.indexOf('"', quote + 1);
    }
    return -1;
}
function parseText(text) {
    try {
        return JSON.parse(text);
    }
    catch (error) {
        throw invalidJson(4, whereBroken(text, error instanceof Error ? error.message : ''));
    }
}
// Only the number is taken from the engine's message: its words quote the body.
function whereBroken(text, engineMessage) {
    const position = /position (\d+)/.exec(engineMessage)?.[1];
    if (position === undefined)
        return 'it ends too early or holds something that is no JSON.';
    const before = text.slice(0, Number(position));
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    return `syntax error at line ${line}, column ${column}.`;
}
function nameOf(value) {
    if (value === null)
        return 'null';
    return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
