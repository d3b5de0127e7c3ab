// The field a filter looks at, or a problem in the schema file. Called by the filters at boot.
import type { FieldModel, ResourceModel } from '../model/model.js';
import { and, equals, not, oneOf, type Predicate } from '../model/query.js';
import type { Report } from '../model/registry.js';
import type { FieldSchema, ParamSchema, Scalar, ValueSchema } from '../model/schema.js';

/** Types kept as JSON: nothing in a column equals them. */
const STRUCTURES = ['array', 'object'];

/** Types whose values can be asked for one by one. */
export const HELD: readonly string[] =
  'id integer number boolean string text slug date datetime reference references strings'.split(' ');

const WHOLE = new Set(['id', 'integer', 'reference', 'references']);

/** A list of what such a field holds. */
export function listFor({ type }: FieldSchema): ValueSchema {
  const items = WHOLE.has(type) ? 'integer' : type === 'number' || type === 'boolean' ? type : 'string';
  return { type: 'array', items: { type: items } };
}

/** Field named by `field`, or by the parameter itself; reports when there is none, or none of the `kept` kind or of the `types`. */
export function fieldOf(
  param: ParamSchema & { name: string },
  model: ResourceModel,
  report: Report,
  kept: 'column' | 'any' = 'column',
  types?: readonly string[],
): FieldModel | undefined {
  const name = param.field ?? param.name;
  const field = model.fields.get(name);
  const stored = field?.column || (kept === 'any' && field?.many);
  if (stored && (types?.includes(field.type) ?? !STRUCTURES.includes(field.type))) return field;
  const looks = stored && types ? `, only at ${types.join(', ')}` : '';
  const reason = field ? `it cannot look at the type ${field.type}${looks}` : 'there is no such field';
  report(
    ['params', param.name, ...(param.field ? ['field'] : [])],
    `the filter needs a stored field; "${name}": ${reason}`,
  );
  return undefined;
}

/** Rows whose field holds one of the values: its column, or its table of pairs. */
export function holdsAny(field: FieldModel, values: readonly Scalar[]): Predicate {
  if (!field.many) return oneOf(field.column!, values);
  if (values.length === 0) return { op: 'false' };
  return {
    op: 'exists',
    table: field.many.table,
    outer: 'id',
    inner: 'owner_id',
    where: oneOf(field.many.value, values),
  };
}

/** Rows whose field holds all of the values. */
export function holdsAll(field: FieldModel, values: readonly Scalar[]): Predicate {
  if (!field.many) return values.length === 1 ? equals(field.column!, values[0]!) : { op: 'false' };
  return and(...values.map((value) => holdsAny(field, [value])));
}

/** Rows whose field holds none of the values. */
export function holdsNone(field: FieldModel, values: readonly Scalar[]): Predicate {
  return values.length === 0 ? { op: 'true' } : not(holdsAny(field, values));
}
