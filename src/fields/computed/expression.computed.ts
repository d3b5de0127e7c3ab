// Values calculated from other fields of an item, and from the items that refer to it.
import { decimalOf } from '../../model/functions/decimal.js';
import type { ResourceModel } from '../../model/model.js';
import type { AggregateModel } from '../../model/shown.js';
import { and, equals, FALSE, not, oneOf, or, TRUE, type Predicate } from '../../model/query.js';
import { guardOf, withGuard } from '../../model/functions/readers.js';
import type { ComputedFunction } from '../../model/registry.js';
import {
  aggregatesIn,
  compileExpression,
  fieldsIn,
  type Expression,
  type Names,
  type WrittenAggregate,
} from './expression.js';
import { FIELD_TYPES, schemaOf, toView, type ExpressionType, type Node } from './expression-node.js';
import { formulaTexts } from './formula-text.js';
import type { OptionCheck, Place } from '../../model/option-check.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { ResourceSchema, Scalar } from '../../model/schema/schema.js';

const SUMMED = ['integer', 'number', 'decimal'];
/** Types of fields that `where` takes, and what their values are. */
const COMPARED: Readonly<Record<string, (value: Scalar) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isSafeInteger,
  reference: Number.isSafeInteger,
  decimal: (value) => typeof value !== 'boolean' && decimalOf(value) !== undefined,
  string: (value) => typeof value === 'string',
  date: (value) => typeof value === 'string',
};
const ORDERED = [...SUMMED, 'date', 'datetime'];

export const expression: ComputedFunction = {
  name: 'expression',
  description:
    'A value calculated from fields of the item and of the items that refer to it; null where one is missing.',
  returns: {},
  options: {
    value: { format: 'expression', required: true, description: 'The expression.' },
    as: {
      type: 'string',
      enum: ['string', 'number'],
      description: 'How a decimal is shown: as text (default) or number.',
    },
  },
  check(check, { value, as }) {
    for (const { at, text, field } of formulaTexts(value, (name) => Object.hasOwn(check.schema.fields, name)))
      check.warn(
        ['value', ...at],
        `the constant text ${JSON.stringify(text)}, and not the value of the field "${field}"`,
        `the value of a field is {"field": "${field}"}, and operators are written as {"add": [a, b]}`,
      );
    const node = compileExpression(value as Expression, namesIn(check), ['value']);
    if (node && as && node.type.kind !== 'decimal')
      check.fail(['as'], `has no effect: the value is a ${node.type.kind}, no decimal`, 'leave out "as"');
  },
  reads: ({ value }, model) => ['id', ...fieldsIn(value).map((name) => columnOf(name, model))],
  shows: ({ value }) => fieldsIn(value),
  aggregates: ({ value }, model) => aggregatesIn(value).flatMap((written) => aggregateModel(written, model) ?? []),
  returnsFor({ value, as }, model) {
    const node = nodeOf(value, model);
    if (!node) return {};
    return as === 'number' ? { type: ['number', 'null'] } : schemaOf(node.type);
  },
  compile({ value, as }, model) {
    const node = nodeOf(value, model);
    if (!node) return () => null;
    const type: ExpressionType = as === 'number' ? { kind: 'number' } : node.type;
    return (row, { site }) => toView(node.value(row, site.settings.timezone), type);
  },
};

/** The names of a schema that is checked. */
function namesIn(check: OptionCheck): Names {
  return {
    field(name, at) {
      const schema = check.field(at, name, FIELD_TYPES);
      return schema && { schema, column: name };
    },
    aggregate(written, at) {
      const { operation, over, field } = written;
      const [resource = '', reference = ''] = over.split('.');
      const place = [...at, operation === 'count' ? 'count' : 'over'];
      if (!over.includes('.')) {
        check.fail(place, `"${over}" names no field`, 'name a resource and its reference to this one: visit.patient');
        return undefined;
      }
      const other = check.resource(place, resource);
      if (!other) return undefined;
      check.referenceTo(place, reference, check.schema, other);
      checkWhere(check, written, other, [...at, 'where']);
      if (field === undefined) return { slot: slotOf(written) };
      const schema = check.field([...at, operation], field, operation === 'sum' ? SUMMED : ORDERED, other);
      requireSeen(check, schema, [...at, operation], field, resource);
      return schema && { slot: slotOf(written), schema };
    },
    fail: (at, message, hint) => check.fail(at, message, hint),
  };
}

/** Conditions on the items that are counted: fields that somebody sees, and values that they can have. */
function checkWhere(check: OptionCheck, { where = {} }: WrittenAggregate, other: ResourceSchema, at: Place): void {
  for (const [name, wanted] of Object.entries(where)) {
    const place = [...at, name];
    const schema = check.field(place, name, Object.keys(COMPARED), other);
    if (!schema) continue;
    requireSeen(check, schema, place, name, other.name);
    for (const [index, value] of [wanted].flat().entries()) {
      const here = Array.isArray(wanted) ? [...place, index] : place;
      if (value === null) requireNullable(check, schema, here, name, other.name);
      else if (COMPARED[schema.type]!(value)) check.compared(here, schema.column ?? name, value, other);
      else check.fail(here, `${JSON.stringify(value)} is no value of a field of type ${schema.type}`);
    }
  }
}

function requireNullable(check: OptionCheck, schema: FieldSchema, at: Place, name: string, of: string): void {
  if (schema.nullable || schema.default === null || schema.emptyValue === null) return;
  const empty = schema.type === 'reference' ? 'name its empty value, 0' : 'make it nullable, or name its empty value';
  check.fail(at, `the field "${name}" of "${of}" is never null`, empty);
}

function requireSeen(check: OptionCheck, schema: FieldSchema | undefined, at: Place, name: string, of: string): void {
  if (schema?.hidden || schema?.contexts?.length === 0)
    check.fail(at, `nobody can read the field "${name}" of "${of}"`, 'give it a context');
}

/** The expression of a compiled resource; undefined where the check has found a mistake. */
function nodeOf(value: unknown, model: ResourceModel): Node | undefined {
  const names: Names = {
    field(name) {
      const schema = model.fields.get(name)?.schema;
      return schema && { schema, column: columnOf(name, model) };
    },
    aggregate(written) {
      const schema = otherOf(written, model)?.fields.get(written.field ?? '')?.schema;
      return { slot: slotOf(written), ...(schema && { schema }) };
    },
    fail: () => undefined,
  };
  return compileExpression(value as Expression, names, []);
}

function columnOf(name: string, model: ResourceModel): string {
  return model.fields.get(name)?.column ?? name;
}

function slotOf({ operation, over, field = '', where }: WrittenAggregate): string {
  return `#${operation} ${field} ${over}${where ? ` ${JSON.stringify(where)}` : ''}`;
}

function otherOf({ over }: WrittenAggregate, model: ResourceModel): ResourceModel | undefined {
  return model.site.byName.get(over.split('.')[0]!);
}

/**
 * The aggregate over the rows that the caller may read, outside the trash, that satisfy `where`, and in which they see the
 * reference and the fields; undefined where the check has found a mistake.
 */
function aggregateModel(written: WrittenAggregate, model: ResourceModel): AggregateModel | undefined {
  const { operation, over, field } = written;
  const other = otherOf(written, model);
  const reference = other?.fields.get(over.split('.')[1] ?? '');
  const summed = field === undefined ? undefined : other?.fields.get(field);
  if (!other?.table || !reference?.column || (field !== undefined && !summed?.column)) return undefined;
  const wanted = Object.entries(written.where ?? {}).map(([name, values]) => ({ of: other.fields.get(name)!, values }));
  const narrowed = wanted.map(({ of, values }) => anyOf(of.column!, [values].flat()));
  const seen = [reference, ...(summed ? [summed] : []), ...wanted.map(({ of }) => of)];
  const where: AggregateModel['where'] = (actor) => {
    const trash = other.faces.trash?.rows;
    const read = other.rules.get('read')?.(actor) ?? FALSE;
    const asked = Object.values(other.faces.asked?.(actor) ?? {});
    const readable = and(other.rowScope, trash ? not(trash) : TRUE, read, ...asked);
    const isText = summed?.type === 'date' || summed?.type === 'datetime';
    const filled = isText ? ({ op: 'ne', column: summed.column!, value: '' } as const) : TRUE;
    return withGuard(guardOf(seen, other), actor, and(readable, filled, ...narrowed));
  };
  return {
    slot: slotOf(written),
    path: other.path,
    table: other.table.name,
    column: reference.column,
    where,
    ...(operation === 'count' ? {} : { of: { operation, column: summed!.column! } }),
  };
}

/** Rows whose column has one of the values, as clients write them. */
function anyOf(column: string, values: readonly Scalar[]): Predicate {
  const known = values.filter((value) => value !== null);
  const stored = known.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  return or(oneOf(column, stored), known.length < values.length ? equals(column, null) : FALSE);
}
