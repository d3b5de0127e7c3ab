// Brings mapped values into the form a resource takes: unknown fields go, each value passes its field's rule. Called by the mappings.
import { invalidParams } from '../errors/resource-error.js';
/**
 * A change that `model` accepts. A value its field refuses stops the import of the object, unless the field is
 * `optional`: then it is left out and noted. Columns the resource has not are dropped.
 */
export function fitted(model, values, columns, optional = []) {
    const change = { values: {}, columns: {}, meta: [], notes: [] };
    const issues = [];
    for (const [name, value] of Object.entries(values)) {
        const field = model.fields.get(name);
        if (!field || value === undefined)
            continue;
        const checked = field.rule(value, name);
        if (!('issue' in checked))
            change.values[name] = checked.value;
        else if (value === '' && field.column)
            change.columns[field.column] = emptyOf(field);
        else if (optional.includes(name))
            change.notes.push(`${model.name}: ${name} (${checked.issue.message})`);
        else
            issues.push(checked.issue);
    }
    if (issues.length > 0)
        throw invalidParams(issues);
    const own = new Set(model.allColumns);
    for (const [name, value] of Object.entries(columns))
        if (value !== undefined && own.has(name))
            change.columns[name] = value;
    return change;
}
function emptyOf(field) {
    return field.columns.find(({ name }) => name === field.column)?.default ?? '';
}
/** The slug that a resource stores for a text. */
export function storedSlug(model, text) {
    const field = model.fields.get('slug');
    const draft = { values: {}, row: {}, many: {}, meta: {} };
    field?.toStore?.(text, draft, undefined);
    return String(draft.row[field?.column ?? 'slug'] ?? text);
}
/** The resource whose items are the terms of a taxonomy: `post_tag` is the resource `tag`. */
export function termResource(taxonomy) {
    return taxonomy === 'post_tag' ? 'tag' : taxonomy;
}
//# sourceMappingURL=fit-values.js.map