// Decorators for what a request carries besides its body: parameters of the path, of the query, and headers.
import type * as Swagger from '@nestjs/swagger';
import { isReading, type OperationKind } from '../../model/schema/schema.js';
import { sendable } from './sent-schemas.js';
import { openApiSchema } from './json-schema-31.js';
import type { ResourceRoute, RouteKind } from '../routes/resource-route.js';
import { takesFiles } from '../resource/upload-intake.js';
import type { Schema } from './schema-parts.js';
import { boundedArguments, pathArguments, type Argument } from '../resource/argument-documents.js';

const FIELDS: Argument = {
  type: 'string',
  description: 'Members to keep in each item, separated by commas; nested ones with dots.',
  required: false,
};

const EMBED: Argument = {
  type: 'string',
  description:
    'Adds to each item what its embeddable links lead to: relations, separated by commas; empty, 1 or true for all.',
  required: false,
};
const ENVELOPE: Argument = {
  type: 'string',
  description: 'With any value the status is 200, and the body has the members body, status and headers.',
  required: false,
};
const PRETTY: Argument = { type: 'string', description: 'With any value the body is indented.', required: false };
/** Parameters of every operation on items. They belong to the protocol: OPTIONS does not list them. */
const PROTOCOL = { _fields: FIELDS, _embed: EMBED, _envelope: ENVELOPE, _pretty: PRETTY };

/** A parameter of the protocol. */
export type ProtocolName = keyof typeof PROTOCOL;
/** Those of responses that contain no item. */
export const OF_RESPONSES: readonly ProtocolName[] = ['_envelope', '_pretty'];

/** Parameters of the protocol, for operations that are written by hand. */
export function protocolParameters(names: readonly ProtocolName[]): Schema[] {
  return names.map((name) => {
    const { type, description } = PROTOCOL[name];
    return { name, in: 'query', required: false, description, schema: { type } };
  });
}

/** The same for a method of a controller; by default all of them. */
export function protocolParams(
  swagger: typeof Swagger,
  names = Object.keys(PROTOCOL) as readonly ProtocolName[],
): MethodDecorator[] {
  return protocolParameters(names).map((parameter) =>
    swagger.ApiQuery(parameter as unknown as Swagger.ApiQueryOptions),
  );
}

/** What is in the path. For `me` in place of the key of an item there is a path of its own, except below it: `below`. */
export function pathParams(
  swagger: typeof Swagger,
  route: ResourceRoute,
  kind: RouteKind,
  below = false,
): MethodDecorator[] {
  const { model, keyParam } = route;
  const aliases = new Map([
    [model.parent?.param, model.parent?.model.schema.selfAlias],
    ...(below ? [[keyParam, model.schema.selfAlias] as const] : []),
  ]);
  return Object.entries(pathArguments(route, kind)).map(([name, argument]) => {
    const { description, ...key } = openApiSchema(argument);
    const alias = aliases.get(name);
    const schema = alias === undefined ? key : { anyOf: [key, { type: 'string', enum: [alias] }] };
    return swagger.ApiParam({ name, schema, ...descriptionOf(description) });
  });
}

/** What is in the query. */
export function queryParams(
  swagger: typeof Swagger,
  route: ResourceRoute,
  operation: OperationKind,
): MethodDecorator[] {
  const own = operation === 'create' || operation === 'update' ? {} : boundedArguments(route.model, operation);
  const described = Object.entries(own).map(([name, argument]) => {
    const { description, ...schema } = openApiSchema(argument);
    return swagger.ApiQuery({
      name,
      required: argument.required,
      schema: parameterSchema(schema),
      ...styleOf(schema),
      ...descriptionOf(description),
    });
  });
  return [...described, ...protocolParams(swagger)];
}

function styleOf({ type }: Schema): { style?: 'form' | 'deepObject'; explode?: boolean } {
  if (type === 'array') return { style: 'form', explode: false };
  return type === 'object' ? { style: 'deepObject', explode: true } : {};
}

// `null` cannot be sent in a query: a default of null means that there is none.
function parameterSchema(schema: Schema): Schema {
  const { default: initial, ...rest } = sendable(schema);
  if (initial === undefined || initial === null) return rest;
  const { type } = rest;
  return { ...rest, default: type === 'array' ? [initial].flat() : initial };
}

/** Headers that operations take. */
export function headerParams(
  swagger: typeof Swagger,
  route: ResourceRoute,
  operation: OperationKind,
): MethodDecorator[] {
  const header = (name: string, description: string) => textHeader(swagger, name, description);
  const strict = strictHeader(swagger);
  if (isReading(operation))
    return [strict, header('If-None-Match', 'Entity tag of a response that the client has: 304 while it is the same.')];
  const matching = operation === 'create' ? [] : [ifMatch(swagger)];
  const once = operation === 'delete' ? [] : [idempotencyKey(swagger)];
  const upload =
    operation === 'create' && takesFiles(route)
      ? [
          header('Content-Disposition', 'With a raw body: `attachment; filename="name.png"`.'),
          header('Content-MD5', 'MD5 of the file in hexadecimal digits; checked if it is sent.'),
        ]
      : [];
  return [strict, ...matching, ...once, ...upload];
}

/** Headers that actions take. */
export function actionHeaders(swagger: typeof Swagger): MethodDecorator[] {
  return [strictHeader(swagger), idempotencyKey(swagger)];
}

/** The header that makes a write conditional. */
export function ifMatch(swagger: typeof Swagger): MethodDecorator {
  return textHeader(swagger, 'If-Match', 'Tag of the version that is meant; 412 when there is a newer one.');
}

function strictHeader(swagger: typeof Swagger): MethodDecorator {
  return textHeader(swagger, 'Prefer', 'With `handling=strict` what is sent and means nothing is refused.');
}

function textHeader(swagger: typeof Swagger, name: string, description: string): MethodDecorator {
  return swagger.ApiHeader({ name, description, required: false, schema: { type: 'string' } });
}

/** The header of writes that may be repeated. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  description: 'A key of the request: repeated, it is answered, not done again.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** The same for a method of a controller. */
function idempotencyKey(swagger: typeof Swagger): MethodDecorator {
  return swagger.ApiHeader({ ...IDEMPOTENCY_KEY } as Swagger.ApiHeaderOptions);
}

function descriptionOf(description: unknown): { description?: string } {
  return typeof description === 'string' ? { description } : {};
}
