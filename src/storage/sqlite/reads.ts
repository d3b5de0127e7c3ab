// Routes reads of a SQLite file while a server runs: those that take microseconds run on the event loop's thread, the
// others in child processes.
import { LRUCache } from 'lru-cache';
import type { TableModel } from '../../model/model.js';
import type { Bound, Connection, Ran } from '../sql/connection.js';
import type { SqliteConnection } from './connection.js';
import { isBounded } from './cost.js';
import { sqliteDialect } from './dialect.js';
import type { SqliteScans } from './scans.js';

/**
 * A statement that took longer here, in milliseconds, each time in a row, runs in a child process for a while. Once is
 * no sign: the system may have run another process meanwhile.
 */
const SLOW_MS = 20;
const SLOW_RUNS = 3;
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
  /** Slow runs in a row, of statements whose last run was slow. */
  private readonly slow = new LRUCache<string, number>(SHAPES);

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
      if (performance.now() - start > SLOW_MS) this.noteSlow(sql);
      else if (this.slow.size > 0) this.slow.delete(sql);
      return rows;
    } catch (error) {
      // Another process has locked the file: wait in a child process, not on the event loop.
      if (sqliteDialect.transient(error)) return this.elsewhere.rows(sql, params);
      throw error;
    }
  }

  walks(sql: string): boolean {
    let bounded = this.bounded.get(sql);
    if (bounded === undefined) this.bounded.set(sql, (bounded = isBounded(sql, this.tables)));
    return bounded;
  }

  run(): Ran {
    throw new Error('Reads write nothing: use a transaction');
  }

  private noteSlow(sql: string): void {
    const runs = (this.slow.get(sql) ?? 0) + 1;
    this.slow.set(sql, runs);
    if (runs >= SLOW_RUNS) this.heavy.set(sql, true);
  }

  private isCheap(sql: string, params: readonly Bound[]): boolean {
    if (this.heavy.has(sql)) return false;
    if (this.walks(sql)) return !sql.endsWith('OFFSET ?') || Number(params.at(-1)) <= MAX_OFFSET;
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
