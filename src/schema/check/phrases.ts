// Descriptions of values and types in messages: "a list of strings", "a number".
import { record } from '../load/as-json.js';

const WANTED: Record<string, [one: string, many: string]> = {
  string: ['a string', 'strings'],
  integer: ['a whole number', 'whole numbers'],
  number: ['a number', 'numbers'],
  boolean: ['true or false', 'true or false'],
  object: ['an object', 'objects'],
  array: ['a list', 'lists'],
  null: ['null', 'null'],
};

const MAX_QUOTED_CHARACTERS = 60;

/** Description of the values a JSON Schema accepts: `a string or a list of strings`. */
export function describeWanted(schema: Record<string, unknown>): string {
  const names = [schema['type'] ?? []].flat().map((type) => {
    const item = type === 'array' ? record(schema['items'])['type'] : undefined;
    const many = typeof item === 'string' ? WANTED[item]?.[1] : undefined;
    return (WANTED[String(type)]?.[0] ?? String(type)) + (many ? ` of ${many}` : '');
  });
  return names.length < 2 ? (names[0] ?? 'something else') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** Description of the type of a value. */
export function describeFound(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A value as it is in the file, shortened. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text;
}
