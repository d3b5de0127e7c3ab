// When requests are handled: those of a connection one at a time, since a later response would only wait in memory, and
// those of all connections for a few milliseconds of each turn of the event loop.
import type { Socket } from 'node:net';
import { limits } from '../limits.js';
import type { ApiRequest } from '../request/request-context.js';
import type { ApiResponse } from '../response/write-response.js';

type Begin = (request: ApiRequest, response: ApiResponse) => void;
type Lane = Socket & { current?: ApiResponse | undefined; queued?: ApiResponse[]; held?: boolean };

/**
 * Requests that arrive together are handled for this long, in milliseconds, before the event loop goes on: timers and
 * responses of databases do not wait for all of them.
 */
const MAX_TURN_MS = 5;

/** The waiting requests of all connections of a server. */
export class RequestQueue {
  private waiting = 0;
  /** When the first request of this turn of the event loop was handled. */
  private turnBegan: number | undefined;
  /** Requests of idle connections that wait for a later turn. Each has its own immediate, in order of arrival. */
  private postponed = 0;

  constructor(private readonly begin: Begin) {}

  /** Starts a request in this turn or a later one if its connection is idle, else once the previous response closes. */
  take(request: ApiRequest, response: ApiResponse): void {
    const lane: Lane = request.socket;
    if (lane.current) this.wait(lane, response);
    else {
      lane.current = response;
      if (this.postponed === 0 && this.hasTime()) this.begin(request, response);
      else this.postpone(response);
    }
  }

  /** Starts the next request of the connection; called when a response has closed. */
  next(response: ApiResponse): void {
    const lane: Lane = response.req.socket;
    if (lane.current !== response) return;
    lane.current = undefined;
    if (lane.queued) this.advance(lane, lane.queued);
  }

  private hasTime(): boolean {
    if (this.turnBegan !== undefined) return performance.now() - this.turnBegan < MAX_TURN_MS;
    this.turnBegan = performance.now();
    setImmediate(() => (this.turnBegan = undefined));
    return true;
  }

  private postpone(response: ApiResponse): void {
    this.postponed += 1;
    setImmediate(this.beginPostponed, response);
  }

  private readonly beginPostponed = (response: ApiResponse): void => {
    if (!this.hasTime()) {
      setImmediate(this.beginPostponed, response);
      return;
    }
    this.postponed -= 1;
    if (response.req.socket.destroyed) this.next(response);
    else this.begin(response.req, response);
  };

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
    lane.current = response;
    // Cached responses would follow each other without a return to the event loop.
    setImmediate(() => {
      if (lane.destroyed) this.advance(lane, queued);
      else this.begin(response.req, response);
    });
  }
}
