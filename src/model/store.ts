// The store as the engine, the traits and the importers see it. Implemented in storage/.
import type { Change, Predicate, Query, Row } from './query.js';

/** Reads of a database. A list never joins a to-many relation and never hydrates entities. */
export interface Reader {
  /** Rows of one query. */
  select(query: Query): Promise<Row[]>;
  /** The first row, or undefined. `checks` adds one 0/1 column per named predicate. */
  first(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks?: Record<string, Predicate>,
  ): Promise<Row | undefined>;
  /** Exact number of rows; served from maintained counters or the version cache where possible. */
  count(table: string, where: Predicate): Promise<number>;
  /** A value that moves with every commit of any process; undefined where the database has none. */
  version?(): Promise<unknown>;
  /** Number of rows per value of `by` among the rows that satisfy `where`. */
  countBy(table: string, by: string, where: Predicate): Promise<Map<any, number>>;
}

/** A transaction: reads see its own writes. */
export interface Transaction extends Reader {
  /** Inserts one row, returns its id (0 for tables without one). */
  insert(table: string, row: Row): Promise<number>;
  /** Inserts many rows of the same columns. */
  insertMany(table: string, rows: Row[]): Promise<void>;
  /** Updates rows, returns how many matched. */
  update(table: string, set: Record<string, Change>, where: Predicate): Promise<number>;
  /** Deletes rows, returns how many. */
  delete(table: string, where: Predicate): Promise<number>;
  /** Adds to a number column at the end of the transaction, in id order, so that writers do not deadlock. */
  add(table: string, id: number, column: string, delta: number): void;
  /** Tables whose maintained row counts differ from their rows, with what differs. */
  wrongCounters(): Promise<{ table: string; message: string }[]>;
  /** Counts the rows of a table anew for its maintained counts. */
  recount(table: string): Promise<void>;
  /** Runs after the commit. */
  after(run: () => void | Promise<void>): void;
}

/** Mark of an error with which the database refused a statement of a transaction: the table that was written to. */
export interface FailedWrite extends Error {
  failedWrite: string;
}

/** The database of one process. */
export interface Store {
  readonly reader: Reader;
  /** Runs `work` in one transaction; retried a bounded number of times on deadlock or serialisation failure (decisions 0.7). */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` with a reader whose every answer is of one state of the data; writers are not held up. */
  snapshot?<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Tells the database's planner how much there is, after much was written at once; absent: the store sees to it while it writes. */
  analyze?(): Promise<void>;
  close(): Promise<void>;
}
