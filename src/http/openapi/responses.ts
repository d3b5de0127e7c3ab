// The responses of each operation: the item or list in its contexts, headers, and errors.
import type { ResourceModel } from '../../model/model.js';
import type { Refusal } from '../../model/permissions.js';
import type * as Swagger from '@nestjs/swagger';
import { isReading, type Context, type OperationKind } from '../../model/schema/schema.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { takesFiles } from '../resource/upload-intake.js';
import { errorCodes } from './error-codes.js';
import { errorResponses } from './error-responses.js';
import { contextsOf, itemSchemaName } from './item-schemas.js';
import { either, refTo, type Schema } from './schema-parts.js';
import { writtenSchemas } from './written-schemas.js';

/** Decorators for the responses of an operation. */
export function responses(swagger: typeof Swagger, route: ResourceRoute, operation: OperationKind): MethodDecorator[] {
  const status = operation === 'create' ? 201 : 200;
  return [
    swagger.ApiResponse({
      status,
      description: summaryOf(route, operation),
      schema: responseOf(route, operation),
      headers: {
        ...headersOf(route, operation),
        ...(operation === 'create' && takesFiles(route) ? UPLOADED : {}),
        ...APPLIED,
      },
    }),
    ...(isReading(operation)
      ? [
          swagger.ApiResponse({
            status: 304,
            description: 'The client has this response already.',
            headers: headersOf(route, operation),
          }),
        ]
      : []),
    ...refusals(swagger, errorCodes(route.model, operation)),
  ];
}

/** Decorators for the errors of some codes. */
export function refusals(swagger: typeof Swagger, codes: readonly Refusal[]): MethodDecorator[] {
  return Object.entries(errorResponses(codes)).map(([status, response]) =>
    swagger.ApiResponse({
      status: status === 'default' ? status : Number(status),
      ...response,
    } as unknown as Swagger.ApiResponseOptions),
  );
}

const text = (description: string) => ({ description, schema: { type: 'string' } }) as const;
const number = (description: string) => ({ description, schema: { type: 'integer' } }) as const;
export const ETag = text('Entity tag of this response.');
const LIST_HEADERS = {
  'X-WP-Total': number('Items in all.'),
  'X-WP-TotalPages': number('Pages in all.'),
};
const APPLIED = { 'Preference-Applied': text('`handling=strict` where it was requested.') };
const UPLOADED = { 'X-WP-Upload-Attachment-ID': number('Id of the new item.') };
/** The header of a response that is sent again. */
export const REPLAYED = text('`true`: the response to an earlier request with the same key.');
/** Headers of the response to any action. */
export const ACTED = { 'Idempotency-Replayed': REPLAYED, ...APPLIED };

function headersOf(
  { model }: ResourceRoute,
  operation: OperationKind,
): Record<string, ReturnType<typeof text> | ReturnType<typeof number>> {
  switch (operation) {
    case 'list':
      return model.static ? { ETag } : { ETag, ...LIST_HEADERS };
    case 'create':
      return { ETag, Location: text('Address of the new item.'), 'Idempotency-Replayed': REPLAYED };
    case 'update':
      return { ETag, 'Idempotency-Replayed': REPLAYED };
    case 'retrieve':
      return { ETag };
    case 'delete':
      return {};
  }
}

// The requested context decides which of them it is; the default one comes first.
function responseOf({ model }: ResourceRoute, operation: OperationKind): Schema {
  const inContext = (context: Context) => refTo(itemSchemaName(model, context));
  if (operation === 'update') return either(writtenSchemas(model));
  if (operation === 'create') return either(createdSchemas(model));
  if (operation === 'delete') {
    const deleted = refTo(`${model.typeName}Deleted`);
    return model.faces.trash ? either([deleted, ...writtenSchemas(model)]) : deleted;
  }
  const first = model.defaultContext;
  const item = either([first, ...contextsOf(model).filter((context) => context !== first)].map(inContext));
  if (operation === 'retrieve') return item;
  return model.list.keyedBy ? { type: 'object', additionalProperties: item } : { type: 'array', items: item };
}

/** Schemas of a new item, as far as its creator may read it. */
export function createdSchemas(model: ResourceModel): Schema[] {
  return (['edit', 'view'] as const).map((context) => refTo(itemSchemaName(model, context)));
}

/** One sentence on an operation. */
export function summaryOf({ model }: ResourceRoute, operation: OperationKind): string {
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

const DESCRIPTIONS: Record<OperationKind, string> = {
  list: 'In pages: `X-WP-Total` and `X-WP-TotalPages` say how much there is, `Link` leads to the next page.',
  retrieve: 'As much as the context says; `edit` is for those who may change it.',
  create: 'Returns the new item, and its URL in `Location`.',
  update: 'Returns the item as it is now. Nothing is changed by a request that is refused.',
  delete: 'With `force=true` for good. Returns what has been there.',
};

/** Further description of an operation. */
export function descriptionOf({ model }: ResourceRoute, operation: OperationKind): string {
  if (operation === 'delete' && model.faces.trash)
    return 'Moves it to the trash; with `force=true` it is deleted for good.';
  if (operation === 'list' && model.static) return 'All that the caller may read, without pages.';
  return DESCRIPTIONS[operation];
}
