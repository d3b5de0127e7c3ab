export const TRUE = { op: 'true' };
export const FALSE = { op: 'false' };
/** Conjunction, folded: `false` wins, `true` vanishes. */
export function and(...parts) {
    const kept = [];
    for (const part of parts) {
        if (part.op === 'false')
            return FALSE;
        if (part.op === 'and')
            kept.push(...part.of);
        else if (part.op !== 'true')
            kept.push(part);
    }
    return kept.length === 0 ? TRUE : kept.length === 1 ? kept[0] : { op: 'and', of: kept };
}
/** Disjunction, folded: `true` wins, `false` vanishes. */
export function or(...parts) {
    const kept = [];
    for (const part of parts) {
        if (part.op === 'true')
            return TRUE;
        if (part.op === 'or')
            kept.push(...part.of);
        else if (part.op !== 'false')
            kept.push(part);
    }
    return kept.length === 0 ? FALSE : kept.length === 1 ? kept[0] : { op: 'or', of: kept };
}
/** Negation, folded. */
export function not(part) {
    if (part.op === 'true')
        return FALSE;
    if (part.op === 'false')
        return TRUE;
    if (part.op === 'not')
        return part.of;
    return { op: 'not', of: part };
}
/** Membership, folded: no value is `false`, one is equality. */
export function oneOf(column, values) {
    if (values.length === 0)
        return FALSE;
    return values.length === 1 ? { op: 'eq', column, value: values[0] } : { op: 'in', column, values };
}
/** Equality with a value. */
export function equals(column, value) {
    return value === null ? { op: 'null', column } : { op: 'eq', column, value };
}
/**
 * What is left of a predicate on rows whose `column` is known to hold one of `values`:
 * parts that must then be true or false are folded away, the rest stays as it was.
 */
export function assume(part, column, values) {
    switch (part.op) {
        case 'and':
            return and(...part.of.map((p) => assume(p, column, values)));
        case 'or':
            return or(...part.of.map((p) => assume(p, column, values)));
        case 'not':
            return not(assume(part.of, column, values));
        case 'eq':
            return part.column === column ? fold(part, [part.value], values) : part;
        case 'in':
            return part.column === column ? fold(part, part.values, values) : part;
        default:
            return part;
    }
}
function fold(part, wanted, known) {
    if (known.every((value) => wanted.includes(value)))
        return TRUE;
    return known.some((value) => wanted.includes(value)) ? part : FALSE;
}
