import { items, members, record } from './loose.js';
const LISTS = ['anyOf', 'oneOf'];
const MAPS = ['properties', 'patternProperties'];
/**
 * Rewrites boolean `exclusiveMinimum` and `exclusiveMaximum` to numbers and lifts `required: true` of members into the
 * list of the object. `format: "rule"` stands for a rule of permissions.
 */
export function jsonSchema2020(value) {
    const { required, exclusiveMinimum, exclusiveMaximum, ...kept } = value;
    if (kept.format === 'rule')
        return { $ref: '#/$defs/rule', ...(kept.description && { description: kept.description }) };
    const schema = { ...kept };
    if (exclusiveMinimum)
        bound(schema, 'minimum', 'exclusiveMinimum');
    if (exclusiveMaximum)
        bound(schema, 'maximum', 'exclusiveMaximum');
    for (const key of LISTS)
        if (schema[key])
            schema[key] = items(schema[key]).map((item) => jsonSchema2020(record(item)));
    for (const key of MAPS)
        if (schema[key])
            schema[key] = jsonSchemas2020(record(schema[key]));
    for (const key of ['items', 'additionalProperties']) {
        if (typeof schema[key] === 'object')
            schema[key] = jsonSchema2020(record(schema[key]));
    }
    const names = Array.isArray(required) ? required : requiredNames(record(value.properties));
    if (names.length > 0)
        schema['required'] = names;
    return schema;
}
/** The same for a map of names to schemas. */
export function jsonSchemas2020(schemas) {
    return Object.fromEntries(members(schemas).map(([name, schema]) => [name, jsonSchema2020(record(schema))]));
}
/** Members marked `required: true`. */
export function requiredNames(properties) {
    return members(properties).flatMap(([name, schema]) => (record(schema)['required'] === true ? [name] : []));
}
function bound(schema, inclusive, exclusive) {
    if (schema[inclusive] === undefined)
        return;
    schema[exclusive] = schema[inclusive];
    delete schema[inclusive];
}
