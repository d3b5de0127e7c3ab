// The writing connection of a SQLite file. In a server it is in a worker thread: indexing and syncing block no request.
import {
  type Bound,
  type Connection,
  type RunResult,
  type StatementWatch,
  report,
  UniqueViolation,
} from '../sql/connection.js';
import { type Opening, Remote, type Reply, type Request } from './remote.js';
import { sqliteDialect } from './dialect.js';

/** Busy timeout of a statement in milliseconds; after that the whole transaction is retried (retry.ts). */
const BUSY_MS = 500;
/** Busy timeout at start, before requests are served. */
const STARTUP_BUSY_MS = 5_000;
const DEFAULTS = { readOnly: false, busyMs: STARTUP_BUSY_MS, cacheKiB: 16_000, statements: 500 } as const;

/** A statement that finds the file locked fails at once; nothing is synced or checkpointed. */
const UNSYNCED = { synchronous: 'normal', busyMs: 0, checkpointPages: 0 } as const;
const BULK_WRITES = { cacheKiB: 64_000, checkpointPages: 2_000 } as const;

/** Options of opening a writer. */
export interface SqliteWriterOptions extends Pick<Opening, 'file' | 'synchronous'>, StatementWatch {
  /** Runs on this thread, for commands: messages to another one cost as much as the statements. */
  sameThread?: boolean;
  /** For bulk writes: a larger page cache and rarer checkpoints, so that each page is written less often. */
  bulk?: boolean;
}

/**
 * Errors of the driver pass through, duplicate keys as UniqueViolation; `hasEnded` recognizes those of a dead thread.
 */
export class SqliteWriter implements Connection {
  /** Rows written through this connection so far, including rolled back ones. */
  written = 0;

  private constructor(
    private readonly remote: Remote,
    private readonly options: SqliteWriterOptions,
  ) {}

  /** Opens the file in WAL mode; creates it when missing. */
  static async open(options: SqliteWriterOptions): Promise<SqliteWriter> {
    const { file, synchronous, sameThread, bulk } = options;
    const opening = { ...DEFAULTS, file, synchronous, ...(bulk ? BULK_WRITES : {}) };
    return new SqliteWriter(await (sameThread ? Remote.onThisThread(opening) : Remote.inThread(opening)), options);
  }

  /**
   * Opens a connection on this thread, for transactions of a few short statements. It waits for no other process and
   * for no disk: its commits are in the WAL, which the caller has to sync (wal-sync.ts) and to checkpoint.
   */
  static async openOnThisThread(options: SqliteWriterOptions): Promise<SqliteWriter> {
    const { file } = options;
    return new SqliteWriter(await Remote.onThisThread({ ...DEFAULTS, ...UNSYNCED, file }), options);
  }

  /** To be called after the start: uses the short busy timeout from here on. */
  async serve(): Promise<void> {
    await this.rows(`PRAGMA busy_timeout = ${BUSY_MS}`, []);
  }

  /** Whether a transaction was open after the last statement. */
  get inTransaction(): boolean {
    return this.remote.inTransaction;
  }

  /** Whether its thread has ended, so that the writer must be replaced. */
  get ended(): boolean {
    return this.remote.ended;
  }

  async rows(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    return (await this.request('rows', sql, params)).rows!;
  }

  async run(sql: string, params: readonly Bound[]): Promise<RunResult> {
    try {
      const { ran } = await this.request('run', sql, params);
      this.written += ran!.changes;
      return ran!;
    } catch (error) {
      const duplicate = sqliteDialect.duplicateOf(error, sql);
      throw duplicate ? new UniqueViolation(duplicate.table, duplicate.columns) : error;
    }
  }

  /** Runs a statement without rows or parameters (BEGIN, COMMIT, DDL). */
  async exec(sql: string): Promise<void> {
    await this.request('exec', sql, []);
  }

  /**
   * Checkpoints the WAL, so that a copy of the main file alone is complete. Skipped while other connections read or
   * write.
   */
  async checkpoint(): Promise<void> {
    // The next process that opens the file does it.
    await this.exec('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => undefined);
  }

  /** Ends its thread and rolls back an open transaction; also used when ROLLBACK itself fails. */
  close(): Promise<void> {
    return this.remote.close();
  }

  private async request(...request: Request): Promise<Reply> {
    const reply = await this.remote.request(...request);
    report(this.options, request[1], reply.ms, 'writer');
    return reply;
  }
}
