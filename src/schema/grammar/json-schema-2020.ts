// Converts the engine's value keywords (`required` of members) to JSON Schema 2020-12.
import { items, members, record } from '../load/as-json.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import type { Grammar } from './pieces.js';

const LISTS = ['anyOf', 'oneOf'];
/** Formats that stand for a definition of the grammar. */
const DEFINITIONS: Record<string, string | undefined> = {
  rule: '#/$defs/rule',
  code: '#/$defs/code',
  capability: '#/$defs/capability',
  expression: '#/$defs/expression',
  // Suffix of capability names, with the same characters.
  ending: '#/$defs/capability',
};
const MAPS = ['properties', 'patternProperties'];

/**
 * Lifts `required: true` of members into the list of the object. The formats `rule`, `code`, `capability`, `ending` and
 * `expression` stand for definitions of the grammar.
 */
export function jsonSchema2020(value: ValueSchema): Record<string, unknown> {
  const { required, ...rest } = value;
  const definition = DEFINITIONS[rest.format ?? ''];
  if (definition) return { $ref: definition, ...(rest.description && { description: rest.description }) };
  const schema: Record<string, unknown> = { ...rest };
  for (const key of LISTS)
    if (schema[key]) schema[key] = items(schema[key]).map((item) => jsonSchema2020(record(item)));
  for (const key of MAPS) if (schema[key]) schema[key] = jsonSchemas2020(record(schema[key]));
  for (const key of ['items', 'additionalProperties']) {
    if (typeof schema[key] === 'object') schema[key] = jsonSchema2020(record(schema[key]));
  }
  const names = Array.isArray(required) ? required : requiredNames(record(value.properties));
  if (names.length > 0) schema['required'] = names;
  return schema;
}

/** Converts a map of names to schemas. */
export function jsonSchemas2020(schemas: Record<string, unknown>): Record<string, Record<string, unknown>> {
  return Object.fromEntries(members(schemas).map(([name, schema]) => [name, jsonSchema2020(record(schema))]));
}

/** Members marked `required: true`. */
export function requiredNames(properties: Record<string, unknown>): string[] {
  return members(properties).flatMap(([name, schema]) => (record(schema)['required'] === true ? [name] : []));
}

/** The grammar of the options of a trait, filter or function. */
export function optionsOf(options: Record<string, ValueSchema>): Grammar {
  const required = requiredNames(options);
  const properties = jsonSchemas2020(options);
  return { type: 'object', properties, additionalProperties: false, ...(required.length > 0 && { required }) };
}
