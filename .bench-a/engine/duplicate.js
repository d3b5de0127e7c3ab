// Rows that a unique index refuses. Called by the service: once it looks again, then it says which field is to blame.
import { invalidParams } from '../errors/resource-error.js';
/** Whether a unique index refused a write. */
export function isDuplicate(error) {
    return error instanceof Error && error.name === 'UniqueViolation';
}
/** The refusal of a duplicate that no trait had words for. */
export function duplicateRefusal(error, model) {
    const fields = [...model.fields.values()].filter((field) => field.schema.unique && error.columns.includes(field.column ?? ''));
    if (fields.length === 0)
        return undefined;
    return invalidParams(fields.map(({ name }) => ({
        param: name,
        code: 'rest_invalid_param',
        message: `${name} is in use by another item.`,
    })));
}
