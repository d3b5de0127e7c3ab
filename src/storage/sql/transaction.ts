// The writes of one transaction, including the row counts that follow from them.
import type { TableModel } from '../../model/model.js';
import type { OutputBudget } from '../../model/operation.js';
import type { Change, Predicate, Query, Row } from '../../model/query.js';
import type { Transaction } from '../../model/store.js';
import { toBound } from './bind-value.js';
import type { Bound, Connection, Ran } from './connection.js';
import { anyStripe, moveVersions } from './data-version.js';
import { FreshPairs } from './fresh-pairs.js';
import { FreshRow } from './fresh-row.js';
import { LateWrites } from './late-writes.js';
import type { TransactionLocks } from './locks.js';
import { combinationOf, COUNTS, rebuildCounters, scopeOf, stripeOf, wrongCounters } from './row-counts.js';
import { SqlReader } from './reader.js';
import { columnOf } from './predicate-sql.js';
import type { Statement, Statements } from './statements.js';

// Parameters of one INSERT that every database accepts.
const MAX_PARAMS = 8_000;
/** Characters of one INSERT of several rows, unless the database has a lower limit. */
const MAX_CHARACTERS = 2 * 1024 ** 2;
/** Row counts changed by one statement. */
const MAX_COUNTS = 100;
/** Maximum bytes of a character. */
const MAX_BYTES_PER_CHARACTER = 3;

/** What is added to a column of a row at the end. */
interface Sum {
  table: string;
  id: number;
  column: string;
  delta: number;
}

/** A transaction on a connection; the store begins it and commits or rolls back. */
export class SqlTransaction extends SqlReader implements Transaction {
  /** Callbacks registered with `after`, in order. */
  readonly afterwards: (() => void | Promise<void>)[] = [];
  private readonly counts = new Map<string, number>();
  private readonly sums = new Map<string, Sum>();
  /** Tables changed since the versions were moved. */
  private readonly touched = new Set<string>();
  private readonly stripe = anyStripe();
  /** The row that was inserted last, while nothing else has changed in its table. */
  private fresh: FreshRow | undefined;
  private readonly pairs = new FreshPairs();
  /** Absent where a statement costs no round trip. */
  private readonly late: LateWrites | undefined;
  private readonly asked = new Map<string, Promise<Row[]>>();
  private over = false;
  /** Table of the running statement. */
  private writing = '';
  /** Whether anything was written. */
  wrote = false;

  /** Without `locks` transactions take turns. No write is sent before the transaction has `begun`. */
  constructor(
    connection: Connection,
    statements: Statements,
    private readonly locks?: TransactionLocks,
    begun?: Promise<void>,
  ) {
    // Late statements that the caller did not await must not run in the next transaction on this connection.
    const guardedConnection = (): Connection => {
      if (this.over) throw new Error('The transaction is over: a read or write of it was not awaited');
      return connection;
    };
    super(
      {
        ...(connection.statementBytes === undefined ? {} : { statementBytes: connection.statementBytes }),
        rows: (sql, params) => {
          const live = guardedConnection();
          const rows = () => live.rows(sql, params);
          return this.late?.before(sql)?.then(rows) ?? rows();
        },
        run: (sql, params, mayClash) => {
          this.wrote = true;
          const live = guardedConnection();
          const run = () => live.run(sql, params, mayClash);
          const next = () => this.late?.before(sql)?.then(run) ?? run();
          return withTableName(begun ? () => begun.then(next) : next, this.writing);
        },
      },
      statements,
    );
    this.late =
      locks &&
      new LateWrites(statements.dialect.quote, async (late) => {
        await begun;
        for (const { sql, params } of late) await guardedConnection().run(sql, params);
      });
  }

  async insert(table: string, row: Row): Promise<number> {
    const model = this.statements.table(table);
    const id = await this.insertRows(model, [row]);
    return model.columns.has('id') ? id : 0;
  }

  async insertMany(table: string, rows: Row[]): Promise<void> {
    if (rows.length === 0) return;
    const model = this.statements.table(table);
    if (this.late && LateWrites.suit(model, rows)) return this.insertLate(model, rows, this.late);
    const size = Math.max(1, Math.floor(MAX_PARAMS / model.columns.size));
    const most = Math.min(MAX_CHARACTERS, (this.db.statementBytes ?? Infinity) / MAX_BYTES_PER_CHARACTER);
    for (const some of portions(rows, size, most)) await this.insertRows(model, some);
  }

  async append(table: string, row: Row): Promise<void> {
    const model = this.statements.table(table);
    if (this.late && LateWrites.suitsEnd(model)) return this.insertLate(model, [row], this.late);
    const { fresh } = this;
    await this.insertRows(model, [row]);
    // What was inserted before is still the item of the write.
    if (fresh && fresh.table !== table) this.fresh = fresh;
  }

  async update(table: string, set: Record<string, Change>, where: Predicate): Promise<number> {
    if (Object.keys(set).length === 0) return this.count(table, where);
    this.writing = table;
    const model = this.statements.table(table);
    const moves = model.counted.some((name) => name in set);
    const before = moves ? await this.combinations(model, where) : [];
    this.changes(table);
    this.pairs.changed(table);
    const { sql, params } = this.statements.update(table, set, where);
    const { changes } = await this.db.run(sql, params, isUnique(model, Object.keys(set)));
    if (changes > 0) this.touched.add(table);
    for (const [values, n] of before) {
      this.move(model, values, -n);
      this.move(model, this.changed(model, values, set), n);
    }
    return changes;
  }

  async delete(table: string, where: Predicate): Promise<number> {
    this.writing = table;
    const model = this.statements.table(table);
    const before = model.counted.length > 0 ? await this.combinations(model, where) : [];
    this.changes(table);
    this.pairs.changed(table);
    const { sql, params } = this.statements.delete(table, where);
    const { changes } = await this.db.run(sql, params);
    if (changes > 0) this.touched.add(table);
    for (const [values, n] of before) this.move(model, values, -n);
    return changes;
  }

  add(table: string, id: number, column: string, delta: number): void {
    const model = this.statements.table(table);
    if (model.counted.includes(columnOf(model, column).name)) throw new TypeError(`${table}.${column} is counted`);
    const key = JSON.stringify([table, column, id]);
    const sum = this.sums.get(key) ?? { table, id, column, delta: 0 };
    this.sums.set(key, { ...sum, delta: sum.delta + delta });
  }

  async lock(names: readonly string[]): Promise<void> {
    await this.locks?.lock(names);
  }

  alone(): void {
    this.locks?.alone();
  }

  after(run: () => void | Promise<void>): void {
    this.afterwards.push(run);
  }

  override async first(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks: Readonly<Record<string, Predicate>> = {},
    budget?: OutputBudget,
  ): Promise<Row | undefined> {
    const known = budget ? undefined : this.fresh?.read(table, columns, where, checks);
    return known ?? super.first(table, columns, where, checks, budget);
  }

  ahead(asked: Query): void {
    const query = { ...asked };
    delete query.budget;
    // Nothing is gained where a statement costs no round trip; texts of any length have to be measured first.
    if (!this.locks || this.statements.hasTexts(query.table, query.columns) || this.asked.has(keyOf(query))) return;
    const rows = super.select(query);
    // Reported to whoever selects the rows; without one nobody needs to know.
    rows.catch(() => undefined);
    this.asked.set(keyOf(query), rows);
  }

  override async select(query: Query): Promise<Row[]> {
    const known = this.pairs.read(this.statements.table(query.table), query);
    if (known) return known;
    return (this.asked.size > 0 && this.asked.get(keyOf(query))) || super.select(query);
  }

  override async count(table: string, where: Predicate): Promise<number> {
    await this.all(this.takeCounts());
    return super.count(table, where);
  }

  /**
   * The writes that were accumulated, in an order common to all transactions (no deadlocks): pairs, row counts, versions,
   * sums.
   * The sums come last, because many transactions may want the same one and wait for each other's commit. Nothing may be
   * written after them.
   */
  last(): Statement[] {
    const sums = [...this.sums.values()].filter((sum) => sum.delta !== 0);
    sums.sort((a, b) => compare(a.table, b.table) || a.id - b.id || compare(a.column, b.column));
    for (const { table } of sums) this.touched.add(table);
    this.sums.clear();
    const counts = this.takeCounts();
    this.wrote ||= counts.length + sums.length > 0;
    const versions = this.locks && this.wrote ? [this.movedVersions()] : [];
    this.touched.clear();
    const late = this.late?.take() ?? [];
    return [...late, ...counts, ...versions, ...sums.map((sum) => this.added(sum))];
  }

  /** Writes them now. */
  async flush(): Promise<void> {
    await this.all(this.last());
  }

  async wrongCounters(): Promise<{ table: string; message: string }[]> {
    await this.flush();
    const findings = [];
    for (const table of this.statements.tables.values()) {
      if (table.counted.length > 0) findings.push(...(await wrongCounters(this.db, this.statements, table)));
    }
    return findings;
  }

  async recount(table: string): Promise<void> {
    await this.flush();
    await rebuildCounters(this.db, this.statements, this.statements.table(table));
  }

  /** Afterwards every read and write of the transaction throws. */
  end(): void {
    this.over = true;
  }

  protected async insertRows(model: TableModel, rows: readonly Row[]): Promise<number> {
    this.writing = model.name;
    const { sql, params } = this.statements.insert(model.name, rows);
    const own = model.columns.has('id') && 'id' in rows[0]!;
    this.touched.add(model.name);
    this.changes(model.name);
    const { id } = await this.db.run(sql, params, own || isUnique(model, [...model.columns.keys()]));
    if (own) await this.advanceIds(model, rows);
    if (model.counted.length > 0) for (const row of rows) this.move(model, combinationOf(model, row), 1);
    if (rows.length === 1 && model.columns.has('id')) this.fresh = new FreshRow(model, { id, ...rows[0] });
    if (rows.length === 1 && !own) this.pairs.inserted(model, id);
    this.pairs.paired(model, rows);
    return own ? Number(rows[0]!['id']) : id;
  }

  private async insertLate(model: TableModel, rows: readonly Row[], late: LateWrites): Promise<void> {
    this.wrote = true;
    this.touched.add(model.name);
    this.pairs.paired(model, rows);
    late.add(model.name, this.statements.insert(model.name, rows));
  }

  private changes(table: string): void {
    if (this.fresh?.table === table) this.fresh = undefined;
    for (const key of this.asked.keys()) if (key.startsWith(`${table} `)) this.asked.delete(key);
  }

  private async advanceIds(model: TableModel, rows: readonly Row[]): Promise<void> {
    const highest = rows.reduce((most, row) => Math.max(most, Number(row['id'])), 0);
    const advance = this.statements.dialect.advanceIds(model.name, highest);
    if (advance) await this.db.rows(advance.sql, advance.params);
  }

  private async combinations(model: TableModel, where: Predicate): Promise<[Bound[], number][]> {
    const { sql, params } = this.statements.count(model.name, model.counted, where);
    const rows = await this.db.rows(sql, params);
    return rows.map((row) => [row.slice(0, -1), Number(row.at(-1))]);
  }

  private changed(model: TableModel, values: readonly Bound[], set: Record<string, Change>): Bound[] {
    return model.counted.map((name, i) => (name in set ? toBound(set[name], columnOf(model, name)) : values[i]!));
  }

  private move(model: TableModel, values: readonly Bound[], delta: number): void {
    const scope = scopeOf(model, values);
    this.counts.set(scope, (this.counts.get(scope) ?? 0) + delta);
  }

  private takeCounts(): Statement[] {
    const deltas = [...this.counts].filter(([, delta]) => delta !== 0).sort(([a], [b]) => compare(a, b));
    this.counts.clear();
    const stripe = this.locks ? this.stripe : 0;
    const written: Statement[] = [];
    for (let at = 0; at < deltas.length; at += MAX_COUNTS) {
      const some = deltas.slice(at, at + MAX_COUNTS);
      const params = some.flatMap(([scope, delta]) => [stripeOf(scope, stripe), delta]);
      written.push({ sql: this.statements.dialect.addTo(COUNTS.name, ['scope', 'n'], some.length), params });
    }
    return written;
  }

  private movedVersions(): Statement {
    return moveVersions(this.statements.dialect, this.touched, this.stripe);
  }

  private added({ table, id, column, delta }: Sum): Statement {
    return this.statements.update(table, { [column]: { increment: delta } }, { op: 'eq', column: 'id', value: id });
  }

  private async all(statements: readonly Statement[]): Promise<void> {
    const run = ({ sql, params }: Statement) => this.db.run(sql, params);
    if (!this.locks) await Promise.all(statements.map(run));
    // One after the other: where a deadlock has ended the transaction, the next write would be committed by itself.
    else for (const statement of statements) await run(statement);
  }
}

/** Runs a write; its error carries the name of the table (`FailedWrite`). */
function withTableName(run: () => Ran | Promise<Ran>, table: string): Ran | Promise<Ran> {
  const mark = (error: unknown): never => {
    if (error instanceof Error) Object.assign(error, { failedWrite: table });
    throw error;
  };
  try {
    const ran = run();
    return ran instanceof Promise ? ran.catch(mark) : ran;
  } catch (error) {
    return mark(error);
  }
}

function keyOf({ table, columns, where, order, limit, offset }: Query): string {
  return `${table} ${JSON.stringify([columns, where, order, limit, offset])}`;
}

// The id is omitted, because the database generates it; so are the keys of tables of pairs, which belong to one item.
function isUnique(model: TableModel, written: readonly string[]): boolean {
  return [...model.indexes.values()].some(
    (index) => index.unique && index.columns.some((name) => written.includes(name)),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Batches of at most `size` rows and `most` characters; a larger row gets a batch of its own. */
function* portions(rows: readonly Row[], size: number, most: number): Generator<Row[]> {
  let some: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    const more = charactersOf(row);
    if (some.length > 0 && (some.length === size || characters + more > most)) {
      yield some;
      [some, characters] = [[], 0];
    }
    some.push(row);
    characters += more;
  }
  yield some;
}

function charactersOf(row: Row): number {
  let sum = 0;
  for (const name in row) if (typeof row[name] === 'string') sum += row[name].length;
  return sum;
}
