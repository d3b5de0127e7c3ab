import { jsonSchemas2020, requiredNames } from './json-schema-2020.js';
export const COLUMN = {
    pattern: '^[a-z_][a-z0-9_]*$',
    patternErrorMessage: 'lower-case letters, digits and _, not beginning with a digit',
};
const CONTEXTS = ['view', 'embed', 'edit'];
const JSON_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];
/** A string with its description. */
export const string = (description, more = {}) => ({ type: 'string', description, ...more });
/** A string that may not be empty. */
export const word = (description, more = {}) => string(description, { minLength: 1, ...more });
/** `true` or `false`. */
export const flag = (description) => ({ type: 'boolean', description });
/** A list of some definition. */
export const listOf = (item, description, more = {}) => ({
    type: 'array',
    items: item,
    description,
    ...more,
});
/** An object of names to some definition. */
export const mapOf = (value, description, more = {}) => ({
    type: 'object',
    additionalProperties: value,
    description,
    ...more,
});
/** A string or a list of strings. */
export const words = (description) => ({
    type: ['string', 'array'],
    minLength: 1,
    items: { type: 'string', minLength: 1 },
    description,
});
/** One of the names of a registry. */
export const named = (entries, description) => string(description, entries.length > 0
    ? { enum: entries.map((entry) => entry.name), enumDescriptions: entries.map((entry) => entry.description) }
    : {});
/** A reference to a definition of this grammar. */
export const ref = (name) => ({ $ref: `#/$defs/${name}` });
/** `first` for what `when` accepts, for the rest `otherwise`. */
export function choice(when, first, otherwise = {}) {
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    return { if: when, then: first, else: otherwise };
}
const count = (description) => ({ type: 'integer', minimum: 0, description });
const number = (description) => ({ type: 'number', description });
const scalar = (description) => ({ type: ['string', 'number', 'boolean', 'null'], description });
const context = (description) => string(description, { enum: CONTEXTS });
const CONTEXT_LIST = listOf(context('One of the contexts.'), 'Contexts that show it: view, embed, edit; [] shows it never. Default: all.', { uniqueItems: true });
const GENERAL = {
    title: string('Short name for people.'),
    description: string('What it means, for OPTIONS and OpenAPI.'),
    default: { description: 'Value when none was sent.' },
    enum: listOf(scalar('An allowed value.'), 'The allowed values.', { minItems: 1, uniqueItems: true }),
    format: string('Format of a string.', {
        examples: ['date-time', 'date', 'uri', 'email', 'ip', 'uuid', 'hex-color', 'text-field', 'textarea-field'],
    }),
    anyOf: listOf(ref('value'), 'At least one of these fits.', { minItems: 1 }),
    oneOf: listOf(ref('value'), 'Exactly one of these fits.', { minItems: 1 }),
};
const BY_TYPE = {
    number: {
        minimum: number('Least value.'),
        maximum: number('Greatest value.'),
        exclusiveMinimum: flag('The minimum itself is refused.'),
        exclusiveMaximum: flag('The maximum itself is refused.'),
        multipleOf: { type: 'number', exclusiveMinimum: 0, description: 'Step.' },
    },
    string: {
        minLength: count('Least number of characters.'),
        maxLength: count('Greatest number of characters.'),
        pattern: string('Regular expression that the text matches.'),
    },
    array: {
        items: ref('value'),
        minItems: count('Least number of items.'),
        maxItems: count('Greatest number of items.'),
        uniqueItems: flag('No item occurs twice.'),
    },
    object: {
        properties: mapOf(ref('member'), 'Its members.'),
        patternProperties: mapOf(ref('value'), 'Members whose names match a regular expression.'),
        additionalProperties: {
            type: ['boolean', 'object'],
            ...choice({ type: 'object' }, ref('value')),
            description: 'Whether other members are allowed, and of what kind.',
        },
        minProperties: count('Least number of members.'),
        maxProperties: count('Greatest number of members.'),
    },
};
const KEYWORDS = Object.assign({}, GENERAL, ...Object.values(BY_TYPE));
const VALUE = {
    type: {
        type: ['string', 'array'],
        items: { type: 'string', enum: JSON_TYPES },
        ...choice({ type: 'string' }, { enum: JSON_TYPES }),
        description: 'JSON type, or several.',
    },
    ...KEYWORDS,
    required: {
        type: ['boolean', 'array'],
        items: { type: 'string' },
        description: 'Must be sent; or the names of the members that must.',
    },
};
const COMMON = {
    ...GENERAL,
    required: flag('Must be sent on create.'),
    readOnly: flag('Returned, never accepted.'),
    contexts: CONTEXT_LIST,
    internal: flag('Known to the engine alone: in no answer, no body, no OPTIONS.'),
    column: string('Column that keeps the value; default the name of the field.', COLUMN),
    renamedFrom: string('Former column name, so that its data moves along.', COLUMN),
    nullable: flag('null may be sent and stored.'),
    unique: flag('No two rows of the resource share the value.'),
    index: flag('Keep an index for filters and orderings of your own.'),
};
// The definition of each type allows them, `field` says what they are: so ajv compiles them once.
const COMMON_NAMES = Object.fromEntries(Object.keys(COMMON).map((key) => [key, true]));
// A field type need only name these keys: their shape is part of the grammar.
const shaped = (functions) => ({
    keys: mapOf(ref('metaKey'), 'Registered meta keys.'),
    returns: ref('value'),
    function: named(functions, 'Registered function that makes the value.'),
});
/** Definitions of values, members, meta keys and parameters. */
export function valueDefinitions(filters) {
    const object = (properties, description) => ({
        type: 'object',
        description,
        properties,
        additionalProperties: false,
    });
    return {
        value: object(VALUE, 'A value, in keywords of JSON Schema.'),
        member: object({ ...VALUE, contexts: CONTEXT_LIST, readOnly: flag('Returned, never accepted.') }, 'A member of an object.'),
        metaKey: object({
            ...VALUE,
            single: flag('One value (default) or a list of them.'),
            as: word('Name in answers when it differs from the stored key.'),
            hidden: flag('Stored, never shown.'),
            needs: ref('rule'),
        }, 'A registered meta key.'),
        param: object({
            ...VALUE,
            filter: named(filters, 'How it narrows the list. Without one a trait or function reads it.'),
            field: word('Field the filter looks at.'),
            resource: word('Resource of a `through` filter.'),
            function: word('Registered function of a `function` filter.'),
            options: { type: 'object', description: 'Options of the filter.' },
            normalize: string('How each value is cleaned before comparing.', { enum: ['slug', 'key'] }),
            lenient: flag('Accept anything; values that do not fit are ignored.'),
        }, 'A parameter.'),
    };
}
/** Definitions of a field: one per type, chosen by `type`. */
export function fieldDefinitions(types, functions) {
    const definitions = {
        field: {
            type: 'object',
            description: 'A field. `type` says what kind of value it holds and which keys it takes.',
            required: ['type'],
            properties: { type: named(types, 'Kind of value.'), ...COMMON },
            allOf: types.map(({ name }) => choice({ properties: { type: { const: name } }, required: ['type'] }, ref(`field:${name}`))),
        },
    };
    for (const type of types)
        definitions[`field:${type.name}`] = fieldDefinition(type, functions);
    return definitions;
}
function fieldDefinition(type, functions) {
    const keys = jsonSchemas2020(type.keys);
    for (const [key, shape] of Object.entries(shaped(functions)))
        if (keys[key])
            keys[key] = { ...shape };
    const properties = { type: true, ...COMMON_NAMES, ...keywordsOf(type), ...keys };
    const required = requiredNames(type.keys);
    return {
        description: type.description,
        properties,
        additionalProperties: false,
        ...(required.length > 0 && { required }),
    };
}
// Keywords that could never apply are refused: "maxLength" of an integer is a mistake.
function keywordsOf(type) {
    const json = [type.value({ type: type.name }).type ?? []].flat();
    if (json.length === 0)
        return KEYWORDS;
    return Object.assign({}, ...json.map((name) => BY_TYPE[name === 'integer' ? 'number' : name] ?? {}));
}
