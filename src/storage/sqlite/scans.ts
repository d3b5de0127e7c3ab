// Runs slow reads in child processes: a running statement can be killed in a process, but not in a thread.
import { LRUCache } from 'lru-cache';
import type { Requester } from '../../model/store.js';
import { type Bound, type StatementWatch, report } from '../sql/connection.js';
import { BoundedSemaphore } from '../sql/semaphore.js';
import { tooManyScans, tooSlow, unavailable } from '../sql/retry.js';
import { hasEnded, type Opening, Remote } from './remote.js';

/** Options. Times are milliseconds. */
export interface ScanOptions extends StatementWatch {
  file: string;
  /** Timeout of one statement before 503. */
  statementMs: number;
  /** The error where the file is no longer the one that the store has opened. */
  lossError?: () => Error | undefined;
}

const OPENING: Omit<Opening, 'file'> = {
  synchronous: 'full',
  readOnly: true,
  busyMs: 5_000,
  cacheKiB: 16_000,
  statements: 100,
};
/** A statement that took longer uses the slow queue from then on. */
const FAST_MS = 100;
/** A statement that exceeds this in the fast queue is restarted in the slow queue. */
const RESTART_MS = 500;
/** Cache of statement texts known to be slow, with expiry. */
const SLOW_STATEMENTS = { max: 1_000, ttl: 10 * 60_000 };
const QUEUE = 64;
const IDLE_MS = 60_000;

/** At most two processes, started on demand: one for slow statements, so that the others need not wait for them. */
export class SqliteScans {
  private readonly slow = new LRUCache<string, true>(SLOW_STATEMENTS);
  private readonly fast: ScanQueue;
  private readonly long: ScanQueue;

  constructor(private readonly options: ScanOptions) {
    this.fast = new ScanQueue(options, Math.min(RESTART_MS, options.statementMs));
    this.long = new ScanQueue(options, options.statementMs);
  }

  /** Throws 503 on a timeout, when the queue is full, or when the process dies. */
  async rows(sql: string, params: readonly Bound[], requester?: Requester): Promise<Bound[][]> {
    const read = { sql, params, requester };
    if (this.slow.has(sql)) return (await this.runIn(this.long, read)).rows;
    const found = await this.runIn(this.fast, read);
    if (found.ms > FAST_MS) this.slow.set(sql, true);
    return found.rows;
  }

  /** Connections read updated planner statistics only when they reload the schema. */
  async refresh(): Promise<void> {
    await Promise.all([this.fast.refresh(), this.long.refresh()]);
  }

  /** Kills the processes. */
  async close(): Promise<void> {
    await Promise.all([this.fast.close(), this.long.close()]);
  }

  private async runIn(queue: ScanQueue, read: Scan): Promise<ScanResult> {
    try {
      return await queue.rows(read);
    } catch (error) {
      if (error !== TIMED_OUT) throw hasEnded(error) ? unavailable() : error;
      this.slow.set(read.sql, true);
      if (queue === this.long || this.options.statementMs <= RESTART_MS) throw tooSlow();
      return this.runIn(this.long, read);
    }
  }
}

interface Scan {
  sql: string;
  params: readonly Bound[];
  requester: Requester | undefined;
}

interface ScanResult {
  rows: Bound[][];
  ms: number;
}

const TIMED_OUT = new Error('The statement took too long');

/** One process with a queue, one statement at a time. */
class ScanQueue {
  private readonly gate = new BoundedSemaphore({ size: 1, queue: QUEUE, timeout: 5_000, refusal: tooManyScans });
  private remote: Remote | undefined;
  private idle: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly options: ScanOptions,
    private readonly limitMs: number,
  ) {}

  rows({ sql, params, requester }: Scan): Promise<ScanResult> {
    return this.gate.run(async () => {
      const { rows, ms } = await this.runTimed(await this.start(), sql, params);
      report(this.options, sql, ms, 'scan');
      return { rows: rows!, ms };
    }, requester);
  }

  async refresh(): Promise<void> {
    if (!this.remote || this.remote.ended) return;
    await this.remote.request('exec', 'PRAGMA writable_schema = RESET', []).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.idle);
    this.remote?.kill();
    await this.remote?.close();
  }

  private async start(): Promise<Remote> {
    if (this.closed) throw unavailable();
    clearTimeout(this.idle);
    if (this.remote && !this.remote.ended) return this.remote;
    // Opening another file in its place would create an empty one, and delete the WAL that belongs to the moved one.
    const lost = this.options.lossError?.();
    if (lost) throw unavailable(lost);
    const remote = await Remote.inProcess({ ...OPENING, file: this.options.file }).catch((error: unknown) => {
      throw unavailable(error);
    });
    this.remote = remote;
    if (this.closed) remote.kill();
    return remote;
  }

  /** Ends an idle process. */
  private retire(remote: Remote): void {
    this.forget(remote);
    void remote.close();
  }

  /** For a process that is about to end: the next statement starts another one. */
  private forget(remote: Remote): void {
    if (this.remote === remote) this.remote = undefined;
  }

  private async runTimed(remote: Remote, sql: string, params: readonly Bound[]) {
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      this.forget(remote);
      remote.kill();
    }, this.limitMs);
    try {
      return await remote.request('rows', sql, params);
    } catch (error) {
      throw hasTimedOut && hasEnded(error) ? TIMED_OUT : error;
    } finally {
      clearTimeout(timer);
      this.idle = setTimeout(() => this.retire(remote), IDLE_MS).unref();
    }
  }
}
