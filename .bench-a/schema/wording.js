// How problems name values and types: "a list of strings", "a number". Called by violations.ts and the checks.
import { record } from './loose.js';
const WANTED = {
    string: ['a string', 'strings'],
    integer: ['a whole number', 'whole numbers'],
    number: ['a number', 'numbers'],
    boolean: ['true or false', 'true or false'],
    object: ['an object', 'objects'],
    array: ['a list', 'lists'],
    null: ['null', 'null'],
};
const LONGEST = 60;
/** What a JSON Schema asks for: `a string or a list of strings`. */
export function describeWanted(schema) {
    const names = [schema['type'] ?? []].flat().map((type) => {
        const item = type === 'array' ? record(schema['items'])['type'] : undefined;
        const many = typeof item === 'string' ? WANTED[item]?.[1] : undefined;
        return (WANTED[String(type)]?.[0] ?? String(type)) + (many ? ` of ${many}` : '');
    });
    return names.length < 2 ? (names[0] ?? 'something else') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
/** What kind of value was found. */
export function describeFound(value) {
    if (value === null || typeof value === 'boolean')
        return String(value);
    if (Array.isArray(value))
        return 'a list';
    return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
/** A value as it stands in the file, shortened. */
export function quoted(value) {
    const text = JSON.stringify(value) ?? 'nothing';
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
