// Pipes a request's body into a stream without destroying the request, whose socket is needed for the response.
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { UploadProblem } from './upload-problem.js';

/**
 * Resolves when `sink` has finished. Rejects with UploadProblem, the sink destroyed and the rest of the body discarded,
 * when the sink fails (its own UploadProblem, or `rest_upload_no_data` for any other error), when the client
 * disconnects, or with `tooBig` when more than `limit` bytes arrive. Rejects with the reason of `signal` when that is
 * aborted.
 */
export function pump(
  request: IncomingMessage,
  sink: Writable,
  tooBig: UploadProblem,
  { limit, signal }: { limit: number; signal?: AbortSignal | undefined },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = 0;
    const count = (chunk: Buffer) => {
      received += chunk.length;
      if (received > limit) fail(tooBig);
    };
    const cutShort = (cause?: unknown) =>
      fail(unreadable('The connection ended before the whole body had arrived.', cause));
    const closed = () => {
      if (!request.readableEnded) cutShort();
    };
    const fail = (problem: unknown) => {
      const known = problem instanceof UploadProblem || (signal?.aborted === true && problem === signal.reason);
      stop();
      sink.destroy();
      reject(known ? problem : unreadable('The body could not be read.', problem));
    };
    const aborted = () => fail(signal?.reason);
    const succeed = () => {
      stop();
      resolve();
    };
    const stop = () => {
      request.off('data', count).off('error', cutShort).off('close', closed).unpipe(sink);
      sink.off('finish', succeed).off('error', fail);
      signal?.removeEventListener('abort', aborted);
      // An error may occur after the last listener was removed, and would end the process.
      sink.on('error', () => undefined);
      request.resume();
    };
    sink.on('finish', succeed).on('error', fail);
    signal?.addEventListener('abort', aborted);
    if (request.destroyed || request.readableEnded) return cutShort();
    request.on('error', cutShort).on('close', closed).on('data', count).pipe(sink);
  });
}

/**
 * Throws `tooBig` when Content-Length exceeds `limit` bytes, before the body is read.
 * Chunked bodies have no length and are counted by `pump`.
 */
export function assertAnnouncedLength(request: IncomingMessage, limit: number, tooBig: UploadProblem): void {
  if (Number(request.headers['content-length']) <= limit || !request.headers['content-length']) return;
  request.resume();
  throw tooBig;
}

/** Error for a body that is not an upload or is incomplete: `rest_upload_no_data`. */
export function unreadable(message: string, cause?: unknown): UploadProblem {
  return new UploadProblem('rest_upload_no_data', message, { cause });
}
