// Applies Swagger's decorators as functions to bound controllers, just before the document is built, so that the start does
// not wait for them.
import type * as Swagger from '@nestjs/swagger';
import { couldEver } from '../../engine/rights/coarse-policy.js';
import { predicateFor } from '../../engine/rights/predicate-for.js';
import { ANONYMOUS } from '../../model/actor.js';
import { isAcross } from '../../model/functions/paths.js';
import type { ActionModel, OwnActionModel } from '../../model/hooks.js';
import type { OperationKind } from '../../model/schema/schema.js';
import type { BoundController } from '../resource/bind-controllers.js';
import { className } from '../../text/class-name.js';
import { type BodyClass } from '../validation/dto.factory.js';
import { describeBody } from './body-properties.js';
import { tagOf } from './components.js';
import { actionCodes, errorCodes, OPTIONS_CODES } from './error-codes.js';
import { ACTED, descriptionOf, ETag, refusals, responses, summaryOf } from './responses.js';
import { openApiSchema } from './json-schema-31.js';
import {
  actionsOf,
  kindOfRoute,
  type ResourceRoute,
  type RouteAction,
  type RouteKind,
} from '../routes/resource-route.js';
import { takesFiles } from '../resource/upload-intake.js';
import { either, type Schema } from './schema-parts.js';
import { writtenSchemas } from './written-schemas.js';
import {
  actionHeaders,
  headerParams,
  ifMatch,
  OF_RESPONSES,
  pathParams,
  protocolParams,
  queryParams,
} from './parameter-decorators.js';
import { argumentsOf, fromParams, withBounds, type Argument } from '../resource/argument-documents.js';

const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
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
  for (const kind of ['create', 'update'] as const)
    describeBody(swagger, bodies[kind], argumentsOf(route.model, kind), route.model.fields, kind);
  swagger.ApiTags(tagOf(route.model))(controller);
  for (const { method, operation } of METHODS) {
    if (!Object.hasOwn(controller.prototype, method)) continue;
    apply(controller, method, [
      swagger.ApiOperation({
        operationId: operationId(route, method),
        summary: summaryOf(route, operation),
        description: descriptionOf(route, operation),
        security: securityOf(route, operation),
      }),
      ...pathParams(swagger, route, kindOfRoute(operation, route.model)),
      ...queryParams(swagger, route, operation),
      ...headerParams(swagger, route, operation),
      ...(operation === 'create' || operation === 'update' ? bodyOf(swagger, route, operation, bodies[operation]) : []),
      ...responses(swagger, route, operation),
    ]);
  }
  describeOptions(swagger, controller, route);
  if (route.model.listOf) return;
  for (const [name, action] of route.model.actions) describeAction(swagger, controller, route, name, action);
  for (const action of route.model.ownActions.values()) describeOwnAction(swagger, controller, route, action);
  for (const action of actionsOf(route.model)) describeActionOptions(swagger, controller, route, action);
}

function describeOptions(
  swagger: typeof Swagger,
  controller: BoundController['controller'],
  route: ResourceRoute,
): void {
  for (const [method, kind] of [
    ['describe', 'collection'],
    ['describeItem', 'item'],
  ] as const) {
    if (!Object.hasOwn(controller.prototype, method)) continue;
    apply(controller, method, [
      swagger.ApiOperation({
        operationId: operationId(route, method),
        summary: 'What this path offers.',
        description:
          'Its methods with their arguments, and the schema of its items. `Allow` names what the caller may do.',
        security: [{}, { basic: [] }, { bearer: [] }],
      }),
      ...pathParams(swagger, route, kind),
      ...protocolParams(swagger, OF_RESPONSES),
      swagger.ApiResponse({ status: 200, description: 'Methods, arguments and schema.', schema: { type: 'object' } }),
      ...refusals(swagger, OPTIONS_CODES),
    ]);
  }
}

// Further actions on an item are an update: of the item itself, or of another one.
function describeAction(
  swagger: typeof Swagger,
  controller: BoundController['controller'],
  route: ResourceRoute,
  name: string,
  { description, changes: target }: ActionModel,
): void {
  apply(controller, `act-${name}`, [
    swagger.ApiOperation({
      operationId: `${name}${route.model.typeName}`,
      summary: description,
      description: `Changes the ${target.labels.singular.toLowerCase()}, and returns it.`,
      security: securityOf({ ...route, model: target }, 'update'),
    }),
    ...pathParams(swagger, route, 'item', true),
    ...protocolParams(swagger),
    ...actionHeaders(swagger),
    ifMatch(swagger),
    swagger.ApiResponse({
      status: 200,
      description: `The ${target.labels.singular.toLowerCase()} as it is now.`,
      schema: either(writtenSchemas(target)),
      headers: { ETag, ...ACTED },
    }),
    ...refusals(swagger, [...errorCodes(route.model, 'retrieve'), ...errorCodes(target, 'update')]),
  ]);
}

/** An action of an extension. */
function describeOwnAction(
  swagger: typeof Swagger,
  controller: BoundController['controller'],
  route: ResourceRoute,
  action: OwnActionModel,
): void {
  const { name, description, on, params, needs, returns } = action;
  const { model } = route;
  const id = `${className(name)[0]!.toLowerCase()}${className(name).slice(1)}${on === 'item' ? model.typeName : className(model.path)}`;
  const kind: RouteKind = on === 'item' && !model.singleton ? 'item' : 'collection';
  const open = predicateFor(needs, ANONYMOUS).op === 'false' ? [] : [{}];
  const schema = bodySchemaOf(params);
  const returned = returns ? openApiSchema(returns as Argument) : on === 'item' ? either(writtenSchemas(model)) : {};
  apply(controller, `perform-${name}`, [
    swagger.ApiOperation({
      operationId: id,
      summary: description,
      description: returns || on !== 'item' ? 'The response is the result of the action.' : returnsItem(model),
      security: [...open, { basic: [] }, { bearer: [] }],
    }),
    ...pathParams(swagger, route, kind, true),
    ...protocolParams(swagger, OF_RESPONSES),
    ...actionHeaders(swagger),
    ...(params.size > 0
      ? [
          swagger.ApiConsumes(...BODY_TYPES),
          swagger.ApiBody({ required: Boolean(schema['required']), schema } as Swagger.ApiBodyOptions),
        ]
      : []),
    swagger.ApiResponse({
      status: 200,
      description,
      schema: returned,
      headers: ACTED,
    } as unknown as Swagger.ApiResponseOptions),
    ...refusals(swagger, actionCodes(model, action)),
  ]);
}

function describeActionOptions(
  swagger: typeof Swagger,
  controller: BoundController['controller'],
  route: ResourceRoute,
  { name, on }: RouteAction,
): void {
  const { model } = route;
  apply(controller, `describe-${name}`, [
    swagger.ApiOperation({
      operationId: `describe${className(name)}${on === 'item' ? model.typeName : className(model.path)}`,
      summary: 'What this path offers.',
      description: 'Its method with the arguments. `Allow` names what the caller may do.',
      security: [{}, { basic: [] }, { bearer: [] }],
    }),
    ...pathParams(swagger, route, on === 'item' && !model.singleton ? 'item' : 'collection', true),
    ...protocolParams(swagger, OF_RESPONSES),
    swagger.ApiResponse({ status: 200, description: 'The method with its arguments.', schema: { type: 'object' } }),
    ...refusals(swagger, OPTIONS_CODES),
  ]);
}

function returnsItem({ labels }: ResourceRoute['model']): string {
  return `Returns the ${labels.singular.toLowerCase()} as it is now.`;
}

function bodySchemaOf(params: OwnActionModel['params']): Schema {
  const args = Object.entries(withBounds(fromParams(params), params));
  const required = args.filter(([, { required: isRequired }]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(([name, argument]) => [name, openApiSchema(argument)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function apply(controller: BoundController['controller'], method: string, decorators: MethodDecorator[]): void {
  const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, method)!;
  for (const decorator of decorators) decorator(controller.prototype, method, descriptor);
}

/** Anonymous access is included where it may succeed. */
function securityOf({ model }: ResourceRoute, operation: OperationKind): Record<string, string[]>[] {
  const open = couldEver(model, operation, ANONYMOUS) ? [{}] : [];
  return [...open, { basic: [] }, { bearer: [] }];
}

function bodyOf(
  swagger: typeof Swagger,
  route: ResourceRoute,
  operation: 'create' | 'update',
  body: BodyClass,
): MethodDecorator[] {
  const required = operation === 'create';
  if (!required || !takesFiles(route)) {
    return [swagger.ApiConsumes(...BODY_TYPES), swagger.ApiBody({ required, type: body })];
  }
  return [swagger.ApiExtraModels(body), swagger.ApiBody({ required, type: body })];
}

function operationId({ model }: ResourceRoute, method: string): string {
  const above = model.parent ? model.parent.model.typeName : '';
  const one = model.typeName;
  if (model.view) return `${method}${one}${isAcross(model) ? 'Across' : ''}`;
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
