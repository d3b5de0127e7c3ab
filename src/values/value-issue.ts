// Validation errors of a value: their codes and messages.
import type { ValueIssue } from '../model/value.js';

/** Codes inside `data.details`. docs/errors.md lists the same ones. */
export const VALUE_CODES = [
  'rest_invalid_type',
  'rest_not_in_enum',
  'rest_out_of_bounds',
  'rest_too_short',
  'rest_too_long',
  'rest_too_few_items',
  'rest_too_many_items',
  'rest_duplicate_items',
  'rest_not_unique',
  'rest_check_failed',
  'rest_loop',
  'rest_write_once',
  'rest_invalid_pattern',
  'rest_invalid_multiple',
  'rest_property_required',
  'rest_additional_properties_forbidden',
  'rest_too_few_properties',
  'rest_too_many_properties',
  'rest_no_matching_schema',
  'rest_one_of_multiple_matches',
  'rest_invalid_date',
  'invalid_date',
  'rest_invalid_time',
  'rest_invalid_uri',
  'rest_invalid_email',
  'rest_invalid_ip',
  'rest_invalid_uuid',
  'rest_invalid_hex_color',
] as const;

export type ValueCode = (typeof VALUE_CODES)[number];

/** A validation error. */
export type Issue = { issue: ValueIssue };

/** A validation error: the message is the parameter's name followed by `reason`. */
export function issue(code: ValueCode, param: string, reason: string): Issue {
  return { issue: { code, param, message: `${param} ${reason}` } };
}

/** A type error; `data` names the parameter. */
export function typeIssue(param: string, reason: string): Issue {
  return { issue: { code: 'rest_invalid_type', param, message: `${param} ${reason}`, data: { param } } };
}

const MAX_NAME_CHARACTERS = 80;

/** Name of a list item or an object member: `include[0]`, `geo[lat]`. */
export function memberName(param: string, key: string | number): string {
  // Names come from clients: a long one must not enlarge the response.
  const name =
    typeof key === 'string' && key.length > MAX_NAME_CHARACTERS ? `${key.slice(0, MAX_NAME_CHARACTERS)}…` : key;
  return `${param}[${name}]`;
}

/** `3 items`, `1 item`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
