/** The empty value of a type: "", false, 0, [], {}. */
export function typeDefault(schema) {
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    const defaults = { boolean: false, integer: 0, number: 0, array: [], object: {} };
    return defaults[type ?? ''] ?? '';
}
/** Stored text of one value. */
export function metaText(value) {
    if (typeof value === 'string')
        return value;
    if (typeof value === 'boolean')
        return value ? '1' : '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
/** Value shown for the stored texts of a key; a text that does not fit the key's schema shows as null. */
export function metaValue(key, texts) {
    if (!texts || texts.length === 0)
        return key.default;
    if (!key.single)
        return texts.map((text) => typed(key, text));
    return typed(key, texts[0]);
}
function typed(key, text) {
    const checked = key.rule(decode(key, text), key.key);
    return 'issue' in checked ? null : checked.value;
}
function decode(key, text) {
    const type = key.single ? key.json.type : key.json.items?.type;
    if (type === 'boolean')
        return text === '1' || text === 'true';
    if (type !== 'array' && type !== 'object')
        return text;
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
