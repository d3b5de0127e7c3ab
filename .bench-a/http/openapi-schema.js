/** A field, parameter or member. Boolean `required` of members moves into the list of their object. */
export function openApiSchema(published) {
    const { context, readonly, required, exclusiveMinimum, exclusiveMaximum, ...kept } = published;
    const schema = { ...kept };
    if (readonly)
        schema['readOnly'] = true;
    if (Array.isArray(context))
        schema['x-context'] = context;
    if (exclusiveMinimum)
        moveBound(schema, 'minimum', 'exclusiveMinimum');
    if (exclusiveMaximum)
        moveBound(schema, 'maximum', 'exclusiveMaximum');
    for (const name of ['items', 'additionalProperties']) {
        if (typeof schema[name] === 'object' && schema[name] !== null)
            schema[name] = openApiSchema(schema[name]);
    }
    for (const name of ['anyOf', 'oneOf']) {
        if (Array.isArray(schema[name]))
            schema[name] = schema[name].map(openApiSchema);
    }
    for (const name of ['properties', 'patternProperties']) {
        if (schema[name])
            schema[name] = openApiSchemas(schema[name]);
    }
    const names = Array.isArray(required) ? required : requiredMembers(published);
    if (names.length > 0)
        schema['required'] = names;
    return schema;
}
/** The same for a map of names to schemas. */
export function openApiSchemas(schemas) {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, openApiSchema(schema)]));
}
/** An object of such members. */
export function objectSchema(members, description) {
    const required = Object.keys(members).filter((name) => members[name].required === true);
    return {
        type: 'object',
        ...(description ? { description } : {}),
        properties: openApiSchemas(members),
        ...(required.length > 0 ? { required } : {}),
    };
}
function requiredMembers({ properties = {} }) {
    return Object.keys(properties).filter((name) => properties[name].required === true);
}
function moveBound(schema, inclusive, exclusive) {
    if (schema[inclusive] === undefined)
        return;
    schema[exclusive] = schema[inclusive];
    delete schema[inclusive];
}
