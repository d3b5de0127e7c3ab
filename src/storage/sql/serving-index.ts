// Finds the index in which the rows of a page lie one after the other, in the order asked for.
import type { IndexModel, TableModel } from '../../model/model.js';
import type { OrderKey, Predicate } from '../../model/query.js';

/**
 * The index that begins with the columns that `where` compares with one value each, and goes on with those of the order.
 * Undefined where there is none, and where `where` has conditions on other columns: rows that satisfy them may be found in
 * a better way than by walking in the order of the list.
 */
export function servingIndex(table: TableModel, where: Predicate, order: readonly OrderKey[]): IndexModel | undefined {
  const sorted = columnsOf(order);
  if (!sorted) return undefined;
  const equal = new Set<string>();
  const others = new Set<string>();
  if (!sortOut(where, equal, others)) return undefined;
  const walked = sorted.filter((column) => !equal.has(column));
  if (others.size > 0 && !others.has(walked[0] ?? '')) return undefined;
  if ([...others].some((column) => !walked.includes(column) && !equal.has(column))) return undefined;
  let found: IndexModel | undefined;
  for (const index of table.indexes.values()) {
    if (serves(index, equal, walked) && (!found || index.columns.length < found.columns.length)) found = index;
  }
  return found;
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

/** Sorts out the columns of a condition; false when it says more than comparisons of columns with values. */
function sortOut(p: Predicate, equal: Set<string>, others: Set<string>): boolean {
  switch (p.op) {
    case 'true':
      return true;
    case 'and':
      return p.of.every((part) => sortOut(part, equal, others));
    case 'or':
      return p.of.every((part) => sortOut(part, others, others));
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
