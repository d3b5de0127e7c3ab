// Resolves the field a filter works on and builds predicates over it; reports a problem of the schema file otherwise.
import type { ResourceModel } from '../model.js';
import { and, not, oneOf, type Predicate } from '../query.js';
import type { ParamSchema, Scalar } from '../schema/schema.js';
import type { ValueSchema } from '../schema/value-schema.js';
import type { FieldSchema } from '../schema/field-schema.js';
import type { FieldModel } from '../field.js';
import type { Report } from '../option-check.js';

/** Types stored as JSON: their columns cannot be compared with a scalar. */
const STRUCTURES = ['array', 'object', 'json'];

/** Types whose values can be filtered individually. */
export const FILTERABLE_TYPES: readonly string[] =
  'id integer number decimal boolean string text slug date datetime time uuid email uri reference references strings'.split(
    ' ',
  );

const INTEGER_TYPES = new Set(['id', 'integer', 'reference', 'references']);

/** JSON Schema of a decimal number as text. */
const DECIMAL: ValueSchema = { type: 'string', format: 'decimal' };

/** Formats of the types whose values are days and times. */
const FORMATS: Readonly<Record<string, string>> = { date: 'date', datetime: 'date-time', time: 'time' };

/** JSON Schema of a list of values of the field's type. */
export function listFor({ type }: FieldSchema): ValueSchema {
  if (type === 'decimal') return { type: 'array', items: DECIMAL };
  const format = FORMATS[type];
  if (format !== undefined) return { type: 'array', items: { type: 'string', format } };
  const items = INTEGER_TYPES.has(type) ? 'integer' : type === 'number' || type === 'boolean' ? type : 'string';
  return { type: 'array', items: { type: items } };
}

/** Keys of a parameter with a list of values of the field: they come in the form in which they are stored. */
export function listKeysFor(field: FieldSchema): ParamSchema {
  const { type } = field;
  if (type === 'slug') return { normalize: 'slug' };
  if (type === 'reference' || type === 'references') return { default: [] };
  const known = knownValues(field);
  const list = listFor(field);
  return known ? { ...list, items: { ...list.items, enum: known } } : {};
}

/** Keys of a parameter with one value of the field. */
export function valueKeysFor(field: FieldSchema): ParamSchema {
  const known = knownValues(field);
  return known ? { enum: known } : {};
}

/** Types whose values have one spelling, so that what is sent equals what the schema lists. */
const CANONICAL_TYPES: readonly string[] = ['string', 'text', 'integer', 'number', 'strings'];

/**
 * All values that rows may have; undefined where they are not known. Any other value is probably mistyped and would
 * match nothing without an error.
 */
function knownValues({ type, customType, enum: own, items, allowStored = [] }: FieldSchema): Scalar[] | undefined {
  const allowed = type === 'strings' ? items?.enum : own;
  // A type of an extension may store other spellings of what is sent.
  if (!allowed || customType !== undefined || !CANONICAL_TYPES.includes(type) || allowStored.includes('*'))
    return undefined;
  return [...new Set([...allowed, ...allowStored])].filter((value) => value !== null);
}

/**
 * The field named by `field`, or by the parameter itself. Reports a problem when there is none, when it is not stored
 * as `storage` requires (in a column; `any` also accepts a join table), or when it has none of the `types`.
 */
export function filterableField(
  param: ParamSchema & { name: string },
  model: ResourceModel,
  report: Report,
  storage: 'column' | 'any' = 'column',
  types?: readonly string[],
): FieldModel | undefined {
  const name = param.field ?? param.name;
  const field = model.fields.get(name);
  const stored = field?.column || (storage === 'any' && field?.many);
  if (stored && (types?.includes(field.type) ?? !STRUCTURES.includes(field.type))) return field;
  const looks = stored && types ? `, only at ${types.join(', ')}` : '';
  const reason = field ? `it cannot look at the type ${field.type}${looks}` : 'there is no such field';
  report(
    ['params', param.name, ...(param.field ? ['field'] : [])],
    `the filter needs a stored field; "${name}": ${reason}`,
  );
  return undefined;
}

/** Rows whose field contains at least one of the values, in its column or its join table. */
export function containsAny(field: FieldModel, values: readonly Scalar[]): Predicate {
  if (!field.many) return oneOf(field.column!, field.compared ? values.map(field.compared) : values);
  if (values.length === 0) return { op: 'false' };
  return {
    op: 'exists',
    table: field.many.table,
    outer: 'id',
    inner: 'owner_id',
    where: oneOf(field.many.value, values),
  };
}

/** Rows whose field contains all of the values. */
export function holdsAll(field: FieldModel, values: readonly Scalar[]): Predicate {
  if (!field.many) return values.length === 1 ? containsAny(field, values) : { op: 'false' };
  return and(...values.map((value) => containsAny(field, [value])));
}

/** Rows whose field contains none of the values. */
export function holdsNone(field: FieldModel, values: readonly Scalar[]): Predicate {
  return values.length === 0 ? { op: 'true' } : not(containsAny(field, values));
}
