// Date clauses, joined by AND or OR and nested: `date_query`.
import { toBoolean } from '../../values/coerce.js';
import { isPlainObject } from '../../values/json-value.js';
import { and, or, type DatePart, type Predicate } from '../../model/query.js';
import { membersOf, momentField, plainParams, replace } from './argument-fields.js';
import { MAX_VALUES, textOf } from './argument-values.js';
import { partIs } from './calendar.argument.js';
import { boundOf } from './date-bound.js';
import type { ArgumentKind } from './query-argument.js';
import type { FieldModel } from '../../model/field.js';

const PARTS: ReadonlyMap<string, DatePart> = new Map([
  ['year', 'year'],
  ['month', 'month'],
  ['monthnum', 'month'],
  ['week', 'week'],
  ['w', 'week'],
  ['dayofyear', 'dayOfYear'],
  ['day', 'day'],
  ['dayofweek', 'weekday'],
  ['hour', 'hour'],
  ['minute', 'minute'],
  ['second', 'second'],
]);
const BOUNDS = new Set(['after', 'before']);
const MAX_DEPTH = 6;

interface Reading {
  columns: ReadonlyMap<string, FieldModel>;
  zone: string;
  /** Number of clauses that may still be read. */
  left: number;
}

export const datesArgument: ArgumentKind = {
  name: 'dates',
  keys: ['field', 'columns'],
  description:
    'Clauses of after, before, inclusive, column and calendar parts about the date-time `field` or the one that `columns` gives for `column`; `relation` joins them.',
  compile(model, schema, report) {
    const field = momentField(model, schema['field'], 'field', report);
    const columns = new Map<string, FieldModel>();
    for (const [name, target] of membersOf(schema['columns'] ?? {}, 'columns', report)) {
      const found = momentField(model, target, `columns.${name}`, report);
      if (found) columns.set(name, found);
    }
    if (!field) return undefined;
    const plain = plainParams(model, [field, ...columns.values()], [...BOUNDS]);
    return (value, context) => {
      const reading = { columns, zone: context.op.site.settings.timezone, left: MAX_VALUES };
      const predicate = clause(value, field, reading, MAX_DEPTH);
      if (!predicate) return;
      replace(plain, context);
      context.plan.where.push(predicate);
    };
  },
};

/** Predicate of a clause and its nested ones; undefined for an empty one. */
function clause(value: unknown, inherited: FieldModel, reading: Reading, depth: number): Predicate | undefined {
  if (typeof value !== 'object' || value === null || depth === 0 || reading.left-- <= 0) return undefined;
  const members = Object.entries(value);
  const own = isPlainObject(value) ? value : {};
  const field = reading.columns.get(textOf(member(own, 'column')) ?? '') ?? inherited;
  const conditions = members.flatMap(([name, part]) => condition(name, part, own, field, reading) ?? []);
  const nested = members
    .filter(([name]) => !BOUNDS.has(name))
    .flatMap(([, inner]) => clause(inner, field, reading, depth - 1) ?? []);
  const parts = conditions.length > 0 ? [and(...conditions), ...nested] : nested;
  if (parts.length === 0) return undefined;
  return textOf(member(own, 'relation'))?.toUpperCase() === 'OR' ? or(...parts) : and(...parts);
}

function condition(
  name: string,
  value: unknown,
  own: Record<string, unknown>,
  field: FieldModel,
  reading: Reading,
): Predicate | undefined {
  const column = field.column!;
  const part = PARTS.get(name);
  if (part) return partIs(column, part, value);
  if (!BOUNDS.has(name)) return undefined;
  const inclusive = toBoolean(member(own, 'inclusive')) === true;
  const after = name === 'after';
  const bound = boundOf(value, after === inclusive ? 'first' : 'last', field, reading.zone);
  if (bound === undefined) return undefined;
  return { op: `${after ? 'g' : 'l'}${inclusive ? 'e' : 't'}`, column, value: bound };
}

function member(own: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(own, name) ? own[name] : undefined;
}
