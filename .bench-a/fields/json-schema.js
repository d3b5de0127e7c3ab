import { requiredMembers } from './object-rule.js';
const PLAIN = [
    'title',
    'description',
    'default',
    'format',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'minLength',
    'maxLength',
    'pattern',
    'minItems',
    'maxItems',
    'uniqueItems',
    'minProperties',
    'maxProperties',
];
/** An argument of OPTIONS: the keywords of decisions 4.2 and a boolean `required`, nothing else. */
export function argSchema(schema) {
    const { context: _context, readonly: _readonly, required: names, ...arg } = draft04(schema);
    // `required` says here that the argument must be sent, so what an object asks of its members moves to them.
    for (const name of Array.isArray(names) ? names : []) {
        const member = arg.properties?.[name];
        if (member && !Array.isArray(member.required))
            member.required = true;
    }
    return { ...arg, required: schema.required === true };
}
/** A property of a valid draft-04 schema (decisions 4.7), members included. Always a fresh object. */
export function draft04(schema) {
    const written = schema;
    const published = {};
    const type = typesOf(written);
    if (type !== undefined)
        published.type = type;
    for (const keyword of PLAIN)
        if (written[keyword] !== undefined)
            Object.assign(published, { [keyword]: written[keyword] });
    dropLooseBounds(published);
    if (written.enum && written.enum.length > 0)
        published.enum = enumOf(written, published.type);
    nest(published, written);
    const required = requiredNames(written);
    if (required.length > 0)
        published.required = required;
    const context = written.context ?? written.contexts;
    if (context)
        published.context = [...context];
    if (written.readonly ?? written.readOnly)
        published.readonly = true;
    return published;
}
function typesOf(schema) {
    if (schema.type === undefined)
        return undefined;
    const types = new Set([schema.type].flat());
    if (schema.nullable)
        types.add('null');
    return types.size > 1 ? [...types] : [...types][0];
}
function enumOf(schema, type) {
    const values = new Set(schema.enum);
    // `null` in the type alone would still be refused by the enum.
    if (Array.isArray(type) && type.includes('null'))
        values.add(null);
    return [...values];
}
// Draft 4 knows the exclusive marks only beside their bound, and lengths only as natural numbers.
function dropLooseBounds(schema) {
    if (schema.minimum === undefined)
        delete schema.exclusiveMinimum;
    if (schema.maximum === undefined)
        delete schema.exclusiveMaximum;
}
function requiredNames(schema) {
    const types = [schema.type ?? 'object'].flat();
    return types.includes('object') ? requiredMembers(schema).sort() : [];
}
function nest(published, schema) {
    if (schema.items)
        published.items = draft04(schema.items);
    if (schema.properties)
        published.properties = mapped(schema.properties);
    if (schema.patternProperties)
        published.patternProperties = mapped(schema.patternProperties);
    const additional = schema.additionalProperties;
    if (additional !== undefined)
        published.additionalProperties = typeof additional === 'object' ? draft04(additional) : additional;
    if (schema.anyOf?.length)
        published.anyOf = schema.anyOf.map(draft04);
    if (schema.oneOf?.length)
        published.oneOf = schema.oneOf.map(draft04);
}
function mapped(members) {
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, draft04(member)]));
}
