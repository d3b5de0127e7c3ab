// Handler of uncaught errors: they are logged and survived, unless they are so frequent that the process must be
// broken. Installed once the server serves; before that they end the process, as Node does by default.
import type { Log } from '../http/request/logger.js';

/** This many uncaught exceptions within this many milliseconds end the process. */
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
