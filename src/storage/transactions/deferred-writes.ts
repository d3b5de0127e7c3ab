// Writes of a transaction that nothing depends on yet: they are sent with those at its end, or before the first
// statement that names their table.
import type { Change, Row } from '../../model/query.js';
import type { TableModel } from '../../model/table.js';
import type { Statement } from '../sql/connection.js';

/** Maximum number of rows of one deferred write. */
const MAX_ROWS = 100;
/** Maximum number of characters of a deferred change: larger ones are sent at once, while other work continues. */
const MAX_CHARACTERS = 256 * 1024;

/** The pending change of a row. */
interface RowChange {
  table: string;
  id: number;
  set: Record<string, Change>;
}

/** Sends statements one after the other; `changed`: the table of the rows that they change. */
type Send = (statements: readonly Statement[], changed: string | undefined) => Promise<void>;

/** The deferred writes of one transaction. */
export class DeferredWrites {
  private inserts: Statement[] = [];
  /** By table and id. */
  private readonly changes = new Map<string, RowChange>();
  private sending: Promise<void> | undefined;
  /** Tables of all deferred writes so far, quoted. */
  private readonly insertedInto = new Set<string>();
  private readonly changedIn = new Set<string>();

  constructor(
    private readonly quote: (name: string) => string,
    private readonly update: (change: RowChange) => Statement,
    private readonly send: Send,
  ) {}

  /** Whether inserts may be deferred: without row counts and unique indexes, no other row can conflict with them. */
  static canDeferInsert({ indexes, counted }: TableModel): boolean {
    return counted.length === 0 && ![...indexes.values()].some(({ unique }) => unique);
  }

  /** Whether inserts may be deferred: pairs of numbers, which no constraint of the database can reject. */
  static canDeferPairs(model: TableModel, rows: readonly Row[]): boolean {
    if (!DeferredWrites.canDeferPairDeletes(model, rows) || !DeferredWrites.canDeferInsert(model)) return false;
    return rows.every((row) => Object.values(row).every((value) => typeof value === 'number'));
  }

  /** Whether deleting so many pairs of a join table may be deferred. */
  static canDeferPairDeletes({ pairsOf, counted }: TableModel, targets: readonly unknown[]): boolean {
    return pairsOf !== undefined && counted.length === 0 && targets.length <= MAX_ROWS;
  }

  /** Whether changing an existing row may be deferred: nothing in the change can make the database reject it. */
  static canDeferUpdate(model: TableModel, set: Record<string, Change>): boolean {
    const names = Object.keys(set);
    const isFree = (name: string) => model.columns.has(name) && !model.counted.includes(name);
    let characters = 0;
    for (const value of Object.values(set)) if (typeof value === 'string') characters += value.length;
    return names.every(isFree) && !isUnique(model, names) && characters <= MAX_CHARACTERS;
  }

  add(table: string, statement: Statement): void {
    this.insertedInto.add(this.quote(table));
    this.inserts.push(statement);
  }

  /** Adds a change of a row; several changes are merged into one. */
  change(table: string, id: number, set: Record<string, Change>): void {
    this.changedIn.add(this.quote(table));
    const key = `${table} ${id}`;
    const before = this.changes.get(key)?.set ?? {};
    this.changes.set(key, { table, id, set: { ...before, ...mergeChanges(before, set) } });
  }

  /**
   * The deferred writes that a statement must wait for: those of tables that it names, including those being sent. An
   * INSERT does not depend on changes of other rows.
   */
  before(sql: string): Promise<void> | undefined {
    const inserts = sql.startsWith('INSERT ');
    if (!isNamed(this.insertedInto, sql) && (inserts || !isNamed(this.changedIn, sql))) return undefined;
    const [changed] = this.changedTables();
    const taken = this.take();
    if (taken.length > 0) {
      const { sending } = this;
      const send = () => this.send(taken, changed);
      this.sending = sending ? sending.then(send) : send();
    }
    return this.sending;
  }

  /** Tables in which rows are still to be changed. */
  changedTables(): string[] {
    return [...this.changes.values()].map(({ table }) => table);
  }

  /**
   * The pending writes, in order; the caller sends them. Long texts come first, so that the others can be sent
   * together.
   */
  take(): Statement[] {
    const taken = [...[...this.changes.values()].map(this.update), ...this.inserts];
    this.changes.clear();
    this.inserts = [];
    return taken;
  }
}

function isNamed(tables: ReadonlySet<string>, sql: string): boolean {
  for (const table of tables) if (sql.includes(table)) return true;
  return false;
}

/** Whether a unique index may reject a write to some columns. */
export function isUnique({ indexes }: TableModel, written: readonly string[]): boolean {
  return [...indexes.values()].some(({ unique, columns }) => unique && columns.some((name) => written.includes(name)));
}

/** Changes, merged with earlier ones of the same row. */
function mergeChanges(before: Record<string, Change>, set: Record<string, Change>): Record<string, Change> {
  return Object.fromEntries(Object.entries(set).map(([name, change]) => [name, mergeChange(before[name], change)]));
}

/** A change, merged with an earlier one of the same column. */
function mergeChange(before: Change | undefined, change: Change): Change {
  if (change === null || typeof change !== 'object' || before === undefined) return change;
  if (before !== null && typeof before === 'object') return { increment: before.increment + change.increment };
  // NULL plus an increment is NULL.
  return before === null ? null : Number(before) + change.increment;
}
