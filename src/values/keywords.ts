// JSON Schema keywords that every field type copies from the field's schema.
import type { ValueSchema } from '../model/schema/value-schema.js';
import type { FieldSchema } from '../model/schema/field-schema.js';
import { CHANGEABLE, settingsOf } from '../model/site/site-settings.js';

/** Grammar of `setting`: the settings with values of that type that a field may set. */
export const ownSetting = (kind: 'string' | 'number' | 'boolean'): Record<string, ValueSchema> => ({
  setting: {
    type: 'string',
    enum: settingsOf(kind).filter((name) => CHANGEABLE.includes(name)),
    description: 'Setting of the site that the field of a singleton shows and changes; null: as configured.',
  },
});

/** Grammar of `defaultSetting`: the settings of the site with values of that type. */
export const defaultSetting = (kind: 'string' | 'number' | 'boolean'): Record<string, ValueSchema> => ({
  defaultSetting: {
    type: 'string',
    enum: settingsOf(kind),
    description: 'Setting of the site that is the default, in place of `default`.',
  },
});

const KEYWORDS = [
  'title',
  'description',
  'format',
  'enum',
  'default',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'patternProperties',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'anyOf',
  'oneOf',
] as const;

/**
 * The JSON Schema of a plain value of `type`, with the field's own keywords; `null` is allowed where the field is
 * nullable.
 */
export function plainValue(type: string, field: FieldSchema, extra: ValueSchema = {}): ValueSchema {
  const value: Record<string, unknown> = { type: field.nullable ? [type, 'null'] : type };
  for (const keyword of KEYWORDS) if (field[keyword] !== undefined) value[keyword] = field[keyword];
  return { ...value, ...extra };
}
