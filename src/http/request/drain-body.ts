// Discards the rest of an unwanted body, up to a limit, so that the client receives the response instead of a
// connection reset.
import type { IncomingMessage } from 'node:http';
import { hasBody } from './media-type.js';

/** Whether part of the body has not arrived yet. */
export function isIncomplete(request: IncomingMessage): boolean {
  return !request.complete && !request.destroyed && hasBody(request);
}

/**
 * Resolves when the body has ended, the bytes or the time are used up, or the client has disconnected. Never rejects.
 */
export function drainBody(request: IncomingMessage, bytes: number, ms: number): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let left = bytes;
    const stop = () => {
      clearTimeout(timer);
      request.off('data', count).off('end', stop).off('error', stop).off('close', stop);
      resolve();
    };
    const count = (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) stop();
    };
    const timer = setTimeout(stop, ms).unref();
    request.on('data', count).on('end', stop).on('error', stop).on('close', stop).resume();
  });
}
