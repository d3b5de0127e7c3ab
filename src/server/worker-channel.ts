// IPC messages between the primary process and its workers (WORKERS).
import cluster from 'node:cluster';
import type { Problem } from '../errors/problem.js';

/** A worker's report: it serves, with the startup banner; or the problems that prevent it. */
export type Report = { ready: string } | { refused: readonly Problem[] };

/** Message from the primary that requests shutdown. */
export const STOP = 'stop';

/** Argument of a worker's command line: its number, from 0. */
export const workerArgument = (slot: number): string => `--worker=${slot}`;

/** Whether this is the first worker of its server, or the only process. */
export function isLeader(): boolean {
  return !cluster.isWorker || process.argv.includes(workerArgument(0));
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
  // A second signal ends the process immediately.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, once);
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
