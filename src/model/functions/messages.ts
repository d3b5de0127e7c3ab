// Messages that a schema gives the rules of its fields, in place of those of the engine.
import type { FieldSchema } from '../schema/field-schema.js';

/**
 * Rules of a field that can have a message, by the code of their error. Those of one code are distinguished by the
 * value.
 */
const RULE_OF: Readonly<Record<string, string>> = {
  rest_missing_callback_param: 'required',
  rest_invalid_type: 'type',
  rest_not_in_enum: 'enum',
  rest_invalid_multiple: 'multipleOf',
  rest_too_short: 'minLength',
  rest_too_long: 'maxLength',
  rest_invalid_pattern: 'pattern',
  rest_too_few_items: 'minItems',
  rest_too_many_items: 'maxItems',
  rest_duplicate_items: 'uniqueItems',
  rest_not_unique: 'unique',
  rest_write_once: 'writeOnce',
  rest_invalid_param: 'reference',
  rest_invalid_date: 'format',
  invalid_date: 'format',
  rest_invalid_time: 'format',
  rest_invalid_uri: 'format',
  rest_invalid_email: 'format',
  rest_invalid_ip: 'format',
  rest_invalid_uuid: 'format',
  rest_invalid_hex_color: 'format',
};

/** The names of these rules. */
export const MESSAGE_RULES: readonly string[] = [...new Set([...Object.values(RULE_OF), 'minimum', 'maximum'])];

/** The message of a schema for an error of one of its fields; undefined when it has none. */
export function ownMessage(field: FieldSchema, code: string, value?: unknown): string | undefined {
  const { messages } = field;
  if (!messages) return undefined;
  if (code === 'rest_out_of_bounds') return messages[isTooLow(field, value) ? 'minimum' : 'maximum'];
  return messages[(code === 'rest_invalid_param' && otherRule(field)) || (RULE_OF[code] ?? '')];
}

function isTooLow({ minimum = -Infinity, exclusiveMinimum }: FieldSchema, value: unknown): boolean {
  const exclusive = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : -Infinity;
  return Number(value) <= Math.max(minimum, exclusive);
}

/** The rule of a field that is no reference whose error has the code of references. */
function otherRule({ to, enum: allowed, enumSetting }: FieldSchema): string | undefined {
  if (to !== undefined) return undefined;
  return (allowed ?? enumSetting) === undefined ? 'format' : 'enum';
}
