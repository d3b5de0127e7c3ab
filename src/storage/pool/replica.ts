// One read replica: used while it is reachable, marked down with backoff when it is not.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.js';
import { faultOf } from './database.js';
import { BoundedSemaphore } from '../sql/semaphore.js';
import { PooledReads } from './pooled-reads.js';
import { tooSlow } from '../sql/retry.js';
import { searchGate, type TextIndex } from '../sql/scans.js';
import type { PoolLoad } from '../sql/administered-store.js';
import type { Statements } from '../sql/statements.js';
import { TimeoutConnection, ReplicaFailed } from './timeout-connection.js';
import { CachingReader } from '../reads/caching-reader.js';

/** Display address of a replica, and the function that opens it. */
export interface ReplicaAddress {
  shown: string;
  open(): Promise<Database>;
  /** Whether an error of `open` may be temporary. */
  isLost(error: unknown): boolean;
}

/** Limits of the reads of one replica, as those of the primary. */
export interface ReplicaLimits {
  pool: number;
  queue: number;
  /** Milliseconds a read waits for a connection. */
  waitMs: number;
}

/** Called when a replica is marked down, with the reason; without a reason when it serves again. */
export type OnReplica = (shown: string, reason?: string) => void;

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;

/** Opens, monitors and reconnects one replica. */
export class Replica {
  private database: Database | undefined;
  private serving: CachingReader | undefined;
  private gate: BoundedSemaphore | undefined;
  private since = 0;
  private backoffMs = FIRST_BACKOFF_MS;
  /** Last reported reason. */
  private lastReason: string | undefined;
  private readonly closing = new AbortController();
  private reconnecting: Promise<void> = Promise.resolve();

  constructor(
    private readonly address: ReplicaAddress,
    private readonly statements: Statements,
    private readonly limits: ReplicaLimits,
    private readonly onReplica: OnReplica,
    private readonly texts?: TextIndex,
  ) {}

  /** Its reader while it is up. */
  get reader(): CachingReader | undefined {
    return this.serving;
  }

  /** Opens it; an unreachable one is marked down. Throws errors that retrying cannot fix. */
  async start(): Promise<void> {
    try {
      this.database = await this.address.open();
    } catch (error) {
      if (!this.address.isLost(error)) throw error;
      return this.markDown(error);
    }
    await this.serve(this.database).catch((error) => this.markDown(error));
  }

  /** Marks the replica down for a while, with exponential backoff. */
  markDown(error: unknown): void {
    if (!this.serving && this.lastReason !== undefined) return;
    if (this.serving && performance.now() - this.since > MAX_BACKOFF_MS) this.backoffMs = FIRST_BACKOFF_MS;
    this.serving = undefined;
    this.reportState(reasonOf(error));
    if (!this.closing.signal.aborted) this.reconnecting = this.wait();
  }

  /** Its connections; undefined before it was reached. */
  load(): PoolLoad | undefined {
    if (!this.database) return undefined;
    const { open, idle } = this.database.connections();
    const waiting = this.gate?.waiting ?? 0;
    return { role: 'replica', size: this.limits.pool, inUse: open - idle, idle, waiting };
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.reconnecting;
    await this.database?.close();
  }

  private async wait(): Promise<void> {
    for (;;) {
      const pause = this.backoffMs;
      this.backoffMs = Math.min(pause * 2, MAX_BACKOFF_MS);
      try {
        await sleep(pause, undefined, { signal: this.closing.signal, ref: false });
        return await this.serve((this.database ??= await this.address.open()));
      } catch {
        // The reason was reported when it was marked down.
        if (this.closing.signal.aborted) return;
      }
    }
  }

  /** Puts it in service, if it has every table. */
  private async serve(database: Database): Promise<void> {
    const gate = (this.gate = new BoundedSemaphore({
      size: this.limits.pool,
      queue: this.limits.queue,
      timeout: this.limits.waitMs,
    }));
    // A statement that times out here would time out on the primary as well.
    const mapError = (error: unknown): unknown =>
      database.isTimedOut(error) ? tooSlow() : new ReplicaFailed(this, error);
    const reads = new PooledReads(database, gate, mapError);
    const reader = new CachingReader(
      new TimeoutConnection(reads, this),
      this.statements,
      searchGate(this.limits.pool),
      this.address.shown,
      this.texts,
    );
    for (const { name, columns } of this.statements.tables.values()) {
      await reader.select({ table: name, columns: [...columns.keys()], where: { op: 'false' }, order: [] });
    }
    this.serving = reader;
    this.since = performance.now();
    this.reportState(undefined);
  }

  private reportState(reason: string | undefined): void {
    if (reason === this.lastReason) return;
    this.lastReason = reason;
    this.onReplica(this.address.shown, reason);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ReplicaFailed) return reasonOf(error.cause);
  const { code, message } = faultOf(error);
  return message || code || 'no response';
}
