// The writes of one transaction, including the row counts that follow from them.
import type { TableModel } from '../../model/model.js';
import type { Change, Predicate, Row } from '../../model/query.js';
import type { Transaction } from '../../model/store.js';
import { toBound } from './bind-value.js';
import type { Bound, Connection, Ran } from './connection.js';
import { combinationOf, COUNTS, rebuildCounters, scopeOf, wrongCounters } from './row-counts.js';
import { SqlReader } from './reader.js';
import { columnOf } from './predicate-sql.js';
import type { Statements } from './statements.js';

// Parameters of one INSERT that every database accepts.
const MAX_PARAMS = 8_000;
/** Characters of one INSERT of several rows, unless the database has a lower limit. */
const MAX_CHARACTERS = 2 * 1024 ** 2;
/** Maximum bytes of a character. */
const MAX_BYTES_PER_CHARACTER = 3;

/** A transaction on a connection; the store begins it and commits or rolls back. */
export class SqlTransaction extends SqlReader implements Transaction {
  /** Callbacks registered with `after`, in order. */
  readonly afterwards: (() => void | Promise<void>)[] = [];
  private readonly counts = new Map<string, number>();
  private readonly sums = new Map<string, { table: string; id: number; column: string; delta: number }>();
  private over = false;
  /** Table of the running statement. */
  private writing = '';
  /** Whether anything was written. */
  wrote = false;

  constructor(connection: Connection, statements: Statements) {
    // Late statements that the caller did not await must not run in the next transaction on this connection.
    const guardedConnection = (): Connection => {
      if (this.over) throw new Error('The transaction is over: a read or write of it was not awaited');
      return connection;
    };
    super(
      {
        ...(connection.statementBytes === undefined ? {} : { statementBytes: connection.statementBytes }),
        rows: (sql, params) => guardedConnection().rows(sql, params),
        run: (sql, params, mayClash) => {
          this.wrote = true;
          const live = guardedConnection();
          return withTableName(() => live.run(sql, params, mayClash), this.writing);
        },
      },
      statements,
    );
  }

  async insert(table: string, row: Row): Promise<number> {
    const model = this.statements.table(table);
    const id = await this.insertRows(model, [row]);
    return model.columns.has('id') ? id : 0;
  }

  async insertMany(table: string, rows: Row[]): Promise<void> {
    if (rows.length === 0) return;
    const model = this.statements.table(table);
    const size = Math.max(1, Math.floor(MAX_PARAMS / model.columns.size));
    const most = Math.min(MAX_CHARACTERS, (this.db.statementBytes ?? Infinity) / MAX_BYTES_PER_CHARACTER);
    for (const some of portions(rows, size, most)) await this.insertRows(model, some);
  }

  async update(table: string, set: Record<string, Change>, where: Predicate): Promise<number> {
    if (Object.keys(set).length === 0) return this.count(table, where);
    this.writing = table;
    const model = this.statements.table(table);
    const moves = model.counted.some((name) => name in set);
    const before = moves ? await this.combinations(model, where) : [];
    const { sql, params } = this.statements.update(table, set, where);
    const { changes } = await this.db.run(sql, params, isUnique(model, Object.keys(set)));
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
    const { sql, params } = this.statements.delete(table, where);
    const { changes } = await this.db.run(sql, params);
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

  after(run: () => void | Promise<void>): void {
    this.afterwards.push(run);
  }

  override async count(table: string, where: Predicate): Promise<number> {
    await this.flushCounts();
    return super.count(table, where);
  }

  /** Writes the accumulated row counts, in an order common to all transactions (no deadlocks). Called before COMMIT. */
  async flush(): Promise<void> {
    const sums = [...this.sums.values()].filter((sum) => sum.delta !== 0);
    sums.sort((a, b) => compare(a.table, b.table) || a.id - b.id || compare(a.column, b.column));
    for (const { table, id, column, delta } of sums) {
      await this.update(table, { [column]: { increment: delta } }, { op: 'eq', column: 'id', value: id });
    }
    this.sums.clear();
    await this.flushCounts();
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

  private async insertRows(model: TableModel, rows: readonly Row[]): Promise<number> {
    this.writing = model.name;
    const { sql, params } = this.statements.insert(model.name, rows);
    const own = model.columns.has('id') && 'id' in rows[0]!;
    const { id } = await this.db.run(sql, params, own || isUnique(model, [...model.columns.keys()]));
    if (own) await this.advanceIds(model, rows);
    if (model.counted.length > 0) for (const row of rows) this.move(model, combinationOf(model, row), 1);
    return own ? Number(rows[0]!['id']) : id;
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

  private async flushCounts(): Promise<void> {
    const deltas = [...this.counts].filter(([, delta]) => delta !== 0).sort(([a], [b]) => compare(a, b));
    this.counts.clear();
    const sql = this.statements.dialect.addToCount(COUNTS.name);
    for (const [scope, delta] of deltas) await this.db.run(sql, [scope, delta]);
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

// The id is omitted: the database generates it.
function isUnique(model: TableModel, written: readonly string[]): boolean {
  const unique = (name: string): boolean => {
    if (model.columns.get(name)?.primary && name !== 'id') return true;
    return [...model.indexes.values()].some((index) => index.unique && index.columns.includes(name));
  };
  return written.some(unique);
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
