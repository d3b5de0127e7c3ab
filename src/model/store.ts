// The store as the engine, the traits and the importers see it. Implemented in storage/.
import type { OutputBudget } from './operation.js';
import type { Scalar } from './schema/schema.js';
import type {
  Aggregate,
  Change,
  MergeQuery,
  OrderKey,
  Predicate,
  Query,
  Row,
  Selection,
  GroupQuery,
  TargetColumn,
  SummaryQuery,
  SummaryRow,
} from './query.js';

/** Ids of a to-many relation that come with each row, in the order of a column of their targets, then by themselves. */
export interface IdList {
  /** The table of pairs. */
  table: string;
  of?: TargetColumn;
  direction: 'asc' | 'desc';
}

/** A list that may be walked in sort order while its conditions on other tables are checked. */
export type Walk = Pick<Query, 'table' | 'where' | 'order'>;

/** A statement that is compiled once and run with different values. */
export interface CompiledStatement {
  readonly table: string;
  readonly sql: string;
  readonly params: readonly (string | number | null)[];
  /** Whether the lists of ids come with the rows; where that would take long, they are loaded separately. */
  readonly listed: boolean;
}

/** A row as the database gives it: columns, checks, the id, the bytes of its texts, one text of ids per list. */
export type RawRow = readonly (string | number | null)[];

/** The rows that a search of texts finds. */
export interface FoundRows {
  /** Their ids, in the requested order. */
  readonly ids: readonly number[];
  /** What else must hold of each of them when it is read: it may have been hidden since. */
  readonly still: Predicate;
}

/** The caller of a read: where a store has no free connection, clients take turns. */
export interface Requester {
  /** Account or network of the caller; read only while a read has to wait. */
  readonly client: string;
  /** The client has left: a read that still waits is not started. */
  readonly hasLeft?: boolean;
}

/** Read access to a database. Lists never join a to-many relation and never hydrate entities. */
export interface Reader {
  /** Rows of one query. */
  select(query: Selection): Promise<Row[]>;
  /** The first row, or undefined. `checks` adds one 0/1 column per named predicate; `budget` limits its size. */
  first(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks?: Readonly<Record<string, Predicate>>,
    budget?: OutputBudget,
  ): Promise<Row | undefined>;
  /** The rows with 0 or 1 per named predicate, all in one statement. `columns` hold no texts of any length. */
  judge(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks: Readonly<Record<string, Predicate>>,
  ): Promise<Row[]>;
  /** Ids of the first rows of each group, in no order. */
  firstOfEach(query: GroupQuery): Promise<number[]>;
  /** The rows of a page, each with the position of its part. Reads no more of each part than the page may need. */
  merge(query: MergeQuery): Promise<{ part: number; id: number }[]>;
  /** Exact number of rows; read from maintained counters or the version cache where possible. */
  count(table: string, where: Predicate): Promise<number>;
  /** The rows that a text search finds, cached until the data changes; undefined where there are many. */
  found?(table: string, where: Predicate, order: OrderKey[]): Promise<FoundRows | undefined>;
  /** Whether counting takes no longer than reading a row, because the number is maintained. */
  isCounted(table: string, where: Predicate): boolean;
  /**
   * Whether a walk finds so many rows before it has passed `passed` rows of the list without its searches and its
   * conditions on other tables. What was found out may be a minute old: it decides about time alone, never about results.
   */
  findsWithin?(list: Walk, rows: number, passed: number): boolean | Promise<boolean>;
  /** Rows that a walk over a list passes in the time it takes to read a row that matches and sort it. */
  passedPerMatch?(list: Walk): number;
  /**
   * A value that changes with every commit of any process that writes to these tables, or to any without `tables`;
   * undefined where the database has none.
   */
  version?(tables?: readonly string[]): Promise<unknown>;
  /** The versions of all tables at one moment: what `version` would have returned for some of them. */
  versions?(): Promise<((tables: readonly string[]) => unknown) | undefined>;
  /** The same reader, which reads for a requester; without one, the engine itself reads, as one client. */
  for?(requester: Requester | undefined): Reader;
  /** The same reader, for rows found by a key: such reads of one turn of the event loop are sent together. */
  small?(): Reader;
  /** The same reader, which notes the tables that its results come from. */
  noting?(): { reader: Reader; tables: ReadonlySet<string> };
  /**
   * Compiles the statement of a page or, with `checks`, of a single row. Texts beyond `inline` bytes are null in its
   * rows. Its parameters are in the order of the query.
   */
  made?(
    query: Query,
    inline: number,
    lists: readonly IdList[],
    checks?: Readonly<Record<string, Predicate>>,
  ): CompiledStatement;
  /** Runs such a statement; undefined where the table has rows that must be read in pieces. */
  run?(statement: CompiledStatement, params: CompiledStatement['params']): RawRow[] | Promise<RawRow[]> | undefined;
  /** The same as `version`, at once where the database responds at once. */
  versionNow?(tables: readonly string[]): unknown;
  /** Notes that what is made of its results depends on these tables too. */
  note?(tables: readonly string[]): void;
  /** Name of the server that it reads from: versions of two servers cannot be compared. */
  readonly side?: string;
  /** Number of rows per value of `by` among the rows that satisfy `where`. */
  countBy(table: string, by: string, where: Predicate): Promise<Map<any, number>>;
  /**
   * An aggregate per value of `by` among the rows that satisfy `where`, in the form in which rows have values of the column.
   * Sums of integers and decimals are exact, as texts. Null where every value is null, or where a sum of doubles is too
   * large for one.
   */
  aggregateBy(table: string, by: string, of: Aggregate, where: Predicate): Promise<Map<any, string | number | null>>;
  /** Numbers and aggregates of the rows that satisfy a condition, in groups. Aggregates are as in `aggregateBy`. */
  summarize(query: SummaryQuery): Promise<SummaryRow[]>;
}

/** What becomes of the pairs of one item, which no other transaction may change before the end of this one. */
export interface PairChange {
  /** Targets whose pairs are deleted, and of which pairs are inserted. */
  dropped: readonly number[];
  added: readonly number[];
  /** All targets afterwards, where that is known: they need not be read again in this order. */
  after?: TargetsInOrder | undefined;
}

/** All targets of an item, in an order of its pairs. */
export interface TargetsInOrder {
  targets: readonly number[];
  order: OrderKey[];
}

/** A transaction: reads see its own writes. */
export interface Transaction extends Reader {
  /** Inserts one row, returns its id (0 for tables without one). */
  insert(table: string, row: Row): Promise<number>;
  /** Inserts many rows of the same columns. */
  insertMany(table: string, rows: Row[]): Promise<void>;
  /**
   * Inserts a row that nothing in this transaction reads, into a table without unique columns; where a statement costs a
   * round trip, it is sent with the commit.
   */
  append(table: string, row: Row): Promise<void>;
  /**
   * Updates rows, returns how many matched. `current`: the one row that `where` selects by its id, as this transaction
   * has read it, and which no other transaction may change before its end; it is not read again, and where a statement
   * costs a round trip, the change may be sent with the commit.
   */
  update(table: string, set: Record<string, Change>, where: Predicate, current?: Row): Promise<number>;
  /** Deletes rows, returns how many. */
  delete(table: string, where: Predicate): Promise<number>;
  /**
   * Columns of a table whose stored text is needed when they change, because a separate index is updated with them.
   * They are best read together with the row, and passed to `update` with it.
   */
  replacedTexts(table: string): readonly string[];
  /** Changes the pairs of an item in a join table; where a statement costs a round trip, they are sent with the commit. */
  changePairs(table: string, owner: number, change: PairChange): Promise<void>;
  /** Adds to a numeric column at the end of the transaction, in id order, so that writers do not deadlock. */
  add(table: string, id: number, column: string, delta: number): void;
  /** Tables whose maintained row counts differ from the actual ones, with a description. */
  wrongCounters(): Promise<{ table: string; message: string }[]>;
  /** Recomputes the maintained counts of a table. */
  recount(table: string): Promise<void>;
  /**
   * Waits until no other transaction holds one of these names, and holds them until its end. Later reads see what the
   * others have written.
   */
  lock(names: readonly string[]): Promise<void>;
  /**
   * Ensures that no other transaction runs until this one ends, for decisions about many rows at once. May restart the
   * transaction.
   */
  alone(): void;
  /**
   * Requests rows that will be needed, together with the next statement: `select` with the same query need not wait for
   * them, unless their table is changed before.
   */
  ahead(query: Query): void;
  /** The same for the row that a column of an item refers to, before the item is read: for `query` with its id. */
  aheadOf(query: Query, item: StoredReference): void;
  /**
   * Sends the rows that `Store.bulk` gathers, of one table or of all: errors about them are reported here at the
   * latest.
   */
  send(table?: string): Promise<void>;
  /** Determines which of these texts or integers no row has in a column, for `lacks`. */
  absentOf(table: string, column: string, values: readonly Scalar[]): Promise<void>;
  /** Whether it is known, without a query, that no row has a value in a column. */
  lacks(table: string, column: string, value: Scalar): boolean;
  /** Runs `run` after the commit. */
  after(run: () => void | Promise<void>): void;
}

/** A column of an item that holds the id of another one. */
export interface StoredReference {
  table: string;
  id: number;
  column: string;
}

/** Marks an error of a statement that the database rejected inside a transaction, with the table it wrote to. */
export interface FailedWrite extends Error {
  failedWrite: string;
}

/** What the choice of a replica depends on: account id (0 for anonymous callers), IP address. */
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

/** What a transaction that runs side by side with others holds from its beginning to its end. */
export interface LockNeeds {
  /** Names that it alone holds: items that it changes, values that must be unique. */
  names?: readonly string[];
  /** Names that only transactions of the same kind hold: items that it refers to. */
  shared?: readonly string[];
  /** What is written, in a few words: transactions of one kind make statements of the same kinds. */
  kind?: string;
  /**
   * The work reads through the transaction only: it may start while the locks are being acquired, because no statement
   * of it runs before they are held.
   */
  early?: boolean;
}

/** The database of one process. */
export interface Store {
  /** Reads committed data. */
  readonly reader: Reader;
  /**
   * Runs the reads of one request on one database: on a read replica that has every write of the caller, if there is
   * one, else with `reader`. If the replica fails, `work` runs again; it must therefore only read.
   */
  readFor<T>(caller: Caller, work: (reader: Reader) => Promise<T>, requester?: Requester): Promise<T>;
  /** Called after a commit with the caller who wrote, so that `readFor` returns that write to the caller. */
  noteWrite(caller: Caller): Promise<void> | void;
  /**
   * Runs `work` in one transaction; retried a bounded number of times on deadlock or serialisation failure. Without
   * `needs` no other transaction runs at the same time; with them only those that hold none of its names.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, needs?: LockNeeds): Promise<T>;
  /**
   * `transaction` for many new rows: they are gathered and sent together, and what costs less for all of them, such as a
   * search index, is done at its end. Errors may be reported by a later call than the one that wrote the row.
   * Absent: `transaction` does it.
   */
  bulk?<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` with a reader on a snapshot of the last commit before it began: all results are consistent. Writers are
   * not blocked, and no timeout applies.
   */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Maximum bytes of text in one statement. */
  readonly statementBytes?: number;
  /** Whether it reads what is searched from the columns of `IndexModel.joins` where the indexed column is empty. */
  readonly lowersTexts?: boolean;
  /** Counters stored apart from the data: they change no version and wait for no transaction. */
  readonly rateCounters?: RateCounterStore;
  /**
   * Updates the statistics of the database's query planner after a bulk write; absent: the store does so while it
   * writes.
   */
  analyze?(): Promise<void>;
  close(): Promise<void>;
}
