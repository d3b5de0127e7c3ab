// IPC messages between the primary process and its workers (WORKERS).
import cluster from 'node:cluster';
import { constants } from 'node:os';
import type { Problem } from '../../errors/problem.js';
import type { Member } from './reload.js';

/**
 * A worker's report: it serves, with the startup banner; or the problems that prevent it; or the result of a call; or the
 * reply to a probe.
 */
export type Report =
  | { ready: string }
  | { alive: true }
  | { refused: readonly Problem[] }
  | { called: number; value: unknown }
  | { called: number; failed: string };

/** The primary calls a function of a worker's `Member`. */
export interface Call {
  call: number;
  name: keyof Member;
  problems?: readonly Problem[];
}

/** Message from the primary that requests shutdown. */
export const STOP = 'stop';

/** Message from the primary that asks whether the event loop runs. */
export const PROBE = 'probe';

/** Argument of a worker's command line: its number, from 0. */
export const workerArgument = (slot: number): string => `--worker=${slot}`;

/** Argument of a worker that starts while others serve. */
export const OTHERS_SERVE = '--others-serve';

/**
 * Whether a supervisor of this program started this process; a host application of embedded sites may have its own
 * workers.
 */
export function isSupervised(): boolean {
  return cluster.isWorker && process.argv.some((argument) => /^--worker=\d+$/.test(argument));
}

/** Whether this is the first worker of its server, or the only process. */
export function isLeader(): boolean {
  return !cluster.isWorker || process.argv.includes(workerArgument(0));
}

/** Whether other workers served on the port already when this process was started. */
export function othersServe(): boolean {
  return cluster.isWorker && process.argv.includes(OTHERS_SERVE);
}

/** Executes the primary's calls of `member`, and replies to its probes. */
export function serveCalls(member: Member): void {
  process.on('message', (message: unknown) => {
    if (message === PROBE) void report({ alive: true });
    else if (typeof message === 'object' && message !== null && 'call' in message) void reply(member, message as Call);
  });
}

async function reply(member: Member, { call, name, problems = [] }: Call): Promise<void> {
  try {
    await report({ called: call, value: await member[name](problems) });
  } catch (error) {
    await report({ called: call, failed: error instanceof Error ? error.message : String(error) });
  }
}

/** Sends a report to the primary; resolves when it is sent. */
export function report(message: Report): Promise<void> {
  return new Promise((resolve) => {
    // Skip when the IPC channel is closed.
    if (process.connected) process.send!(message, undefined, undefined, () => resolve());
    else resolve();
  });
}

/** Runs `stop` once: on SIGTERM or SIGINT; in a worker also when the primary requests it, or has exited. */
export function onShutdown(stop: () => Promise<void>): void {
  let stopping = false;
  const once = () => {
    if (!stopping) void stop();
    stopping = true;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      once();
      // A second signal ends the process at once, with the exit code of the signal. Not by the signal itself, which
      // would lose the last lines of the log.
      process.once(signal, () => process.exit(128 + constants.signals[signal]));
    });
  }
  const { worker } = cluster;
  if (!worker) return;
  process.on('message', (message) => {
    if (message === STOP) once();
  });
  worker.once('disconnect', () => {
    // Otherwise Node would end the process here, with requests in flight.
    worker.exitedAfterDisconnect = true;
    once();
  });
}
