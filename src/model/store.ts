// The store as the engine, the traits and the importers see it. Implemented in storage/.
import type { OutputBudget } from './operation.js';
import type { Change, Predicate, Query, Row } from './query.js';

/** Read access to a database. Lists never join a to-many relation and never hydrate entities. */
export interface Reader {
  /** Rows of one query. */
  select(query: Query): Promise<Row[]>;
  /** The first row, or undefined. `checks` adds one 0/1 column per named predicate; `budget` limits its size. */
  first(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks?: Record<string, Predicate>,
    budget?: OutputBudget,
  ): Promise<Row | undefined>;
  /** Exact number of rows; read from maintained counters or the version cache where possible. */
  count(table: string, where: Predicate): Promise<number>;
  /** A value that changes with every commit of any process; undefined where the database has none. */
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
  /** Adds to a numeric column at the end of the transaction, in id order, so that writers do not deadlock. */
  add(table: string, id: number, column: string, delta: number): void;
  /** Tables whose maintained row counts differ from the actual ones, with a description. */
  wrongCounters(): Promise<{ table: string; message: string }[]>;
  /** Recomputes the maintained counts of a table. */
  recount(table: string): Promise<void>;
  /** Runs `run` after the commit. */
  after(run: () => void | Promise<void>): void;
}

/** Marks an error of a statement that the database rejected inside a transaction, with the table it wrote to. */
export interface FailedWrite extends Error {
  failedWrite: string;
}

/** The caller as far as the choice of a replica goes: account id (0 for anonymous callers), IP address. */
export interface Caller {
  readonly id: number;
  readonly address: string;
}

/** State of a rate counter, which resets after a time. */
export interface RateCounter {
  count: number;
  /** Seconds until the reset. */
  reset: number;
}

/** Rate counters shared by all processes of one database. Names have at most 64 characters. */
export interface RateCounterStore {
  /** Adds to a counter, 0 to read it; its `seconds` run from the first addition. It never falls below 0. */
  add(name: string, by: number, seconds: number): Promise<RateCounter>;
  /** Resets it at once. */
  forget(name: string): Promise<void>;
  /** Deletes expired counters. */
  sweep(): Promise<void>;
}

/** The database of one process. */
export interface Store {
  /** Reads committed data. */
  readonly reader: Reader;
  /**
   * Runs the reads of one request on one database: on a read replica that has every write of the caller, if there is
   * one, else with `reader`. If the replica fails meanwhile, `work` runs again; it must therefore only read.
   */
  readFor<T>(caller: Caller, work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Called after a commit with the caller who wrote, so that `readFor` returns that write to the caller. */
  noteWrite(caller: Caller): Promise<void> | void;
  /** Runs `work` in one transaction; retried a bounded number of times on deadlock or serialisation failure. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` with a reader on a snapshot of the last commit before it began: all results are consistent. Writers are
   * not blocked, and no timeout applies.
   */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Maximum bytes of text in one statement. */
  readonly statementBytes?: number;
  /** Counters kept beside the data: they change no version and wait for no transaction. */
  readonly rateCounters?: RateCounterStore;
  /**
   * Updates the statistics of the database's query planner after a bulk write; absent: the store does so while it
   * writes.
   */
  analyze?(): Promise<void>;
  close(): Promise<void>;
}
