// Handles pipelined requests one at a time per connection: a later response would only wait in memory.
import type { Socket } from 'node:net';
import { limits } from '../limits.js';
import type { ApiRequest } from '../request/request-context.js';
import type { ApiResponse } from '../response/write-response.js';

type Begin = (request: ApiRequest, response: ApiResponse) => void;
type Lane = Socket & { answering?: ApiResponse | undefined; queued?: ApiResponse[]; held?: boolean };

/** The waiting requests of all connections of a server. */
export class Turns {
  private waiting = 0;

  constructor(private readonly begin: Begin) {}

  /** Starts a request at once if its connection is idle, else when the previous response has closed. */
  take(request: ApiRequest, response: ApiResponse): void {
    const lane: Lane = request.socket;
    if (lane.answering) this.wait(lane, response);
    else {
      lane.answering = response;
      this.begin(request, response);
    }
  }

  /** Starts the next request of the connection; called when a response has closed. */
  next(response: ApiResponse): void {
    const lane: Lane = response.req.socket;
    if (lane.answering !== response) return;
    lane.answering = undefined;
    if (lane.queued) this.advance(lane, lane.queued);
  }

  // Node parses everything that came with one read before it can be paused; honest clients do not pipeline that much.
  private wait(lane: Lane, response: ApiResponse): void {
    if (lane.destroyed) return;
    if (this.waiting >= limits.pipelinedAll) {
      lane.destroy();
      return;
    }
    (lane.queued ??= []).push(response);
    this.waiting++;
    if (lane.held || lane.queued.length < limits.pipelined) return;
    lane.held = true;
    lane.pause();
  }

  private advance(lane: Lane, queued: ApiResponse[]): void {
    if (lane.destroyed) {
      this.waiting -= queued.length;
      queued.length = 0;
      return;
    }
    const response = queued.shift();
    if (lane.held && queued.length < limits.pipelined) {
      lane.held = false;
      lane.resume();
    }
    // Node resumes the connection with the end of each request.
    if (lane.held) process.nextTick(() => lane.pause());
    if (!response) return;
    this.waiting--;
    lane.answering = response;
    // Cached responses would follow each other without a return to the event loop.
    setImmediate(() => {
      if (lane.destroyed) this.advance(lane, queued);
      else this.begin(response.req, response);
    });
  }
}
