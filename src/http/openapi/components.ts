// Named schemas of the OpenAPI document besides those of the DTO classes: each resource as returned, and errors.
import type { ResourceModel } from '../../model/model.js';
import { contextsOf, itemSchema, itemSchemaName } from './item-schemas.js';
import { either, refTo } from './schema-parts.js';
import { isHidden, keySchema, keySchemaName, writtenSchemas } from './written-schemas.js';

type Schemas = Record<string, Record<string, unknown>>;

/** The tag of a resource's operations; child resources may share their name with others, so the parent is added. */
export function tagOf({ labels, parent }: ResourceModel): string {
  return parent ? `${parent.model.labels.singular} ${labels.plural.toLowerCase()}` : labels.plural;
}

/** Schemas of all resources, by name. */
export function componentSchemas(models: readonly ResourceModel[]): Schemas {
  const schemas: Schemas = { Error: errorSchema(), Links: LINKS };
  for (const model of models) {
    for (const context of contextsOf(model))
      schemas[itemSchemaName(model, context)] = itemSchema(model, context, refTo('Links'));
    if (isHidden(model) && writtenResources(models).has(model)) schemas[keySchemaName(model)] = keySchema(model);
    if (model.operations.has('delete')) schemas[`${model.typeName}Deleted`] = deletedSchema(model);
  }
  return schemas;
}

const LINKS = {
  type: 'object',
  description: 'Relations of the item, each with the URLs it leads to.',
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

function deletedSchema(model: ResourceModel): Record<string, unknown> {
  const previous = either(writtenSchemas(model, model.schema.deleteContext));
  return {
    type: 'object',
    properties: { deleted: { type: 'boolean', enum: [true] }, previous },
    required: ['deleted', 'previous'],
  };
}

function errorSchema(): Record<string, unknown> {
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

/** Resources whose items are returned by updates, deletions or actions. */
function writtenResources(models: readonly ResourceModel[]): Set<ResourceModel> {
  const changed = models.filter(({ operations }) => operations.has('update') || operations.has('delete'));
  const acted = models.filter(({ actions }) => actions.size > 0).map((model) => model.parent?.model ?? model);
  return new Set([...changed, ...acted]);
}
