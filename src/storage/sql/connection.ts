// Interface of a database connection that returns rows as arrays. Implemented once per driver.

/** A value as drivers accept and return it. */
export type Bound = string | number | null;

/** Result of a write: rows matched, and the id generated for an inserted row. */
export interface Ran {
  changes: number;
  id: number;
}

/** One connection. Synchronous drivers return values, others promises; callers await both. */
export interface Connection {
  /** Largest statement in bytes; absent: no limit below that of a row. */
  readonly statementBytes?: number;
  /** Whether a statement stops after a page, whatever the table holds; absent: all that may do so do. */
  walks?(sql: string): boolean;
  /** Runs a reading statement; the values are in the order of its columns. */
  rows(sql: string, params: readonly Bound[]): Bound[][] | Promise<Bound[][]>;
  /**
   * Runs a writing statement. Throws UniqueViolation on a duplicate key; the transaction remains usable if the
   * statement was announced with `mayClash`.
   */
  run(sql: string, params: readonly Bound[], mayClash?: boolean): Ran | Promise<Ran>;
}

/** A connection that can also run DDL. */
export interface DdlConnection extends Connection {
  exec(sql: string): void | Promise<void>;
}

/** Called for statements that took longer than `slowMs`: SQL without values, duration in milliseconds. */
export type OnSlow = (sql: string, ms: number) => void;

/** A duplicate key. All duplicate-key errors of drivers are converted to this class. */
export class UniqueViolation extends Error {
  /** The engine recognizes it by name, because it must not import this folder. */
  override readonly name = 'UniqueViolation';

  constructor(
    readonly table: string,
    readonly columns: readonly string[],
  ) {
    super(`Duplicate value in ${table} (${columns.join(', ')})`);
  }
}
