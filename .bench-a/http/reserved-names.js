// Names that would reach an object's prototype. Parsers of queries and bodies drop them like unknown names (decisions 2.15).
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);
const IN_KEY = /(?:^|\[)(?:__proto__|constructor|prototype)(?:\]|\[|$)/;
// An escape may spell such a name, so that it only shows after parsing.
const PERHAPS = /__proto__|constructor|prototype|\\u/;
/** Whether a bracketed key (`filter[constructor]`) holds a reserved name. */
export function hasReservedSegment(key) {
    return IN_KEY.test(key);
}
/** Whether JSON text can hold a reserved name at all: spares the walk for nearly every body. */
export function mayHoldReserved(text) {
    return PERHAPS.test(text);
}
/** Removes reserved names at every depth, without recursion. */
export function dropReserved(root) {
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
        for (const key of Object.keys(node)) {
            if (RESERVED.has(key))
                Reflect.deleteProperty(node, key);
            else {
                const value = Reflect.get(node, key);
                if (typeof value === 'object' && value !== null)
                    open.push(value);
            }
        }
    }
}
