// Bodies and parameters that requests may be tried with. Bodies have what is required, and texts. They refer to nothing that need not exist.
import type { ResourceModel } from '../../model/model.js';
import { argumentsOf, type Argument } from '../resource/options-document.js';
import type { ResourceRoute } from '../resource/resource-route.js';
import { exampleOf } from './examples.js';
import { openApiSchema } from './json-schema-31.js';
import type { Paths } from './other-paths.js';
import type { Schema } from './schema-parts.js';

const PROSE = ['rendered', 'text'];
const METHODS = { post: 'update', put: 'update', patch: 'update' } as const;

/** Adds an example to each body of a route. */
export function addBodyExamples(paths: Paths, { base, model, keyParam }: ResourceRoute): void {
  const collection = `${base}${model.route}`.replaceAll(/:(\w+)/g, '{$1}');
  const add = (path: string, method: string, kind: 'create' | 'update') => {
    const body = paths[path]?.[method]?.['requestBody'] as { content?: Record<string, Schema> } | undefined;
    const example = bodyExample(model, kind);
    for (const [type, content] of Object.entries(body?.content ?? {}))
      if (!type.startsWith('multipart/') && !type.endsWith('octet-stream')) content['example'] = example;
  };
  if (model.operations.has('create')) add(collection, 'post', 'create');
  const item = model.singleton ? collection : `${collection}/{${keyParam}}`;
  if (model.operations.has('update')) for (const [method, kind] of Object.entries(METHODS)) add(item, method, kind);
}

/** Adds an example to each parameter that a request needs. Keys that are texts have no typical value. */
export function addParameterExamples(paths: Paths): void {
  for (const item of Object.values(paths))
    for (const { parameters = [] } of Object.values(item) as { parameters?: Schema[] }[])
      for (const parameter of parameters) {
        const schema = parameter['schema'] as Schema;
        const needed = parameter['required'] === true && (parameter['in'] === 'query' || schema['type'] === 'integer');
        if (needed && parameter['example'] === undefined) parameter['example'] = exampleOf(schema);
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
