// The writes of one transaction, including the row counts that follow from them.
import { and, equals, oneOf, type Change, type Predicate, type Row } from '../../model/query.js';
import type { PairChange, Transaction } from '../../model/store.js';
import type { Connection, Statement } from '../sql/connection.js';
import { type Combinations, CountedRows } from './counted-rows.js';
import { withTableName } from './failed-write.js';
import { maxCharactersOf, portions, MAX_PARAMS } from './portions.js';
import { type Sum, Sums } from './sums.js';
import { anyStripe, moveVersions } from '../sql/data-version.js';
import { FreshRow, idIn } from './fresh-row.js';
import { isUnique, DeferredWrites } from './deferred-writes.js';
import type { TransactionLocks } from '../sql/locks.js';
import { rebuildCounters, wrongCounters } from '../sql/row-counts.js';
import { TransactionReader } from './transaction-reader.js';
import { columnOf } from '../sql/predicate-sql.js';
import type { Statements } from '../sql/statements.js';
import type { TextWrites } from '../sql/scans.js';
import type { TableModel } from '../../model/table.js';

/** A transaction on a connection; the store begins it and commits or rolls back. */
export class SqlTransaction extends TransactionReader implements Transaction {
  /** Callbacks registered with `after`, in order. */
  readonly callbacks: (() => void | Promise<void>)[] = [];
  private readonly counts: CountedRows;
  private readonly sums = new Sums();
  /** Tables changed since the versions were moved. */
  private readonly touched = new Set<string>();
  private readonly stripe = anyStripe();
  /** Writes that nothing depends on yet: one round trip, or one message to the writing thread, for all. */
  private readonly deferred: DeferredWrites;
  private ended = false;
  /** Tables of the rows that the last writes change. */
  private deferredTables: readonly string[] = [];
  /** Table of the running statement. */
  private writing = '';
  /** Whether anything was written. */
  hasWritten = false;

  /** Without `locks` transactions take turns. No write is sent before the transaction has `begun`. */
  constructor(
    connection: Connection,
    statements: Statements,
    locks?: TransactionLocks,
    begun?: Promise<void>,
    private readonly texts?: TextWrites,
  ) {
    // Statements that the caller did not await must not run in the next transaction on this connection. Checked when
    // a statement is sent, because it may have waited for others.
    const guardedConnection = (): Connection => {
      if (this.ended) throw new Error('The transaction is over: a read or write of it was not awaited');
      return connection;
    };
    super(
      {
        ...(connection.statementBytes === undefined ? {} : { statementBytes: connection.statementBytes }),
        rows: (sql, params) => {
          const rows = () => guardedConnection().rows(sql, params);
          return this.deferred.before(sql)?.then(rows) ?? rows();
        },
        run: (sql, params, mayClash) => {
          this.hasWritten = true;
          const run = () => guardedConnection().run(sql, params, mayClash);
          const next = () => this.deferred.before(sql)?.then(run) ?? run();
          return withTableName(begun ? () => begun.then(next) : next, this.writing);
        },
      },
      statements,
      locks,
    );
    this.counts = new CountedRows(statements.dialect);
    this.deferred = new DeferredWrites(
      statements.dialect.quote,
      ({ table, id, set }) => statements.update(table, set, equals('id', id)),
      async (deferred, changed) => {
        await begun;
        await withTableName(() => runAll(guardedConnection(), deferred), changed ?? this.writing);
      },
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
    if (DeferredWrites.canDeferPairs(model, rows)) return this.insertDeferred(model, rows);
    await this.insertAll(model, rows);
  }

  async append(table: string, row: Row): Promise<void> {
    const model = this.statements.table(table);
    // The words of a text are listed under the id of its row, which is known once the row has been inserted.
    const isIndexed = this.texts !== undefined && this.texts.columnsOf(model, row).length > 0;
    if (!isIndexed && DeferredWrites.canDeferInsert(model)) return this.insertDeferred(model, [row]);
    await this.insertRows(model, [row]);
  }

  async update(table: string, set: Record<string, Change>, where: Predicate, current?: Row): Promise<number> {
    if (Object.keys(set).length === 0) return this.count(table, where);
    this.writing = table;
    const model = this.statements.table(table);
    if (current) {
      this.fresh.add(FreshRow.read(model, current));
      this.pairs.hold(model, Number(current['id']));
    }
    const known = this.fresh.find(table, where);
    const moves = model.counted.some((name) => name in set);
    const before = moves ? await this.combinations(model, where, known) : [];
    this.forgetReads(table);
    if (!known) this.fresh.forget(table, idIn(where));
    this.pairs.recordChange(table);
    const changed = await this.removeTexts(model, where, set, known);
    const changes = await this.write(model, set, where, known);
    for (const id of changed) this.texts!.add(model, id, set);
    if (changed.length > 0) await this.texts!.settle(this.textConnection);
    if (changes > 0) this.touched.add(table);
    this.counts.recordUpdate(model, before, set);
    return changes;
  }

  private async write(
    model: TableModel,
    set: Record<string, Change>,
    where: Predicate,
    known: FreshRow | undefined,
  ): Promise<number> {
    if (known && DeferredWrites.canDeferUpdate(model, set)) {
      known.change(set);
      this.hasWritten = true;
      this.deferred.change(model.name, Number(known.id), set);
      return 1;
    }
    const { sql, params } = this.statements.update(model.name, set, where);
    const { changes } = await this.db.run(sql, params, isUnique(model, Object.keys(set)));
    known?.change(set);
    return changes;
  }

  async delete(table: string, where: Predicate): Promise<number> {
    this.writing = table;
    const model = this.statements.table(table);
    const before = model.counted.length > 0 ? await this.combinations(model, where) : [];
    this.forgetReads(table);
    this.fresh.forget(table, idIn(where));
    this.pairs.recordChange(table);
    await this.removeTexts(model, where);
    const { sql, params } = this.statements.delete(table, where);
    const { changes } = await this.db.run(sql, params);
    if (changes > 0) this.touched.add(table);
    this.counts.recordDelete(model, before);
    return changes;
  }

  async changePairs(table: string, owner: number, { dropped, added, after }: PairChange): Promise<void> {
    if (dropped.length > 0) await this.deletePairs(table, owner, dropped);
    const rows = added.map((target) => ({ owner_id: owner, target_id: target }));
    await this.insertMany(table, rows);
    if (after) this.pairs.recordTargets(table, owner, after);
  }

  private async deletePairs(table: string, owner: number, targets: readonly number[]): Promise<void> {
    const model = this.statements.table(table);
    const where = and(equals('owner_id', owner), oneOf('target_id', targets));
    if (!DeferredWrites.canDeferPairDeletes(model, targets)) {
      await this.delete(table, where);
      return;
    }
    this.pairs.recordChange(table);
    this.addDeferred(table, this.statements.delete(table, where));
  }

  replacedTexts(table: string): readonly string[] {
    return (this.locks && this.texts?.columnsOf(this.statements.table(table))) ?? [];
  }

  add(table: string, id: number, column: string, delta: number): void {
    const model = this.statements.table(table);
    if (model.counted.includes(columnOf(model, column).name)) throw new TypeError(`${table}.${column} is counted`);
    this.sums.add(table, id, column, delta);
  }

  async lock(names: readonly string[]): Promise<void> {
    this.forgetSingles();
    await this.locks?.lock(names);
  }

  alone(): void {
    this.locks?.alone();
  }

  after(run: () => void | Promise<void>): void {
    this.callbacks.push(run);
  }

  /** Does nothing: only bulk transactions buffer rows. */
  async send(_table?: string): Promise<void> {}

  override async count(table: string, where: Predicate): Promise<number> {
    await this.runAll(this.takeCounts());
    return super.count(table, where);
  }

  /**
   * The accumulated writes, in an order common to all transactions (no deadlocks): deferred writes, texts, row counts,
   * versions, sums. The sums come last, because many transactions may want the same one and wait for each other's
   * commit. Nothing may be written after them.
   */
  last(): Statement[] {
    const sums = this.takeSums();
    const counts = this.takeCounts();
    this.hasWritten ||= counts.length + sums.length > 0;
    const versions = this.locks && this.hasWritten ? [this.versionStatement()] : [];
    this.touched.clear();
    this.deferredTables = this.deferred.changedTables();
    const deferred = [...this.deferred.take(), ...(this.texts?.take() ?? [])];
    return [...deferred, ...counts, ...versions, ...sums];
  }

  /** Writes the accumulated writes now. */
  async flush(): Promise<void> {
    await this.runAll(this.last());
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
    // Totals that are stored elsewhere were computed from the former numbers.
    this.touched.add(table);
  }

  /** To be called after the commit. */
  committed(): void {
    this.texts?.committed();
  }

  /** Adds the table of the changed row to an error of the accumulated writes, as in `FailedWrite`. */
  addTableName(error: unknown): void {
    const [table] = this.deferredTables;
    if (table !== undefined && error instanceof Error) Object.assign(error, { failedWrite: table });
  }

  /** Afterwards every read and write of the transaction throws. */
  end(): void {
    this.ended = true;
  }

  /** The connection that writes the index over texts, whose tables nothing else in the transaction reads or writes. */
  protected get textConnection(): Connection {
    return this.db;
  }

  /** Inserts rows with the same columns, in as few statements as the database accepts. */
  protected async insertAll(model: TableModel, rows: readonly Row[]): Promise<void> {
    const size = Math.max(1, Math.floor(MAX_PARAMS / model.columns.size));
    // The words of a text are listed under the id of its row, and a generated id is known for a single row only.
    const single = this.texts && !('id' in rows[0]!) && this.texts.columnsOf(model, rows[0]).length > 0;
    for (const some of portions(rows, single ? 1 : size, maxCharactersOf(this.db))) await this.insertRows(model, some);
  }

  protected async insertRows(model: TableModel, rows: readonly Row[]): Promise<number> {
    this.writing = model.name;
    const { sql, params } = this.statements.insert(model.name, rows);
    const own = model.columns.has('id') && 'id' in rows[0]!;
    this.touched.add(model.name);
    this.forgetReads(model.name);
    // Only explicit ids and unique indexes may clash: the database generates other ids, and pairs belong to one item.
    const { id } = await this.db.run(sql, params, own || isUnique(model, [...model.columns.keys()]));
    if (own) await this.advanceIds(model, rows);
    this.counts.recordInsert(model, rows);
    if (rows.length === 1 && model.columns.has('id')) this.fresh.add(FreshRow.inserted(model, { id, ...rows[0] }));
    if (rows.length === 1 && !own) this.pairs.recordInsert(model, id);
    this.pairs.recordPairs(model, rows);
    await this.indexTexts(model, rows, id);
    return own ? Number(rows[0]!['id']) : id;
  }

  private async indexTexts(model: TableModel, rows: readonly Row[], id: number): Promise<void> {
    const { texts } = this;
    if (!texts || texts.columnsOf(model, rows[0]).length === 0) return;
    for (const row of rows) texts.add(model, Number(row['id'] ?? id), row);
    await texts.settle(this.textConnection);
  }

  /** Removes the texts of rows that a write will change or delete from the index; returns the ids of the rows. */
  private async removeTexts(
    model: TableModel,
    where: Predicate,
    set?: Record<string, Change>,
    known?: FreshRow,
  ): Promise<readonly number[]> {
    const columns = this.texts?.columnsOf(model, set) ?? [];
    if (columns.length === 0) return [];
    const texts = known?.valuesOf(columns);
    if (!texts) return this.texts!.remove(this.db, model, columns, where, set !== undefined);
    const id = Number(known!.id);
    this.texts!.drop(model, id, Object.fromEntries(columns.map((name, at) => [name, texts[at]])));
    return [id];
  }

  private async insertDeferred(model: TableModel, rows: readonly Row[]): Promise<void> {
    this.pairs.recordPairs(model, rows);
    this.addDeferred(model.name, this.statements.insert(model.name, rows));
  }

  private addDeferred(table: string, statement: Statement): void {
    this.hasWritten = true;
    this.touched.add(table);
    this.forgetReads(table);
    this.deferred.add(table, statement);
  }

  protected async advanceIds(model: TableModel, rows: readonly Row[]): Promise<void> {
    const highest = rows.reduce((most, row) => Math.max(most, Number(row['id'])), 0);
    const advance = this.statements.dialect.advanceIds(model.name, highest);
    if (advance) await this.db.rows(advance.sql, advance.params);
  }

  private async combinations(model: TableModel, where: Predicate, known?: FreshRow): Promise<Combinations> {
    const values = known?.valuesOf(model.counted);
    if (values) return [[values, 1]];
    const { sql, params } = this.statements.count(model.name, model.counted, where);
    const rows = await this.db.rows(sql, params);
    return rows.map((row) => [row.slice(0, -1), Number(row.at(-1))]);
  }

  private takeCounts(): Statement[] {
    return this.counts.take(this.locks ? this.stripe : 0);
  }

  private versionStatement(): Statement {
    return moveVersions(this.statements.dialect, this.touched, this.stripe);
  }

  private takeSums(): Statement[] {
    const sums = this.sums.take();
    for (const { table } of sums) this.touched.add(table);
    return this.sumStatements(sums);
  }

  /** Statements that add sums, which are in the order of their ids. */
  protected sumStatements(sums: readonly Sum[]): Statement[] {
    return sums.map(({ table, id, column, delta }) =>
      this.statements.update(table, { [column]: { increment: delta } }, { op: 'eq', column: 'id', value: id }),
    );
  }

  private async runAll(statements: readonly Statement[]): Promise<void> {
    const run = ({ sql, params }: Statement) => this.db.run(sql, params);
    if (!this.locks) await Promise.all(statements.map(run));
    // One after the other: where a deadlock has ended the transaction, the next write would be committed by itself.
    else for (const statement of statements) await run(statement);
  }
}

async function runAll(connection: Connection, statements: readonly Statement[]): Promise<void> {
  if (connection.runAll) return connection.runAll(statements);
  for (const { sql, params } of statements) await connection.run(sql, params);
}
