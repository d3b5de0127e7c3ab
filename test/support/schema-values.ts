// Values that the schemas of an OpenAPI document allow.
import * as fc from 'fast-check';
import type { OpenApiDocument, Schema } from './openapi-document.js';

const DATE = '^\\d{4}-\\d{2}';
const TEXTS: Record<string, string[]> = {
  'date-time': ['2024-03-02T10:15:00Z', '1999-12-31T23:59:59+02:00'],
  date: ['2024-03-02', '2000-02-29'],
  time: ['10:15:00', '23:59:59'],
  email: ['ann@example.org', 'bob@example.org'],
  uri: ['https://example.org/', 'https://example.org/a?b=c'],
  uuid: ['6f1c9f4e-3c1a-4b7e-9d53-0a2b8c6d4e1f', '00000000-0000-4000-8000-000000000000'],
  decimal: ['12.50', '0', '-3.1'],
  ip: ['127.0.0.1', '::1'],
};

/** Arbitraries made from schemas. */
export class SchemaValues {
  constructor(private readonly document: OpenApiDocument) {}

  /** A value that a schema allows. */
  of(given: Schema): fc.Arbitrary<unknown> {
    const schema = this.document.resolve(given);
    if ('const' in schema) return fc.constant(schema['const']);
    if (schema['enum']) return fc.constantFrom(...schema['enum']);
    const either: Schema[] | undefined = schema['anyOf'] ?? schema['oneOf'];
    if (either) return fc.oneof(...either.map((each) => this.of(each)));
    if (schema['allOf']) return this.allOf(schema['allOf']);
    const types: string[] = [schema['type'] ?? []].flat();
    if (types.length === 0) return fc.constantFrom('x', 5, true, null, ['a'], { a: 1 });
    return fc.oneof(...types.map((type) => this.ofType(type, schema)));
  }

  private allOf(parts: Schema[]): fc.Arbitrary<unknown> {
    return fc
      .tuple(...parts.map((part) => this.of(part)))
      .map((values) => (values.length === 1 ? values[0] : Object.assign({}, ...values)));
  }

  private ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return numberOf(schema, type === 'integer');
      case 'array':
        return fc.array(this.of(schema['items'] ?? {}), {
          minLength: schema['minItems'] ?? 0,
          maxLength: Math.min(schema['maxItems'] ?? 3, 3),
        });
      case 'object':
        return this.objectOf(schema);
      default:
        return textOf(schema);
    }
  }

  private objectOf({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
    const all = Object.entries<Schema>(properties);
    const members = fc
      .subarray(all, { maxLength: Math.min(all.length, 6) })
      .chain((some) =>
        fc.tuple(
          ...all
            .filter((each) => some.includes(each) || required.includes(each[0]))
            .map(([name, member]) => fc.tuple(fc.constant(name), this.of(member))),
        ),
      )
      .map((pairs) => Object.fromEntries(pairs));
    if (typeof additionalProperties !== 'object' || all.length > 0) return members;
    return fc.dictionary(fc.constantFrom('a', 'title', 'date', 'id'), this.of(additionalProperties), {
      maxKeys: 2,
    });
  }
}

function numberOf(schema: Schema, whole: boolean): fc.Arbitrary<number> {
  const min = schema['minimum'] ?? (schema['exclusiveMinimum'] !== undefined ? schema['exclusiveMinimum'] + 1 : 0);
  const max =
    schema['maximum'] ?? (schema['exclusiveMaximum'] !== undefined ? schema['exclusiveMaximum'] - 1 : min + 30);
  const step = schema['multipleOf'] ?? (whole ? 1 : 0.25);
  return fc
    .integer({ min: Math.ceil(min / step), max: Math.floor(Math.min(max, min + 60) / step) })
    .map((steps) => steps * step);
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  const { pattern, format } = schema;
  if (pattern?.startsWith(DATE))
    return fc.constantFrom('2024-03-02T10:15:00', '2024-03-02T10:15:00Z', '2021-06-30 00:00:00');
  if (pattern) return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, schema['maxLength'] ?? 200));
  if (format && TEXTS[format]) return fc.constantFrom(...TEXTS[format]);
  const least = schema['minLength'] ?? 0;
  const words = fc.constantFrom('Some words', 'Ärzte & Söhne', '<b>bold</b>', 'a-b', '12', 'x'.repeat(30));
  const any = fc.string({ minLength: least, maxLength: Math.max(least, Math.min(schema['maxLength'] ?? 20, 40)) });
  return fc.oneof(words, any);
}
