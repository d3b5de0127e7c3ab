import { className } from './dto.factory.js';
import { refTo, tagOf } from './openapi-components.js';
import { openApiSchema } from './openapi-schema.js';
import { argumentsOf, pathArguments } from './options-document.js';
import { kindOfRoute } from './resource-route.js';
import { takesFiles } from './upload-intake.js';
const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
const FIELDS = {
    type: 'string',
    description: 'Members to keep in each item, with commas between; nested ones with dots.',
    required: false,
};
/** Bound methods with their operations, in the order of the document. */
const METHODS = [
    { method: 'list', operation: 'list' },
    { method: 'create', operation: 'create' },
    { method: 'retrieve', operation: 'retrieve' },
    { method: 'update', operation: 'update' },
    { method: 'updateByPut', operation: 'update' },
    { method: 'updateByPatch', operation: 'update' },
    { method: 'delete', operation: 'delete' },
];
/** Describes every route of a controller. */
export function decorate(swagger, { controller, route }) {
    swagger.ApiTags(tagOf(route.model))(controller);
    for (const { method, operation } of METHODS) {
        if (!Object.hasOwn(controller.prototype, method))
            continue;
        apply(controller, method, [
            swagger.ApiOperation({ operationId: operationId(route, method), summary: summaryOf(route, operation) }),
            ...pathParams(swagger, route, kindOfRoute(operation)),
            ...queryParams(swagger, route, operation),
            ...(operation === 'create' || operation === 'update' ? bodyOf(swagger, route, operation) : []),
            ...responses(swagger, route, operation),
        ]);
    }
    for (const [method, kind] of [
        ['describe', 'collection'],
        ['describeItem', 'item'],
    ]) {
        apply(controller, method, [
            swagger.ApiOperation({ operationId: operationId(route, method), summary: 'What this address offers.' }),
            ...pathParams(swagger, route, kind),
            swagger.ApiResponse({ status: 200, description: 'Methods, arguments and schema.', schema: { type: 'object' } }),
            ...refusals(swagger),
        ]);
    }
}
function apply(controller, method, decorators) {
    const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, method);
    for (const decorator of decorators)
        decorator(controller.prototype, method, descriptor);
}
function pathParams(swagger, route, kind) {
    return Object.entries(pathArguments(route, kind)).map(([name, argument]) => {
        const { description, ...schema } = openApiSchema(argument);
        return swagger.ApiParam({ name, schema, ...described(description) });
    });
}
function queryParams(swagger, route, operation) {
    const own = operation === 'create' || operation === 'update' ? {} : argumentsOf(route.model, operation);
    return Object.entries({ ...own, _fields: FIELDS }).map(([name, argument]) => {
        const { description, ...schema } = openApiSchema(argument);
        const list = schema.type === 'array' ? { style: 'form', explode: false } : {};
        return swagger.ApiQuery({ name, required: argument.required, schema, ...list, ...described(description) });
    });
}
function bodyOf(swagger, route, operation) {
    const name = `${className(route.model.name)}${operation === 'create' ? 'Create' : 'Update'}`;
    const takesFile = operation === 'create' && takesFiles(route);
    return [
        swagger.ApiConsumes(...BODY_TYPES, ...(takesFile ? ['application/octet-stream'] : [])),
        swagger.ApiBody({ required: operation === 'create', schema: takesFile ? withFile(name) : refTo(name) }),
    ];
}
function withFile(name) {
    const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file.' };
    return { allOf: [refTo(name), { type: 'object', properties: { file } }] };
}
function responses(swagger, route, operation) {
    const status = operation === 'create' ? 201 : 200;
    const headers = operation === 'list' ? LIST_HEADERS : {};
    return [
        swagger.ApiResponse({
            status,
            description: summaryOf(route, operation),
            schema: answerOf(route, operation),
            headers,
        }),
        ...refusals(swagger),
    ];
}
function refusals(swagger) {
    return [
        swagger.ApiResponse({ status: '4XX', description: 'Refused.', schema: refTo('Error') }),
        swagger.ApiResponse({ status: '5XX', description: 'Not possible now.', schema: refTo('Error') }),
    ];
}
const LIST_HEADERS = {
    'X-WP-Total': { description: 'Items in all.', schema: { type: 'integer' } },
    'X-WP-TotalPages': { description: 'Pages in all.', schema: { type: 'integer' } },
    Link: { description: 'The pages before and after.', schema: { type: 'string' } },
};
function answerOf({ model }, operation) {
    const name = className(model.name);
    if (operation === 'delete')
        return { anyOf: [refTo(`${name}Deleted`), refTo(name)] };
    if (operation !== 'list')
        return refTo(name);
    return model.list.keyedBy
        ? { type: 'object', additionalProperties: refTo(name) }
        : { type: 'array', items: refTo(name) };
}
function operationId({ model }, method) {
    const above = model.parent ? className(model.parent.model.name) : '';
    const one = className(model.name);
    switch (method) {
        case 'list':
            return `list${above}${className(model.path)}`;
        case 'describe':
            return `describe${above}${className(model.path)}`;
        case 'describeItem':
            return `describe${one}Item`;
        case 'retrieve':
            return `get${one}`;
        case 'updateByPut':
            return `update${one}ByPut`;
        case 'updateByPatch':
            return `update${one}ByPatch`;
        default:
            return `${method}${one}`;
    }
}
function summaryOf({ model }, operation) {
    const one = model.labels.singular.toLowerCase();
    switch (operation) {
        case 'list':
            return `List ${model.labels.plural.toLowerCase()}.`;
        case 'retrieve':
            return `Get one ${one}.`;
        case 'create':
            return `Create a new ${one}.`;
        case 'update':
            return `Change one ${one}; what is not sent stays.`;
        case 'delete':
            return `Delete one ${one}.`;
    }
}
function described(description) {
    return typeof description === 'string' ? { description } : {};
}
