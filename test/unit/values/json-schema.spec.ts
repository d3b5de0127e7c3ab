// JSON Schema as published: arguments of OPTIONS and draft-04 properties.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { argSchema, draft04 } from '../../../src/values/json-schema.js';
import type { ValueSchema } from '../../../src/model/schema/value-schema.js';
import type { FieldSchema } from '../../../src/model/schema/field-schema.js';

const title: ValueSchema = {
  type: 'object',
  description: 'The title.',
  required: true,
  properties: {
    raw: { type: 'string', contexts: ['edit'], required: true },
    rendered: { type: 'string', contexts: ['view', 'edit', 'embed'], readOnly: true },
  },
};

describe('argSchema', () => {
  it('keeps contexts of members, and a boolean required', () => {
    expect(argSchema(title)).toEqual({
      type: 'object',
      description: 'The title.',
      required: true,
      properties: {
        raw: { type: 'string', context: ['edit'], required: true },
        rendered: { type: 'string', context: ['view', 'edit', 'embed'], readonly: true },
      },
    });
  });

  it('V-12 keeps JSON Schema keywords only', () => {
    const field: FieldSchema = {
      type: 'integer',
      minimum: 1,
      column: 'n',
      contexts: ['edit'],
      readOnly: true,
      to: 'user',
      index: true,
    };
    expect(argSchema(field)).toEqual({ type: 'integer', minimum: 1, required: false });
  });

  it('presents a list parameter unchanged', () => {
    const include: ValueSchema = { type: 'array', items: { type: 'integer' }, default: [], uniqueItems: true };
    expect(argSchema(include)).toEqual({ ...include, required: false });
  });
});

describe('draft04', () => {
  it('turns the required of members into a list', () => {
    expect(draft04(title)).toEqual({
      type: 'object',
      description: 'The title.',
      required: ['raw'],
      properties: {
        raw: { type: 'string', context: ['edit'] },
        rendered: { type: 'string', context: ['view', 'edit', 'embed'], readonly: true },
      },
    });
  });

  it('includes null in the type and in the enum', () => {
    expect(draft04({ type: 'string', enum: ['a'], nullable: true } as ValueSchema)).toEqual({
      type: ['string', 'null'],
      enum: ['a', null],
    });
    expect(draft04({ type: ['string', 'null'] })).toEqual({ type: ['string', 'null'] });
    expect(draft04({ type: ['string'] })).toEqual({ type: 'string' });
  });

  it.each<[ValueSchema, ValueSchema]>([
    [{ exclusiveMinimum: 0 }, { minimum: 0, exclusiveMinimum: true }],
    [{ exclusiveMaximum: 9 }, { maximum: 9, exclusiveMaximum: true }],
    [{ minimum: 2, exclusiveMinimum: 1 }, { minimum: 2 }],
    [
      { minimum: 1, exclusiveMinimum: 1 },
      { minimum: 1, exclusiveMinimum: true },
    ],
    [{ maximum: 1, exclusiveMaximum: 2 }, { maximum: 1 }],
    [
      { minimum: 0, maximum: 5 },
      { minimum: 0, maximum: 5 },
    ],
  ])('marks exclusive bounds: %j', (written, published) => {
    expect(draft04(written)).toEqual(published);
    expect(draft04(draft04(written))).toEqual(published);
  });

  it('does not change the written schema', () => {
    const before = structuredClone(title);
    argSchema(title);
    draft04(title);
    expect(title).toEqual(before);
  });

  it('is valid for any written schema', () => {
    fc.assert(
      fc.property(anySchema, (written) => {
        expect(problems(draft04(written))).toEqual([]);
      }),
    );
  });
});

const { anySchema } = fc.letrec<{ anySchema: ValueSchema }>((tie) => ({
  anySchema: fc.record<ValueSchema>(
    {
      type: fc.constantFrom('object', 'array', 'string', 'number', ['string', 'null'], ['object', 'null'], ['integer']),
      required: fc.oneof(fc.boolean(), fc.constantFrom<string[]>(['a', 'b', 'a'], [])),
      enum: fc.constantFrom([], ['x'], ['x', 'x', null]),
      minimum: fc.integer(),
      exclusiveMinimum: fc.integer(),
      exclusiveMaximum: fc.integer(),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('anySchema'), { depthIdentifier: 'd', maxKeys: 2 }),
      items: fc.option(tie('anySchema'), { nil: undefined, depthIdentifier: 'd', maxDepth: 3 }),
      additionalProperties: fc.option(tie('anySchema'), { nil: false, depthIdentifier: 'd', maxDepth: 3 }),
      anyOf: fc.array(tie('anySchema'), { depthIdentifier: 'd', maxLength: 2 }),
    },
    { requiredKeys: [] },
  ),
}));

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const unique = (list: unknown[]): boolean => list.length > 0 && new Set(list).size === list.length;

// The rules of the draft-04 meta-schema that our schemas could break.
function problems(schema: Record<string, any>, path = '#'): string[] {
  const found: string[] = [];
  const check = (fine: boolean, what: string): void => void (fine || found.push(`${path} ${what}`));
  if ('type' in schema) {
    check(unique([schema['type']].flat()) && [schema['type']].flat().every((type) => TYPES.includes(type)), 'type');
  }
  if ('required' in schema) check(Array.isArray(schema['required']) && unique(schema['required']), 'required');
  if ('enum' in schema) check(unique(schema['enum']), 'enum');
  if ('exclusiveMinimum' in schema)
    check(typeof schema['exclusiveMinimum'] === 'boolean' && 'minimum' in schema, 'exclusiveMinimum');
  if ('exclusiveMaximum' in schema)
    check(typeof schema['exclusiveMaximum'] === 'boolean' && 'maximum' in schema, 'exclusiveMaximum');
  if ('anyOf' in schema) check(schema['anyOf'].length > 0, 'anyOf');
  for (const key of ['readOnly', 'contexts', 'nullable']) check(!(key in schema), key);
  const below: [string, any][] = [
    ...Object.entries<any>(schema['properties'] ?? {}),
    ...(schema['items'] ? [['items', schema['items']] as [string, any]] : []),
    ...(schema['additionalProperties'] ? [['additional', schema['additionalProperties']] as [string, any]] : []),
    ...(schema['anyOf'] ?? []).map((form: any, index: number) => [`anyOf${index}`, form]),
  ];
  return [...found, ...below.flatMap(([name, member]) => problems(member, `${path}/${name}`))];
}
