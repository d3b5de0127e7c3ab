// A transaction that inserts many rows. It buffers them and sends them together, before the first statement that reads
// their table or at the end. It runs alone, so it may assign ids itself.
import { setImmediate as turn } from 'node:timers/promises';
import type { OutputBudget } from '../../model/operation.js';
import { and, equals, oneOf, type Change, type Predicate, type Row, type Selection } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { PairChange } from '../../model/store.js';
import { AbsentValues } from './absent-values.js';
import type { Connection, Statement } from '../sql/connection.js';
import { FreshRow, idIn } from '../transactions/fresh-row.js';
import { RowBuffer } from './row-buffer.js';
import type { TransactionLocks } from '../sql/locks.js';
import type { TextWrites } from '../sql/scans.js';
import type { Statements } from '../sql/statements.js';
import type { Sum } from '../transactions/sums.js';
import { SqlTransaction } from '../transactions/transaction.js';
import type { TableModel } from '../../model/table.js';
import { MAX_PARAMS } from '../transactions/portions.js';

/** Characters of buffered texts from which their rows are sent while the next ones are buffered: bounds memory. */
const MAX_CHARACTERS = 512 * 1024;
/** Maximum number of values that one statement looks up. */
const LOOKUP_BATCH = 500;
/** Rows buffered before the event loop gets a turn to process responses of statements in flight. */
const ROWS_PER_TURN = 8;

/** A transaction of many rows. When the database rejects a row, a later call than the one that wrote it may fail. */
export class BulkTransaction extends SqlTransaction {
  private readonly buffered = new Map<string, RowBuffer>();
  /** Highest id by table, where known: no other transaction assigns ids at the same time. */
  private readonly lastIds = new Map<string, number>();
  private readonly absent = new AbsentValues();
  /** Tables into which rows with explicit ids are inserted. */
  private readonly explicit = new Set<string>();
  /** Highest explicit ids, by table; the sequence has to be advanced past them before it generates another one. */
  private readonly explicitIds = new Map<string, number>();
  private sending: Promise<unknown> = Promise.resolve();
  /** The value of `sending` before the last rows were added. */
  private sendingBefore: Promise<unknown> = this.sending;
  /** Number of tables whose rows are being sent or queued. */
  private underWay = 0;
  private bufferedRows = 0;
  protected override readonly cachesRows = false;

  constructor(
    private readonly unbuffered: Connection,
    statements: Statements,
    locks?: TransactionLocks,
    begun?: Promise<void>,
    texts?: TextWrites,
  ) {
    const own: Connection = {
      ...(unbuffered.statementBytes === undefined ? {} : { statementBytes: unbuffered.statementBytes }),
      rows: async (sql, params) => {
        await this.sendTablesIn(sql);
        return unbuffered.rows(sql, params);
      },
      run: (sql, params, mayClash) => unbuffered.run(sql, params, mayClash),
    };
    super(own, statements, locks, begun, texts);
  }

  override async insert(table: string, row: Row): Promise<number> {
    const model = this.statements.table(table);
    const numberedRow = await this.withId(model, row);
    if (!numberedRow) return this.insertFirst(model, row);
    await this.buffer(model, numberedRow);
    return model.columns.has('id') ? Number(numberedRow['id']) : 0;
  }

  override async insertMany(table: string, rows: readonly Row[]): Promise<void> {
    for (const row of rows) await this.insert(table, row);
  }

  override async append(table: string, row: Row): Promise<void> {
    const isGenerated = row['id'] === undefined && !this.lastIds.has(table) && !this.explicit.has(table);
    // Returning the generated id, which the caller does not need, would wait for all rows in flight.
    if (isGenerated) await this.buffer(this.statements.table(table), { ...row });
    else await this.insert(table, row);
  }

  override async update(table: string, set: Record<string, Change>, where: Predicate, current?: Row): Promise<number> {
    const row = this.bufferedRow(table, where);
    const values = Object.values(set);
    this.absent.remove(table, set);
    if (row && Object.keys(set).every((name) => name in row) && values.every(isValue)) {
      Object.assign(row, set);
      return 1;
    }
    await this.beforeChange(table, where);
    return super.update(table, set, where, current);
  }

  override async delete(table: string, where: Predicate): Promise<number> {
    await this.beforeChange(table, where);
    return super.delete(table, where);
  }

  override async changePairs(table: string, owner: number, { dropped, added }: PairChange): Promise<void> {
    if (dropped.length > 0) await this.delete(table, and(equals('owner_id', owner), oneOf('target_id', dropped)));
    for (const target of added) await this.insert(table, { owner_id: owner, target_id: target });
  }

  override async first(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks: Readonly<Record<string, Predicate>> = {},
    budget?: OutputBudget,
  ): Promise<Row | undefined> {
    const row = budget ? undefined : this.bufferedRow(table, where);
    const known = row && FreshRow.inserted(this.statements.table(table), row).read(columns, checks);
    return known ?? super.first(table, columns, where, checks, budget);
  }

  override async select(query: Selection): Promise<Row[]> {
    await this.send(query.table);
    return super.select(query);
  }

  override async count(table: string, where: Predicate): Promise<number> {
    await this.send(table);
    return super.count(table, where);
  }

  override async absentOf(table: string, column: string, values: readonly Scalar[]): Promise<void> {
    const distinct = [...new Set(values)];
    for (let at = 0; at < distinct.length; at += LOOKUP_BATCH) {
      const some = new Set(distinct.slice(at, at + LOOKUP_BATCH));
      const where = oneOf(column, [...some]);
      for (const row of await this.select({ table, columns: [column], where, order: [] })) some.delete(row[column]);
      this.absent.add(table, column, some);
    }
  }

  override lacks(table: string, column: string, value: Scalar): boolean {
    return this.absent.has(table, column, value);
  }

  override async send(table?: string): Promise<void> {
    const tables = table === undefined ? [...this.buffered.keys()] : [table];
    for (const name of tables) this.startSending(name);
    await this.sending;
    if (table === undefined) for (const name of this.explicitIds.keys()) await this.advance(name);
  }

  override async flush(): Promise<void> {
    await this.send();
    await super.flush();
  }

  /** One statement for all rows with the same increment: no other transaction waits for these locks. */
  protected override sumStatements(sums: readonly Sum[]): Statement[] {
    const byIncrement = new Map<string, Sum[]>();
    for (const sum of sums) addTo(byIncrement, JSON.stringify([sum.table, sum.column, sum.delta]), sum);
    return [...byIncrement.values()].map((some) => {
      const { table, column, delta } = some[0]!;
      const where = oneOf(
        'id',
        some.map(({ id }) => id),
      );
      return this.statements.update(table, { [column]: { increment: delta } }, where);
    });
  }

  /** The text index is written while rows are being sent, so it must not wait for them. */
  protected override get textConnection(): Connection {
    return this.unbuffered;
  }

  /** Deferred to `advance`: once for all rows of a table. */
  protected override async advanceIds({ name }: TableModel, rows: readonly Row[]): Promise<void> {
    const highest = rows.reduce((most, row) => Math.max(most, Number(row['id'])), this.explicitIds.get(name) ?? 0);
    this.explicitIds.set(name, highest);
  }

  /** Starts sending the buffered rows of a table. */
  private startSending(table: string): void {
    const rows = this.buffered.get(table);
    if (!rows) return;
    this.buffered.delete(table);
    this.underWay += 1;
    const before = this.sending;
    const { sendsAhead } = this.statements.dialect;
    const sent = sendsAhead ? this.sendRows(table, rows) : before.then(() => this.sendRows(table, rows));
    this.sendingBefore = before;
    this.sending = Promise.all([before, sent]).finally(() => (this.underWay -= 1));
    // An error reaches the next call that awaits `sending`, at the latest `send` at the end.
    this.sending.catch(() => undefined);
  }

  /** The row, with its id if the table has ids; undefined where the database has to generate the id. */
  private async withId({ name, columns }: TableModel, row: Row): Promise<Row | undefined> {
    if (!columns.has('id')) return { ...row };
    const last = this.lastIds.get(name);
    if (row['id'] !== undefined) {
      // The earlier rows are sent first, so that the database generates their ids in the same order as without
      // buffering.
      if (!this.explicit.has(name)) await this.send(name);
      this.explicit.add(name);
      if (last !== undefined) this.lastIds.set(name, Math.max(last, Number(row['id'])));
      return { ...row };
    }
    if (last === undefined) return undefined;
    this.lastIds.set(name, last + 1);
    return { id: last + 1, ...row };
  }

  /** Inserts the first row without an id; later ones are numbered from its id. */
  private async insertFirst({ name }: TableModel, row: Row): Promise<number> {
    await this.send(name);
    await this.advance(name);
    this.absent.remove(name, row);
    const id = await super.insert(name, row);
    this.absent.remove(name, { id });
    this.lastIds.set(name, id);
    return id;
  }

  private async buffer(model: TableModel, row: Row): Promise<void> {
    const rows = this.buffered.get(model.name) ?? new RowBuffer();
    this.buffered.set(model.name, rows);
    rows.add(row);
    this.absent.remove(model.name, row);
    this.forgetReads(model.name);
    this.bufferedRows += 1;
    // Buffering rows alone never yields to the event loop, and a statement is only sent after the previous response.
    if (this.underWay > 0 && this.bufferedRows % ROWS_PER_TURN === 0) await turn();
    if (rows.characters < MAX_CHARACTERS) return;
    await this.sendingBefore;
    this.startSending(model.name);
  }

  private bufferedRow(table: string, where: Predicate): Row | undefined {
    const id = idIn(where);
    return id === undefined ? undefined : this.buffered.get(table)?.find(id);
  }

  private async sendRows(table: string, rows: RowBuffer): Promise<void> {
    const model = this.statements.table(table);
    const { sendsAhead } = this.statements.dialect;
    const sent: Promise<void>[] = [];
    for (const group of rows.groups()) {
      for (let at = 0; at < group.length;) {
        const some = group.slice(at, at + powerOfTwo(Math.min(group.length - at, MAX_PARAMS / model.columns.size)));
        const inserting = this.insertAll(model, some);
        if (sendsAhead) sent.push(inserting);
        else await inserting;
        at += some.length;
      }
    }
    await Promise.all(sent);
  }

  private async advance(table: string): Promise<void> {
    const highest = this.explicitIds.get(table);
    this.explicitIds.delete(table);
    if (highest !== undefined) await super.advanceIds(this.statements.table(table), [{ id: highest }]);
  }

  /** Sends the rows that a write must see: those of its table, or all if its condition reads other tables. */
  protected beforeChange(table: string, where: Predicate): Promise<void> {
    return this.send(readsOtherTables(where) ? undefined : table);
  }

  private async sendTablesIn(sql: string): Promise<void> {
    for (const name of this.buffered.keys()) {
      if (sql.includes(this.statements.dialect.quote(name))) await this.send(name);
    }
    // Between two statements that send rows of one table, this one would see only some of them.
    await this.sending;
  }
}

function addTo(groups: Map<string, Sum[]>, key: string, sum: Sum): void {
  const group = groups.get(key);
  if (group) group.push(sum);
  else groups.set(key, [sum]);
}

/** The largest power of two up to `max`, so that few distinct statements have to be prepared. */
function powerOfTwo(max: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, max)));
}

function isValue(change: Change): boolean {
  return change === null || typeof change !== 'object';
}

function readsOtherTables(where: Predicate): boolean {
  if (where.op === 'exists') return true;
  if (where.op === 'and' || where.op === 'or') return where.of.some(readsOtherTables);
  return where.op === 'not' && readsOtherTables(where.of);
}
