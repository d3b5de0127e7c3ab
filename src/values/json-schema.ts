// JSON Schema as published to clients: arguments of OPTIONS and draft-04 properties.
import type { Context } from '../model/schema/schema.js';
import { boundsOf } from './bounds.js';
import { requiredMembers } from './object-rule.js';
import type { ValueSchema } from '../model/schema/value-schema.js';

/** A published property, with `context` and `readonly` under their public names and the bounds of draft 4. */
export type PublishedSchema = ValueSchema & { context?: Context[]; readonly?: boolean };

type Written = ValueSchema & {
  contexts?: readonly Context[];
  readOnly?: boolean;
  context?: Context[];
  readonly?: boolean;
  nullable?: boolean;
};

const PLAIN = [
  'title',
  'description',
  'default',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const satisfies readonly (keyof ValueSchema)[];

/** An argument of OPTIONS: the published keywords and a boolean `required`, nothing else. */
export function argSchema(schema: ValueSchema): ValueSchema & { required?: boolean } {
  const { context: _context, readonly: _readonly, required: names, ...arg } = draft04(schema);
  // `required` means here that the argument must be sent, so the required names of an object move to its members.
  for (const name of Array.isArray(names) ? names : []) {
    const member = arg.properties?.[name];
    if (member && !Array.isArray(member.required)) member.required = true;
  }
  return { ...arg, required: schema.required === true };
}

/** A property as valid draft-04 schema, members included. Always a new object. */
export function draft04(schema: ValueSchema): PublishedSchema {
  const written = schema as Written;
  const published: PublishedSchema = {};
  const type = typesOf(written);
  if (type !== undefined) published.type = type;
  const plain = { ...written, ...draft4Bounds(written) };
  for (const keyword of PLAIN)
    if (plain[keyword] !== undefined) Object.assign(published, { [keyword]: plain[keyword] });
  if (written.enum && written.enum.length > 0) published.enum = enumOf(written, published.type);
  nest(published, written);
  const required = requiredNames(written);
  if (required.length > 0) published.required = required;
  const context = written.context ?? written.contexts;
  if (context) published.context = [...context];
  if (written.readonly ?? written.readOnly) published.readonly = true;
  return published;
}

function typesOf(schema: Written): string | string[] | undefined {
  if (schema.type === undefined) return undefined;
  const types = new Set([schema.type].flat());
  if (schema.nullable) types.add('null');
  return types.size > 1 ? [...types] : [...types][0];
}

function enumOf(schema: Written, type: string | string[] | undefined): ValueSchema['enum'] {
  const values = new Set(schema.enum);
  // The enum would reject `null` even if the type allows it.
  if (Array.isArray(type) && type.includes('null')) values.add(null);
  return [...values];
}

// Draft 4 has one bound on each side, and a mark when it is exclusive.
function draft4Bounds(written: Written): ValueSchema {
  const { lower, upper } = boundsOf(written);
  return {
    minimum: lower?.value,
    maximum: upper?.value,
    exclusiveMinimum: lower?.exclusive || undefined,
    exclusiveMaximum: upper?.exclusive || undefined,
  };
}

function requiredNames(schema: Written): string[] {
  const types = [schema.type ?? 'object'].flat();
  return types.includes('object') ? requiredMembers(schema).sort() : [];
}

function nest(published: PublishedSchema, schema: ValueSchema): void {
  if (schema.items) published.items = draft04(schema.items);
  if (schema.properties) published.properties = mapped(schema.properties);
  if (schema.patternProperties) published.patternProperties = mapped(schema.patternProperties);
  const additional = schema.additionalProperties;
  if (additional !== undefined)
    published.additionalProperties = typeof additional === 'object' ? draft04(additional) : additional;
  if (schema.anyOf?.length) published.anyOf = schema.anyOf.map(draft04);
  if (schema.oneOf?.length) published.oneOf = schema.oneOf.map(draft04);
}

function mapped(members: Record<string, ValueSchema>): Record<string, PublishedSchema> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, draft04(member)]));
}
