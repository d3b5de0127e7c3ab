// Recognizes row counts that are stored in a row of another table, such as the published items of a term.
import { and, equals, type Predicate } from '../../model/query.js';
import type { StoredCount, TableModel } from '../../model/table.js';

/** Where a row count is stored. */
export interface CountLocation {
  table: string;
  column: string;
  /** Condition for its row; includes the discriminator of the resource, because its table may be shared. */
  row: Predicate;
}

/** Where the number of rows that satisfy a condition is stored; undefined where it has to be counted. */
export function storedCountOf({ countedBy = [] }: TableModel, where: Predicate): CountLocation | undefined {
  if (countedBy.length === 0 || where.op !== 'and') return undefined;
  const parts = partsOf(where);
  const pairs = parts.filter((part) => part.op === 'exists');
  const [pair] = pairs;
  if (!pair || pairs.length > 1) return undefined;
  const stored = countedBy.map((each) => ({ ...each, id: targetOf(pair, each) })).filter(({ id }) => id !== undefined);
  if (stored.length === 0) return undefined;
  const others = textOf(parts.filter((part) => part !== pair));
  const found = stored.find(({ where: counted }) => cachedTextOf(counted) === others);
  return found?.isAlone()
    ? { table: found.table, column: found.column, row: and(found.scope, equals('id', found.id!)) }
    : undefined;
}

const texts = new WeakMap<Predicate, string>();

/** Cached, because the condition of a stored count is the same object for every request. */
function cachedTextOf(where: Predicate): string {
  const text = texts.get(where) ?? textOf(partsOf(where));
  texts.set(where, text);
  return text;
}

function targetOf(pair: Extract<Predicate, { op: 'exists' }>, { pairs }: StoredCount): number | undefined {
  const { table, outer, inner, where } = pair;
  if (table !== pairs || outer !== 'id' || inner !== 'owner_id' || where.op !== 'eq') return undefined;
  return where.column === 'target_id' && typeof where.value === 'number' ? where.value : undefined;
}

function partsOf(where: Predicate): Predicate[] {
  return where.op === 'and' ? where.of.flatMap(partsOf) : [where];
}

/** Equal for conjunctions of the same parts. */
function textOf(parts: readonly Predicate[]): string {
  return [...new Set(parts.map((part) => JSON.stringify(part)))].sort().join();
}
