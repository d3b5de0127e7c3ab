// TypeScript types of JSON Schemas, as text.
import type { Schema } from '../../http/openapi/schema-parts.js';
import { memberName } from './names.js';

/** The direction of values: in sent ones, lists may be readonly and members undefined. */
export type Direction = 'received' | 'sent';

/**
 * The type of the values that a schema allows, as precisely as types can be; the last segment of `$ref` is the name of
 * a type.
 */
export function typeText(schema: Schema, direction: Direction): string {
  const { $ref: name, enum: choices, anyOf, oneOf = anyOf, type = [] } = schema;
  if (typeof name === 'string') return name.split('/').at(-1)!;
  if (Array.isArray(choices)) return union(choices.map((value) => JSON.stringify(value)));
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(oneOf)) return union(oneOf.map((each: Schema) => typeText(each, direction)));
  const types = [type].flat() as string[];
  return types.length === 0 ? 'unknown' : union(types.map((each) => plainType(each, schema, direction)));
}

function plainType(type: string, schema: Schema, direction: Direction): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const item = schema['items'] ? typeText(schema['items'] as Schema, direction) : 'unknown';
      return `${direction === 'sent' ? 'readonly ' : ''}${/^[\w$.]+$/.test(item) ? item : `(${item})`}[]`;
    }
    case 'object':
      return objectType(schema, direction);
    default:
      return type;
  }
}

function objectType(schema: Schema, direction: Direction): string {
  const { properties = {}, additionalProperties: others, patternProperties } = schema;
  const named = Object.keys(properties as object).length > 0;
  if (named) return `{\n${membersText(schema, direction)}${others ? '  [name: string]: unknown;\n' : ''}}`;
  if (others === false && !patternProperties) return 'Record<string, never>';
  const values = typeof others === 'object' && others !== null ? typeText(others as Schema, direction) : 'unknown';
  return `Record<string, ${values}>`;
}

/** The members of an object, one per line, each with its description. */
export function membersText({ properties = {}, required = [] }: Schema, direction: Direction): string {
  const members = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => {
    const needed = (required as string[]).includes(name);
    const type = typeText(schema, direction);
    const value = !needed && direction === 'sent' && type !== 'unknown' ? union([type, 'undefined']) : type;
    return `${commentText(schema['description'])}${memberName(name)}${needed ? '' : '?'}: ${value};\n`;
  });
  return indented(members.join(''));
}

/** A description as a comment above what it describes. */
export function commentText(description: unknown): string {
  if (typeof description !== 'string' || description === '') return '';
  return `/** ${description.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/')} */\n`;
}

/** Lines indented by one level. */
export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function union(types: readonly string[]): string {
  const unique = [...new Set(types)];
  return unique.length === 0 ? 'never' : unique.join(' | ');
}
