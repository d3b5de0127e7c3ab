// The schemas of the values that clients send, in bodies and queries.
import type { FieldModel } from '../../model/field.js';
import type { MetaKeyModel } from '../../model/shown.js';
import type { Argument } from '../resource/argument-documents.js';
import { openApiSchema } from './json-schema-31.js';
import type { Schema } from './schema-parts.js';

/** Date and time as it may be sent. */
export const SENT = '^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}(:\\d{2})?)?$';
/** A time of day, which has no offset as the format `time` demands. */
export const TIME = '^(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?$';

const COLOUR = '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$';

/** Keywords that the default of a meta key may violate. */
const LIMITING = [
  'format',
  'pattern',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'minItems',
  'minProperties',
  'required',
  'anyOf',
  'oneOf',
];

/** A value of a body. Its default is part of the description: such a value need not be sent. */
export function sentSchema(field: FieldModel | undefined, argument: Argument, kind: 'create' | 'update'): Schema {
  const { default: initial, ...schema } = openApiSchema(argument);
  const { description = '' } = schema;
  const defaultText =
    initial === undefined || initial === null || initial === '' ? '' : ` Default: ${JSON.stringify(initial)}.`;
  const sent = sendable({
    ...schema,
    ...(description || defaultText ? { description: `${description as string}${defaultText}`.trim() } : {}),
  });
  if (!field) return sent;
  Object.assign(sent, field.limits?.());
  const complete = field.type === 'rendered' ? renderedText(sent, argument) : orEmpty(field, sent);
  return kind === 'update' ? orAsStored(field, complete) : complete;
}

/** A rendered text as it is sent. An object without `raw`, as the contexts view and embed show it, counts as not sent. */
function renderedText({ description }: Schema, { required }: Argument): Schema {
  const raw = { type: 'string', description: 'The text.' };
  const object = { type: 'object', properties: { raw }, ...(required ? { required: ['raw'] } : {}) };
  return { description, anyOf: [raw, object] };
}

/** An optional text of a certain form may be emptied. */
function orEmpty({ name, rule }: FieldModel, sent: Schema): Schema {
  const formed = sent['format'] !== undefined || sent['pattern'] !== undefined;
  return formed && !('issue' in rule('', name)) ? orElse(sent, { type: 'string', enum: [''] }) : sent;
}

/** What is stored, or shown while nothing is, may be sent back although a new item could not have it. */
function orAsStored(field: FieldModel, sent: Schema): Schema {
  const { type, meta, schema, createRule } = field;
  if (meta)
    return { ...sent, properties: withDefaults((sent['properties'] ?? {}) as Record<string, Schema>, meta.keys) };
  if (type === 'object' && createRule) return orElse(sent, { type: 'object', additionalProperties: false });
  if (!schema.allowStored || !Array.isArray(sent['enum'])) return sent;
  const { enum: choices, ...any } = sent;
  return schema.allowStored.includes('*')
    ? any
    : { ...sent, enum: [...new Set([...(choices as unknown[]), ...schema.allowStored])] };
}

/** A value, or another. */
function orElse({ description, ...value }: Schema, other: Schema): Schema {
  return { ...(description === undefined ? {} : { description }), anyOf: [value, other] };
}

/** A value of a query or a body: dates and times are taken without an offset too, members that are only shown are left out. */
export function sendable(schema: Schema): Schema {
  const { properties, 'x-context': _context, ...rest } = schema;
  const pattern = { 'date-time': SENT, time: TIME, 'hex-color': COLOUR }[String(rest['format'])];
  if (pattern) delete rest['format'];
  // Any text is accepted and sanitized.
  if (rest['format'] === 'uri') delete rest['format'];
  const plain = {
    ...rest,
    ...(pattern ? { pattern } : {}),
    ...(properties ? { properties: sentMembers(schema) } : {}),
  };
  return eachMember(plain, sendable);
}

/** Members that are only shown are ignored where they are sent back: they are named where others are refused. */
function sentMembers({ properties, additionalProperties }: Schema): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties as Record<string, Schema>).flatMap(([name, member]) => {
      if (!member['readOnly']) return [[name, member]];
      return additionalProperties === false ? [[name, { readOnly: true }]] : [];
    }),
  );
}

/**
 * Meta keys show their default where nothing is stored, whether their own schema allows it or not, and an update may send
 * it back.
 */
export function withDefaults(
  properties: Record<string, Schema>,
  keys: readonly MetaKeyModel[],
): Record<string, Schema> {
  const changed = { ...properties };
  for (const { name, key, single, hidden, rule, default: initial } of keys) {
    const { description, ...schema } = changed[name] ?? {};
    if (hidden || !single || !('issue' in rule(initial, key)) || !LIMITING.some((keyword) => keyword in schema))
      continue;
    changed[name] = { ...(description ? { description } : {}), anyOf: [schema, { const: initial }] };
  }
  return changed;
}

/** A schema whose members are changed. */
export function eachMember(schema: Schema, change: (member: Schema) => Schema): Schema {
  const changed = { ...schema };
  for (const name of ['items', 'additionalProperties'])
    if (typeof changed[name] === 'object' && changed[name] !== null) changed[name] = change(changed[name] as Schema);
  for (const name of ['anyOf', 'oneOf'])
    if (Array.isArray(changed[name])) changed[name] = (changed[name] as Schema[]).map(change);
  for (const name of ['properties', 'patternProperties'])
    if (changed[name])
      changed[name] = Object.fromEntries(
        Object.entries(changed[name] as Record<string, Schema>).map(([key, member]) => [key, change(member)]),
      );
  return changed;
}
