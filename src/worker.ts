// The line between the primary process and its workers (WORKERS): what they tell each other. Used by main.ts in a worker, by supervisor.ts in the primary.
import cluster from 'node:cluster';
import type { Problem } from './errors/problem.js';

/** What a worker reports: it serves, with the welcome for whoever started the server; or why it cannot. */
export type Report = { ready: string } | { refused: readonly Problem[] };

/** What the primary says when it is time to end. */
export const STOP = 'stop';

/** Argument of a worker's command line: its number, from 0. */
export const argumentOf = (slot: number): string => `--worker=${slot}`;

/** Whether this is the first worker of its server, or the only process. */
export function isFirst(): boolean {
  return !cluster.isWorker || process.argv.includes(argumentOf(0));
}

/** Tells the primary; resolves when it is on its way. */
export function report(message: Report): Promise<void> {
  return new Promise((resolve) => {
    // A primary that is gone is told nothing.
    if (process.connected) process.send!(message, undefined, undefined, () => resolve());
    else resolve();
  });
}

/** Runs `stop` once: on SIGTERM or SIGINT; in a worker also when the primary says so, or is no more. */
export function whenTold(stop: () => Promise<void>): void {
  let told = false;
  const once = () => {
    if (!told) void stop();
    told = true;
  };
  // A second signal ends the process as it is.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, once);
  const { worker } = cluster;
  if (!worker) return;
  process.on('message', (message) => {
    if (message === STOP) once();
  });
  worker.once('disconnect', () => {
    // Node would end the process here, in the middle of its answers.
    worker.exitedAfterDisconnect = true;
    once();
  });
}
