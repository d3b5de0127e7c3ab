// Interface of a database connection that returns rows as arrays. Implemented once per driver.
import type { Requester } from '../../model/store.js';

/** A value as drivers accept and return it. */
export type Bound = string | number | null;

/** Result of a write: rows matched, and the id generated for an inserted row. */
export interface RunResult {
  changes: number;
  id: number;
}

/** One connection. Synchronous drivers return values, others promises; callers await both. */
export interface Connection {
  /** Largest statement in bytes; absent: no limit below that of a row. */
  readonly statementBytes?: number;
  /**
   * Whether the expressions that a page selects are evaluated for its rows only, not for all matches; absent: always.
   */
  selectsPage?(sql: string): boolean;
  /**
   * Runs a reading statement; the values are in the order of its columns. `requester`: for whom it may wait in a queue.
   */
  rows(sql: string, params: readonly Bound[], requester?: Requester): Bound[][] | Promise<Bound[][]>;
  /**
   * As `rows`, for a few rows found by a key: such reads of one turn of the event loop may be sent together, and equal
   * ones once. Absent where that saves nothing.
   */
  smallRows?(sql: string, params: readonly Bound[], requester?: Requester): Promise<Bound[][]>;
  /**
   * Runs a writing statement. Throws UniqueViolation on a duplicate key; the transaction remains usable if the
   * statement was announced with `mayClash`.
   */
  run(sql: string, params: readonly Bound[], mayClash?: boolean): RunResult | Promise<RunResult>;
  /** Runs writing statements one after the other, sent together as far as possible; none after one that fails. */
  runAll?(statements: readonly Statement[]): Promise<void>;
}

/** A connection whose reads are for one requester. */
export class RequesterConnection implements Connection {
  constructor(
    private readonly db: Connection,
    private readonly requester: Requester,
  ) {}

  selectsPage(sql: string): boolean {
    return this.db.selectsPage?.(sql) ?? true;
  }

  rows(sql: string, params: readonly Bound[], requester = this.requester): Bound[][] | Promise<Bound[][]> {
    return this.db.rows(sql, params, requester);
  }

  async smallRows(sql: string, params: readonly Bound[], requester = this.requester): Promise<Bound[][]> {
    return smallRows(this.db, sql, params, requester);
  }

  run(sql: string, params: readonly Bound[], mayClash?: boolean): RunResult | Promise<RunResult> {
    return this.db.run(sql, params, mayClash);
  }
}

/** A connection whose reads are for few rows found by a key. */
export class SmallConnection implements Connection {
  constructor(private readonly db: Connection) {}

  rows(sql: string, params: readonly Bound[], requester?: Requester): Promise<Bound[][]> {
    return smallRows(this.db, sql, params, requester);
  }

  run(sql: string, params: readonly Bound[], mayClash?: boolean): RunResult | Promise<RunResult> {
    return this.db.run(sql, params, mayClash);
  }
}

/** `smallRows`, or `rows` of a connection that has no such reads. */
export async function smallRows(
  db: Connection,
  sql: string,
  params: readonly Bound[],
  requester?: Requester,
): Promise<Bound[][]> {
  return db.smallRows ? db.smallRows(sql, params, requester) : db.rows(sql, params, requester);
}

/** A connection that can also run DDL. */
export interface DdlConnection extends Connection {
  exec(sql: string): void | Promise<void>;
}

/** Called for statements that took `slowMs` or longer: SQL without values, duration in milliseconds. */
export type OnSlow = (sql: string, ms: number) => void;

/**
 * Where a statement runs: on a primary or replica server; on SQLite on the reading connection, the writer or in a scan
 * process.
 */
export type StatementRole = 'primary' | 'replica' | 'reader' | 'writer' | 'scan';

/**
 * Called after each statement: SQL without values, duration in milliseconds, role. Statements that a driver sends as
 * one text are reported as one, joined by `; `.
 */
export type OnStatement = (sql: string, ms: number, role: StatementRole) => void;

/** Callbacks for the statements of a connection. */
export interface StatementWatch {
  /** Called for statements that took `slowMs` (default 200) or longer. */
  onSlow?: OnSlow | undefined;
  slowMs?: number | undefined;
  onStatement?: OnStatement | undefined;
  /** Called once a statement of a server has run for `LONG_MS`, which may be because it waits for a lock. */
  onLong?: ((sql: string) => void) | undefined;
  /** Role of the connections of a server; default `primary`. */
  role?: StatementRole;
}

/** Default of `slowMs`. */
const SLOW_MS = 200;

/** Milliseconds after which a statement that still runs is reported. */
const LONG_MS = 5_000;

/** Reports a statement that runs for long; the caller clears the timer when it ends. */
export function reportIfLong({ onLong }: StatementWatch, sql: string): NodeJS.Timeout | undefined {
  return onLong && setTimeout(onLong, LONG_MS, sql);
}

/** Reports a statement that has ended. */
export function report(watch: StatementWatch, sql: string, ms: number, role = watch.role ?? 'primary'): void {
  watch.onStatement?.(sql, ms, role);
  if (ms >= (watch.slowMs ?? SLOW_MS)) watch.onSlow?.(sql, ms);
}

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

/** A statement ready to run. */
export interface Statement {
  sql: string;
  params: Bound[];
}
