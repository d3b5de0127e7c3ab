import { className } from './dto.factory.js';
import { objectSchema, openApiSchema } from './openapi-schema.js';
import { argumentsOf } from './options-document.js';
/** Reference to a named schema. */
export function refTo(name) {
    return { $ref: `#/components/schemas/${name}` };
}
/** The group a resource's operations stand in; resources below another one may share their name with others. */
export function tagOf({ labels, parent }) {
    return parent ? `${parent.model.labels.singular} ${labels.plural.toLowerCase()}` : labels.plural;
}
/** Schemas of all resources, by name. */
export function componentSchemas(models) {
    const schemas = { Error: errorSchema(), Links: LINKS };
    for (const model of models) {
        const name = className(model.name);
        schemas[name] = itemSchema(model);
        if (model.operations.has('create'))
            schemas[`${name}Create`] = objectSchema(argumentsOf(model, 'create'));
        if (model.operations.has('update'))
            schemas[`${name}Update`] = objectSchema(argumentsOf(model, 'update'));
        if (model.operations.has('delete'))
            schemas[`${name}Deleted`] = deletedSchema(name);
    }
    return schemas;
}
const LINKS = {
    type: 'object',
    description: 'Relations of the item, each with the addresses it leads to.',
    additionalProperties: {
        type: 'array',
        items: {
            type: 'object',
            properties: { href: { type: 'string' }, embeddable: { type: 'boolean' } },
            required: ['href'],
            additionalProperties: true,
        },
    },
};
function itemSchema(model) {
    const shown = [...model.fields.values()].filter((field) => !field.internal && field.contexts.size > 0);
    return {
        type: 'object',
        description: model.description,
        properties: {
            ...Object.fromEntries(shown.map((field) => [field.name, openApiSchema(field.json)])),
            _links: refTo('Links'),
        },
    };
}
function deletedSchema(name) {
    return {
        type: 'object',
        properties: { deleted: { type: 'boolean', enum: [true] }, previous: refTo(name) },
        required: ['deleted', 'previous'],
    };
}
function errorSchema() {
    return {
        type: 'object',
        description: 'Why a request was refused.',
        properties: {
            code: { type: 'string', description: 'For programs.' },
            message: { type: 'string', description: 'For people: what to change.' },
            data: {
                type: 'object',
                properties: {
                    status: { type: 'integer', description: 'The HTTP status.' },
                    params: { description: 'Refused or missing parameters.' },
                    details: { type: 'object', description: 'The refusal of each parameter.', additionalProperties: true },
                },
                additionalProperties: true,
            },
        },
        required: ['code', 'message', 'data'],
        additionalProperties: true,
    };
}
