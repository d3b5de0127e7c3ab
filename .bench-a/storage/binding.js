/**
 * The stored form of a value for a column: booleans 0 or 1, numbers of text columns as text.
 * Throws a TypeError, naming column and type but never the value, on anything else.
 */
export function toBound(value, column) {
    if (value === null)
        return null;
    switch (column.kind) {
        case 'integer':
        case 'boolean':
        case 'double':
            return toNumber(value, column);
        default:
            return toText(value, column);
    }
}
function toNumber(value, column) {
    if (typeof value === 'boolean')
        return value ? 1 : 0;
    // A driver would take NaN for NULL, and a text that is no number for itself.
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number))
        throw refused(value, column);
    return number;
}
function toText(value, column) {
    if (typeof value === 'string')
        return value;
    if (typeof value === 'number' && Number.isFinite(value))
        return String(value);
    if (typeof value === 'boolean')
        return value ? '1' : '0';
    throw refused(value, column);
}
function refused(value, column) {
    const type = Array.isArray(value) ? 'array' : typeof value;
    return new TypeError(`Column ${column.name} (${column.kind}) cannot take this ${type}`);
}
