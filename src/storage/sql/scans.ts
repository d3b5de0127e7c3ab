// Searches of texts: which reads may scan a table, how many a pool runs concurrently, and the index that a store may keep
// against it.
import type { Predicate, Row } from '../../model/query.js';
import type { Connection, DdlConnection, Statement } from './connection.js';
import { BoundedSemaphore } from './semaphore.js';
import { tooManySearches } from './retry.js';
import type { TableModel } from '../../model/table.js';

/** Queue capacity; further scans are rejected, because each may take as long as the statement timeout. */
const MAX_QUEUED = 16;
/** Longest wait in the queue, in milliseconds. */
const QUEUE_TIMEOUT_MS = 5_000;

/** Whether a condition searches texts: an index may not serve it, so its time grows with the table. */
export function searchesTexts(where: Predicate): boolean {
  if (where.op === 'and' || where.op === 'or') return where.of.some(searchesTexts);
  if (where.op === 'not') return searchesTexts(where.of);
  return where.op === 'exists' ? searchesTexts(where.where) : where.op === 'contains';
}

/** Semaphore that gives searches a third of the read connections, so that other reads always find one. */
export function searchGate(readers: number): BoundedSemaphore {
  const size = Math.max(1, Math.floor(readers / 3));
  return new BoundedSemaphore({ size, queue: MAX_QUEUED, timeout: QUEUE_TIMEOUT_MS, refusal: tooManySearches });
}

/** An index over texts that the store keeps itself, where the database has none that finds parts of words. One per store. */
export interface TextIndex {
  /** Internal tables. */
  readonly tables: readonly TableModel[];
  /** A condition with the same rows that the database can answer from the index; the condition itself where it cannot. */
  narrow(db: Connection, table: string, where: Predicate): Promise<Predicate>;
  /** What one transaction writes to the index; undefined while there is none. */
  begin(): TextWrites | undefined;
  /** Forgets that the columns of these tables are indexed: a migration has written to them. */
  forget(db: Connection, tables: ReadonlySet<string>): Promise<void>;
  /** Indexes the columns that are not indexed yet. Commits in between. */
  complete(db: DdlConnection): Promise<void>;
  /** Reads what there is, in a database that may not be migrated. */
  load(db: Connection): Promise<void>;
}

/** The part of a transaction that keeps the index. */
export interface TextWrites {
  /** Columns with an index that a row sets; without a row all of the table. */
  columnsOf(table: TableModel, set?: Row): readonly string[];
  /** Adds the texts of a row. */
  add(table: TableModel, id: number, row: Row): void;
  /** Takes away the texts of a row that will be changed, as they are now. */
  drop(table: TableModel, id: number, row: Row): void;
  /**
   * Takes away the texts of rows that will be changed or deleted; returns their ids. Rows that will be changed are
   * locked: what others write to them meanwhile would be missing.
   */
  remove(
    db: Connection,
    table: TableModel,
    columns: readonly string[],
    where: Predicate,
    lock: boolean,
  ): Promise<number[]>;
  /** Makes less of what is waiting: asks what is there already, and writes it when it is much. */
  settle(db: Connection): Promise<void>;
  /** What is waiting, in an order common to all transactions. */
  take(): Statement[];
  /** The transaction is committed. */
  committed(): void;
}
