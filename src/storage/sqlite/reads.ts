// Routes reads of a SQLite file while a server runs: those that take microseconds run on the event loop's thread, the
// others in child processes.
import { LRUCache } from 'lru-cache';
import type { Requester } from '../../model/store.js';
import type { ChangedTables } from '../migrations/changed-tables.js';
import type { Bound, Connection, RunResult } from '../sql/connection.js';
import type { SqliteConnection } from './connection.js';
import { isBounded } from './cost.js';
import { sqliteDialect } from './dialect.js';
import type { SqliteScans } from './scans.js';
import { FEW, MAX_IDS, type Piece, deferredJoin, type DeferredJoin } from './deferred-join.js';
import type { TableModel } from '../../model/table.js';

/**
 * A statement that took longer here, in milliseconds, this many times in a row, runs in a child process for a while. A
 * single slow run is not conclusive: the system may have run another process.
 */
const SLOW_MS = 20;
const SLOW_RUNS = 3;
const DATA_VERSION = sqliteDialect.dataVersion!;
const { nodeTiming } = performance;
/** Milliseconds for which it runs there before it is tried here again; four times as long when it is slow again. */
const MIN_OFFLOAD_MS = 10_000;
const MAX_OFFLOAD_MS = 10 * 60_000;
/** Milliseconds for which pages are read in one step, after the rows of a page changed between its two steps. */
const SINGLE_STEP_MS = 1_000;
const SHAPES = { max: 2_000 };
/**
 * Files up to this many bytes are scanned faster than a statement is sent to a child process. An empty database has 2
 * MiB.
 */
const MAX_SCANNED_BYTES = 6 * 1024 ** 2;
/** Matching a longer text may take its length for each character of the stored texts. */
const MAX_COMPARED_CHARACTERS = 100;
/** Largest offset of a page that may be among the first rows. */
const MAX_NEAR_OFFSET = 100;
/** Larger offsets take longer than sending the statement to a child process. */
const MAX_OFFSET = 5_000;
/** The same for ids alone, which are read from the index: passing a million of them takes 15 ms. */
const MAX_OFFSET_OF_IDS = 50_000;

/** A statement that is read in two steps, and the version of the data before the first one. */
interface Page {
  sql: string;
  params: readonly Bound[];
  steps: DeferredJoin;
  limit: number;
  offset: number;
  version: unknown;
  requester: Requester | undefined;
}

/** Commits of all stores of this process. */
let commits = 0;

/** To be called after each commit of this process, before its caller is notified. */
export function noteCommit(): void {
  commits += 1;
}

/** A Connection that routes each read. Both routes see the last commit. */
export class SqliteReads implements Connection {
  private readonly bounded = new LRUCache<string, boolean>(SHAPES);
  /** Statements that run in a child process because they were slow here, until when, by `now`. */
  private readonly heavy = new LRUCache<string, { until: number; ms: number }>(SHAPES);
  /** Number of consecutive slow runs by statement. */
  private readonly slow = new LRUCache<string, number>(SHAPES);

  /** When the rows of a page had changed between its two steps, by `now`. */
  private changedAt = -Infinity;
  /** Whether the file is too large to be scanned; it does not shrink while it is in use. */
  private isLarge = false;
  private readonly steps = new LRUCache<string, DeferredJoin | 'none'>(SHAPES);
  /** Rows of `DATA_VERSION` in a turn of the event loop, and `commits` at the time of the query. */
  private versionOfTurn: { rows: Bound[][]; commits: number; turn: number } | undefined;

  constructor(
    private readonly local: SqliteConnection,
    private readonly scans: SqliteScans,
    private readonly tables: ReadonlyMap<string, TableModel>,
    /** A clock, in milliseconds. */
    private readonly now = (): number => performance.now(),
  ) {}

  rows(sql: string, params: readonly Bound[], requester?: Requester): Bound[][] | Promise<Bound[][]> {
    if (sql === DATA_VERSION) return this.versionNow();
    if (!this.isCheap(sql, params)) return this.page(sql, params, requester);
    // Where another process has locked the file, a child process waits instead of the event loop.
    return this.timed(sql, () => this.local.rows(sql, params)) ?? this.scans.rows(sql, params, requester);
  }

  // Requests that are handled in one turn of the event loop arrived before it, and so did all commits of other
  // processes that they must see. Commits of this process may end within it.
  private versionNow(): Bound[][] {
    // Immediates belong to the turn in which they run, although those that they set run behind requests of the next one.
    const turn = nodeTiming.uvMetricsInfo.loopCount;
    const { versionOfTurn } = this;
    if (versionOfTurn?.turn === turn && versionOfTurn.commits === commits) return versionOfTurn.rows;
    if (!versionOfTurn) setImmediate(() => (this.versionOfTurn = undefined));
    const rows = this.local.rows(DATA_VERSION, []);
    this.versionOfTurn = { rows, commits, turn };
    return rows;
  }

  selectsPage(sql: string): boolean {
    return this.walks(sql) || this.stepsOf(sql)?.selectsPage === true;
  }

  private stepsOf(sql: string): DeferredJoin | undefined {
    let steps = this.steps.get(sql);
    if (steps === undefined) this.steps.set(sql, (steps = deferredJoin(sql, this.tables) ?? 'none'));
    return steps === 'none' ? undefined : steps;
  }

  private walks(sql: string): boolean {
    let bounded = this.bounded.get(sql);
    if (bounded === undefined) this.bounded.set(sql, (bounded = isBounded(sql, this.tables)));
    return bounded;
  }

  private page(
    sql: string,
    params: readonly Bound[],
    requester: Requester | undefined,
  ): Bound[][] | Promise<Bound[][]> {
    const steps = this.stepsOf(sql);
    if (!steps || this.isHeavy(sql)) return this.scans.rows(sql, params, requester);
    const page = {
      sql,
      params,
      steps,
      ...extentOf(steps.ids.sql, params),
      version: this.versionNow()[0]?.[0],
      requester,
    };
    const local =
      page.limit > MAX_IDS
        ? undefined
        : this.timed(sql, () => this.fewRows(page) ?? this.nearRows(page) ?? this.walkedRows(page));
    return local ?? this.foundRows(page);
  }

  /** The rows of a page if one of its conditions on other tables finds few rows; else undefined. */
  private fewRows(page: Page): Bound[][] | undefined {
    const { params, steps } = page;
    const few = steps.few.find(({ count }) => Number(this.column(count, params)[0]) <= FEW);
    return few && this.rowsOf(page, this.column(few.ids, params));
  }

  /** The rows of a page if the first rows of its order fill it; else undefined. */
  private nearRows(page: Page): Bound[][] | undefined {
    const { params, steps, limit, offset } = page;
    if (!steps.near || offset > MAX_NEAR_OFFSET) return undefined;
    const ids = this.column(steps.near, params);
    return ids.length === limit && limit > 0 ? this.rowsOf(page, ids) : undefined;
  }

  /** The rows of a page if an index leads to it; else undefined. */
  private walkedRows(page: Page): Bound[][] | undefined {
    const { params, steps, offset } = page;
    if (offset > MAX_OFFSET_OF_IDS || !this.walks(steps.ids.sql)) return undefined;
    return this.rowsOf(page, this.column(steps.ids, params));
  }

  private column({ sql, of }: Piece, params: readonly Bound[]): Bound[] {
    return this.local.rows(sql, of(params)).map(([value]) => value!);
  }

  private async foundRows(page: Page): Promise<Bound[][]> {
    const { sql, params, steps, requester } = page;
    if (this.now() - this.changedAt < SINGLE_STEP_MS) return this.scans.rows(sql, params, requester);
    const ids = (await this.scans.rows(steps.ids.sql, steps.ids.of(params), requester)).map(([id]) => id!);
    if (ids.length === 0) return [];
    if (ids.length <= MAX_IDS) {
      const rows = this.timed(sql, () => this.rowsOf(page, ids));
      if (rows) return rows;
      this.changedAt = this.now();
    }
    return this.scans.rows(sql, params, requester);
  }

  // After another commit the rows may no longer be those that were found.
  private rowsOf({ params, steps, version }: Page, ids: readonly Bound[]): Bound[][] | undefined {
    if (ids.length === 0) return this.version() === version ? [] : undefined;
    const query = steps.rows(params, ids);
    const byId = new Map(this.local.rows(query.sql, query.params).map((row) => [row.at(-1), row.slice(0, -1)]));
    return this.version() === version ? ids.map((id) => byId.get(id)!) : undefined;
  }

  /** Runs a part of a statement here; undefined where another process has locked the file. */
  private timed<T>(sql: string, work: () => T): T | undefined {
    const start = this.now();
    try {
      return work();
    } catch (error) {
      if (sqliteDialect.isTransient(error)) return undefined;
      throw error;
    } finally {
      if (this.now() - start > SLOW_MS) this.noteSlow(sql);
      else if (this.slow.size > 0) this.noteFast(sql);
    }
  }

  private version(): unknown {
    return this.local.rows(DATA_VERSION, [])[0]?.[0];
  }

  run(): RunResult {
    throw new Error('Reads write nothing: use a transaction');
  }

  private noteSlow(sql: string): void {
    const runs = (this.slow.get(sql) ?? 0) + 1;
    this.slow.set(sql, runs);
    if (runs < SLOW_RUNS) return;
    const before = this.heavy.get(sql)?.ms;
    const ms = before === undefined ? MIN_OFFLOAD_MS : Math.min(4 * before, MAX_OFFLOAD_MS);
    this.heavy.set(sql, { until: this.now() + ms, ms });
  }

  private noteFast(sql: string): void {
    this.slow.delete(sql);
    this.heavy.delete(sql);
  }

  private isHeavy(sql: string): boolean {
    const heavy = this.heavy.get(sql);
    return heavy !== undefined && this.now() < heavy.until;
  }

  private isCheap(sql: string, params: readonly Bound[]): boolean {
    if (this.isHeavy(sql)) return false;
    if (this.walks(sql)) return !sql.endsWith('OFFSET ?') || Number(params.at(-1)) <= MAX_OFFSET;
    this.isLarge ||= sizeOf(this.local) > MAX_SCANNED_BYTES;
    return (
      !this.isLarge && params.every((value) => typeof value !== 'string' || value.length <= MAX_COMPARED_CHARACTERS)
    );
  }
}

/** Reads whose errors say so where the tables were changed. Those of the driver are thrown as they are, at once. */
export class GuardedReads implements Connection {
  constructor(
    private readonly reads: SqliteReads,
    private readonly changes: ChangedTables,
  ) {}

  rows(sql: string, params: readonly Bound[], requester?: Requester): Bound[][] | Promise<Bound[][]> {
    try {
      const rows = this.reads.rows(sql, params, requester);
      return rows instanceof Promise ? rows.catch(this.explainError) : rows;
    } catch (error) {
      if (this.changes.suspects(error)) return this.explainError(error);
      throw error;
    }
  }

  selectsPage(sql: string): boolean {
    return this.reads.selectsPage(sql);
  }

  run(): RunResult {
    return this.reads.run();
  }

  private readonly explainError = async (error: unknown): Promise<never> => {
    throw await this.changes.explain(error);
  };
}

/** Limit and offset, the last parameters of a statement. */
function extentOf(sql: string, params: readonly Bound[]): { limit: number; offset: number } {
  if (!sql.endsWith('OFFSET ?')) return { limit: Number(params.at(-1)), offset: 0 };
  return { limit: Number(params.at(-2)), offset: Number(params.at(-1)) };
}

/** Bytes of the file. */
function sizeOf(db: SqliteConnection): number {
  const [row] = db.rows('SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()', []);
  return Number(row?.[0]);
}
