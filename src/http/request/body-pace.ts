// Enforces a total timeout and a minimum rate while a body arrives.
import type { IncomingMessage } from 'node:http';
import { limits } from '../limits.js';
import { requestTimeout } from '../http-errors.js';

/** Limits and callbacks for a body that is being received. */
export interface Pace {
  /** Milliseconds for the whole body. */
  timeout: number;
  /** Called once, with 408, when it is too slow. */
  slow(error: Error): void;
  /** Called with the size of each chunk on the wire. */
  arrived?(bytes: number): void;
}

/** Starts watching, which makes the body flow; returns a function that stops it. */
export function watchPace(request: IncomingMessage, { timeout, slow, arrived }: Pace): () => void {
  const deadline = performance.now() + timeout;
  let fresh = 0;
  let timer: NodeJS.Timeout;
  const count = (chunk: Buffer) => {
    fresh += chunk.length;
    arrived?.(chunk.length);
  };
  const stop = () => {
    clearTimeout(timer);
    request.off('data', count);
  };
  const check = () => {
    const left = deadline - performance.now();
    // A body that is paused by the server is not slow.
    if (left > 0 && (fresh >= limits.bodyRateBytes || request.isPaused())) return wait(left);
    stop();
    slow(requestTimeout());
  };
  const wait = (left: number) => {
    fresh = 0;
    timer = setTimeout(check, Math.min(limits.bodyRateWindow, left)).unref();
  };
  wait(timeout);
  request.on('data', count);
  return stop;
}
