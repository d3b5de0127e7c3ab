// Stage extend: a copy of a written schema with its id and what its traits add.
import type { ResourceSchema } from '../../model/schema/schema.js';
import { tableStorage } from '../../model/schema/storage-schema.js';
import { fieldTypes } from '../../fields/registry.js';
import { traits } from '../../traits/registry.js';
import { impliedBy } from '../grammar/typed-fields.js';
import { applyPreset, takePreset } from '../grammar/permission-presets.js';
import { addFilterParams } from '../grammar/filterable.js';
import { sortTraits } from './trait-order.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { Report } from '../../model/option-check.js';

/** Applies the traits of a schema in their order; returns a copy, which names them in this order. */
export function extendSchema(written: ResourceSchema, report: Report): ResourceSchema {
  const schema = structuredClone(written);
  const preset = takePreset(schema);
  const stored = tableStorage(schema) !== undefined;
  const id: FieldSchema = {
    type: 'id',
    description: 'Unique identifier.',
    ...(schema.singleton ? { hidden: true } : {}),
    ...schema.fields['id'],
  };
  // One that is declared keeps its place.
  if (stored) schema.fields = schema.fields['id'] ? { ...schema.fields, id } : { id, ...schema.fields };
  completeFields(schema, stored);
  applyBases(schema);
  orderTraits(schema, report);
  for (const [name, options] of Object.entries(schema.traits ?? {})) {
    const before = { ...schema.fields };
    traits.get(name)?.extend?.(schema, options, settledBesides(name, schema));
    // The schema file cannot give a former name of a field that a trait adds.
    for (const [field, added] of Object.entries(schema.fields)) if (!(field in before)) added.renamedFrom ??= null;
    for (const [field, own] of Object.entries(before)) {
      if (own.hidden || !schema.fields[field]?.hidden) continue;
      report(['fields', field], `the trait "${name}" adds a column with this name`, 'rename the field');
    }
  }
  applyBases(schema);
  addFilterParams(schema, report);
  applyPreset(schema, preset, report);
  return schema;
}

/** Computed fields need not give their type; fields of static resources are read-only. */
function completeFields(schema: ResourceSchema, stored: boolean): void {
  for (const [name, field] of Object.entries(schema.fields))
    schema.fields[name] = {
      ...impliedBy(field),
      ...(stored ? {} : { readOnly: true }),
      // Without a value the setting is as configured.
      ...(field.setting === undefined ? {} : { nullable: true }),
      ...field,
    };
}

/** Fields of types that extensions base on built-in ones: from here on they are fields of the built-in types. */
function applyBases(schema: ResourceSchema): void {
  for (const [name, field] of Object.entries(schema.fields)) {
    const base = fieldTypes.get(field.type)?.basedOn;
    if (base !== undefined) schema.fields[name] = { ...field, type: base, customType: field.type };
  }
}

/** Fields that the other traits of a schema settle. */
function settledBesides(name: string, schema: ResourceSchema): Set<string> {
  const others = Object.keys(schema.traits ?? {}).filter((other) => other !== name);
  return new Set(others.flatMap((other) => traits.get(other)?.settles ?? []));
}

function orderTraits(schema: ResourceSchema, report: Report): void {
  const { traits: written } = schema;
  if (!written) return;
  const { sorted, circle } = sortTraits(Object.keys(written), traits);
  if (circle.length > 0) report(['traits'], `each of these traits has to come after another one: ${circle.join(', ')}`);
  schema.traits = Object.fromEntries(sorted.map((name) => [name, written[name]!]));
}
