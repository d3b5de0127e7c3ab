// Reads and inflates a request body chunk by chunk, within its size limit and timeout.
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { watchPace } from './body-pace.js';
import { inflaterFor } from './inflate.js';
import { badRequest } from '../http-errors.js';

/** How a body is read. */
export interface Collecting {
  /** Bytes, after inflation. */
  limit: number;
  /** Milliseconds for the whole body. */
  timeout: number;
  /** Content-Encoding, if there is one. */
  encoding: string | undefined;
  /** Called with each chunk; an error thrown here ends the body. */
  take(piece: Buffer): void;
  /** Creates the error for more bytes than the limit. */
  tooLarge(): Error;
  /** Creates the error for bytes that do not inflate. */
  broken(): Error;
}

/**
 * Resolves at the end; rejects when a body is too large, too slow or truncated. Unread bytes are left to the response.
 */
export function collectBody(request: IncomingMessage, options: Collecting): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0;
    let inflater: Transform | undefined;
    const settle = () => {
      stopWatching();
      request.off('data', receive).off('end', end).off('error', cut).off('close', cut);
      inflater?.off('data', accept).destroy();
    };
    const fail = (error: unknown) => {
      settle();
      request.pause();
      reject(error);
    };
    const done = () => {
      settle();
      resolve();
    };
    const accept = (piece: Buffer) => {
      size += piece.length;
      if (size > options.limit) return fail(options.tooLarge());
      try {
        options.take(piece);
      } catch (error) {
        fail(error);
      }
    };
    const receive = (chunk: Buffer) => {
      if (options.encoding === undefined) return accept(chunk);
      inflater ??= inflaterFor(options.encoding, chunk)
        .on('data', accept)
        .on('end', done)
        .on('error', () => fail(options.broken()));
      inflate(inflater, chunk, request);
    };
    const end = () => {
      if (!inflater) return done();
      request.off('close', cut);
      inflater.end();
    };
    const cut = () => fail(badRequest('The body ended before all of it was sent.'));
    const stopWatching = watchPace(request, { timeout: options.timeout, slow: fail });
    request.on('data', receive).on('end', end).on('error', cut).on('close', cut);
  });
}

/** Hands a chunk on, and has the client wait while the inflater is full. */
function inflate(inflater: Transform, chunk: Buffer, request: IncomingMessage): void {
  if (inflater.write(chunk)) return;
  request.pause();
  inflater.once('drain', () => request.resume());
}
