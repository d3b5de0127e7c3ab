// Registered meta keys of an item, stored in a separate table of keys and values.
import type { MetaKeyModel } from '../model/shown.js';
import type { FieldType } from '../model/registry.js';
import { draft04 } from '../values/json-schema.js';
import { metaValue, typeDefault } from '../values/meta-value.js';
import { compileRule } from '../values/compile-rule.js';
import { ruleOf, typeConstraint } from '../values/rule.js';
import type { Rule } from '../model/value.js';
import type { ValueSchema } from '../model/schema/value-schema.js';
import type { FieldSchema, MetaKeySchema } from '../model/schema/field-schema.js';

export const metadataField: FieldType = {
  name: 'metadata',
  description:
    'An object of registered keys (`keys`), each with its JSON Schema, `single` or multiple, default and name.',
  keys: { keys: { type: 'object', additionalProperties: true } },
  ownKeywords: true,
  value(field) {
    const properties: Record<string, ValueSchema> = {};
    for (const key of metaKeys(field)) if (!key.hidden) properties[key.name] = key.json;
    return { type: 'object', description: field.description ?? 'Registered meta fields.', properties };
  },
  compile(field, owner) {
    field.reads = ['id'];
    field.meta = { table: `${owner.table}_meta`, keys: metaKeys(field.schema) };
    const shown = field.meta.keys.filter((key) => !key.hidden);
    const slot = `#${field.name}`;
    // The keys are checked when they are written, with the permissions of the caller.
    field.rule = ruleOf(objectFrom, [typeConstraint(isObject, 'must be an object of meta keys.')]);
    field.toStore = (value, draft) => {
      draft.meta[field.name] = value as Record<string, unknown>;
    };
    field.toView = (row) => {
      const stored = row[slot] as Map<string, string[]> | undefined;
      const view: Record<string, unknown> = {};
      for (const key of shown) view[key.name] = metaValue(key, stored?.get(key.key));
      return view;
    };
  },
};

/**
 * An object for what stands for an empty one: forms have only an empty text, and a client in PHP that sends back what it
 * read has an empty list where `{}` was.
 */
function objectFrom(value: unknown): unknown {
  return value === '' || (Array.isArray(value) && value.length === 0) ? {} : value;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function metaKeys(field: FieldSchema): MetaKeyModel[] {
  return Object.entries(field.keys ?? {}).map(([key, schema]) => metaKey(key, schema));
}

function metaKey(key: string, written: MetaKeySchema): MetaKeyModel {
  const { single = true, as, hidden = false, needs: _needs, ...schema } = written;
  const value: ValueSchema = { type: 'string', ...schema };
  if (value.type === 'object' && value.additionalProperties === undefined) value.additionalProperties = false;
  const fallback = schema.default ?? (single ? typeDefault(value) : []);
  const { description, default: _default, ...item } = value;
  const json: ValueSchema = single
    ? { ...value, default: fallback }
    : { type: 'array', ...(description ? { description } : {}), items: item, default: fallback };
  return {
    key,
    name: as ?? key,
    single,
    hidden,
    default: fallback,
    rule: keyRule(value),
    json: draft04(json),
    structured: value.type === 'object' || value.type === 'array',
  };
}

function keyRule(value: ValueSchema): Rule {
  const rule = compileRule(value);
  if (value.type !== 'object') return rule;
  return ruleOf((sent, param) => rule.coerce(objectFrom(sent), param), rule.constraints);
}
