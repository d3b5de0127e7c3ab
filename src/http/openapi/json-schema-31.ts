// Converts published schemas to the dialect of OpenAPI 3.1.
import type { Schema } from './schema-parts.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';

type Published = ValueSchema & { context?: unknown; readonly?: boolean };

/** Converts a field, parameter or member. A boolean `required` of members becomes the list of their object. */
export function openApiSchema(published: ValueSchema): Schema {
  const { context, readonly, required, exclusiveMinimum, exclusiveMaximum, ...rest } = published as Published;
  const schema: Schema = { ...rest };
  if (readonly) schema['readOnly'] = true;
  if (Array.isArray(context)) schema['x-context'] = context;
  if (exclusiveMinimum) moveBound(schema, 'minimum', 'exclusiveMinimum');
  if (exclusiveMaximum) moveBound(schema, 'maximum', 'exclusiveMaximum');
  for (const name of ['items', 'additionalProperties']) {
    if (typeof schema[name] === 'object' && schema[name] !== null)
      schema[name] = openApiSchema(schema[name] as ValueSchema);
  }
  for (const name of ['anyOf', 'oneOf']) {
    if (Array.isArray(schema[name])) schema[name] = (schema[name] as ValueSchema[]).map(openApiSchema);
  }
  for (const name of ['properties', 'patternProperties']) {
    if (schema[name]) schema[name] = openApiSchemas(schema[name] as Record<string, ValueSchema>);
  }
  const names = Array.isArray(required) ? required : requiredMembers(published);
  if (names.length > 0) schema['required'] = names;
  return schema;
}

/** Converts a map of names to schemas. */
function openApiSchemas(schemas: Readonly<Record<string, ValueSchema>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, openApiSchema(schema)]));
}

function requiredMembers({ properties = {} }: ValueSchema): string[] {
  return Object.keys(properties).filter((name) => properties[name]!.required === true);
}

function moveBound(schema: Schema, inclusive: string, exclusive: string): void {
  if (schema[inclusive] === undefined) return;
  schema[exclusive] = schema[inclusive];
  delete schema[inclusive];
}

/** An enum that includes null, as two alternatives: generators take the values of a single one for strings. */
export function splitNull(value: unknown): unknown {
  const { type, enum: choices, ...rest } = (value ?? {}) as Schema;
  if (!Array.isArray(type) || !Array.isArray(choices) || !choices.includes(null)) return value;
  const types = (type as string[]).filter((name) => name !== 'null');
  const some = choices.filter((choice) => choice !== null);
  return { ...rest, anyOf: [{ type: types.length === 1 ? types[0] : types, enum: some }, { type: 'null' }] };
}
