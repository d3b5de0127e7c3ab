// Text searches: which reads may scan a table, how many of them a pool runs concurrently, and the index that a store
// may maintain to avoid scans.
import type { Predicate, Row } from '../../model/query.js';
import type { Connection, DdlConnection, Statement } from './connection.js';
import { BoundedSemaphore } from './semaphore.js';
import { tooManyScans } from './retry.js';
import type { TableModel } from '../../model/table.js';

/** Queue capacity; further scans are rejected, because each may take as long as the statement timeout. */
const MAX_QUEUED = 16;
/** Longest wait in the queue, in milliseconds. */
const QUEUE_TIMEOUT_MS = 5_000;

/** Semaphore that gives searches a third of the read connections, so that other reads always find one. */
export function searchGate(readers: number): BoundedSemaphore {
  const size = Math.max(1, Math.floor(readers / 3));
  return new BoundedSemaphore({ size, queue: MAX_QUEUED, timeout: QUEUE_TIMEOUT_MS, refusal: tooManyScans });
}

/**
 * An index over texts that the store maintains, where the database has none that finds parts of words. One per store.
 */
export interface TextIndex {
  /** Internal tables. */
  readonly tables: readonly TableModel[];
  /** An equivalent condition that the database can evaluate with the index; `where` itself if there is none. */
  narrow(db: Connection, table: string, where: Predicate): Promise<Predicate>;
  /** The writes of one transaction to the index; undefined while there is no index. */
  begin(): TextWrites | undefined;
  /** Marks the columns of these tables as not indexed, after a migration has written to them. */
  invalidate(db: Connection, tables: ReadonlySet<string>): Promise<void>;
  /** Indexes the columns that are not indexed yet. Commits in between. */
  complete(db: DdlConnection): Promise<void>;
  /** Loads the state of the index, in a database that may not be migrated. */
  load(db: Connection): Promise<void>;
}

/** The part of a transaction that maintains the index. */
export interface TextWrites {
  /** Indexed columns that a row sets; without a row, all of the table. */
  columnsOf(table: TableModel, set?: Row): readonly string[];
  /** Adds the texts of a row. */
  add(table: TableModel, id: number, row: Row): void;
  /** Removes the current texts of a row that will be changed. */
  drop(table: TableModel, id: number, row: Row): void;
  /**
   * Removes the texts of rows that will be changed or deleted; returns their ids. Rows that will be changed are locked:
   * concurrent writes to them would be missing from the index.
   */
  remove(
    db: Connection,
    table: TableModel,
    columns: readonly string[],
    where: Predicate,
    lock: boolean,
  ): Promise<number[]>;
  /** Reduces the pending entries: looks up which words exist already, and writes the entries if there are many. */
  settle(db: Connection): Promise<void>;
  /** The pending writes, in an order common to all transactions. */
  take(): Statement[];
  /** To be called after the commit. */
  committed(): void;
}
