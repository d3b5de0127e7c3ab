// Runs the jobs of extensions: each when it is due, by one process of the site at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import { ResourceError } from '../../errors/resource-error.js';
import type { Log } from '../../http/request/logger.js';
import { RepeatedErrors } from '../../http/request/repeated-errors.js';
import { withJoinedSignal } from '../../maintenance/joined-signal.js';
import type { Leases } from '../../maintenance/leases.js';
import type { Part } from './collect.js';
import type { ExtensionContext, JobDefinition } from './define.js';
import { durationOf } from './duration.js';

/** Milliseconds between checks for due jobs. */
const TICK_MS = 1_000;
/**
 * Seconds by which the clocks of two servers may differ. A start further in the future means that the clock was set
 * back.
 */
const SKEW_SECONDS = 60;
/** Milliseconds that a stop waits for jobs that do not heed their signal. */
const STOP_TIMEOUT_MS = 10_000;

/** What jobs depend on. */
export interface JobParts {
  leases: Leases;
  context: ExtensionContext;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** The jobs of one process. */
export class Jobs {
  private readonly clock: NodeJS.Timeout;
  private readonly stopping = new AbortController();
  private readonly running = new Map<string, Promise<void>>();
  /** When each job is checked next, in milliseconds of `performance.now()`. */
  private readonly next = new Map<string, number>();
  /** Reports repeated failures once: while the database is unavailable, a due job fails at every check. */
  private readonly outages: RepeatedErrors;

  constructor(
    private readonly jobs: readonly Part<JobDefinition>[],
    private readonly parts: JobParts,
  ) {
    this.outages = new RepeatedErrors(parts.log, 'a job could not run');
    this.clock = setInterval(() => this.tick(), TICK_MS);
    this.clock.unref();
    this.tick();
  }

  /** Starts no further job, and aborts the signals of the running ones. */
  async stop(): Promise<void> {
    clearInterval(this.clock);
    this.stopping.abort();
    const timeout = new AbortController();
    const late = sleep(STOP_TIMEOUT_MS, undefined, { ref: false, signal: timeout.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.running.values()), late]);
    timeout.abort();
  }

  private tick(): void {
    for (const { definition } of this.jobs) {
      const { name } = definition;
      if (this.running.has(name) || (this.next.get(name) ?? 0) > performance.now()) continue;
      const run = this.run(definition).finally(() => this.running.delete(name));
      this.running.set(name, run);
    }
  }

  private async run({ name, every, run }: JobDefinition): Promise<void> {
    const { leases, context, log } = this.parts;
    const seconds = durationOf(every)! / 1_000;
    try {
      const wait = secondsLeft(await leases.done(leaseOf(name)), seconds, Date.now() / 1_000);
      if (wait > 0) return void this.next.set(name, performance.now() + wait * 1_000);
      const now = Math.floor(Date.now() / 1_000);
      const lease = await leases.take(leaseOf(name), now, (done) => secondsLeft(done, seconds, now) === 0);
      if (!lease) return;
      const begin = performance.now();
      try {
        await withJoinedSignal([lease.signal, this.stopping.signal], (signal) =>
          run(Object.assign(Object.create(context) as ExtensionContext, { signal })),
        );
        log.info({ job: name, ms: Math.round(performance.now() - begin) }, 'job done');
      } finally {
        await lease.release().catch((error: unknown) => {
          log.warn({ job: name, err: error }, `the lease of the job "${name}" could not be released: it will expire`);
        });
      }
    } catch (error) {
      if (error instanceof ResourceError && error.code === 'rest_unavailable') this.outages.note(error);
      else log.error({ job: name, err: error }, `the job "${name}" failed`);
    }
  }
}

/** Seconds, at most `every`, until a job is due that last began at `done` and runs every `every` seconds. */
function secondsLeft(done: number, every: number, now: number): number {
  if (done > now + SKEW_SECONDS) return 0;
  return Math.min(Math.max(0, done + every - now), every);
}

function leaseOf(job: string): string {
  return `job ${job}`;
}
