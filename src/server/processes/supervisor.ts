// The primary process of WORKERS > 1: forks workers, restarts those that die, shuts them down together.
import cluster, { type Worker } from 'node:cluster';
import { formatProblem } from '../../errors/problem.js';
import type { Log } from '../../http/request/logger.js';
import { Liveness } from './liveness.js';
import { isAboutMetrics, MetricsExchange, type MetricsMessage } from './metrics-exchange.js';
import { Reloader } from './reload.js';
import { RemoteMember } from './remote-member.js';
import { OTHERS_SERVE, onShutdown, PROBE, type Report, STOP, workerArgument } from './worker-channel.js';

/** Options of the supervisor. Times are milliseconds. */
export interface SupervisorOptions {
  /** Script that a worker runs. */
  program: string;
  /** Further arguments of its command line. */
  args: readonly string[];
  workers: number;
  /** Timeout of a worker's shutdown. */
  shutdown: number;
  /** Time without a response after which a worker is killed and replaced. */
  unresponsive: number;
  /** The state of the files that workers read when they start, to detect changes between two starts. */
  stateOfFiles?: () => string;
  /** Called once, when the first worker serves, with a function that applies the current files to all workers. */
  onServing?: (reload: () => void) => void;
}

/** One worker position, across restarts. */
interface Slot {
  number: number;
  worker?: Worker;
  member?: RemoteMember;
  liveness?: Liveness;
  serves: boolean;
  since: number;
  /** The value of `reloads` when the worker was started. */
  asOf: number;
  /** The state of the files when the worker was started. */
  files?: string | undefined;
  /** Whether an earlier worker of this position has ended. */
  replaced?: boolean;
  /** Consecutive early crashes in this position. */
  failures: number;
  again?: NodeJS.Timeout;
}

const FIRST_PAUSE = 100;
const MAX_BACKOFF_MS = 30_000;
/** Uptime after which a crash resets the restart backoff. */
const HEALTHY_UPTIME_MS = 60_000;
/** Extra time for a worker to close its database after the shutdown timeout. */
const CLOSE_GRACE_MS = 3_000;

/** Manages the workers of one server. The first prepares the database; the others start once it serves. */
export class Supervisor {
  private readonly slots: Slot[];
  /** Whether the first worker has served: from then on workers that crash are restarted. */
  private serving = false;
  private stopping = false;
  /** Number of times that changed files have been applied, including an attempt in progress. */
  private reloads = 0;
  /** The state of the files that the workers serve with: when the first one was started, or at the last reload. */
  private files: string | undefined;
  private readonly reloader: Reloader;
  private readonly metrics = new MetricsExchange(() =>
    this.slots.flatMap(({ worker, serves }) => (worker && serves ? [worker] : [])),
  );

  constructor(
    private readonly options: SupervisorOptions,
    private readonly log: Pick<Log, 'info' | 'warn' | 'error'>,
  ) {
    this.slots = Array.from({ length: options.workers }, (_, number) => ({
      number,
      serves: false,
      since: 0,
      asOf: 0,
      failures: 0,
    }));
    this.reloader = new Reloader(
      () => this.slots.flatMap(({ serves, member }) => (serves && member ? [member] : [])),
      log,
    );
  }

  /**
   * Forks the first worker. The process exits by itself: 0 after a requested stop, 1 when the first worker could not
   * start.
   */
  start(): void {
    onShutdown(async () => this.stop());
    this.files = this.options.stateOfFiles?.();
    this.fork(this.slots[0]!);
  }

  private fork(slot: Slot): void {
    // Workers accept connections themselves: a connection that the primary hands to a dying worker is never served nor
    // closed.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const others = this.slots.some(({ serves }) => serves) ? [OTHERS_SERVE] : [];
    const args = [workerArgument(slot.number), ...others, ...this.options.args];
    cluster.setupPrimary({ exec: this.options.program, args });
    const worker = (slot.worker = cluster.fork());
    slot.member = new RemoteMember(worker);
    slot.since = performance.now();
    slot.asOf = this.reloads;
    slot.files = this.options.stateOfFiles?.();
    worker.on('message', (report: Report | MetricsMessage) => {
      if (isAboutMetrics(report)) this.metrics.take(worker, report);
      else if ('alive' in report) slot.liveness?.replied();
      else if ('ready' in report) this.ready(slot, report.ready);
      else if ('refused' in report)
        for (const problem of report.refused) process.stderr.write(`${formatProblem(problem)}\n`);
    });
    // Emitted when a message is sent to a worker that is exiting.
    worker.on('error', () => undefined);
    worker.once('exit', (code, signal) => {
      const ended = () => this.ended(slot, code, signal);
      // Its last messages may still be in transit.
      if (worker.isConnected()) worker.once('disconnect', ended);
      else ended();
    });
  }

  private ready(slot: Slot, welcome: string): void {
    slot.serves = true;
    slot.liveness = this.watch(slot.worker!);
    if (!this.serving) this.first(welcome);
    // It may have read different files from those of the workers that serve already.
    else if (slot.replaced || slot.asOf !== this.reloads || this.reloader.isBusy || this.areChanged(slot))
      this.reload();
    if (this.slots.every(({ serves }) => serves)) this.log.info({ workers: this.slots.length }, 'all workers serve');
  }

  /** Whether files were saved before or while the worker read them. */
  private areChanged({ files }: Slot): boolean {
    return files !== this.files || this.options.stateOfFiles?.() !== this.files;
  }

  private watch(worker: Worker): Liveness {
    const { unresponsive } = this.options;
    const probe = () => {
      if (worker.isConnected()) worker.send(PROBE);
    };
    return new Liveness(unresponsive, probe, () => {
      const { pid } = worker.process;
      this.log.warn({ pid }, `a worker has not responded for ${unresponsive / 1000} s and is killed (WORKER_TIMEOUT)`);
      worker.process.kill('SIGKILL');
    });
  }

  private first(welcome: string): void {
    this.serving = true;
    process.stdout.write(welcome);
    if (this.stopping) return;
    for (const slot of this.slots.slice(1)) this.fork(slot);
    this.options.onServing?.(() => this.reload());
  }

  private reload(): void {
    this.reloads++;
    this.files = this.options.stateOfFiles?.();
    this.reloader.request();
  }

  private ended(slot: Slot, code: number | null, signal: string | null): void {
    const pid = slot.worker?.process.pid;
    slot.liveness?.stop();
    delete slot.worker;
    delete slot.member;
    slot.replaced = true;
    slot.serves = false;
    if (this.stopping) return this.endWithLast();
    // The worker has printed its problems or error, or a signal has ended both processes.
    if (!this.serving) process.exit(code === 0 || signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1);
    const lived = performance.now() - slot.since;
    slot.failures = lived < HEALTHY_UPTIME_MS ? slot.failures + 1 : 0;
    const pause = Math.min(FIRST_PAUSE * 2 ** Math.max(0, slot.failures - 1), MAX_BACKOFF_MS);
    this.log.warn({ pid, code, signal, pause }, 'a worker ended, another one is started');
    slot.again = setTimeout(() => this.fork(slot), pause);
  }

  private stop(): void {
    this.stopping = true;
    for (const slot of this.slots) {
      clearTimeout(slot.again);
      requestStop(slot);
    }
    setTimeout(() => this.kill(), this.options.shutdown + CLOSE_GRACE_MS).unref();
    this.endWithLast();
  }

  private endWithLast(): void {
    if (this.slots.every(({ worker }) => !worker)) process.exit(0);
  }

  private kill(): void {
    for (const { worker } of this.slots) worker?.process.kill('SIGKILL');
  }
}

// A worker that is not ready yet has no message handler and no requests: kill it.
function requestStop({ worker, serves }: Slot): void {
  if (serves && worker?.isConnected()) worker.send(STOP);
  else worker?.process.kill('SIGTERM');
}
