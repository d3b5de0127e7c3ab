// The schemas of items as they are shown, one per context.
import type { ResourceModel } from '../../model/model.js';
import { CONTEXTS, isReading, type Context } from '../../model/schema/schema.js';
import { asShown } from '../resource/schema-document.js';
import { exampleOf } from './examples.js';
import { openApiSchema } from './json-schema-31.js';
import type { Schema } from './schema-parts.js';
import { eachMember, SENT, TIME, withDefaults } from './sent-schemas.js';
import type { MemberSchema, ValueSchema } from '../../model/schema/value-schema.js';
import type { FieldModel } from '../../model/field.js';

/** Date and time as it is shown without an offset. */
const LOCAL = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$';
/** A time of day as it is shown, empty ones included. */
const SHOWN_TIME = `${TIME}|^$`;
/** Keywords for values sent: a text that is sanitized, or was stored under another rule, need not satisfy them. */
const SENT_ALONE = ['default', 'x-context', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems'];
/** Formats of shown values, by format of the field; others are left out, since an empty text does not have them. */
const LOOSE: Record<string, string | undefined> = {
  uri: 'uri-reference',
  'date-time': 'date-time',
  date: 'date',
  decimal: 'decimal',
};

/** Name of the schema of an item in a context: `PostEdit`. */
export function itemSchemaName(model: ResourceModel, context: Context): string {
  return `${model.typeName}${context[0]!.toUpperCase()}${context.slice(1)}`;
}

/** The contexts that an item is described in. Those of a write are named even where they show nothing. */
export function contextsOf({ contexts, operations }: ResourceModel): readonly Context[] {
  return [...operations].every(isReading) ? CONTEXTS.filter((context) => contexts.includes(context)) : CONTEXTS;
}

/** An item in a context. What every caller sees is required; `_fields` leaves out the rest. */
export function itemSchema(model: ResourceModel, context: Context, links: Schema): Schema {
  const shown = [...model.fields.values()].filter(
    (field) => !field.hidden && field.contexts.has(context) && (model.view?.fields?.has(field.name) ?? true),
  );
  const required = shown
    .filter((field) => !field.readRules && !field.sometimes && isInEveryRow(field, model))
    .map(({ name }) => name);
  const schema: Schema = {
    type: 'object',
    description: `${model.description} As shown in the context ${context}, without _fields.`,
    properties: {
      ...Object.fromEntries(shown.map((field) => [field.name, shownSchema(field, context, model)])),
      _links: links,
      _embedded: { type: 'object', description: 'What the links lead to, by relation; with _embed.' },
    },
    ...(required.length > 0 ? { required } : {}),
  };
  return { ...schema, examples: [exampleOf(schema)] };
}

/** A row of a static resource shows the members that it was given. */
function isInEveryRow({ column }: FieldModel, model: ResourceModel): boolean {
  return !column || (model.static?.rows.every((row) => row[column] !== undefined) ?? true);
}

function shownSchema(field: FieldModel, context: Context, model: ResourceModel): Schema {
  const schema = loosen(openApiSchema(inContext(asShown(field), context)));
  if (field.type === 'datetime' && (field.schema.clock ?? 'offset') !== 'offset') {
    delete schema['format'];
    schema['pattern'] = LOCAL;
  }
  if (field.type === 'string' || field.type === 'text') momentAsSent(schema);
  if (mayBeEmpty(field)) {
    delete schema['format'];
    if (schema['pattern'] === SENT) delete schema['pattern'];
  }
  // An object that nobody has sent has no members.
  if (field.type === 'object' && !field.required && schema['required'] && isEmptyObject(field.defaultValue))
    delete schema['required'];
  if (field.meta) schema['properties'] = withDefaults(schema['properties'] as Record<string, Schema>, field.meta.keys);
  if (field.type === 'rendered') schema['required'] = Object.keys(schema['properties'] as object);
  const choices = choicesOf(field, model);
  if (choices) schema['enum'] = choices;
  else delete schema['enum'];
  return schema;
}

/** Whether items show an empty text where nobody has sent a value, which no format allows. */
function mayBeEmpty({ defaultValue, schema }: FieldModel): boolean {
  return defaultValue === '' && !schema.required && !schema.readOnly;
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** A text with the form of a date and time is shown as it was sent, with an offset or without one. */
function momentAsSent(schema: Schema): void {
  if (schema['format'] !== 'date-time' || schema['readOnly']) return;
  delete schema['format'];
  schema['pattern'] = SENT;
}

/** Values that a field may have, stored ones included; undefined where there is no list of them. */
function choicesOf({ schema, json, column }: FieldModel, { faces }: ResourceModel): unknown[] | undefined {
  if (!json.enum || schema.allowStored?.includes('*')) return undefined;
  const { status = '', rows } = faces.trash ?? {};
  const states = rows && 'column' in rows && rows.column === column ? [status] : [];
  const initial = schema.default === undefined ? [] : [schema.default];
  return [...new Set([...json.enum, ...(schema.allowStored ?? []), ...states, ...initial])];
}

/** A field without the members that a context does not show. */
function inContext(value: ValueSchema, context: Context): ValueSchema {
  if (!value.properties) return value;
  const isShown = (member: MemberSchema & { context?: readonly Context[] }) =>
    member.context?.includes(context) ?? true;
  const members = Object.entries(value.properties).filter(([, member]) => isShown(member));
  return { ...value, properties: Object.fromEntries(members) };
}

function loosen(schema: Schema): Schema {
  const shared = Object.fromEntries(Object.entries(schema).filter(([name]) => !SENT_ALONE.includes(name)));
  if (shared['format'] === 'time') shared['pattern'] = SHOWN_TIME;
  if (typeof shared['format'] === 'string') {
    // URLs that clients send are sanitized, but need not be well-formed.
    const format = shared['format'] === 'uri' && !shared['readOnly'] ? undefined : LOOSE[shared['format']];
    if (format === undefined) delete shared['format'];
    else shared['format'] = format;
  }
  return eachMember(shared, (member) => {
    const shown = loosen(member);
    momentAsSent(shown);
    return shown;
  });
}
