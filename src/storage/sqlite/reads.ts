// Routes reads of a SQLite file while a server runs: those that take microseconds run on the event loop's thread, the
// others in child processes.
import { LRUCache } from 'lru-cache';
import type { TableModel } from '../../model/model.js';
import type { Bound, Connection, Ran } from '../sql/connection.js';
import type { SqliteConnection } from './connection.js';
import { isBounded } from './cost.js';
import { sqliteDialect } from './dialect.js';
import type { SqliteScans } from './scans.js';

/** A statement that took longer here, in milliseconds, runs in a child process for a while. */
const SLOW_MS = 20;
const KNOWN = { max: 1_000, ttl: 10 * 60_000 };
const SHAPES = { max: 2_000 };
/** Files up to this many pages (of 4 KiB) are scanned faster than the statement is handed over. */
const MAX_SCANNED_PAGES = 1_024;
/** Comparing a longer text may take its length for each character of the other texts. */
const MAX_COMPARED_CHARACTERS = 100;
/** Larger offsets take longer than handing the statement over. */
const MAX_OFFSET = 5_000;

/** A Connection that routes each read. Both routes see the last commit. */
export class SqliteReads implements Connection {
  private readonly bounded = new LRUCache<string, boolean>(SHAPES);
  private readonly heavy = new LRUCache<string, true>(KNOWN);

  constructor(
    private readonly here: SqliteConnection,
    private readonly elsewhere: SqliteScans,
    private readonly tables: ReadonlyMap<string, TableModel>,
  ) {}

  rows(sql: string, params: readonly Bound[]): Bound[][] | Promise<Bound[][]> {
    if (!this.isCheap(sql, params)) return this.elsewhere.rows(sql, params);
    const start = performance.now();
    try {
      const rows = this.here.rows(sql, params);
      if (performance.now() - start > SLOW_MS) this.heavy.set(sql, true);
      return rows;
    } catch (error) {
      // Another process has locked the file: wait in a child process, not on the event loop.
      if (sqliteDialect.transient(error)) return this.elsewhere.rows(sql, params);
      throw error;
    }
  }

  run(): Ran {
    throw new Error('Reads write nothing: use a transaction');
  }

  private isCheap(sql: string, params: readonly Bound[]): boolean {
    if (this.heavy.has(sql)) return false;
    let bounded = this.bounded.get(sql);
    if (bounded === undefined) this.bounded.set(sql, (bounded = isBounded(sql, this.tables)));
    if (bounded) return !sql.endsWith('OFFSET ?') || Number(params.at(-1)) <= MAX_OFFSET;
    return (
      isSmall(this.here) &&
      params.every((value) => typeof value !== 'string' || value.length <= MAX_COMPARED_CHARACTERS)
    );
  }
}

function isSmall(db: SqliteConnection): boolean {
  const [row] = db.rows('PRAGMA page_count', []);
  return Number(row?.[0]) <= MAX_SCANNED_PAGES;
}
