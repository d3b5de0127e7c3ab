// JSON Schema keywords that every field type hands through from the written field. Called by the field types.
import type { FieldSchema, ValueSchema } from '../model/schema.js';
import { settingsOf } from '../model/site.js';

/** Keys of a field whose default is a setting of the site of that kind. */
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

/** The JSON Schema of a plain value of `type`, with the field's own keywords; `null` is allowed where the field is nullable. */
export function plainValue(type: string, field: FieldSchema, extra: ValueSchema = {}): ValueSchema {
  const value: Record<string, unknown> = { type: field.nullable ? [type, 'null'] : type };
  for (const keyword of KEYWORDS) if (field[keyword] !== undefined) value[keyword] = field[keyword];
  return { ...value, ...extra };
}
