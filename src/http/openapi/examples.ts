// Example values made from schemas, the same every time.
import { exampleOfPattern } from './pattern-example.js';
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
/** Texts by the beginning of the patterns of dates and times. */
const MOMENTS = { '^\\d{4}-\\d{2}': '2024-03-02T10:15:00', '^(?:[01]\\d|2[0-3]):': '10:15:00' };

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

/** 1 if it fits, else a number near a bound, or between them. */
function exampleNumber(schema: Schema): number {
  const low = Math.max(...numbers(schema, 'minimum', 'exclusiveMinimum'), -Infinity);
  const high = Math.min(...numbers(schema, 'maximum', 'exclusiveMaximum'), Infinity);
  const near = [1, low, low + 1, high, high - 1, (low + high) / 2].filter(Number.isFinite);
  const [step] = numbers(schema, 'multipleOf');
  const { type, exclusiveMinimum, exclusiveMaximum } = schema;
  const isWhole = [type].flat().includes('integer');
  const steps = step === undefined ? [] : near.flatMap((value) => multiplesNear(value, step));
  const fits = (value: number) =>
    value >= low &&
    value <= high &&
    value !== exclusiveMinimum &&
    value !== exclusiveMaximum &&
    (!isWhole || Number.isInteger(value)) &&
    (step === undefined || steps.includes(value));
  return [...near, ...steps].find(fits) ?? 1;
}

function numbers(schema: Schema, ...names: string[]): number[] {
  return names.map((name) => schema[name]).filter((value) => typeof value === 'number');
}

function multiplesNear(value: number, step: number): number[] {
  const below = Math.floor(value / step);
  return [below, below + 1].map((times) => Number((times * step).toPrecision(15)));
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

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

function exampleDecimal(schema: Schema): string {
  const { pattern = '' } = schema;
  const fits = numbers(schema, ...BOUNDS).length === 0 && new RegExp(String(pattern)).test(TEXTS['decimal']!);
  return fits ? TEXTS['decimal']! : String(exampleNumber(schema));
}

function exampleText(schema: Schema): string | undefined {
  const { pattern, format, minLength = 0, maxLength = Infinity } = schema;
  if (format === 'decimal') return exampleDecimal(schema);
  if (typeof pattern === 'string')
    return Object.entries(MOMENTS).find(([start]) => pattern.startsWith(start))?.[1] ?? exampleOfPattern(pattern);
  const text = TEXTS[String(format)] ?? 'Words'.slice(0, Number(maxLength));
  return text.padEnd(Number(minLength), '.');
}
