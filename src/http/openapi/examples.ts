// Example values made from schemas, the same every time.
import type { Schema } from './schema-parts.js';

const TEXTS: Record<string, string> = {
  'date-time': '2024-03-02T10:15:00+00:00',
  date: '2024-03-02',
  time: '10:15:00',
  'uri-reference': 'https://example.org/about/',
  uri: 'https://example.org/about/',
  email: 'ann@example.org',
  uuid: '6f1c9f4e-3c1a-4b7e-9d53-0a2b8c6d4e1f',
  decimal: '12.50',
};

/** A value that a schema allows; references are left out of objects. */
export function exampleOf(schema: Schema): unknown {
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[])[0];
  const either = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (either) return exampleOf(either[0]!);
  const { type: types } = schema;
  switch ([types].flat().find((name) => name !== 'null')) {
    case 'integer':
    case 'number':
      return Math.max(Number(schema['minimum'] ?? 1), 1);
    case 'boolean':
      return true;
    case 'array':
      return schema['items'] ? [exampleOf(schema['items'] as Schema)] : [];
    case 'object':
      return exampleObject(schema);
    default:
      return exampleText(schema);
  }
}

function exampleObject({ properties = {}, required }: Schema): Record<string, unknown> {
  const all = Object.entries(properties as Record<string, Schema>);
  const names = required as string[] | undefined;
  const shown = all.filter(([name, member]) => !member['$ref'] && (names?.includes(name) ?? true));
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleOf(member)]));
}

function exampleText(schema: Schema): string {
  const pattern = String(schema['pattern'] ?? '');
  if (pattern.startsWith('^\\d{4}-\\d{2}')) return '2024-03-02T10:15:00';
  const format = TEXTS[String(schema['format'])];
  const text = format ?? 'Words';
  return text.padEnd(Number(schema['minLength'] ?? 0), '.');
}
