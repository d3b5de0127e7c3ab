// The half of a dialect that migrations use: schema changes and data checks.
import type { Bound } from './connection.js';
import type { LiveColumn, LiveTable } from './dialect.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/** Runs a reading statement. */
export type Read = (sql: string) => Promise<Bound[][]>;

/** A normalized type: the family of values, and its capacity (characters of texts, rank of integers). */
export interface ColumnType {
  family: 'text' | 'boolean' | 'integer' | 'double' | 'decimal' | 'other';
  capacity: number;
  /** Digits of a decimal after the point; `capacity` is the number of all digits. */
  scale?: number;
  /** Strings stored off-row: a choice of the dialect, not of the schema. */
  loose: boolean;
}

/** A column with the details that SQLite needs to rebuild its table. */
export interface LiveField extends LiveColumn {
  /** Its name in the database before the plan runs. */
  origin: string;
  /** The default as an SQL expression. */
  fallback?: string | null;
  /** Position in the primary key, from 1. */
  key?: number;
}

/** A table found in the database. */
export interface LiveShape {
  name: string;
  /** Its current name in the database, if the plan renames it. */
  currentName?: string;
  columns: Map<string, LiveField>;
  indexes: LiveTable['indexes'];
  /** SQLite: the CREATE statement, triggers and indexes, and the columns that have a full-text table. */
  definition?: { sql: string; extras: { name: string; kind: string; sql: string }[]; fulltext: string[] };
}

/** The change of a column that stays, or of a new required one. */
export interface ColumnChange {
  column: ColumnModel;
  /** Absent: the column is new. */
  live?: LiveField;
  /** The type change. */
  form?: { from: ColumnType; to: ColumnType };
  /** Whether NULL is allowed afterwards. */
  nullable: boolean;
  /** Replaces NULLs, or fills a new column; a literal. */
  fill?: string;
}

/** Locks tables briefly, or fails within a second or two where other sessions use them. */
export interface LockProbe {
  /** Whether creating an index blocks readers of its table, as other changes of a table do. */
  readonly indexesBlockReads: boolean;
  /** Statements that lock tables. */
  lock(tables: readonly string[]): string[];
  /** Statements that unlock them, and undo an attempt that failed. */
  readonly unlock: readonly string[];
}

/** The statements of one database. In conditions, columns are passed quoted. */
export interface MigrationDialect {
  /** Statement that lists all tables. */
  readonly tables: string;
  /** Maximum length of the name of a table, a column or an index in characters; absent: unlimited. */
  readonly longestName?: number;
  /** Names that the database reserves; absent: none. */
  readonly reserved?: { tables: RegExp; columns?: RegExp };
  /**
   * The size in bytes of the largest row of a table, the limit of the database, and the largest columns in descending
   * order; undefined for a table whose rows fit. `live`: the existing table. Absent: the size of rows is unlimited.
   */
  rowExcess?(table: TableModel, live?: LiveShape): { bytes: number; limit: number; columns: string[] } | undefined;
  /** Maximum number of indexes of a table, besides that of its primary key; absent: unlimited. */
  readonly mostIndexes?: number;
  /** Whether the indexes of all tables share one namespace. */
  readonly sharesIndexNames: boolean;
  /** Adds what only migrations need to the result of the dialect's `inspect`. */
  complete?(shape: LiveShape, read: Read): Promise<void>;
  typeText(table: TableModel, column: ColumnModel): string;
  literal(column: ColumnModel, value: unknown): string;
  /** Number of characters of a text. */
  characters(column: string): string;
  /** A number as a text. */
  textOf(column: string, family?: ColumnType['family']): string;
  /** True where a text is the canonical spelling of a number. */
  isInteger(column: string): string;
  numeric(column: string): string;
  /** True where a text is a valid calendar date or date-time. */
  isDate(column: string, what: 'date' | 'datetime'): string;
  /** True where a text is a time of day or a UUID in lower case. */
  hasFormat(column: string, what: 'time' | 'uuid'): string;
  /** True where a value of the type `from` is exactly representable as the decimal type `to`. */
  fitsDecimal(column: string, form: { from: ColumnType; to: ColumnType }): string;
  /** Statements for several changes of one table, grouped by change. */
  change(table: TableModel, live: LiveShape, changes: readonly ColumnChange[]): string[][];
  /** Why the table cannot be changed; undefined when it can. */
  unchangeable?(live: LiveShape): string | undefined;
  /** Whether each DDL statement commits. */
  readonly commits: boolean;
  /** Statements before a column is renamed or dropped. */
  beforeRename?(live: LiveShape, column: string): string[];
  /** Locks a table against writes of other processes until the end of the transaction. */
  lockTable?(table: string): string[];
  /** How to detect that other sessions use tables; absent where locks cover the whole database. */
  readonly lockProbe?: LockProbe;
  dropColumn(live: LiveShape, column: string): string[];
  dropTable(live: LiveShape): string[];
  /**
   * Statements to run after rows of another table were inserted with their ids: new rows get higher ids than any that
   * either table has ever had.
   */
  advance(table: string, from: string): string[];
  /** Statements that drop full-text indexes which the schema no longer has. */
  staleFulltext?(table: TableModel, live: LiveShape): { name: string; sql: string[] }[];
}
