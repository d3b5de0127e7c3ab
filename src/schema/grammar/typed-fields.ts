// Fields that a trait adds may be declared without their type: the file then changes single keys of them. So may those with
// a `function`.
import type { ResourceSchema } from '../../model/schema/schema.js';
import { requiredNames } from './json-schema-2020.js';
import type { Registries } from './grammar.js';
import { members, record } from '../load/as-json.js';
import type { Trait } from '../../model/trait.js';

/**
 * A copy of a written schema in which every field that a trait of it adds has its type and what this type requires, and
 * `id` its type; the schema itself when every field says its type.
 */
export function withTypes(schema: unknown, { traits, fields: types }: Registries): unknown {
  const fields = members(record(schema)['fields']);
  const untyped = fields.filter(([, field]) => isObject(field) && field['type'] === undefined).map(([name]) => name);
  if (untyped.length === 0) return schema;
  const added = fieldsAdded(schema, untyped, traits);
  const typed = fields.map(([name, field]) => {
    const base = untyped.includes(name) ? record(Object.hasOwn(added, name) ? added[name] : impliedBy(field)) : {};
    const keys = types.find((type) => type.name === base['type'])?.keys ?? {};
    const needed = ['type', ...requiredNames(keys)].filter((key) => base[key] !== undefined);
    return [name, needed.length === 0 ? field : { ...pick(base, needed), ...record(field) }];
  });
  return { ...record(schema), fields: Object.fromEntries(typed) };
}

/** The type that other keys of a field imply: one with a `function` is computed. */
export function impliedBy(field: unknown): { type?: string } {
  return record(field)['function'] === undefined ? {} : { type: 'computed' };
}

// Options have not been checked yet: a trait that cannot work with them adds nothing, and they are reported.
function fieldsAdded(schema: unknown, untyped: readonly string[], traits: readonly Trait[]): Record<string, unknown> {
  const copy = structuredClone(schema) as ResourceSchema;
  for (const name of untyped) delete copy.fields[name];
  for (const [name, options] of members(copy.traits)) {
    try {
      traits.find((trait) => trait.name === name)?.extend?.(copy, record(options), new Set());
    } catch {
      continue;
    }
  }
  return { id: { type: 'id' }, ...copy.fields };
}

function pick(from: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, from[key]]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
