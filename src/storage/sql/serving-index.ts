// Finds the index in which the rows of a page are contiguous and in the requested order.
import { and, type OrderKey, type Predicate, type Query } from '../../model/query.js';
import type { IndexModel, TableModel } from '../../model/table.js';

/**
 * The index that begins with the columns that `where` compares with one value each, and continues with those of the
 * order. Undefined where there is none, and, unless it is to be walked anyway (`Query.dense`), where `where` has
 * conditions on other columns: there may be a faster way to find these rows than in list order.
 */
export function servingIndex(
  table: TableModel,
  { where, order, dense = false }: Pick<Query, 'where' | 'order' | 'dense'>,
): IndexModel | undefined {
  const sorted = columnsOf(order);
  if (!sorted) return undefined;
  const equal = new Set<string>();
  const others = new Set<string>();
  const isPlain = classify(where, equal, others);
  const walked = sorted.filter((column) => !equal.has(column));
  if (!dense && !(isPlain && areServed(others, walked, equal))) return undefined;
  let found: IndexModel | undefined;
  for (const index of table.indexes.values()) {
    if (serves(index, equal, walked) && (!found || index.columns.length < found.columns.length)) found = index;
  }
  return found;
}

/**
 * Whether scanning an index in order is the best plan of a page for all parameters. In a dense walk, conditions on
 * other tables do not count: they are checked row by row.
 */
export function isWalk(table: TableModel, { where, order, dense }: Pick<Query, 'where' | 'order' | 'dense'>): boolean {
  const own = dense && where.op === 'and' ? and(...where.of.filter(({ op }) => op !== 'exists')) : where;
  return servingIndex(table, { where: own, order }) !== undefined;
}

/** Whether the conditions on other columns are ranges of the order. */
function areServed(others: ReadonlySet<string>, walked: readonly string[], equal: ReadonlySet<string>): boolean {
  if (others.size > 0 && !others.has(walked[0] ?? '')) return false;
  return [...others].every((column) => walked.includes(column) || equal.has(column));
}

function serves({ columns, fulltext }: IndexModel, equal: ReadonlySet<string>, walked: readonly string[]): boolean {
  if (fulltext || columns.length < equal.size) return false;
  if (!columns.slice(0, equal.size).every((column) => equal.has(column))) return false;
  const rest = columns.slice(equal.size);
  // Every index ends with the id.
  if (!rest.includes('id')) rest.push('id');
  return walked.every((column, at) => rest[at] === column);
}

/** Columns of an order that has one direction; undefined for others. */
function columnsOf(order: readonly OrderKey[]): string[] | undefined {
  const columns: string[] = [];
  for (const key of order) {
    if (!('direction' in key) || !('column' in key) || 'of' in key) return undefined;
    if (key.direction !== (order[0] as typeof key).direction) return undefined;
    columns.push(key.column);
  }
  return columns.length > 0 ? columns : undefined;
}

/** Sorts the columns of a condition into `equal` and `others`; false if it has more than comparisons with values. */
function classify(p: Predicate, equal: Set<string>, others: Set<string>): boolean {
  switch (p.op) {
    case 'true':
      return true;
    case 'and':
      return p.of.map((part) => classify(part, equal, others)).every(Boolean);
    case 'or':
      return p.of.map((part) => classify(part, others, others)).every(Boolean);
    case 'eq':
      equal.add(p.column);
      return true;
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      others.add(p.column);
      return true;
    case 'tuple':
      for (const column of p.columns) others.add(column);
      return true;
    default:
      return false;
  }
}
