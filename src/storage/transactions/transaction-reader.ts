// Reads inside a transaction: the rows that it has written itself are known, others can be read ahead.
import type { OutputBudget } from '../../model/operation.js';
import { equals, queryOf, type Predicate, type Query, type Row, type Selection } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { StoredReference } from '../../model/store.js';
import { SqlReader } from '../reads/reader.js';
import type { Connection } from '../sql/connection.js';
import type { TransactionLocks } from '../sql/locks.js';
import type { Statements } from '../sql/statements.js';
import { FreshPairs } from './fresh-pairs.js';
import { FreshRows } from './fresh-row.js';

/** Maximum number of cached single rows: an import reads thousands in a transaction. */
const MAX_SINGLES = 20;

/** A single row, and the tables on which it depends. */
interface Single {
  row: Promise<Row | undefined>;
  tables: readonly string[];
}

/** The reads of one transaction. Base class of `SqlTransaction`. */
export class TransactionReader extends SqlReader {
  /** The rows that were written last. */
  protected readonly fresh = new FreshRows();
  protected readonly pairs = new FreshPairs();
  /** Prefetched rows, by table and query. */
  private readonly prefetched = new Map<string, Map<string, Promise<Row[]>>>();
  /** Prefetches that are running or have failed. */
  private readonly pending = new Set<Promise<Row[]>>();
  /** Single rows that were read, by table and query: permission checks read the same ones several times. */
  private readonly singles = new Map<string, Single>();

  /** Whether single rows are cached: not where writes are buffered. */
  protected readonly cachesRows: boolean = true;

  constructor(
    connection: Connection,
    statements: Statements,
    protected readonly locks?: TransactionLocks,
  ) {
    super(connection, statements);
  }

  override async first(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks: Readonly<Record<string, Predicate>> = {},
    budget?: OutputBudget,
  ): Promise<Row | undefined> {
    if (budget) return super.first(table, columns, where, checks, budget);
    const known = this.fresh.find(table, where)?.read(columns, checks);
    if (known) return known;
    if (!this.locks || !this.cachesRows) return super.first(table, columns, where, checks);
    const key = JSON.stringify([table, columns, where, checks]);
    let single = this.singles.get(key);
    if (!single) {
      single = { row: super.first(table, columns, where, checks), tables: [table, ...tablesNamedIn(key)] };
      if (this.singles.size < MAX_SINGLES) this.singles.set(key, single);
    }
    const row = await single.row;
    // A copy: the caller may add to it.
    return row && { ...row };
  }

  ahead(query: Query): void {
    this.prefetch(query);
  }

  aheadOf(query: Query, { table, column, id }: StoredReference): void {
    const where: Predicate = { op: 'exists', table, outer: 'id', inner: column, where: equals('id', id) };
    const found = this.prefetch({ ...query, where });
    if (!found) return;
    const addRow = (row: Row) =>
      found.ofTable.set(keyOf({ ...query, where: equals('id', row['id']) }), Promise.resolve([row]));
    found.rows.then(
      (rows) => rows.forEach(addRow),
      () => undefined,
    );
  }

  /** Prefetches rows; returns them with the other prefetches of their table. Undefined if not useful, or done before. */
  private prefetch(requested: Query): { rows: Promise<Row[]>; ofTable: Map<string, Promise<Row[]>> } | undefined {
    const query = { ...requested };
    delete query.budget;
    // Nothing is gained where a statement costs no round trip; texts of any length have to be measured first.
    if (!this.locks || this.statements.hasTexts(query.table, query.columns)) return undefined;
    let ofTable = this.prefetched.get(query.table);
    if (!ofTable) this.prefetched.set(query.table, (ofTable = new Map()));
    const key = keyOf(query);
    if (ofTable.has(key)) return undefined;
    const rows = super.select(query);
    this.pending.add(rows);
    // A failure is reported to the query that selects the rows, and by `readsCompleted`.
    rows.then(
      () => this.pending.delete(rows),
      () => undefined,
    );
    ofTable.set(key, rows);
    this.pairs.recordRead(this.statements.table(query.table), query, rows);
    return { rows, ofTable };
  }

  override async select(selection: Selection): Promise<Row[]> {
    const query = queryOf(selection);
    const model = this.statements.table(query.table);
    const known = this.pairs.read(model, query) ?? this.pairs.known(model, query);
    if (known) return known;
    return this.prefetched.get(query.table)?.get(keyOf(query)) ?? super.select(query);
  }

  /**
   * Resolves when all prefetches are completed; rejects with the error of a failed one, whether its rows were needed or
   * not: a transaction in which a statement has failed must not be committed.
   */
  async readsCompleted(): Promise<void> {
    await Promise.all(this.pending);
  }

  async absentOf(_table: string, _column: string, _values: readonly Scalar[]): Promise<void> {}

  lacks(_table: string, _column: string, _value: Scalar): boolean {
    return false;
  }

  /** Discards the prefetched rows of a table that is about to change. */
  protected forgetReads(table: string): void {
    this.prefetched.delete(table);
    for (const [key, { tables }] of this.singles) if (tables.includes(table)) this.singles.delete(key);
  }

  /** Discards single rows that were read: other transactions may have changed them before a lock was granted. */
  protected forgetSingles(): void {
    this.singles.clear();
  }
}

/** Tables of the conditions of a query, as JSON. */
function tablesNamedIn(key: string): string[] {
  return [...key.matchAll(/"table":"([^"]+)"/g)].map(([, table]) => table!);
}

function keyOf({ columns, where, order, limit, offset }: Query): string {
  return JSON.stringify([columns, where, order, limit, offset]);
}
