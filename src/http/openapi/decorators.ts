// Applies Swagger's decorators as functions to bound controllers, just before the document is built, so that boot does
// not wait for them.
import type * as Swagger from '@nestjs/swagger';
import type { OperationKind } from '../../model/schema.js';
import type { BoundController } from '../resource/bind-controllers.js';
import { className, type BodyClass } from '../resource/dto.factory.js';
import { describeBody } from './body-properties.js';
import { refTo, tagOf } from './components.js';
import { openApiSchema } from './json-schema-31.js';
import { argumentsOf, pathArguments, type Argument } from '../resource/options-document.js';
import { kindOfRoute, type ResourceRoute, type RouteKind } from '../resource/resource-route.js';
import { takesFiles } from '../resource/upload-intake.js';

type Schema = Record<string, unknown>;
type Decorator = MethodDecorator;

const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
const FIELDS: Argument = {
  type: 'string',
  description: 'Members to keep in each item, with commas between; nested ones with dots.',
  required: false,
};

/** Controller methods with their operations, in the order of the document. */
const METHODS: { method: string; operation: OperationKind }[] = [
  { method: 'list', operation: 'list' },
  { method: 'create', operation: 'create' },
  { method: 'retrieve', operation: 'retrieve' },
  { method: 'update', operation: 'update' },
  { method: 'updateByPut', operation: 'update' },
  { method: 'updateByPatch', operation: 'update' },
  { method: 'delete', operation: 'delete' },
];

/** Describes every route of a controller. */
export function decorate(swagger: typeof Swagger, { controller, route, bodies }: BoundController): void {
  for (const kind of ['create', 'update'] as const) describeBody(swagger, bodies[kind], argumentsOf(route.model, kind));
  swagger.ApiTags(tagOf(route.model))(controller);
  for (const { method, operation } of METHODS) {
    if (!Object.hasOwn(controller.prototype, method)) continue;
    apply(controller, method, [
      swagger.ApiOperation({ operationId: operationId(route, method), summary: summaryOf(route, operation) }),
      ...pathParams(swagger, route, kindOfRoute(operation)),
      ...queryParams(swagger, route, operation),
      ...(operation === 'create' || operation === 'update' ? bodyOf(swagger, route, operation, bodies[operation]) : []),
      ...responses(swagger, route, operation),
    ]);
  }
  for (const [method, kind] of [
    ['describe', 'collection'],
    ['describeItem', 'item'],
  ] as const) {
    apply(controller, method, [
      swagger.ApiOperation({ operationId: operationId(route, method), summary: 'What this address offers.' }),
      ...pathParams(swagger, route, kind),
      swagger.ApiResponse({ status: 200, description: 'Methods, arguments and schema.', schema: { type: 'object' } }),
      ...errorResponses(swagger),
    ]);
  }
}

function apply(controller: BoundController['controller'], method: string, decorators: Decorator[]): void {
  const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, method)!;
  for (const decorator of decorators) decorator(controller.prototype, method, descriptor);
}

function pathParams(swagger: typeof Swagger, route: ResourceRoute, kind: RouteKind): Decorator[] {
  return Object.entries(pathArguments(route, kind)).map(([name, argument]) => {
    const { description, ...schema } = openApiSchema(argument);
    return swagger.ApiParam({ name, schema, ...described(description) });
  });
}

function queryParams(swagger: typeof Swagger, route: ResourceRoute, operation: OperationKind): Decorator[] {
  const own = operation === 'create' || operation === 'update' ? {} : argumentsOf(route.model, operation);
  return Object.entries({ ...own, _fields: FIELDS }).map(([name, argument]) => {
    const { description, ...schema } = openApiSchema(argument);
    const list = schema.type === 'array' ? { style: 'form' as const, explode: false } : {};
    return swagger.ApiQuery({ name, required: argument.required, schema, ...list, ...described(description) });
  });
}

function bodyOf(
  swagger: typeof Swagger,
  route: ResourceRoute,
  operation: 'create' | 'update',
  body: BodyClass,
): Decorator[] {
  const required = operation === 'create';
  if (!required || !takesFiles(route)) {
    return [swagger.ApiConsumes(...BODY_TYPES), swagger.ApiBody({ required, type: body })];
  }
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file.' };
  const fields = { $ref: swagger.getSchemaPath(body) };
  return [
    swagger.ApiConsumes(...BODY_TYPES, 'application/octet-stream'),
    swagger.ApiExtraModels(body),
    swagger.ApiBody({ required, schema: { allOf: [fields, { type: 'object', properties: { file } }] } }),
  ];
}

function responses(swagger: typeof Swagger, route: ResourceRoute, operation: OperationKind): Decorator[] {
  const status = operation === 'create' ? 201 : 200;
  const headers = operation === 'list' ? LIST_HEADERS : {};
  return [
    swagger.ApiResponse({
      status,
      description: summaryOf(route, operation),
      schema: responseOf(route, operation),
      headers,
    }),
    ...errorResponses(swagger),
  ];
}

function errorResponses(swagger: typeof Swagger): Decorator[] {
  return [
    swagger.ApiResponse({ status: '4XX', description: 'Refused.', schema: refTo('Error') }),
    swagger.ApiResponse({ status: '5XX', description: 'Not possible now.', schema: refTo('Error') }),
  ];
}

const LIST_HEADERS = {
  'X-WP-Total': { description: 'Items in all.', schema: { type: 'integer' } },
  'X-WP-TotalPages': { description: 'Pages in all.', schema: { type: 'integer' } },
  Link: { description: 'The pages before and after.', schema: { type: 'string' } },
} as const;

function responseOf({ model }: ResourceRoute, operation: OperationKind): Schema {
  const name = className(model.name);
  if (operation === 'delete') return { anyOf: [refTo(`${name}Deleted`), refTo(name)] };
  if (operation !== 'list') return refTo(name);
  return model.list.keyedBy
    ? { type: 'object', additionalProperties: refTo(name) }
    : { type: 'array', items: refTo(name) };
}

function operationId({ model }: ResourceRoute, method: string): string {
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

function summaryOf({ model }: ResourceRoute, operation: OperationKind): string {
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

function described(description: unknown): { description?: string } {
  return typeof description === 'string' ? { description } : {};
}
