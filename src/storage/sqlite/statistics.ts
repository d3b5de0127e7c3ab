// Keeps the query planner's statistics up to date while a file grows: without them searches use the wrong index.
import type { TableModel } from '../../model/model.js';
import { quote } from './ddl.js';

const FIRST = 500;
const SELDOMEST = 200_000;
/** Tables sampled at a time, a millisecond each; other writers run in between. */
const SLICE = 5;

/**
 * Samples the tables at boot and after increasing numbers of written rows: some hundred entries of each index
 * (`analysis_limit`).
 */
export class SqliteStatistics {
  private next = 0;
  private step = FIRST;
  private readonly tables: readonly string[];

  /** Skips tables without an index: the planner has no choice there, and all their rows would be counted. */
  constructor(tables: Iterable<TableModel>) {
    const indexed = [...tables].filter(({ indexes }) => [...indexes.values()].some((index) => !index.fulltext));
    this.tables = indexed.map(({ name }) => name);
  }

  /**
   * Whether enough rows were written since the last sampling; `written` is the total so far. Returns true once per
   * sampling.
   */
  isDue(written: number): boolean {
    if (written < this.next) return false;
    this.next = written + this.step;
    this.step = Math.min(this.step * 2, SELDOMEST);
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
