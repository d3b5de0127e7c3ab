// Writes a body chunk by chunk with backpressure, so that at most one chunk waits in the socket.
import type { Output } from '../memory/output-budget.js';
import type { ServerResponse } from 'node:http';

/** Ends the response after the last chunk; stops when it closes. */
export function sendChunks(response: ServerResponse, body: readonly Buffer[], output: Output | undefined): void {
  if (body.length === 1) {
    response.end(body[0], () => output?.releaseSent(body[0]!.length));
    return;
  }
  // A copy, so that chunks can be garbage-collected once they are sent.
  const chunks: (Buffer | undefined)[] = [...body];
  let at = 0;
  const next = () => {
    while (at < chunks.length) {
      if (response.destroyed) return;
      const chunk = chunks[at]!;
      chunks[at++] = undefined;
      if (!response.write(chunk, () => output?.releaseSent(chunk.length))) {
        response.once('drain', next);
        return;
      }
    }
    response.end();
  };
  next();
}
