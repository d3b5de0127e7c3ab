// Maintenance between the transactions of requests: samples statistics, merges segments of trigram tables.
import type { Bound } from '../sql/connection.js';
import type { TableModel } from '../../model/table.js';
import type { SqliteConnection } from './connection.js';
import type { SqliteScans } from './scans.js';
import { SqliteStatistics } from './statistics.js';
import { TrigramMerges } from './trigram-merges.js';
import type { SqliteWrites } from './writes.js';

/**
 * The maintenance of one store. Errors are ignored: another process is writing, or the store is closed; it runs again
 * soon.
 */
export class SqliteMaintenance {
  /** Resolves when the last due sampling of the planner's statistics has finished. */
  sampled: Promise<void> = Promise.resolve();
  /** Resolves when the merges of segments that are under way have finished. */
  merged: Promise<void> = Promise.resolve();
  private readonly statistics: SqliteStatistics;
  private readonly merges: TrigramMerges;
  private merging = false;
  private stopped = false;

  /** `scans`: other connections that use the statistics. */
  constructor(
    tables: ReadonlyMap<string, TableModel>,
    private readonly writes: () => SqliteWrites,
    private readonly reader: SqliteConnection,
    private readonly scans: SqliteScans | undefined,
  ) {
    this.statistics = new SqliteStatistics(tables.values());
    this.merges = new TrigramMerges(tables.values());
  }

  /**
   * Starts overdue maintenance of other processes or older versions. Throws the driver's error where a table cannot be
   * read.
   */
  start(): void {
    const rows = (sql: string): Bound[][] => this.reader.rows(sql, []);
    if (this.statistics.areStale(rows)) this.sampled = this.sample();
    if (this.merges.isBehind(rows)) this.merge();
  }

  /** To be called after each commit, with the rows written so far. */
  committed(written: number): void {
    if (this.stopped) return;
    if (this.statistics.isDue(written)) this.sampled = this.sample();
    if (this.merges.isDue()) this.merge();
  }

  /** Starts nothing more; resolves when running work has finished. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([this.sampled, this.merged]);
  }

  /** Written rows are counted per writer, so a replaced writer samples later. */
  private async sample(): Promise<void> {
    try {
      for (const script of this.statistics.slices()) await this.writes().between((writer) => writer.exec(script));
      if (this.stopped) return;
      // Other connections reload statistics only with the schema.
      this.reader.exec('PRAGMA writable_schema = RESET');
      await this.scans?.refresh();
    } catch {
      // The old statistics are used until the next sampling.
    }
  }

  private merge(): void {
    if (this.merging) return;
    this.merging = true;
    this.merged = this.mergeAll().finally(() => (this.merging = false));
  }

  private async mergeAll(): Promise<void> {
    try {
      await this.merges.all((step) => this.writes().between(step));
    } catch {
      // The next merge follows after some commits.
    }
  }
}
