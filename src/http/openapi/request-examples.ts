// Example bodies and parameters. Bodies have required fields and texts, and no optional references, whose items need
// not exist.
import type { ResourceModel } from '../../model/model.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { exampleOf } from './examples.js';
import { openApiSchema } from './json-schema-31.js';
import type { Paths } from './other-paths.js';
import type { Schema } from './schema-parts.js';
import { argumentsOf, type Argument } from '../resource/argument-documents.js';

const PROSE = ['rendered', 'text'];

type Method = Paths[string][string];

/** Adds an example to each body of a route. */
export function addBodyExamples(paths: Paths, { base, model, keyParam }: ResourceRoute): void {
  const collection = `${base}${model.route}`.replaceAll(/:(\w+)/g, '{$1}');
  const { post: create } = paths[collection] ?? {};
  if (model.operations.has('create')) addExample(create, bodyExample(model, 'create'));
  if (!model.operations.has('update')) return;
  const { post, put, patch } = paths[model.singleton ? collection : `${collection}/{${keyParam}}`] ?? {};
  for (const update of [post, put, patch]) addExample(update, bodyExample(model, 'update'));
}

// Not for multipart bodies, whose parts are filled in one by one, nor for files, which are chosen.
function addExample(operation: Method | undefined, example: Record<string, unknown>): void {
  const { content = {} } = (operation?.['requestBody'] ?? {}) as { content?: Record<string, Schema> };
  for (const [type, body] of Object.entries(content))
    if (!type.startsWith('multipart/') && !type.endsWith('octet-stream')) body['example'] = example;
}

/** Adds an example to each parameter that a request needs. Keys that are texts have no typical value. */
export function addParameterExamples(paths: Paths): void {
  for (const item of Object.values(paths))
    for (const { parameters = [] } of Object.values(item) as { parameters?: Schema[] }[])
      for (const parameter of parameters) {
        const { in: place, required, schema, example } = parameter as { schema: Schema } & Schema;
        const { type } = schema;
        if (required && example === undefined && (place === 'query' || type === 'integer'))
          parameter['example'] = exampleOf(schema);
      }
}

/** A body to create or update an item with. */
export function bodyExample(model: ResourceModel, kind: 'create' | 'update'): Record<string, unknown> {
  const values = Object.entries(argumentsOf(model, kind))
    .filter(([name, { required }]) => required || isProse(model, name))
    .map(([name, argument]) => [name, valueFor(model.fields.get(name)?.type, argument)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function valueFor(type: string | undefined, argument: Argument): unknown {
  if (type === 'password') return 'correct horse battery';
  return type === 'rendered' ? exampleOf({ type: 'string' }) : exampleOf(openApiSchema(argument));
}

function isProse({ fields }: ResourceModel, name: string): boolean {
  const { type, schema } = fields.get(name) ?? {};
  return PROSE.includes(type ?? '') && schema?.enum === undefined && schema?.unique === undefined;
}
