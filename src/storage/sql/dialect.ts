// The differences between databases in one interface, implemented once per database; all other code in this folder is
// shared.
import type { DatePart } from '../../model/query.js';
import type { Bound, Connection } from './connection.js';
import type { LockDialect } from './locks.js';
import type { MigrationDialect } from './migration-dialect.js';
import type { ColumnModel, IndexModel, TableModel } from '../../model/table.js';

/** Adds a parameter to the statement being built and returns its placeholder. */
export type Bind = (value: Bound) => string;

/** SQL type of a column, as TypeORM's EntitySchema states it. */
export interface ColumnType {
  type: string;
  length?: number;
  precision?: number;
  scale?: number;
  collation?: string;
}

/** The SQL dialect of one database. Columns are passed quoted and qualified, names unquoted. */
export interface Dialect {
  readonly name: string;
  /** The statements of migrations. */
  readonly migration: MigrationDialect;
  /** Whether each statement is a network round trip, so that it pays to avoid some. */
  readonly remote: boolean;
  /** `LIMIT` of a query that has only an offset. */
  readonly unlimited: string;
  /** Clause that makes an INSERT of one row return its id, where the driver does not report it. */
  readonly returningId: string;
  /** Whether a write may read its own table in a subquery. */
  readonly readsOwnTable: boolean;
  /** Quotes an identifier. */
  quote(name: string): string;
  /** Placeholder of the nth parameter, from 1. */
  placeholder(position: number): string;

  /** The last characters of a text, all of it when it has fewer. */
  ending(column: string, length: number): string;
  /** Whether indexes serve comparisons of several columns at once: `(a, b) < (1, 2)`. */
  readonly tuples: boolean;
  /** True where `column` contains `value`, literally. */
  contains(column: string, value: string, bind: Bind): string;
  /**
   * A cheap condition from the full-text index over `column` that holds wherever `contains` does, and with `exact`
   * only there; undefined when the index cannot be used for this value.
   */
  candidates(
    table: TableModel,
    alias: string,
    column: string,
    value: string,
    bind: Bind,
  ): { sql: string; exact: boolean } | undefined;
  /** The text of the column of a full-text index, where it is not always in that column; see `IndexModel.joins`. */
  searched?(table: TableModel, index: IndexModel, alias: string): string;
  /** True where `column` differs from `value`, NULLs included. `value` is a placeholder. */
  differs(column: string, value: string): string;
  /** True where a condition is false or unknown. */
  fails(condition: string): string;
  /**
   * Decimals: the text of a column with all its digits after the point, and the value of such a text as the column
   * stores it.
   */
  readonly decimal: {
    read(column: string, scale: number): string;
    value(text: string, column: ColumnModel, bind: Bind): string;
  };
  /** The exact sum of a column of whole numbers or decimals, and its text with all digits of the scale. */
  readonly sum: {
    of(column: string): string;
    text(sum: string, scale: number): string;
  };
  /** Membership in a list too long for one parameter per element; undefined: one parameter per element. */
  longList(column: string, values: readonly Bound[], bind: Bind): string | undefined;
  /** A calendar part as an integer. Weeks as MySQL's `WEEK(d, 1)`, weekdays 1 (Sunday) to 7. */
  datePart(part: DatePart, column: string): string;

  /**
   * Clause after the name of a table that makes the planner scan an index in order; undefined for an index that cannot
   * serve ORDER BY. Absent where the planner chooses it without a hint.
   */
  useIndex?(table: TableModel, index: IndexModel): string | undefined;

  /** The join whose left table is read first and keeps its order, where there is one. */
  readonly joinInOrder?: string;
  /** A sort key; NULLs come first ascending and last descending on every database. */
  orderBy(expression: string, direction: 'asc' | 'desc', nullable: boolean): string;
  random(): string;
  /** A query that joins one integer per row into a comma-separated text, in the given order; NULL without rows. */
  joined(value: string, from: string, order: string): string;

  /** `DELETE FROM t AS alias`. */
  deleteFrom(table: string, alias: string): string;
  /**
   * Upserts this many rows in the given order, adding to their numbers. The first of the columns is the primary key,
   * the last one the number; parameters: the values row by row.
   */
  addTo(table: string, columns: readonly string[], rows: number): string;
  /** How transactions lock names; undefined where they are serialized anyway. */
  readonly locks?: LockDialect;
  /** The current time in whole seconds since 1970, by the clock of the database. */
  readonly epoch: string;
  /**
   * Adds atomically to a rate counter, which is inserted if missing and restarted if expired: returns its count and the
   * seconds left.
   */
  addToRateCounter(db: Connection, table: string, addition: Addition): Promise<Bound[] | undefined>;
  /**
   * Statement to run after inserting rows with explicit ids, so that the next generated id is higher; undefined where
   * the database does this itself.
   */
  advanceIds(table: string, highest: number): { sql: string; params: Bound[] } | undefined;

  /** Type of a column in its table. */
  columnType(table: TableModel, column: ColumnModel): ColumnType;
  /** Statements that create a table without its indexes. */
  createTable(table: TableModel): string[];
  addColumn(table: TableModel, column: ColumnModel): string[];
  renameColumn(table: TableModel, column: ColumnModel): string[];
  /** Statements that create an index; full-text indexes are filled from the existing rows. */
  createIndex(table: TableModel, index: IndexModel): string[];
  dropIndex(table: TableModel, index: IndexModel): string[];
  /** Whether an index has columns only, so that TypeORM can compare it with the database. */
  isPlainIndex(table: TableModel, index: IndexModel): boolean;
  /**
   * Characters of a column that its indexes hold, where none holds all and comparisons must name them to be served by one;
   * absent: an index with a part of a column serves comparisons with all of it.
   */
  indexedPrefix?(table: TableModel, column: string): number | undefined;

  /** Introspects a table with its columns and indexes; undefined when it does not exist. */
  inspect(table: TableModel, read: (sql: string) => Promise<Bound[][]>): Promise<LiveTable | undefined>;

  /** Statement that updates the planner's statistics, and merges index entries of new rows that were deferred. */
  analyze(tables: readonly string[]): string;
  /** Statement at the beginning of a transaction that inserts many rows. */
  readonly bulk?: string;
  /**
   * Whether such a transaction may send a statement before the previous one is completed: after one that fails, the
   * following ones change nothing that stays.
   */
  readonly sendsAhead?: boolean;
  /** Statement that merges index entries which such transactions deferred; absent: they defer none. */
  readonly mergeEntries?: string;
  /**
   * Selects the names of tables that have grown to four times their size at the last `analyze`, or of whose pages less
   * than a quarter are all-visible (`vacuum`); absent: not needed.
   */
  readonly staleTables?: string;
  /**
   * Whether a limit becomes part of the SQL, so that a cached plan takes it into account. Used for statements with one
   * good plan for all parameters; absent: plans do not depend on the limit.
   */
  isLimitInText?(limit: number): boolean;
  /** Statement, outside a transaction, that lets index-only scans skip the table; absent: they always do. */
  vacuum?(table: string): string;
  /** Prefix of a statement that returns its query plan. */
  readonly explain: string;
  /** Formats a query plan as short lines (`plan-line.ts`). */
  planLines(rows: readonly Bound[][]): string[];

  /** Statement that reads a number which changes with every commit of another connection or process. */
  readonly dataVersion: string | undefined;
  /** As `dataVersion`, for a comparison with a value that was read just before; absent: `dataVersion`. */
  readonly dataVersionNow?: string;
  /** Whether retrying the whole transaction may succeed (busy, deadlock, serialization failure). */
  isTransient(error: unknown): boolean;
  /** Whether the connection is lost or the server unreachable, so that another connection may succeed. */
  isLost(error: unknown): boolean;
  /** Why the database cannot write: disk full, or read-only; undefined for other errors. */
  unwritableReason(error: unknown): 'full' | 'closed' | undefined;
  /** Whether the encoding of the database lacks a character of a value; absent where it holds every text. */
  isUnencodable?(error: unknown): boolean;
  /**
   * Whether a statement failed because it does not fit the table: a table or column does not exist, a required value is
   * missing, or a value does not fit.
   */
  isUnsuited(error: unknown): boolean;
  /** Table and columns of a duplicate-key error of a statement, or undefined. */
  duplicateOf(error: unknown, sql: string): { table: string; columns: string[] } | undefined;
}

/** An addition to a rate counter: an amount above 0, and the length of the window. */
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
