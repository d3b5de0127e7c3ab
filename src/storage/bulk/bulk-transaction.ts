// A transaction that inserts many rows. It buffers them and sends them together, before the first statement that reads
// their table or at the end. It runs alone, so it may assign ids itself.
import { setImmediate as turn } from 'node:timers/promises';
import type { OutputBudget } from '../../model/operation.js';
import { and, equals, oneOf, type Change, type Predicate, type Query, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { PairChange } from '../../model/store.js';
import { AbsentValues } from './absent-values.js';
import type { Connection, Statement } from '../sql/connection.js';
import { FreshRow, idIn } from '../transactions/fresh-row.js';
import { GatheredRows } from './gathered-rows.js';
import type { TransactionLocks } from '../sql/locks.js';
import type { TextWrites } from '../sql/scans.js';
import type { Statements } from '../sql/statements.js';
import type { Sum } from '../transactions/sums.js';
import { SqlTransaction } from '../transactions/transaction.js';
import type { TableModel } from '../../model/table.js';
import { MAX_PARAMS } from '../transactions/portions.js';

/** Characters of buffered texts from which their rows are sent while the next ones are gathered: bounds memory. */
const MAX_CHARACTERS = 512 * 1024;
/** Most values looked up by one statement. */
const MAX_ASKED = 500;
/** Rows made between two turns of the event loop in which the statements that are under way advance. */
const ROWS_PER_TURN = 8;

/** See above. A row that the database rejects may fail a later call than the one that wrote it. */
export class BulkTransaction extends SqlTransaction {
  private readonly gathered = new Map<string, GatheredRows>();
  /** Highest id by table, where known: no other transaction assigns ids meanwhile. */
  private readonly lastIds = new Map<string, number>();
  private readonly absent = new AbsentValues();
  /** Tables into which rows with explicit ids are inserted. */
  private readonly explicit = new Set<string>();
  /** Highest explicit ids, by table; the sequence has to be advanced past them before it generates another one. */
  private readonly brought = new Map<string, number>();
  private sending: Promise<unknown> = Promise.resolve();
  /** The same without the rows that were begun last. */
  private sendingBefore: Promise<unknown> = this.sending;
  /** Tables whose rows are being sent, or wait for that. */
  private underWay = 0;
  private gatheredRows = 0;
  protected override readonly remembers = false;

  constructor(
    private readonly unwaiting: Connection,
    statements: Statements,
    locks?: TransactionLocks,
    begun?: Promise<void>,
    texts?: TextWrites,
  ) {
    const own: Connection = {
      ...(unwaiting.statementBytes === undefined ? {} : { statementBytes: unwaiting.statementBytes }),
      rows: async (sql, params) => {
        await this.sendNamed(sql);
        return unwaiting.rows(sql, params);
      },
      run: (sql, params, mayClash) => unwaiting.run(sql, params, mayClash),
    };
    super(own, statements, locks, begun, texts);
  }

  override async insert(table: string, row: Row): Promise<number> {
    const model = this.statements.table(table);
    const numbered = await this.numbered(model, row);
    if (!numbered) return this.firstNumbered(model, row);
    await this.gather(model, numbered);
    return model.columns.has('id') ? Number(numbered['id']) : 0;
  }

  override async insertMany(table: string, rows: readonly Row[]): Promise<void> {
    for (const row of rows) await this.insert(table, row);
  }

  override async append(table: string, row: Row): Promise<void> {
    const isGenerated = row['id'] === undefined && !this.lastIds.has(table) && !this.explicit.has(table);
    // To learn a generated id that nobody asks for, the transaction would wait for all rows that are under way.
    if (isGenerated) await this.gather(this.statements.table(table), { ...row });
    else await this.insert(table, row);
  }

  override async update(table: string, set: Record<string, Change>, where: Predicate, current?: Row): Promise<number> {
    const row = this.gatheredRow(table, where);
    const values = Object.values(set);
    this.absent.written(table, set);
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
    const row = budget ? undefined : this.gatheredRow(table, where);
    const known = row && FreshRow.inserted(this.statements.table(table), row).read(columns, checks);
    return known ?? super.first(table, columns, where, checks, budget);
  }

  override async select(query: Query): Promise<Row[]> {
    await this.send(query.table);
    return super.select(query);
  }

  override async count(table: string, where: Predicate): Promise<number> {
    await this.send(table);
    return super.count(table, where);
  }

  override async absentOf(table: string, column: string, values: readonly Scalar[]): Promise<void> {
    const asked = [...new Set(values)];
    for (let at = 0; at < asked.length; at += MAX_ASKED) {
      const some = new Set(asked.slice(at, at + MAX_ASKED));
      const where = oneOf(column, [...some]);
      for (const row of await this.select({ table, columns: [column], where, order: [] })) some.delete(row[column]);
      this.absent.note(table, column, some);
    }
  }

  override lacks(table: string, column: string, value: Scalar): boolean {
    return this.absent.has(table, column, value);
  }

  override async send(table?: string): Promise<void> {
    const tables = table === undefined ? [...this.gathered.keys()] : [table];
    for (const name of tables) this.begin(name);
    await this.sending;
    if (table === undefined) for (const name of this.brought.keys()) await this.advance(name);
  }

  override async flush(): Promise<void> {
    await this.send();
    await super.flush();
  }

  /** One statement for all rows with the same increment: no other transaction waits for these locks. */
  protected override added(sums: readonly Sum[]): Statement[] {
    const alike = new Map<string, Sum[]>();
    for (const sum of sums) addTo(alike, JSON.stringify([sum.table, sum.column, sum.delta]), sum);
    return [...alike.values()].map((some) => {
      const { table, column, delta } = some[0]!;
      const where = oneOf(
        'id',
        some.map(({ id }) => id),
      );
      return this.statements.update(table, { [column]: { increment: delta } }, where);
    });
  }

  /** The text index is written while rows are being sent, so it must not wait for them. */
  protected override get ofTexts(): Connection {
    return this.unwaiting;
  }

  /** Deferred to `advance`: once for all rows of a table. */
  protected override async advanceIds({ name }: TableModel, rows: readonly Row[]): Promise<void> {
    const highest = rows.reduce((most, row) => Math.max(most, Number(row['id'])), this.brought.get(name) ?? 0);
    this.brought.set(name, highest);
  }

  /** Starts sending the buffered rows of a table. */
  private begin(table: string): void {
    const rows = this.gathered.get(table);
    if (!rows) return;
    this.gathered.delete(table);
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
  private async numbered({ name, columns }: TableModel, row: Row): Promise<Row | undefined> {
    if (!columns.has('id')) return { ...row };
    const last = this.lastIds.get(name);
    if (row['id'] !== undefined) {
      // The database gives the rows before it their ids first, as it would without buffering.
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
  private async firstNumbered({ name }: TableModel, row: Row): Promise<number> {
    await this.send(name);
    await this.advance(name);
    this.absent.written(name, row);
    const id = await super.insert(name, row);
    this.absent.written(name, { id });
    this.lastIds.set(name, id);
    return id;
  }

  private async gather(model: TableModel, row: Row): Promise<void> {
    const rows = this.gathered.get(model.name) ?? new GatheredRows();
    this.gathered.set(model.name, rows);
    rows.add(row);
    this.absent.written(model.name, row);
    this.changes(model.name);
    this.gatheredRows += 1;
    // Rows are made without a turn of the event loop, and each of these statements waits for the response of another.
    if (this.underWay > 0 && this.gatheredRows % ROWS_PER_TURN === 0) await turn();
    if (rows.characters < MAX_CHARACTERS) return;
    await this.sendingBefore;
    this.begin(model.name);
  }

  private gatheredRow(table: string, where: Predicate): Row | undefined {
    const id = idIn(where);
    return id === undefined ? undefined : this.gathered.get(table)?.find(id);
  }

  private async sendRows(table: string, rows: GatheredRows): Promise<void> {
    const model = this.statements.table(table);
    const { sendsAhead } = this.statements.dialect;
    const sent: Promise<void>[] = [];
    for (const alike of rows.alike()) {
      for (let at = 0; at < alike.length;) {
        const some = alike.slice(at, at + powerOfTwo(Math.min(alike.length - at, MAX_PARAMS / model.columns.size)));
        const inserting = this.insertAll(model, some);
        if (sendsAhead) sent.push(inserting);
        else await inserting;
        at += some.length;
      }
    }
    await Promise.all(sent);
  }

  private async advance(table: string): Promise<void> {
    const highest = this.brought.get(table);
    this.brought.delete(table);
    if (highest !== undefined) await super.advanceIds(this.statements.table(table), [{ id: highest }]);
  }

  /** Sends the rows that a write has to see: those of its table, or all if its condition reads other tables. */
  protected beforeChange(table: string, where: Predicate): Promise<void> {
    return this.send(asksOthers(where) ? undefined : table);
  }

  private async sendNamed(sql: string): Promise<void> {
    for (const name of this.gathered.keys()) {
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

/** The largest power of two up to `most`, so that few distinct statements have to be prepared. */
function powerOfTwo(most: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, most)));
}

function isValue(change: Change): boolean {
  return change === null || typeof change !== 'object';
}

function asksOthers(where: Predicate): boolean {
  if (where.op === 'exists') return true;
  if (where.op === 'and' || where.op === 'or') return where.of.some(asksOthers);
  return where.op === 'not' && asksOthers(where.of);
}
