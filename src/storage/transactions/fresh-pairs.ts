// The pairs of items that a transaction has inserted: no other transaction can have written any, so reading them needs
// no statement.
import type { Predicate, Query, Row } from '../../model/query.js';
import type { TableModel } from '../../model/table.js';

/** See above. */
export class FreshPairs {
  /** Ids that the database has generated for rows of this transaction, by table. */
  private readonly owners = new Map<string, Set<number>>();
  private readonly pairs = new Map<string, Row[]>();
  /** Join tables in which something else was changed. */
  private readonly unknown = new Set<string>();

  /** Notes a row whose id the database has just generated. */
  inserted({ name }: TableModel, id: number): void {
    const ids = this.owners.get(name) ?? new Set<number>();
    this.owners.set(name, ids.add(id));
  }

  /** Notes rows of a table, if it is a join table. */
  paired({ name, pairsOf }: TableModel, rows: readonly Row[]): void {
    if (!pairsOf) return;
    const known = this.pairs.get(name);
    if (known) known.push(...rows);
    else this.pairs.set(name, [...rows]);
  }

  /** Notes any other change of a table. */
  changed(table: string): void {
    this.unknown.add(table);
  }

  /** What `Reader.select` would return; undefined when the database has to be asked. */
  read({ pairsOf }: TableModel, { table, columns, where, order, limit, offset }: Query): Row[] | undefined {
    if (!pairsOf || this.unknown.has(table) || limit !== undefined || offset !== undefined) return undefined;
    const owner = ownerIn(where);
    if (owner === undefined || !this.owners.get(pairsOf.table)?.has(owner)) return undefined;
    const found = (this.pairs.get(table) ?? []).filter((pair) => pair['owner_id'] === owner);
    // The order of several may depend on their targets.
    if (found.length > 1 && order.length > 0) return undefined;
    if (!found.every((pair) => columns.every((name) => typeof pair[name] === 'number'))) return undefined;
    return found.map((pair) => Object.fromEntries(columns.map((name) => [name, pair[name]])));
  }
}

function ownerIn(where: Predicate): number | undefined {
  if (where.op === 'eq' && where.column === 'owner_id' && typeof where.value === 'number') return where.value;
  if (where.op !== 'in' || where.column !== 'owner_id' || where.values.length !== 1) return undefined;
  const [only] = where.values;
  return typeof only === 'number' ? only : undefined;
}
