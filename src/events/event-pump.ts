// Delivers events in one process: after each commit of its own, and once a second those of other processes.
import { CoalescingJob } from '../concurrency/coalescing-job.js';
import { ConsumerRun, type Consumer, type RunParts } from './consumers.js';

/** Milliseconds between polls for events of other processes. */
const POLL_MS = 1_000;
/** Milliseconds for which commits are collected before a round. */
const GATHER_MS = 10;
/** Minimum milliseconds between a round and the next after a commit: under load, events are moved in larger batches. */
const SPACE_MS = 200;

/** What the pump depends on. */
export interface LoopParts extends Omit<RunParts, 'stopping'> {
  consumers: readonly Consumer[];
  /** Called with the id of the last event when there are new ones. */
  onEvents?: (last: number) => void;
  /** Whether events have any consumer. */
  isWanted(): boolean;
  /** Runs at the start of every round, at least once a second: work that depends on the time. */
  tick?: () => Promise<void>;
}

/** Delivers events in one process. */
export class EventPump {
  private readonly runs: readonly ConsumerRun[];
  private readonly stopping = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private gathering: NodeJS.Timeout | undefined;
  private readonly rounds = new CoalescingJob(() => this.round());
  private begun = false;
  private last = -1;
  private polledAt = -SPACE_MS;

  constructor(private readonly parts: LoopParts) {
    this.runs = parts.consumers.map(
      (consumer) => new ConsumerRun(consumer, { ...parts, stopping: this.stopping.signal }),
    );
    this.timer = setInterval(() => this.rounds.request(), POLL_MS);
    this.timer.unref();
    this.rounds.request();
  }

  /** To be called after a commit of events in this process. */
  wake(): void {
    if (this.stopping.signal.aborted) return;
    const wait = Math.max(GATHER_MS, SPACE_MS - (performance.now() - this.polledAt));
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.rounds.request();
    }, wait);
  }

  /** Stops; resolves once nothing runs. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    clearTimeout(this.gathering);
    this.stopping.abort();
    await this.rounds.idle();
    await Promise.all(this.runs.map((run) => run.end()));
  }

  private async round(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const { log, isWanted, onEvents, tick, onError } = this.parts;
    this.polledAt = performance.now();
    try {
      await tick?.();
      if (!isWanted()) return;
      if (!this.begun) {
        const last = await log.last();
        for (const run of this.runs) await run.begin(last);
        this.begun = true;
      }
      await log.sequence();
      const last = await log.last();
      if (last !== this.last) onEvents?.(last);
      this.last = last;
      for (const run of this.runs) run.wake(last);
    } catch (error) {
      if (!this.stopping.signal.aborted) onError(error);
    }
  }
}
