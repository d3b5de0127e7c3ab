// How a database says what evolution needs: one implementation per database. Used by the planner.
import type { ColumnModel, TableModel } from '../../model/model.js';
import type { Dialect } from '../dialect.js';
import { mysqlWords } from './mysql.words.js';
import { postgresWords } from './postgres.words.js';
import { sqliteWords } from './sqlite.words.js';
import type { Form } from './form.js';
import type { LiveField, LiveShape, LiveWords } from './live-schema.js';

/** What becomes of a column that stays, or a required one that is new. */
export interface ColumnChange {
  column: ColumnModel;
  /** Absent: the column is new. */
  live?: LiveField;
  /** Its form changes from one to the other. */
  form?: { from: Form; to: Form };
  /** Whether nulls are allowed from now on. */
  nullable: boolean;
  /** Takes the place of nulls, or fills a new column; a literal. */
  fill?: string;
}

/** One database's statements. Columns arrive quoted in conditions, as models elsewhere. */
export interface Words extends LiveWords {
  typeText(table: TableModel, column: ColumnModel): string;
  literal(column: ColumnModel, value: unknown): string;
  /** Number of characters of a text. */
  characters(column: string): string;
  /** A number as a text. */
  textOf(column: string): string;
  /** True where a text is exactly how the number it denotes is written. */
  whole(column: string): string;
  numeric(column: string): string;
  /** True where a text is a day, or a day and a time, of the calendar. */
  dated(column: string, what: 'date' | 'datetime'): string;
  /** Statements of several changes of one table, those of each change in its place. */
  change(table: TableModel, live: LiveShape, changes: readonly ColumnChange[]): string[][];
  /** Why the table cannot be changed, if it cannot. */
  unchangeable?(live: LiveShape): string | undefined;
  /** Each statement that changes a table commits. */
  readonly commits: boolean;
  /** Statements before a column is renamed or dropped. */
  beforeRename?(live: LiveShape, column: string): string[];
  /** Keeps other processes from writing to a table until the end. */
  hold?(table: string): string[];
  dropColumn(live: LiveShape, column: string): string[];
  dropTable(live: LiveShape): string[];
  /** Run after rows that brought their ids. */
  advance?(table: string): string[];
  /** Statements that remove a full-text index the schema does not want any more. */
  staleFulltext?(table: TableModel, live: LiveShape): { name: string; sql: string[] }[];
}

const WORDS: Record<string, Words> = { sqlite: sqliteWords, mysql: mysqlWords, postgres: postgresWords };

/** The words of a dialect. */
export function wordsOf(dialect: Dialect): Words {
  return WORDS[dialect.name]!;
}
