// Pages by cursor: the signed sort keys of the last row of a page. The next page begins after them, whatever changes.
import { timingSafeEqual } from 'node:crypto';
import type { Operation } from '../../model/operation.js';
import { and, equals, FALSE, not, or, TRUE, type OrderKey, type Predicate, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import { wrong } from './query-errors.js';
import type { ColumnModel } from '../../model/table.js';

/** A sort key that rows can be compared by. */
export interface PlainKey {
  column: string;
  direction: 'asc' | 'desc';
  nullable: boolean;
  kind: ColumnModel['kind'];
}

/** Maximum characters of a cursor: the longest possible sort keys, as base64. */
const LONGEST = 8_000;

/**
 * The keys of an order that defines the position of every row.
 * @throws ResourceError 400 for an order that does not: by relevance, random, or as the ids were sent
 */
export function plainKeys(order: readonly OrderKey[], { model }: Operation, param: string): PlainKey[] {
  const keys = order.flatMap((key): PlainKey[] => {
    if (!('column' in key) || 'list' in key || 'of' in key) return [];
    const { nullable = false, kind } = model.table!.columns.get(key.column)!;
    return [{ column: key.column, direction: key.direction, nullable, kind }];
  });
  if (keys.length < order.length || keys.at(-1)?.column !== 'id')
    throw wrong(
      param,
      'rest_invalid_param',
      'needs an order by fields. Leave out orderby, or name fields of the list.',
    );
  return keys;
}

/**
 * The rows after the position of a cursor, in consecutive parts; every row for an empty cursor.
 * @throws ResourceError 400 for a cursor that was not made here for this order
 */
export function behindCursor(cursor: string, keys: readonly PlainKey[], op: Operation): Predicate[] {
  return cursor === '' ? [TRUE] : partsBehind(keys, valuesOf(cursor, keys, op));
}

/** The rows after one, in parts that are each a range of an index. Nulls sort first ascending, and last descending. */
export function partsBehind(keys: readonly PlainKey[], values: readonly Scalar[]): Predicate[] {
  const [{ column, direction, nullable }, ...rest] = keys as [PlainKey, ...PlainKey[]];
  const [value, ...others] = values as [Scalar, ...Scalar[]];
  if (!nullable) return [behind(keys, values)];
  const none: Predicate = { op: 'null', column };
  if (value === null) {
    const tied = and(none, rest.length > 0 ? behind(rest, others) : FALSE);
    return direction === 'asc' ? [tied, not(none)] : [tied];
  }
  const there = behind([{ ...keys[0]!, nullable: false }, ...rest], values);
  return direction === 'asc' ? [there] : [there, none];
}

/**
 * The values of the sort keys in a cursor.
 * @throws ResourceError 400 for a cursor that was not made here for this order
 */
export function cursorValues(cursor: string, keys: readonly PlainKey[], op: Operation): Scalar[] {
  return valuesOf(cursor, keys, op);
}

/** The cursor for the position of a row. */
export function cursorOf(row: Row, keys: readonly PlainKey[], op: Operation): string {
  const values = keys.map(({ column }) => row[column] as Scalar);
  const text = Buffer.from(JSON.stringify(values)).toString('base64url');
  return `${text}.${sealOf(text, keys, op)}`;
}

function valuesOf(cursor: string, keys: readonly PlainKey[], op: Operation): Scalar[] {
  const refuse = () => wrong('cursor', 'rest_invalid_param', 'comes from the Link header of a list in the same order.');
  const [text = '', seal = '', ...more] = cursor.length > LONGEST ? [] : cursor.split('.');
  const wanted = sealOf(text, keys, op);
  if (more.length > 0 || !wanted || !isSame(seal, wanted)) throw refuse();
  const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  if (!Array.isArray(values) || values.length !== keys.length) throw refuse();
  return values as Scalar[];
}

/** The signature of a position: specific to this site, resource and order. */
function sealOf(text: string, keys: readonly PlainKey[], { model, site }: Operation): string {
  const order = keys.map(({ column, direction }) => `${column} ${direction}`).join();
  return site.seal?.(`${model.name}\n${order}\n${text}`) ?? '';
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Rows that come after one with these values. */
function behind(keys: readonly PlainKey[], values: readonly Scalar[]): Predicate {
  const [first, ...rest] = keys as [PlainKey, ...PlainKey[]];
  const { direction } = first;
  if (keys.every((key) => key.direction === direction && !key.nullable)) {
    const columns = keys.map(({ column }) => column);
    return { op: 'tuple', columns, compare: direction === 'asc' ? 'gt' : 'lt', values };
  }
  const [value, ...others] = values as [Scalar, ...Scalar[]];
  const after = afterValue(first, value);
  if (rest.length === 0) return after;
  const tied = and(equals(first.column, value), behind(rest, others));
  // A range that contains the rows wanted and few others, so that an index serves it.
  const range: Predicate = { op: direction === 'asc' ? 'ge' : 'le', column: first.column, value };
  return and(first.nullable || value === null ? TRUE : range, or(after, tied));
}

function afterValue({ column, direction, nullable }: PlainKey, value: Scalar): Predicate {
  const none: Predicate = { op: 'null', column };
  if (value === null) return direction === 'asc' ? not(none) : FALSE;
  if (direction === 'asc') return { op: 'gt', column, value };
  return nullable ? or({ op: 'lt', column, value }, none) : { op: 'lt', column, value };
}
