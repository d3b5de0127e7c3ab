import { memberName, refuse, refuseType } from './value-issue.js';
/** An object as JSON or a query string makes it; not a list, a date or any other class. */
export function isPlainObject(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
        return false;
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
}
/** Names that would reach into the prototype; dropped like unknown ones (decisions 2.15). */
const DANGEROUS = new Set(['__proto__', 'constructor', 'prototype']);
/** Own member names that may be kept. */
export function safeKeys(value) {
    return Object.keys(value).filter((key) => !DANGEROUS.has(key));
}
// The u flag makes a surrogate match only where it stands alone.
const UNSTORABLE = /[\0\p{Surrogate}]/u;
/** Refuses texts that no database keeps: NUL and half characters (decisions 25.8). */
export function refuseUnstorable(text, param) {
    if (!UNSTORABLE.test(text))
        return undefined;
    return refuse('rest_invalid_pattern', param, 'contains a NUL or a broken character. Send valid UTF-8 text without U+0000.');
}
const DEEPEST = 64;
/** Rule of a value whose schema names no type: any JSON of bounded depth (decisions 0.13). */
export function anyJson(value, param, depth = 0) {
    switch (typeof value) {
        case 'string':
            return refuseUnstorable(value, param) ?? { value };
        case 'boolean':
            return { value };
        case 'number':
            return Number.isFinite(value) ? { value: value + 0 } : refuseType(param, 'must be a finite number.');
    }
    if (value === null)
        return { value };
    if (depth >= DEEPEST)
        return refuseType(param, `is nested too deep. Use at most ${DEEPEST} levels.`);
    if (Array.isArray(value))
        return anyList(value, param, depth);
    return isPlainObject(value) ? anyObject(value, param, depth) : refuseType(param, 'must be a JSON value.');
}
function anyList(list, param, depth) {
    const kept = [];
    for (let index = 0; index < list.length; index++) {
        const checked = anyJson(list[index], memberName(param, index), depth + 1);
        if ('issue' in checked)
            return checked;
        kept.push(checked.value);
    }
    return { value: kept };
}
function anyObject(value, param, depth) {
    const kept = {};
    for (const key of safeKeys(value)) {
        const name = memberName(param, key);
        const checked = refuseUnstorable(key, name) ?? anyJson(value[key], name, depth + 1);
        if ('issue' in checked)
            return checked;
        kept[key] = checked.value;
    }
    return { value: kept };
}
/** A text that is equal for equal JSON values, whatever the order of members. `value` has passed a rule. */
export function fingerprint(value) {
    if (Array.isArray(value))
        return `[${value.map(fingerprint).join(',')}]`;
    if (typeof value !== 'object' || value === null)
        return JSON.stringify(value);
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${fingerprint(member)}`).join(',')}}`;
}
/** Whether a rule left a value as it was. */
export function isUnchanged(before, after) {
    if (before === after)
        return true;
    if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
        return false;
    if (Array.isArray(before) || Array.isArray(after))
        return sameLists(before, after);
    const keys = Object.keys(before);
    if (keys.length !== Object.keys(after).length)
        return false;
    const [one, other] = [before, after];
    return keys.every((key) => Object.hasOwn(other, key) && isUnchanged(one[key], other[key]));
}
function sameLists(before, after) {
    if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length)
        return false;
    return before.every((item, index) => isUnchanged(item, after[index]));
}
