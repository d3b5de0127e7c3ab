// Replaces the schemas of a running server: in one process, or in all workers of a server together.
import { setTimeout as sleep } from 'node:timers/promises';
import { CoalescingJob } from '../../concurrency/coalescing-job.js';
import { formatProblem, type Problem } from '../../errors/problem.js';
import type { Log } from '../../http/request/logger.js';

/** The result of checking the current files in one process. */
export interface Prepared {
  /** Why they cannot be served; empty when they can. */
  problems: readonly Problem[];
  /** Whether tables or stored items must change before they can be served. */
  changes: boolean;
}

/**
 * One process that serves the schemas. Its functions return the problems of files, and reject only for other reasons.
 */
export interface Member {
  /** Reads and checks the files, and opens the database with them. */
  prepare(): Promise<Prepared>;
  /** Starts no further task; resolves once the running ones have ended. Requests continue. */
  stopTasks(): Promise<void>;
  /** Holds new requests back. Resolves with whether all earlier ones have been answered. */
  hold(): Promise<boolean>;
  /** Ends a hold and continues with the former schemas and their tasks. The prepared parts are kept. */
  resume(): Promise<void>;
  /** Changes the tables, once for all members. */
  migrate(): Promise<readonly Problem[]>;
  /** Makes the application. */
  build(): Promise<readonly Problem[]>;
  /** Serves with the new application from now on, beginning with the requests that were held back. */
  activate(): Promise<void>;
  /** Continues with the former schemas; the problems are shown to administrators. */
  abandon(problems: readonly Problem[]): Promise<void>;
}

/** First and longest pause between two attempts to hold requests, in milliseconds. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/**
 * Applies the current files to all members, or to none. The first one changes the database. Resolves with the
 * problems that prevent it. `onBusy` is called once when requests in progress delay a change of tables.
 */
export async function applyFiles(members: readonly Member[], onBusy: () => void): Promise<readonly Problem[]> {
  const [leader, ...others] = members;
  if (!leader) return [];
  let problems: readonly Problem[] = [];
  try {
    problems = await attempt(leader, others, onBusy);
  } catch (error) {
    problems = [{ file: 'server', message: error instanceof Error ? error.message : String(error) }];
  }
  if (problems.length > 0) await Promise.allSettled(members.map((member) => member.abandon(problems)));
  return problems;
}

async function attempt(leader: Member, others: readonly Member[], onBusy: () => void): Promise<readonly Problem[]> {
  const members = [leader, ...others];
  // The other members would have the same problems.
  const first = await leader.prepare();
  if (first.problems.length > 0) return first.problems;
  const prepared = [first, ...(await ofEach(others, (member) => member.prepare()))];
  const problems = firstOf(prepared.map((each) => each.problems));
  if (problems.length > 0) return problems;
  await holdAll(
    members,
    prepared.some(({ changes }) => changes),
    onBusy,
  );
  const refused = await leader.migrate();
  if (refused.length > 0) return refused;
  const unfit = await leader.build();
  if (unfit.length > 0) return unfit;
  const failed = firstOf(await ofEach(others, (member) => member.build()));
  if (failed.length > 0) return failed;
  await ofEach(members, (member) => member.activate());
  return [];
}

/**
 * Holds the requests of all members. Where tables change, waits until no request is in progress: an upload may take
 * minutes, and its item would lack the columns that the new schemas derive. Other requests continue between the
 * attempts. Where tables do not change, a request in progress may end in the former application.
 */
async function holdAll(members: readonly Member[], changes: boolean, onBusy: () => void): Promise<void> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    // Before the hold, because a task of one member may take long, and the requests of all members would wait for it.
    await ofEach(members, (member) => member.stopTasks());
    const quiet = await ofEach(members, (member) => member.hold());
    if (!changes || quiet.every(Boolean)) return;
    if (pause === FIRST_PAUSE) onBusy();
    await ofEach(members, (member) => member.resume());
    await sleep(pause);
  }
}

/**
 * The results of all members. Rejects when one member does, but only after all have replied: a member that receives
 * `abandon` before it has completed `hold` would hold its requests for ever.
 */
async function ofEach<T>(members: readonly Member[], call: (member: Member) => Promise<T>): Promise<T[]> {
  const outcomes = await Promise.allSettled(members.map(call));
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

function firstOf(all: readonly (readonly Problem[])[]): readonly Problem[] {
  return all.find((problems) => problems.length > 0) ?? [];
}

/** Applies changes one at a time, and logs their outcomes. */
export class Reloader {
  private readonly attempts = new CoalescingJob(() => this.attempt());

  /** `members` returns the processes that serve now. */
  constructor(
    private readonly members: () => readonly Member[],
    private readonly log: Pick<Log, 'info' | 'warn'>,
  ) {}

  /** Applies the current files; if an attempt is running, again after its end. */
  request(): void {
    this.attempts.request();
  }

  /** Whether an attempt is running. */
  get isBusy(): boolean {
    return this.attempts.isRunning;
  }

  private async attempt(): Promise<void> {
    const begin = performance.now();
    const onBusy = () =>
      this.log.info('the tables change with the schemas: waiting until requests in progress have ended');
    const problems = await applyFiles(this.members(), onBusy);
    for (const problem of problems) this.log.warn(formatProblem(problem));
    if (problems.length > 0) this.log.warn('the saved files are not applied: the previous schemas stay in use');
    else this.log.info({ ms: Math.round(performance.now() - begin) }, 'the saved files are applied');
  }
}
