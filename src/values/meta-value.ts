// Serialization of typed meta values as text.
import type { MetaKeyModel } from '../model/shown.js';
import type { ValueSchema } from '../model/schema/value-schema.js';

/** The empty value of a type: "", false, 0, [], {}. */
export function typeDefault(schema: ValueSchema): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const defaults: Record<string, unknown> = { boolean: false, integer: 0, number: 0, array: [], object: {} };
  return defaults[type ?? ''] ?? '';
}

/** Serializes one value. */
export function metaText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Value of a key for its stored texts; null for a text that does not match the key's schema. */
export function metaValue(key: MetaKeyModel, texts: string[] | undefined): unknown {
  if (!texts || texts.length === 0) return key.default;
  if (!key.single) return texts.map((text) => typedValue(key, text));
  return typedValue(key, texts[0]!);
}

function typedValue(key: MetaKeyModel, text: string): unknown {
  const checked = key.rule(decode(key, text), key.key);
  return 'issue' in checked ? null : checked.value;
}

function decode(key: MetaKeyModel, text: string): unknown {
  const type = key.single ? key.json.type : key.json.items?.type;
  if (type === 'boolean') return text === '1' || text === 'true';
  if (type !== 'array' && type !== 'object') return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
