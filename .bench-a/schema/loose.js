// Reads parts of a schema that may be malformed: what has the wrong type counts as absent, since the grammar reports it.
/** The members of an object, or none. */
export function members(value) {
    return Object.entries(record(value));
}
/** The object, or an empty one. */
export function record(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
/** The list, or an empty one. */
export function items(value) {
    return Array.isArray(value) ? value : [];
}
/** The value itself or each of a list, with the rest of the path. */
export function oneOrMany(value) {
    return Array.isArray(value) ? value.map((item, index) => [[index], item]) : value === undefined ? [] : [[[], value]];
}
/** The string, or undefined. */
export function text(value) {
    return typeof value === 'string' ? value : undefined;
}
/** Whether something stands at the path. */
export function reaches(value, path) {
    let at = value;
    for (const segment of path) {
        if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment))
            return false;
        at = at[segment];
    }
    return true;
}
