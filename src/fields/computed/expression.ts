// Expressions of plain JSON: fields, constants, and operators on other expressions, compiled to functions of a row.
import { decimalOf } from '../../model/functions/decimal.js';
import { typeOfField, valueOfColumn, type Node } from './expression-node.js';
import { operatorNode, OPERATORS, type Fail } from './expression-operators.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Place } from '../../model/option-check.js';

/** An expression as written. */
export type Expression = number | string | { readonly [operator: string]: unknown };

/** Aggregates of a field of the items that refer to an item; `count` counts these. */
export const AGGREGATES = ['sum', 'min', 'max'] as const;

/** An aggregate as written. */
export interface WrittenAggregate {
  operation: 'count' | (typeof AGGREGATES)[number];
  /** `resource.field`: the reference. */
  over: string;
  /** The field of that resource; absent for `count`. */
  field?: string;
  /** Values that fields of that resource must have. */
  where?: Readonly<Record<string, Scalar | Scalar[]>>;
}

/** How the names in an expression are resolved. Each result is undefined where a problem was reported. */
export interface Names {
  field(name: string, at: Place): { schema: FieldSchema; column: string } | undefined;
  /** The member of a row that holds the aggregate, and its field. */
  aggregate(written: WrittenAggregate, at: Place): { slot: string; schema?: FieldSchema } | undefined;
  fail: Fail;
}

/** Maximum nesting depth of operators. */
const MAX_DEPTH = 16;

/**
 * Compiles an expression that the grammar allows. Returns undefined when a name, a type or the depth was reported; `at`
 * is the place of the expression.
 */
export function compileExpression(written: Expression, names: Names, at: Place, depth = 1): Node | undefined {
  if (typeof written !== 'object') return constant(written);
  if (depth > MAX_DEPTH)
    return void names.fail(at, `an expression has at most ${MAX_DEPTH} levels`, 'split it into several fields');
  const aggregate = aggregateOf(written);
  if (aggregate) return aggregateNode(aggregate, names, at);
  if ('field' in written) return fieldNode(String(written['field']), names, [...at, 'field']);
  const operator = Object.keys(OPERATORS).find((name) => name in written)!;
  const operands = [written[operator]].flat() as Expression[];
  const isOne = OPERATORS[operator]!.takes === 'one';
  const place = (index: number): Place => (isOne ? [...at, operator] : [...at, operator, index]);
  const nodes = operands.map((operand, index) => compileExpression(operand, names, place(index), depth + 1));
  if (nodes.includes(undefined)) return undefined;
  const fail: Fail = ([index], message, hint) => {
    const operand = index === undefined ? undefined : operands[index as number];
    const asField = typeof operand === 'string' ? `the value of a field is {"field": "${operand}"}` : undefined;
    names.fail(index === undefined ? at : place(index as number), message, hint ?? asField);
  };
  return operatorNode(operator, nodes as Node[], fail, written['digits'] as number | undefined);
}

function constant(written: number | string): Node {
  if (typeof written === 'string') {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(written) && !Number.isNaN(Date.parse(written));
    return { type: { kind: isDay ? 'date' : 'text' }, value: () => written };
  }
  const value = decimalOf(written)!;
  return { type: value.scale > 0 ? { kind: 'decimal', scale: value.scale } : { kind: 'integer' }, value: () => value };
}

function fieldNode(name: string, names: Names, at: Place): Node | undefined {
  const found = names.field(name, at);
  if (!found) return undefined;
  const { schema, column } = found;
  const type = typeOfField(schema);
  return { type, value: (row) => valueOfColumn(type, row[column]) };
}

function aggregateNode(written: WrittenAggregate, names: Names, at: Place): Node | undefined {
  const found = names.aggregate(written, at);
  if (!found) return undefined;
  const { slot, schema } = found;
  const type = schema ? typeOfField(schema) : ({ kind: 'integer' } as const);
  if (written.operation === 'min' || written.operation === 'max')
    return { type, value: (row) => valueOfColumn(type, row[slot]) };
  // The sum of no rows is 0; one that is too large for a double stays null.
  const isMissing = (value: unknown) => value === undefined || (value === null && type.kind !== 'number');
  return { type, value: (row) => valueOfColumn(type, isMissing(row[slot]) ? 0 : row[slot]) };
}

function aggregateOf(written: Exclude<Expression, number | string>): WrittenAggregate | undefined {
  const where = written['where'] as WrittenAggregate['where'];
  const narrowed = where && { where };
  if (typeof written['count'] === 'string') return { operation: 'count', over: written['count'], ...narrowed };
  const operation = AGGREGATES.find((name) => name in written);
  return operation && { operation, field: String(written[operation]), over: String(written['over']), ...narrowed };
}

/** Names of the fields in an expression. */
export function fieldsIn(written: unknown): string[] {
  return partsOf(written).flatMap((part) => (typeof part['field'] === 'string' ? [part['field']] : []));
}

/** The aggregates in an expression. */
export function aggregatesIn(written: unknown): WrittenAggregate[] {
  return partsOf(written).flatMap((part) => aggregateOf(part) ?? []);
}

function partsOf(written: unknown): Record<string, unknown>[] {
  if (typeof written !== 'object' || written === null) return [];
  // The names in `where` are those of another resource.
  const below = Object.entries(written).flatMap(([name, part]) => (name === 'where' ? [] : partsOf(part)));
  return Array.isArray(written) ? below : [written as Record<string, unknown>, ...below];
}
