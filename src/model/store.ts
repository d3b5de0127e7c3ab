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

/** Who reads, as far as the choice of a replica goes: id of the account (0 for strangers), address of the connection. */
export interface Caller {
  readonly id: number;
  readonly address: string;
}

/** State of a counter that starts anew after a while. */
export interface Tally {
  count: number;
  /** Seconds until it starts anew. */
  reset: number;
}

/** Such counters, shared by all processes of one database. Names have at most 64 characters. */
export interface Tallies {
  /** Adds to one, 0 to look at it; its `seconds` run from the first addition. It never falls below 0. */
  add(name: string, by: number, seconds: number): Promise<Tally>;
  /** Starts it anew at once. */
  forget(name: string): Promise<void>;
  /** Deletes those that are over. */
  sweep(): Promise<void>;
}

/** The database of one process. */
export interface Store {
  /** Reads of the last commit. */
  readonly reader: Reader;
  /**
   * Runs the reads of one request for a caller, all on one side: on a read replica if there is one that has every write of
   * the caller, else with `reader`. A replica that fails meanwhile makes `work` run again; so it only reads.
   */
  readFor<T>(caller: Caller, work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Told after a commit whose write it was, so that `readFor` shows it to him. */
  noteWrite(caller: Caller): Promise<void> | void;
  /** Runs `work` in one transaction; retried a bounded number of times on deadlock or serialisation failure (decisions 0.7). */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` with a reader that sees the last commit before it began and nothing after: all its answers are of one
   * state. Writers are not held up, and no limit of time cuts a read.
   */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Counters beside the data: they move no version and wait for no transaction. */
  readonly tallies?: Tallies;
  /** Tells the database's planner how much there is, after much was written at once; absent: the store sees to it while it writes. */
  analyze?(): Promise<void>;
  close(): Promise<void>;
}
