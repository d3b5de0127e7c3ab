// Reads over one connection: builds and runs statements and converts arrays to rows.
import type { OutputBudget } from '../../model/operation.js';
import {
  queryOf,
  type Aggregate,
  type GroupQuery,
  type MergeQuery,
  type Predicate,
  type Query,
  type Row,
  type Selection,
  type SummaryQuery,
  type SummaryRow,
} from '../../model/query.js';
import type { IdList, CompiledStatement, RawRow, Reader } from '../../model/store.js';
import type { Bound, Connection } from '../sql/connection.js';
import { aggregated } from '../sql/aggregate-sql.js';
import { pinsOf, sumCounters } from '../sql/row-counts.js';
import { MeasuredRows } from './measured-rows.js';
import type { OneRow } from '../sql/select-statements.js';
import type { Statements } from '../sql/statements.js';
import { WholeRow } from './whole-row.js';
import { blankOf, rowOf, bareOf } from './rows.js';

/** The value of an aggregate. */
export type Aggregated = string | number | null;

/** Reads what the connection sees, without a cache. Base class of transactions. */
export class SqlReader implements Reader {
  constructor(
    protected readonly db: Connection,
    protected readonly statements: Statements,
  ) {}

  async select(selection: Selection): Promise<Row[]> {
    const query = queryOf(selection);
    const found = this.rowsOf(query);
    const rows = Array.isArray(found) ? found : await found;
    const blank = blankOf(query);
    return rows.map((values) => rowOf(query.columns, values, blank));
  }

  made(
    query: Query,
    inline: number,
    lists: readonly IdList[],
    checks?: Readonly<Record<string, Predicate>>,
  ): CompiledStatement {
    const { statements } = this;
    const make = (each: readonly IdList[]) =>
      checks ? statements.listedFirst({ ...query, checks }, inline, each) : statements.listed(query, inline, each);
    const all = make(lists);
    // Where a page is found by sorting all matching rows, the id lists of all of them would be computed.
    const listed = this.db.selectsPage?.(all.sql) ?? true;
    return { ...(listed ? all : make([])), table: query.table, listed };
  }

  run(
    { table, sql }: CompiledStatement,
    params: CompiledStatement['params'],
  ): RawRow[] | Promise<RawRow[]> | undefined {
    return this.statements.heavy.has(table) ? undefined : this.db.rows(sql, params);
  }

  async first(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks: Readonly<Record<string, Predicate>> = {},
    budget?: OutputBudget,
  ): Promise<Row | undefined> {
    const oneRow = { table, columns, where, checks };
    const values = budget
      ? await new WholeRow(this.db, this.statements, oneRow).within(budget)
      : await this.firstOf(oneRow);
    if (!values) return undefined;
    const row = rowOf(columns, values, bareOf(columns));
    let at = columns.length;
    for (const name in checks) row[name] = values[at++];
    return row;
  }

  async judge(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks: Readonly<Record<string, Predicate>>,
  ): Promise<Row[]> {
    const { sql, params } = this.statements.judge({ table, columns, where, checks });
    const names = [...columns, ...Object.keys(checks)];
    return (await this.db.rows(sql, params)).map((values) => rowOf(names, values, {}));
  }

  async firstOfEach(query: GroupQuery): Promise<number[]> {
    if (query.where.op === 'false') return [];
    const { sql, params } = this.statements.firstOfEach(query);
    return (await this.db.rows(sql, params)).map(([id]) => Number(id));
  }

  async merge(query: MergeQuery): Promise<{ part: number; id: number }[]> {
    const parts = query.parts.filter(({ where }) => where.op !== 'false');
    if (parts.length === 0) return [];
    const { sql, params } = this.statements.merge({ ...query, parts });
    const rows = await this.db.rows(sql, params);
    return rows.map(([part, id]) => ({ part: query.parts.indexOf(parts[Number(part)]!), id: Number(id) }));
  }

  private rowsOf(query: Query): Bound[][] | Promise<Bound[][]> {
    const { budget } = query;
    if (budget) return new MeasuredRows(this.db, this.statements, { ...query, budget }).read();
    const { sql, params } = this.statements.select(query);
    return this.db.rows(sql, params);
  }

  private async firstOf(oneRow: OneRow): Promise<Bound[] | undefined> {
    const { sql, params } = this.statements.first(oneRow);
    return (await this.db.rows(sql, params))[0];
  }

  async count(table: string, where: Predicate): Promise<number> {
    if (where.op === 'false') return 0;
    const model = this.statements.table(table);
    const pins = pinsOf(model, where);
    const known = pins && (await sumCounters(this.db, this.statements, model, pins));
    if (known !== undefined) return known;
    const { sql, params } = this.statements.count(table, [], where);
    const [row] = await this.db.rows(sql, params);
    return Number(row![0]);
  }

  isCounted(table: string, where: Predicate): boolean {
    return pinsOf(this.statements.table(table), where) !== undefined;
  }

  async countBy(table: string, by: string, where: Predicate): Promise<Map<any, number>> {
    const { sql, params } = this.statements.count(table, [by], where);
    const rows = await this.db.rows(sql, params);
    return new Map(rows.map(([value, n]) => [value, Number(n)]));
  }

  async summarize(query: SummaryQuery): Promise<SummaryRow[]> {
    const { table, by, of, where } = query;
    if (where.op === 'false') return by.length > 0 ? [] : [{ by: [], count: 0, of: of.map(emptyAggregate) }];
    const { dialect } = this.statements;
    const model = this.statements.table(table);
    const { sql, params } = this.statements.summary(query);
    return (await this.db.rows(sql, params)).map((values) => ({
      by: values.slice(0, by.length) as SummaryRow['by'],
      count: Number(values[by.length]),
      of: of.map((each, at) => aggregated(dialect, model, each, values[by.length + 1 + at]!)),
    }));
  }

  async aggregateBy(table: string, by: string, of: Aggregate, where: Predicate): Promise<Map<any, Aggregated>> {
    const { dialect } = this.statements;
    const model = this.statements.table(table);
    const { sql, params } = this.statements.aggregate(table, by, of, where);
    const rows = await this.db.rows(sql, params);
    return new Map(rows.map(([value, found]) => [value, aggregated(dialect, model, of, found!)]));
  }
}

/** The aggregate of no rows. */
function emptyAggregate({ operation }: Aggregate): number | null {
  return operation === 'count' ? 0 : null;
}
