// One read replica: served from while it answers, left alone for a while when it does not. Made by replicas.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.js';
import { faultOf, READING_MS } from './database.js';
import { Gate } from './gate.js';
import { PooledReads } from './pooled-reads.js';
import { unavailable } from './retry.js';
import { RememberingReader } from './sql.reader.js';
import type { Statements } from './statements.js';
import type { Bound, Connection, Ran } from './connection.js';

/** A replica as its address is shown, and the way to open it. */
export interface ReplicaAddress {
  shown: string;
  open(): Promise<Database>;
  /** Whether an error of `open` may go by itself. */
  lost(error: unknown): boolean;
}

/** Limits of the reads of one replica, as those of the primary. */
export interface ReplicaLimits {
  pool: number;
  queue: number;
  /** Milliseconds a read waits for a connection. */
  waitMs: number;
}

/** Told that a replica is left alone, and why; without a reason, that it serves again. */
export type OnReplica = (shown: string, reason?: string) => void;

const FIRST_REST = 1_000;
const LONGEST_REST = 30_000;
/** The server ends statements before this; who says nothing for so long is not there. */
const SILENCE = READING_MS + 1_000;

/** A replica could not answer. The reads of the request begin again on the primary. */
export class ReplicaFailed extends Error {
  constructor(
    readonly replica: Replica,
    cause: unknown,
  ) {
    super('A replica could not answer', { cause });
  }
}

/** See the top of the file. */
export class Replica {
  private database: Database | undefined;
  private serving: RememberingReader | undefined;
  private since = 0;
  private rest = FIRST_REST;
  /** What was told last. */
  private told: string | undefined;
  private readonly closing = new AbortController();
  private resting: Promise<void> = Promise.resolve();

  constructor(
    private readonly address: ReplicaAddress,
    private readonly statements: Statements,
    private readonly limits: ReplicaLimits,
    private readonly onReplica: OnReplica,
  ) {}

  /** Reads of it, while it answers. */
  get reader(): RememberingReader | undefined {
    return this.serving;
  }

  /** Opens it; one that is away is left alone. Throws what waiting does not mend. */
  async start(): Promise<void> {
    try {
      this.database = await this.address.open();
    } catch (error) {
      if (!this.address.lost(error)) throw error;
      return this.leaveAlone(error);
    }
    await this.serve(this.database).catch((error) => this.leaveAlone(error));
  }

  /** Serves nobody for a while; longer each time it fails soon after. */
  leaveAlone(error: unknown): void {
    if (!this.serving && this.told !== undefined) return;
    if (this.serving && performance.now() - this.since > LONGEST_REST) this.rest = FIRST_REST;
    this.serving = undefined;
    this.tell(reasonOf(error));
    if (!this.closing.signal.aborted) this.resting = this.wait();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.resting;
    await this.database?.close();
  }

  private async wait(): Promise<void> {
    for (;;) {
      const pause = this.rest;
      this.rest = Math.min(pause * 2, LONGEST_REST);
      try {
        await sleep(pause, undefined, { signal: this.closing.signal, ref: false });
        return await this.serve((this.database ??= await this.address.open()));
      } catch {
        // Why was told when it was left alone.
        if (this.closing.signal.aborted) return;
      }
    }
  }

  /** From here on it serves, if it has every table. */
  private async serve(database: Database): Promise<void> {
    const gate = new Gate({ size: this.limits.pool, queue: this.limits.queue, patience: this.limits.waitMs });
    // A statement that takes too long here takes as long on the primary.
    const refused = (error: unknown): unknown =>
      database.timedOut(error) ? unavailable() : new ReplicaFailed(this, error);
    const reads = new PooledReads(database, gate, refused);
    const reader = new RememberingReader(new Bounded(reads, this), this.statements);
    for (const { name, columns } of this.statements.tables.values()) {
      await reader.select({ table: name, columns: [...columns.keys()], where: { op: 'false' }, order: [] });
    }
    this.serving = reader;
    this.since = performance.now();
    this.tell(undefined);
  }

  private tell(reason: string | undefined): void {
    if (reason === this.told) return;
    this.told = reason;
    this.onReplica(this.address.shown, reason);
  }
}

/** Reads that do not wait for a host which has gone silent. */
class Bounded implements Connection {
  constructor(
    private readonly reads: PooledReads,
    private readonly replica: Replica,
  ) {}

  async rows(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ReplicaFailed(this.replica, new Error('it says nothing'))), SILENCE);
    });
    try {
      return await Promise.race([this.reads.rows(sql, params), silence]);
    } finally {
      clearTimeout(timer);
    }
  }

  run(): Promise<Ran> {
    return this.reads.run();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ReplicaFailed) return reasonOf(error.cause);
  const { code, message } = faultOf(error);
  return message || code || 'no answer';
}
