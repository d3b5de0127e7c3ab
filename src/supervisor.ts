// The primary process of WORKERS > 1: forks workers, puts others in the place of those that die, ends them together. Started by main.ts.
import cluster, { type Worker } from 'node:cluster';
import { formatProblem } from './errors/problem.js';
import type { Log } from './http/logger.js';
import { argumentOf, type Report, STOP, whenTold } from './worker.js';

/** How workers are kept. Times are milliseconds. */
export interface SupervisorOptions {
  /** File that a worker runs. */
  program: string;
  workers: number;
  /** How long a worker may take to end. */
  shutdown: number;
}

/** One place of a worker, whoever fills it. */
interface Slot {
  number: number;
  worker?: Worker;
  serves: boolean;
  since: number;
  /** Workers of this place that died soon, one after the other. */
  failures: number;
  again?: NodeJS.Timeout;
}

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 30_000;
/** Who lived as long did not die of its start. */
const SOUND = 60_000;
/** What a worker needs to close its database when its time is up. */
const GRACE = 3_000;

/** Keeps the workers of one server. The first prepares the database; the others follow once it serves. */
export class Supervisor {
  private readonly slots: Slot[];
  /** The first worker has served: what fails from now on is tried again. */
  private serving = false;
  private stopping = false;

  constructor(
    private readonly options: SupervisorOptions,
    private readonly log: Pick<Log, 'info' | 'warn' | 'error'>,
  ) {
    this.slots = Array.from({ length: options.workers }, (_, number) => ({
      number,
      serves: false,
      since: 0,
      failures: 0,
    }));
  }

  /** Forks the first worker. The process ends by itself: 0 when it was told to, 1 when the first worker could not start. */
  start(): void {
    whenTold(async () => this.stop());
    this.fork(this.slots[0]!);
  }

  private fork(slot: Slot): void {
    // Workers accept by themselves: a connection that the primary has handed to a dying worker is never answered nor closed.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: this.options.program, args: [argumentOf(slot.number)] });
    const worker = (slot.worker = cluster.fork());
    slot.since = performance.now();
    worker.on('message', (report: Report) => {
      if ('ready' in report) this.ready(slot, report.ready);
      else for (const problem of report.refused) process.stderr.write(`${formatProblem(problem)}\n`);
    });
    // It may end while it is being told something.
    worker.on('error', () => undefined);
    worker.once('exit', (code, signal) => {
      const ended = () => this.ended(slot, code, signal);
      // Its last words may still be on their way.
      if (worker.isConnected()) worker.once('disconnect', ended);
      else ended();
    });
  }

  private ready(slot: Slot, welcome: string): void {
    slot.serves = true;
    if (!this.serving) this.first(welcome);
    if (this.slots.every(({ serves }) => serves)) this.log.info({ workers: this.slots.length }, 'all workers serve');
  }

  private first(welcome: string): void {
    this.serving = true;
    process.stdout.write(welcome);
    if (!this.stopping) for (const slot of this.slots.slice(1)) this.fork(slot);
  }

  private ended(slot: Slot, code: number | null, signal: string | null): void {
    const pid = slot.worker?.process.pid;
    delete slot.worker;
    slot.serves = false;
    if (this.stopping) return this.endWithLast();
    // Its problems, or its error, have been printed; or somebody has ended it together with us.
    if (!this.serving) process.exit(code === 0 || signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1);
    const lived = performance.now() - slot.since;
    slot.failures = lived < SOUND ? slot.failures + 1 : 0;
    const pause = Math.min(FIRST_PAUSE * 2 ** Math.max(0, slot.failures - 1), LONGEST_PAUSE);
    this.log.warn({ pid, code, signal, pause }, 'a worker ended, another one is started');
    slot.again = setTimeout(() => this.fork(slot), pause);
  }

  private stop(): void {
    this.stopping = true;
    for (const slot of this.slots) {
      clearTimeout(slot.again);
      tell(slot);
    }
    setTimeout(() => this.kill(), this.options.shutdown + GRACE).unref();
    this.endWithLast();
  }

  private endWithLast(): void {
    if (this.slots.every(({ worker }) => !worker)) process.exit(0);
  }

  private kill(): void {
    for (const { worker } of this.slots) worker?.process.kill('SIGKILL');
  }
}

// One that is still starting listens to nobody, and has nothing to finish.
function tell({ worker, serves }: Slot): void {
  if (serves && worker?.isConnected()) worker.send(STOP);
  else worker?.process.kill('SIGTERM');
}
