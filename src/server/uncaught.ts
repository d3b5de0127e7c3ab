// Handler of uncaught errors: they are logged, and the process continues, unless they are so frequent that its state
// must be corrupt. Installed once the server serves; before that, uncaught errors end the process, which is Node's
// default.
import type { Log } from '../http/request/logger.js';

/** The process ends at this number of uncaught exceptions within `WINDOW_MS`. */
const MAX_EXCEPTIONS = 20;
const WINDOW_MS = 60_000;

/**
 * Logs uncaught errors; calls `giveUp` once when exceptions are too frequent. Unhandled rejections do not count,
 * because they leave no shared state inconsistent.
 */
export function surviveUncaught(log: Pick<Log, 'error'>, giveUp: () => void): void {
  const recent: number[] = [];
  process.on('unhandledRejection', (reason) => log.error({ err: asError(reason) }, 'unhandled promise rejection'));
  process.on('uncaughtException', (error) => {
    log.error({ err: asError(error) }, 'uncaught exception');
    const now = performance.now();
    recent.push(now);
    while (recent[0]! < now - WINDOW_MS) recent.shift();
    if (recent.length === MAX_EXCEPTIONS) giveUp();
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
