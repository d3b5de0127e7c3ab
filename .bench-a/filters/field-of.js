import { and, equals, not, oneOf } from '../model/query.js';
/** Field named by `field`, or by the parameter itself; reports when there is none, or none of the `kept` kind. */
export function fieldOf(param, model, report, kept = 'column') {
    const name = param.field ?? param.name;
    const field = model.fields.get(name);
    if (field?.column || (kept === 'any' && field?.many))
        return field;
    const reason = field ? `it cannot look at the type ${field.type}` : 'there is no such field';
    report(['params', param.name, ...(param.field ? ['field'] : [])], `the filter needs a stored field; "${name}": ${reason}`);
    return undefined;
}
/** Rows whose field holds one of the values: its column, or its table of pairs. */
export function holdsAny(field, values) {
    if (!field.many)
        return oneOf(field.column, values);
    if (values.length === 0)
        return { op: 'false' };
    return { op: 'exists', table: field.many.table, outer: 'id', inner: 'owner_id', where: oneOf(field.many.value, values) };
}
/** Rows whose field holds all of the values. */
export function holdsAll(field, values) {
    if (!field.many)
        return values.length === 1 ? equals(field.column, values[0]) : { op: 'false' };
    return and(...values.map((value) => holdsAny(field, [value])));
}
/** Rows whose field holds none of the values. */
export function holdsNone(field, values) {
    return values.length === 0 ? { op: 'true' } : not(holdsAny(field, values));
}
