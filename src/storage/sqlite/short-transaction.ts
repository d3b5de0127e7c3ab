// A transaction on the event loop's thread: as long as its statements take microseconds, this costs less than messages
// to another thread. The first statement that may take longer ends it; it runs again on the writing thread.
import { LRUCache } from 'lru-cache';
import type { Bound, Connection, RunResult } from '../sql/connection.js';
import type { Statements } from '../sql/statements.js';
import { SqlTransaction } from '../transactions/transaction.js';
import { isBounded, isNarrow } from './cost.js';
import type { SqliteWriter } from './writer.js';
import type { TableModel } from '../../model/table.js';

/**
 * Maximum number of characters that a statement may write or read: indexing the trigrams of as many takes some
 * milliseconds.
 */
const MAX_CHARACTERS = 32 * 1024;
/** Maximum number of rows that a statement may read. */
const MAX_ROWS = 1_000;
/**
 * A statement that took longer than this, in milliseconds, this many times in a row, runs on the writing thread for a
 * while. A single slow run is not conclusive: the system may have run another process, or FTS5 may have merged
 * segments.
 */
const SLOW_MS = 10;
const SLOW_RUNS = 3;
const SHAPES = { max: 1_000 };
const SLOW = { max: 1_000, ttl: 10 * 60_000 };

/** Thrown when a transaction must run on the writing thread; `always`: others of its kind must, too. */
export class TooLong extends Error {
  constructor(readonly always: boolean) {
    super('The transaction has to run on the writing thread');
  }
}

/** A short transaction. Where `SqlTransaction` must run alone, this class throws `TooLong` instead. */
export class ShortTransaction extends SqlTransaction {
  private constructor(
    private readonly bounds: BoundedConnection,
    statements: Statements,
  ) {
    super(bounds, statements);
  }

  /** `shapes` caches which statements are bounded. */
  static on(writer: SqliteWriter, statements: Statements, shapes: StatementShapes): ShortTransaction {
    return new ShortTransaction(new BoundedConnection(writer, shapes), statements);
  }

  /** The error of the first statement that was refused; whatever the work made of it, it runs again. */
  get refusal(): TooLong | undefined {
    return this.bounds.exceeded;
  }

  override alone(): void {
    this.bounds.exceed(false);
  }

  /** @throws TooLong if a statement was refused, even if the work caught that error */
  override async flush(): Promise<void> {
    await super.flush();
    if (this.refusal) throw this.refusal;
  }
}

/** Decides which statements run in a short transaction, and with which text. */
export class StatementShapes {
  private readonly texts = new LRUCache<string, string>(SHAPES);
  private readonly slow = new LRUCache<string, true>(SLOW);
  /** Number of consecutive slow runs by statement. */
  private readonly slowRuns = new Map<string, number>();
  /** Kinds of transactions that have such a statement. */
  private readonly kinds = new LRUCache<string, true>(SLOW);

  constructor(private readonly tables: ReadonlyMap<string, TableModel>) {}

  /** Whether transactions of a kind (`LockNeeds.kind`) may be tried. */
  mayRun(kind: string | undefined): boolean {
    return kind === undefined || !this.kinds.has(kind);
  }

  /** To be called when a transaction of a kind was too long. */
  noteTooLong(kind: string | undefined, { always }: TooLong): void {
    if (kind !== undefined && always) this.kinds.set(kind, true);
  }

  /** The text to run, with a limit of rows where it had none; undefined for one that may take long. */
  shortOf(sql: string): string | undefined {
    if (this.slow.has(sql)) return undefined;
    let text = this.texts.get(sql);
    if (text === undefined) this.texts.set(sql, (text = this.withLimit(sql)));
    return text === '' ? undefined : text;
  }

  /** To be called with the milliseconds that a statement took. */
  noteDuration(sql: string, ms: number): void {
    if (ms <= SLOW_MS) return void (this.slowRuns.size > 0 && this.slowRuns.delete(sql));
    const runs = (this.slowRuns.get(sql) ?? 0) + 1;
    if (runs < SLOW_RUNS) return void this.slowRuns.set(sql, runs);
    this.slowRuns.delete(sql);
    this.slow.set(sql, true);
  }

  private withLimit(sql: string): string {
    if (!sql.startsWith('SELECT')) return sql.startsWith('PRAGMA') || writesFew(sql) ? sql : '';
    if (isBounded(sql, this.tables)) return sql;
    if (!isNarrow(sql, this.tables)) return '';
    return / LIMIT (\?|1)( OFFSET \?)?$/.test(sql) ? sql : `${sql} LIMIT ${MAX_ROWS + 1}`;
  }
}

class BoundedConnection implements Connection {
  exceeded: TooLong | undefined;

  constructor(
    private readonly writer: SqliteWriter,
    private readonly shapes: StatementShapes,
  ) {}

  async rows(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    const rows = await this.timed(sql, params, (text) => this.writer.rows(text, params));
    if (rows.length > MAX_ROWS || rows.reduce((sum, row) => sum + charactersOf(row), 0) > MAX_CHARACTERS)
      this.exceed(false);
    return rows;
  }

  async run(sql: string, params: readonly Bound[]): Promise<RunResult> {
    return this.timed(sql, params, (text) => this.writer.run(text, params));
  }

  exceed(always: boolean): never {
    throw (this.exceeded ??= new TooLong(always));
  }

  private timed<T>(sql: string, params: readonly Bound[], run: (text: string) => T): T {
    if (charactersOf(params) > MAX_CHARACTERS) this.exceed(false);
    const text = this.shapes.shortOf(sql) ?? this.exceed(true);
    const start = performance.now();
    // The driver is synchronous, so the duration is complete here.
    const result = run(text);
    this.shapes.noteDuration(sql, performance.now() - start);
    return result;
  }
}

/** Whether a statement inserts rows, or changes rows of one item. */
function writesFew(sql: string): boolean {
  return sql.startsWith('INSERT') || / WHERE \(?a0\."(id|owner_id|scope)" = \?( AND |$)/.test(sql);
}

function charactersOf(values: readonly Bound[]): number {
  let sum = 0;
  for (const value of values) if (typeof value === 'string') sum += value.length;
  return sum;
}
