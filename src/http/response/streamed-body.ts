// A body of unknown length: written as fast as the client reads, piece by piece.
import type { ServerResponse } from 'node:http';
import { HttpResponse, type HeaderValues } from './response.js';

/** A response whose body comes in pieces. */
export class StreamedResponse extends HttpResponse {
  /** Called when it cannot be completed: the client has the beginning, and the connection is cut. */
  onError: ((error: unknown) => void) | undefined = undefined;

  constructor(
    status: number,
    headers: HeaderValues,
    readonly pieces: AsyncGenerator<string>,
  ) {
    super(status, headers, undefined);
  }

  /** The body is not needed: nothing is read. */
  cancel(): void {
    void this.pieces.return(undefined);
  }
}

/** Ends the response after the last piece; stops when it closes. One piece at a time waits in the socket. */
export async function sendPieces(response: ServerResponse, body: StreamedResponse): Promise<void> {
  try {
    for await (const piece of body.pieces) {
      if (response.destroyed) return;
      if (!response.write(piece, 'utf8')) await waitForDrain(response);
    }
    response.end();
  } catch (error) {
    // Without the end of the last chunk, clients know that something is missing.
    if (!response.destroyed) body.onError?.(error);
    response.destroy();
  }
}

function waitForDrain(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
