// Example values made from schemas, the same every time.
import { matching } from './pattern-example.js';
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
  ip: '203.0.113.7',
  timezone: 'Europe/Tallinn',
};

/** A value that a schema allows; undefined where none is known. References are left out of objects. */
export function exampleOf(schema: Schema): unknown {
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[])[0];
  const either = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (either) return exampleOf(either[0]!);
  const { type: types } = schema;
  const type = [types].flat().find((name) => name !== 'null');
  switch (type) {
    case 'integer':
    case 'number':
      return exampleNumber(schema);
    case 'boolean':
      return true;
    case 'array':
      return exampleList(schema);
    case 'object':
      return exampleObject(schema);
    default:
      return exampleText(schema);
  }
}

function exampleNumber({ minimum, exclusiveMinimum, maximum, multipleOf }: Schema): number {
  const least = Math.max(Number(minimum ?? 1), Number(exclusiveMinimum ?? 0) + 1, 1);
  const value = Math.min(least, Number(maximum ?? least));
  return multipleOf === undefined ? value : Math.ceil(value / Number(multipleOf)) * Number(multipleOf);
}

function exampleList({ items }: Schema): unknown[] {
  const item = items ? exampleOf(items as Schema) : undefined;
  return item === undefined ? [] : [item];
}

function exampleObject({ properties = {}, required }: Schema): Record<string, unknown> {
  const all = Object.entries(properties as Record<string, Schema>);
  const names = required as string[] | undefined;
  const shown = all.filter(([name, member]) => !member['$ref'] && (names?.includes(name) ?? true));
  const values = shown.map(([name, member]) => [name, exampleOf(member)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

function exampleText({ pattern, format, minLength = 0, maxLength = Infinity }: Schema): string | undefined {
  if (typeof pattern === 'string')
    return pattern.startsWith('^\\d{4}-\\d{2}') ? '2024-03-02T10:15:00' : matching(pattern);
  const text = TEXTS[String(format)] ?? 'Words'.slice(0, Number(maxLength));
  return text.padEnd(Number(minLength), '.');
}
