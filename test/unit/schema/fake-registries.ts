// A few invented field types, traits, filters and functions, for the specs of this folder.
import type { ComputedFunction, FieldType, Filter } from '../../../src/model/registry.js';
import type { ValueSchema } from '../../../src/model/schema/value-schema.js';
import type { FieldSchema } from '../../../src/model/schema/field-schema.js';
import type { Trait } from '../../../src/model/trait.js';

const KEYWORDS = [
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'items',
  'minItems',
  'maxItems',
  'properties',
] as const;

function type(name: string, json: string, keys: Record<string, ValueSchema> = {}, more: ValueSchema = {}): FieldType {
  const value = (field: FieldSchema) => {
    const schema: Record<string, unknown> = { type: field.nullable ? [json, 'null'] : json };
    for (const keyword of KEYWORDS) if (field[keyword] !== undefined) schema[keyword] = field[keyword];
    return { ...schema, ...more };
  };
  return { name, description: `A ${name}.`, keys, value, compile() {} };
}

const to: ValueSchema = { type: ['string', 'array'], items: { type: 'string' }, required: true };
const computed = type('computed', 'string', { function: { type: 'string' }, options: { type: 'object' }, returns: {} });

const fields: FieldType[] = [
  type('id', 'integer'),
  type('string', 'string', { sanitize: { type: 'string', enum: ['plain', 'none'] } }),
  type('integer', 'integer'),
  type('number', 'number'),
  type('boolean', 'boolean'),
  type('text', 'string'),
  type('object', 'object'),
  type('array', 'array'),
  type('datetime', 'string', { clock: { type: 'string', enum: ['site', 'utc', 'offset'] } }),
  type('reference', 'integer', { to, emptyValue: { enum: [0, null] } }),
  type('references', 'array', { to }, { items: { type: 'integer' } }),
  type('rendered', 'object', { from: { type: 'string' } }, { properties: { raw: { type: 'string' } } }),
  type('meta', 'object', { keys: {} }),
  { ...computed, value: () => ({}) },
];

const traits: Trait[] = [
  {
    name: 'sluggable',
    description: 'Makes a slug.',
    options: {
      from: { type: 'string', required: true },
      length: { type: 'integer', exclusiveMinimum: 1 },
    },
  },
  { name: 'trashable', description: 'Keeps what was deleted.', options: { needs: { format: 'rule' } } },
];

const filters: Filter[] = [
  {
    name: 'equals',
    description: 'Equal to the value.',
    value: { type: 'string' },
    compile: () => undefined,
  },
  {
    name: 'in',
    description: 'One of the ids.',
    value: { type: 'array', items: { type: 'integer' } },
    compile: () => undefined,
  },
  {
    name: 'referencedIn',
    description: 'Through a reference.',
    value: { type: 'string' },
    keys: ['resource'],
    compile: () => undefined,
  },
];

const functions: ComputedFunction[] = [
  {
    name: 'permalink',
    description: 'Address of the page.',
    returns: { type: 'string' },
    options: {},
    reads: () => [],
    compile: () => () => '',
  },
];

export const registries = { fields, traits, filters, functions };
