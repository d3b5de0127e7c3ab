// Registered meta keys of an item, stored in a separate table of keys and values.
import type { MetaKeyModel } from '../model/shown.js';
import type { FieldType } from '../model/registry.js';
import { draft04 } from '../values/json-schema.js';
import { metaValue, typeDefault } from '../values/meta-value.js';
import { compileRule } from '../values/compile-value-rule.js';
import { codesOf, ruleOf, typeConstraint } from '../values/rule.js';
import type { ValueSchema } from '../model/schema/value-schema.js';
import type { FieldSchema, MetaKeySchema } from '../model/schema/field-schema.js';

export const metadataField: FieldType = {
  name: 'metadata',
  description:
    'An object of registered keys (`keys`), each with its JSON Schema, `single` or multiple, default and name.',
  keys: { keys: { type: 'object', additionalProperties: true } },
  ownKeywords: true,
  neverNull: true,
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
    // An empty text is an empty object, as in every rule of objects: forms have no other.
    const toObject = (value: unknown) => (value === '' ? {} : value);
    field.rule = ruleOf(toObject, [typeConstraint(isObject, 'must be an object of meta keys.')]);
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
  const rule = compileRule(value);
  return {
    key,
    name: as ?? key,
    single,
    hidden,
    default: fallback,
    rule,
    codes: [...new Set([...codesOf(rule), ...(single ? [] : ['rest_invalid_type'])])],
    json: draft04(json),
    structured: value.type === 'object' || value.type === 'array',
  };
}
