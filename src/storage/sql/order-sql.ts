// The order of a statement as SQL text: `ORDER BY`, and lists of ids that have an order.
import type { MergeKey, OrderKey, Predicate, Referring } from '../../model/query.js';
import type { IdList } from '../../model/store.js';
import { toBound } from './bind-value.js';
import { columnOf, padded, type Scope, type SqlText } from './predicate-sql.js';

/** ` ORDER BY …`, or nothing. */
export function orderBy(text: SqlText, scope: Scope, keys: readonly OrderKey[]): string {
  const parts = keys.map((key) => orderKey(text, scope, key)).filter((part) => part !== '');
  return parts.length === 0 ? '' : ` ORDER BY ${parts.join(', ')}`;
}

/** A sort key as an expression to be selected. */
export function sortKey(text: SqlText, scope: Scope, key: MergeKey): { sql: string; nullable: boolean } {
  if ('cases' in key) return { sql: casesOf(text, scope, key.cases), nullable: false };
  return { sql: text.column(scope, key.column), nullable: columnOf(scope.table, key.column).nullable ?? false };
}

/** The ids of a to-many relation of a row as one text. */
export function idList(text: SqlText, scope: Scope, { table, of, direction }: IdList): string {
  const pairs = text.scope(table);
  const value = text.column(pairs, 'target_id');
  const keys: OrderKey[] = [
    ...(of ? [{ column: 'target_id', of, direction }] : []),
    { column: 'target_id', direction: 'asc' },
  ];
  const from = `${text.dialect.quote(table)} AS ${pairs.alias}`;
  const owned = `${text.column(pairs, 'owner_id')} = ${text.column(scope, 'id')}`;
  return `(${text.dialect.joined(value, `FROM ${from} WHERE ${owned}`, orderBy(text, pairs, keys).trim())})`;
}

function orderKey(text: SqlText, scope: Scope, key: OrderKey): string {
  if ('random' in key) return text.dialect.random();
  if ('list' in key) return listOrder(text, scope, key);
  if ('cases' in key) {
    if (key.cases.length === 0) return '';
    return text.dialect.orderBy(casesOf(text, scope, key.cases), key.direction, false);
  }
  if ('count' in key) return text.dialect.orderBy(countOf(text, scope, key.count), key.direction, false);
  if ('of' in key) return targetOrder(text, scope, key);
  const nullable = columnOf(scope.table, key.column).nullable ?? false;
  return text.dialect.orderBy(text.column(scope, key.column), key.direction, nullable);
}

function casesOf(text: SqlText, scope: Scope, cases: readonly Predicate[]): string {
  const whens = cases.map((p, i) => `WHEN ${text.predicate(scope, p)} THEN ${i}`);
  return `CASE ${whens.join(' ')} ELSE ${whens.length} END`;
}

function countOf(text: SqlText, scope: Scope, { table, inner, where }: Referring): string {
  const rows = text.scope(table);
  const from = `${text.dialect.quote(table)} AS ${rows.alias}`;
  const isOwn = `${text.column(rows, inner)} = ${text.column(scope, 'id')}`;
  return `(SELECT COUNT(*) FROM ${from} WHERE ${isOwn} AND ${text.predicate(rows, where)})`;
}

function targetOrder(
  text: SqlText,
  scope: Scope,
  { column, of, direction }: Extract<OrderKey, { of: unknown }>,
): string {
  const target = text.scope(of.table);
  const from = `${text.dialect.quote(of.table)} AS ${target.alias}`;
  const where = `${text.column(target, 'id')} = ${text.column(scope, column)}`;
  return text.dialect.orderBy(
    `(SELECT ${text.column(target, of.column)} FROM ${from} WHERE ${where})`,
    direction,
    true,
  );
}

function listOrder(text: SqlText, scope: Scope, key: Extract<OrderKey, { list: unknown }>): string {
  if (key.list.length === 0) return '';
  const model = columnOf(scope.table, key.column);
  const values = padded(key.list.map((value) => toBound(value, model)));
  const whens = values.map((value, i) => `WHEN ${text.bound(value, model)} THEN ${i}`);
  return `CASE ${text.column(scope, key.column)} ${whens.join(' ')} ELSE ${values.length} END`;
}
