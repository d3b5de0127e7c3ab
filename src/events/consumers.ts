// Runs the consumers of events: each has a position in the log, and a lease, so that one process at a time runs it.
// Events that were not confirmed are delivered again: at least once, in order.
import { CoalescingJob } from '../concurrency/coalescing-job.js';
import type { Leases } from '../maintenance/leases.js';
import type { Transaction } from '../model/store.js';
import type { Store } from '../model/store.js';
import type { SiteEvent } from '../model/audit.js';
import type { EventLog } from './event-log.js';
import { withJoinedSignal } from '../maintenance/joined-signal.js';
import { ReusableLease } from '../maintenance/reusable-lease.js';
import type { Lease } from '../maintenance/lease.js';

/** Events handed over at once. */
const BATCH = 100;

/** What a consumer does with events. */
export interface Consumer {
  /** Unique on the site, and the same after a restart. */
  readonly name: string;
  /**
   * Work on events, in order, outside of a transaction. Returns how many of them are done; it is called again with the
   * rest. `signal` is aborted when the process has lost the lease, or stops.
   */
  handle?(events: readonly SiteEvent[], signal: AbortSignal): Promise<number>;
  /** Work that is committed together with the position: done exactly once. */
  apply?(events: readonly SiteEvent[], tx: Transaction): Promise<void>;
}

/** What a run depends on. */
export interface RunParts {
  store: Store;
  log: EventLog;
  leases: Leases;
  /** Aborted when the process stops. */
  stopping: AbortSignal;
  onError(error: unknown): void;
}

/** A consumer that is run when there is something to do. */
export class ConsumerRun {
  private readonly job = new CoalescingJob(() => this.run());
  /** The last known position; another process may have advanced it. */
  private position = -1;
  private readonly lease: ReusableLease;

  constructor(
    private readonly consumer: Consumer,
    private readonly parts: RunParts,
  ) {
    this.lease = new ReusableLease(parts.leases, this.leaseName);
  }

  /** Records that a new consumer begins after the event `last`. */
  async begin(last: number): Promise<void> {
    const { leases } = this.parts;
    const name = this.leaseName;
    if ((await leases.position(name)) === undefined) await leases.begin(name, last);
  }

  /** Starts a run if events up to `last` are pending, unless another process runs the consumer. */
  wake(last: number): void {
    if (last > this.position) this.job.request();
  }

  /** Resolves once it is idle and holds no lease. */
  async end(): Promise<void> {
    await this.job.idle();
    await this.lease.end();
  }

  private get leaseName(): string {
    return `events ${this.consumer.name}`;
  }

  private async run(): Promise<void> {
    const { leases, log, stopping, onError } = this.parts;
    if (stopping.aborted) return;
    try {
      this.position = (await leases.position(this.leaseName)) ?? 0;
      if ((await log.after(this.position, 1)).length === 0) return;
      await this.lease.run((lease) => withJoinedSignal([lease.signal, stopping], (signal) => this.work(lease, signal)));
    } catch (error) {
      onError(error);
    }
  }

  private async work(lease: Lease, signal: AbortSignal): Promise<void> {
    const { log, leases } = this.parts;
    this.position = (await leases.position(this.leaseName)) ?? 0;
    while (!signal.aborted) {
      const events = await log.after(this.position, BATCH);
      if (events.length === 0) return;
      const done = await this.workOn(events, lease, signal);
      if (done === 0) return;
      this.position = events[done - 1]!.id;
    }
  }

  /** Returns how many events are done and confirmed. */
  private async workOn(events: readonly SiteEvent[], lease: Lease, signal: AbortSignal): Promise<number> {
    const { handle, apply } = this.consumer;
    const done = handle ? await handle.call(this.consumer, events, signal) : events.length;
    if (done === 0) return 0;
    const noted = await this.parts.store.transaction(
      async (tx) => {
        const held = await lease.advance(tx, events[done - 1]!.id);
        if (held) await apply?.call(this.consumer, events.slice(0, done), tx);
        return held;
      },
      { names: lease.locks },
    );
    return noted ? done : 0;
  }
}
