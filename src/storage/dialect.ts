// What differs between databases, in one interface: one file per database implements it, everything else in this room is the same for all.
import type { ColumnModel, IndexModel, TableModel } from '../model/model.js';
import type { DatePart } from '../model/query.js';
import type { Bound, Connection } from './connection.js';

/** Adds a parameter to the statement being built and answers its placeholder. */
export type Bind = (value: Bound) => string;

/** Type of a column as TypeORM's EntitySchema states it. */
export interface EntityColumnType {
  type: string;
  length?: number;
}

/** One database's way of saying things. Columns arrive quoted and qualified, names unquoted. */
export interface Dialect {
  readonly name: string;
  /** Each statement is a trip to a server: one that can be spared is. */
  readonly remote: boolean;
  /** `LIMIT` of a query that has an offset only. */
  readonly unlimited: string;
  /** What makes an INSERT of one row answer its id, where the driver does not tell. */
  readonly returningId: string;
  /** Whether a write may ask for rows of its own table in a subquery. */
  readonly readsOwnTable: boolean;
  /** A quoted identifier. */
  quote(name: string): string;
  /** Placeholder of the nth parameter, from 1. */
  placeholder(position: number): string;

  /** Whether a search reads every text, because no index knows their parts. */
  readonly readsTexts: boolean;
  /** True where `column` contains `value`, literally. */
  contains(column: string, value: string, bind: Bind): string;
  /**
   * A cheap condition that holds wherever `contains` does, and if `exact` nowhere else, from the full-text index over `column`;
   * undefined when the index cannot answer for this value.
   */
  candidates(
    table: TableModel,
    alias: string,
    column: string,
    value: string,
    bind: Bind,
  ): { sql: string; exact: boolean } | undefined;
  /** True where `column` is none of `value`, nulls included. `value` is a placeholder. */
  differs(column: string, value: string): string;
  /** Membership in a list too long for one parameter each; undefined: the list is spelled out. */
  longList(column: string, values: readonly Bound[], bind: Bind): string | undefined;
  /** A calendar part as an integer. Weeks as MySQL's `WEEK(d, 1)`, weekdays 1 (Sunday) to 7. */
  datePart(part: DatePart, column: string): string;

  /** A sort key; nulls come first ascending and last descending on every database. */
  orderBy(expression: string, direction: 'asc' | 'desc', nullable: boolean): string;
  random(): string;

  /** `DELETE FROM t AS alias`. */
  deleteFrom(table: string, alias: string): string;
  /** Adds a delta to the counter of a scope, made when missing. Parameters: scope, delta. */
  addToCount(table: string): string;
  /** The time as a whole number of seconds since 1970, by the clock of the database. */
  readonly epoch: string;
  /** Adds to a tally in one statement, made or begun anew where it is missing or over: its number, and the seconds it has left. */
  addToTally(db: Connection, table: string, addition: Addition): Promise<Bound[] | undefined>;
  /** Run after rows that brought their own ids, so that the next one is higher; undefined where the database sees to it. */
  advanceIds(table: string, highest: number): { sql: string; params: Bound[] } | undefined;

  entityType(column: ColumnModel): EntityColumnType;
  /** Statements that make a table, its indexes excepted. */
  createTable(table: TableModel): string[];
  addColumn(table: TableModel, column: ColumnModel): string[];
  renameColumn(table: TableModel, column: ColumnModel): string[];
  /** Statements that make room for the model's column in a narrower live one, which `fits` says they can. */
  widenColumn(table: TableModel, live: LiveColumn, column: ColumnModel): string[];
  /** Statements that make an index; full-text ones fill it from the rows there are. */
  createIndex(table: TableModel, index: IndexModel): string[];
  dropIndex(table: TableModel, index: IndexModel): string[];

  /** The columns and indexes of a table as the database has them; undefined when there is no such table. */
  inspect(table: TableModel, read: (sql: string) => Promise<Bound[][]>): Promise<LiveTable | undefined>;
  /** Whether a live column holds, or can be widened to hold, what the model's column holds. */
  fits(live: LiveColumn, column: ColumnModel): boolean;

  /** Looks at tables again, so that plans fit how much there is. */
  analyze(tables: readonly string[]): string;
  /** What stands before a statement to learn how it would be run. */
  readonly explain: string;
  /** The answer to that, as short lines (`plan-line.ts`). */
  planLines(rows: readonly Bound[][]): string[];

  /** Reads a number that moves with every commit of another connection or process. */
  readonly dataVersion: string | undefined;
  /** Whether running the whole transaction again may succeed (busy, deadlock, serialisation failure). */
  transient(error: unknown): boolean;
  /** Why the database itself cannot write: no room left, or a file or server that takes no writes; undefined for other errors. */
  unwritable(error: unknown): 'full' | 'closed' | undefined;
  /** Table and columns of a duplicate-key error of a statement, or undefined. */
  duplicate(error: unknown, sql: string): { table: string; columns: string[] } | undefined;
}

/** What is added to a tally: a number above 0, and how long it counts from the first one. */
export interface Addition {
  name: string;
  by: number;
  seconds: number;
}

/** A table found in the database. */
export interface LiveTable {
  columns: Map<string, LiveColumn>;
  indexes: Map<string, { columns: string[]; unique: boolean }>;
}

/** A column found in the database; `type` as the database spells it. */
export interface LiveColumn {
  name: string;
  type: string;
  nullable: boolean;
  hasDefault: boolean;
}
