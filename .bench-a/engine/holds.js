// Asks a predicate of a row that is not (yet) in the database: an item about to be made, a row of a registry.
import { and, equals } from '../model/query.js';
/** Whether `predicate` holds for `row`; parts about other tables are asked of the store with our values bound. */
export async function holds(predicate, row, reader) {
    switch (predicate.op) {
        case 'true':
            return true;
        case 'false':
            return false;
        case 'and':
            for (const part of predicate.of)
                if (!(await holds(part, row, reader)))
                    return false;
            return true;
        case 'or':
            for (const part of predicate.of)
                if (await holds(part, row, reader))
                    return true;
            return false;
        case 'not':
            return !(await holds(predicate.of, row, reader));
        case 'eq':
            return same(row[predicate.column], predicate.value);
        case 'ne':
            return !same(row[predicate.column], predicate.value);
        case 'in':
            return predicate.values.some((value) => same(row[predicate.column], value));
        case 'null':
            return row[predicate.column] === null || row[predicate.column] === undefined;
        case 'exists': {
            const value = row[predicate.outer];
            if (!reader || value === undefined || value === null || value === 0)
                return false;
            return Boolean(await reader.first(predicate.table, [predicate.inner], and(equals(predicate.inner, value), predicate.where)));
        }
        default:
            return false;
    }
}
function same(left, right) {
    const plain = (value) => (typeof value === 'boolean' ? Number(value) : (value ?? 0));
    return plain(left) === plain(right);
}
