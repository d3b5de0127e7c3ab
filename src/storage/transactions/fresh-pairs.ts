// The pairs of items that a transaction has inserted, or that it alone may change and has read already: no other
// transaction can have written any, so reading them needs no statement.
import type { OrderKey, Predicate, Query, Row } from '../../model/query.js';
import type { TargetsInOrder } from '../../model/store.js';
import type { TableModel } from '../../model/table.js';

/** The known pairs of one transaction. */
export class FreshPairs {
  /** Ids that the database has generated for rows of this transaction, by table. */
  private readonly owners = new Map<string, Set<number>>();
  private readonly pairs = new Map<string, Row[]>();
  /** Join tables in which something else was changed. */
  private readonly unknown = new Set<string>();
  /** Ids of rows that no other transaction may change, by table. */
  private readonly held = new Map<string, Set<number>>();
  /** All pairs of an item as they were read, by join table and item. */
  private readonly reads = new Map<string, Map<number, Promise<Row[]>>>();
  /** All targets of an item in an order of the pairs, by join table, item and order. */
  private readonly ordered = new Map<string, Map<string, readonly number[]>>();

  /** Records a row whose id the database has just generated. */
  recordInsert({ name }: TableModel, id: number): void {
    const ids = this.owners.get(name) ?? new Set<number>();
    this.owners.set(name, ids.add(id));
  }

  /** Records a row that no other transaction may change before the end of this one. */
  hold({ name }: TableModel, id: number): void {
    const ids = this.held.get(name) ?? new Set<number>();
    this.held.set(name, ids.add(id));
  }

  /** Records a read in progress, if it finds all pairs of one item. */
  recordRead({ pairsOf, name }: TableModel, { columns, where, limit, offset }: Query, rows: Promise<Row[]>): void {
    if (!pairsOf || limit !== undefined || offset !== undefined || !columns.includes('target_id')) return;
    const owner = ownerIn(where);
    if (owner === undefined) return;
    const ofTable = this.reads.get(name) ?? new Map<number, Promise<Row[]>>();
    this.reads.set(name, ofTable.set(owner, rows));
  }

  /** Records rows of a table, if it is a join table. */
  recordPairs({ name, pairsOf }: TableModel, rows: readonly Row[]): void {
    if (!pairsOf) return;
    this.reads.delete(name);
    this.ordered.delete(name);
    const known = this.pairs.get(name);
    if (known) known.push(...rows);
    else this.pairs.set(name, [...rows]);
  }

  /** Records any other change of a table. */
  recordChange(table: string): void {
    this.unknown.add(table);
    this.reads.delete(table);
    this.ordered.delete(table);
  }

  /** Records all targets of an item in an order of its pairs. */
  recordTargets(table: string, owner: number, { targets, order }: TargetsInOrder): void {
    const ofTable = this.ordered.get(table) ?? new Map<string, readonly number[]>();
    this.ordered.set(table, ofTable.set(keyOf(owner, order), targets));
  }

  /** The read that found the targets of a held item, in any order; undefined when a query is needed. */
  known({ pairsOf }: TableModel, { table, columns, where, order, limit, offset }: Query): Promise<Row[]> | undefined {
    if (!pairsOf || limit !== undefined || offset !== undefined || order.length > 0) return undefined;
    const owner = ownerIn(where);
    if (owner === undefined || !this.held.get(pairsOf.table)?.has(owner)) return undefined;
    if (columns.length !== 1 || columns[0] !== 'target_id') return undefined;
    const rows = this.reads.get(table)?.get(owner);
    return rows?.then((found) => found.map(({ target_id: id }) => ({ target_id: id })));
  }

  /** What `Reader.select` would return; undefined when a query is needed. */
  read({ pairsOf }: TableModel, { table, columns, where, order, limit, offset }: Query): Row[] | undefined {
    if (!pairsOf || limit !== undefined || offset !== undefined) return undefined;
    const owner = ownerIn(where);
    const targets = owner === undefined ? undefined : this.ordered.get(table)?.get(keyOf(owner, order));
    if (targets && columns.every((name) => name === 'owner_id' || name === 'target_id'))
      return targets.map((target) => pick({ owner_id: owner!, target_id: target }, columns));
    if (this.unknown.has(table) || owner === undefined || !this.owners.get(pairsOf.table)?.has(owner)) return undefined;
    const found = (this.pairs.get(table) ?? []).filter((pair) => pair['owner_id'] === owner);
    // The order of several may depend on their targets.
    if (found.length > 1 && order.length > 0) return undefined;
    if (!found.every((pair) => columns.every((name) => typeof pair[name] === 'number'))) return undefined;
    return found.map((pair) => pick(pair, columns));
  }
}

function pick(pair: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((name) => [name, pair[name]]));
}

function keyOf(owner: number, order: readonly OrderKey[]): string {
  return JSON.stringify([owner, order]);
}

function ownerIn(where: Predicate): number | undefined {
  if (where.op === 'eq' && where.column === 'owner_id' && typeof where.value === 'number') return where.value;
  if (where.op !== 'in' || where.column !== 'owner_id' || where.values.length !== 1) return undefined;
  const [only] = where.values;
  return typeof only === 'number' ? only : undefined;
}
