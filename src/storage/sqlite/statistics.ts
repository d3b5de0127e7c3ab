// Keeps the query planner's statistics up to date while a file grows: without them searches use the wrong index.
import type { Bound } from '../sql/connection.js';
import type { TableModel } from '../../model/table.js';
import { quote } from './column-ddl.js';

const FIRST_INTERVAL = 500;
const MAX_INTERVAL = 200_000;
/** Tables sampled at a time, a millisecond each; other writers run in between. */
const SLICE = 5;

/** When a table has grown to more than this many times its sampled size, an estimate, all are sampled again at start. */
const GROWTH = 4;

/**
 * Samples the tables after increasing numbers of written rows, and at start where the samples in the file are old: a few
 * hundred entries of each index (`analysis_limit`).
 */
export class SqliteStatistics {
  private next = FIRST_INTERVAL;
  private step = FIRST_INTERVAL * 2;
  private readonly tables: readonly string[];
  private readonly withIds: readonly string[];

  /** Skips tables without an index: the planner has no choice there, and all their rows would be counted. */
  constructor(tables: Iterable<TableModel>) {
    const indexed = [...tables].filter(({ indexes }) => [...indexes.values()].some((index) => !index.fulltext));
    this.tables = indexed.map(({ name }) => name);
    this.withIds = indexed.filter(({ columns }) => columns.has('id')).map(({ name }) => name);
  }

  /** Whether a table has grown much since the samples in the file were taken; reads at most one row of each table. */
  areStale(read: (sql: string) => Bound[][]): boolean {
    const tables = new Set(read(`SELECT name FROM sqlite_master WHERE type = 'table'`).map(([name]) => name));
    const sizes = tables.has('sqlite_stat1')
      ? read('SELECT tbl, MAX(CAST(stat AS INTEGER)) FROM sqlite_stat1 GROUP BY tbl')
      : [];
    const sampled = new Map(sizes.map(([table, rows]) => [String(table), Number(rows)]));
    return this.withIds.some((table) => {
      // Without migrations a table may be missing.
      if (!tables.has(table)) return false;
      const [[highest] = [0]] = read(`SELECT MAX("id") FROM ${quote(table)}`);
      return Number(highest) > Math.max(FIRST_INTERVAL, GROWTH * (sampled.get(table) ?? 0));
    });
  }

  /**
   * Whether enough rows were written since the last sampling; `written` is the total so far. Returns true once per
   * sampling.
   */
  isDue(written: number): boolean {
    if (written < this.next) return false;
    this.next = written + this.step;
    this.step = Math.min(this.step * 2, MAX_INTERVAL);
    return true;
  }

  /** Scripts to run one by one, leaving time for other writers. */
  slices(): string[] {
    const scripts: string[] = [];
    for (let from = 0; from < this.tables.length; from += SLICE) {
      const analyze = this.tables.slice(from, from + SLICE).map((name) => `ANALYZE ${quote(name)}`);
      scripts.push(['BEGIN IMMEDIATE', ...analyze, 'COMMIT'].join('; '));
    }
    return scripts;
  }
}
