// What statements run on: one database connection that answers rows as arrays. Implemented once per driver, used by readers and transactions.

/** A value as drivers take and give it. */
export type Bound = string | number | null;

/** Outcome of a write: rows matched, and the id the database chose for an inserted row. */
export interface Ran {
  changes: number;
  id: number;
}

/** One connection. Synchronous drivers answer at once, the others with a promise; callers await both. */
export interface Connection {
  /** Rows of a reading statement, values in the order of its columns. */
  rows(sql: string, params: readonly Bound[]): Bound[][] | Promise<Bound[][]>;
  /**
   * Runs a writing statement. Throws UniqueViolation where a unique index refuses;
   * a transaction may then go on if the statement was announced as one that `mayClash`.
   */
  run(sql: string, params: readonly Bound[], mayClash?: boolean): Ran | Promise<Ran>;
}

/** Told of statements that took longer than `slowMs`: SQL without values, duration in milliseconds. */
export type OnSlow = (sql: string, ms: number) => void;

/** A unique index refused a row. The only form in which drivers' duplicate-key errors leave this room. */
export class UniqueViolation extends Error {
  /** The engine knows it by this name, since it may not import this room. */
  override readonly name = 'UniqueViolation';

  constructor(
    readonly table: string,
    readonly columns: readonly string[],
  ) {
    super(`Duplicate value in ${table} (${columns.join(', ')})`);
  }
}
