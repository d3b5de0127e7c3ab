/** Field named by an option, or a report. */
export function fieldNamed(model, name, option, report) {
    const field = typeof name === 'string' ? model.fields.get(name) : undefined;
    if (field && (field.column || field.many))
        return field;
    report(option, `must name a field that is stored; "${String(name)}" is none`);
    return undefined;
}
/** Date-time field named by an option, or a report. */
export function momentField(model, name, option, report) {
    const field = fieldNamed(model, name, option, report);
    if (!field || field.columns[0]?.kind === 'datetime')
        return field;
    report(option, `"${field.name}" is no date-time`);
    return undefined;
}
/** One of a few words, the first when none is given, or a report. */
export function choiceOf(schema, option, words, report) {
    const chosen = words.find((word) => word === (schema[option] ?? words[0]));
    if (!chosen)
        report(option, `must be one of: ${words.join(', ')}`);
    return chosen ?? words[0];
}
/** Members of an option that is an object, or a report. */
export function membersOf(value, option, report) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return Object.entries(value);
    report(option, 'must be an object');
    return [];
}
/** Names of the plain parameters that look at a field with one of the filters. */
export function plainParams(model, fields, filters) {
    const names = new Set(fields.map((field) => field.name));
    return Object.entries(model.schema.params ?? {})
        .filter(([name, { filter, field }]) => filters.includes(filter ?? '') && names.has(field ?? name))
        .map(([name]) => name);
}
/** Takes plain parameters out of the request: an argument says what they would have said. */
export function replace(names, { op, replaced }) {
    for (const name of names) {
        replaced.add(name);
        delete op.params[name];
    }
}
