// Tracks the open responses of a server: for the drain at shutdown and for response deadlines.
import type { Server, ServerResponse } from 'node:http';
import { contextOf } from '../request/request-context.js';

/** The open responses of a server, as its shutdown sees them. */
export interface OpenResponses {
  /** Number of open responses. */
  readonly size: number;
  /** Set during shutdown: responses then close their connections. */
  draining: boolean;
}

const byServer = new WeakMap<Server, OpenResponses>();

/** Open responses of one application. */
export class InFlight implements OpenResponses {
  private readonly open = new Set<ServerResponse>();
  /** Set during shutdown: responses then close their connections. */
  draining = false;

  /** Number of open responses. */
  get size(): number {
    this.dropOrphans();
    return this.open.size;
  }

  /** Number of requests whose responses have not begun. */
  get unfinished(): number {
    this.dropOrphans();
    let count = 0;
    for (const response of this.open) if (!response.headersSent) count += 1;
    return count;
  }

  /** Starts to track a response. */
  add(response: ServerResponse): void {
    this.open.add(response);
  }

  /** Stops tracking; called once the response has closed. */
  delete(response: ServerResponse): void {
    this.open.delete(response);
  }

  /** Responses that have not begun `ms` after their request was complete. */
  overdue(ms: number, now = performance.now()): ServerResponse[] {
    this.dropOrphans();
    const overdue: ServerResponse[] = [];
    for (const response of this.open) {
      if (response.headersSent || !response.req.complete) continue;
      const context = contextOf(response.req);
      if (context.waitingSince === 0) context.waitingSince = now;
      else if (now - context.waitingSince >= ms) overdue.push(response);
    }
    return overdue;
  }

  /** Responses that have begun and not ended. */
  *begun(): Generator<ServerResponse> {
    for (const response of this.open) if (response.headersSent && !response.req.socket.destroyed) yield response;
  }

  // A pipelined response whose connection closed before its turn never emits `close`.
  private dropOrphans(): void {
    for (const response of this.open) if (response.req.socket.destroyed) this.open.delete(response);
  }
}

/** Makes `responses` what `inFlightOf` returns for a server. */
export function trackOpenResponses(server: Server, responses: OpenResponses): void {
  byServer.set(server, responses);
}

/** The open responses of a server; undefined where nothing tracks them. */
export function inFlightOf(server: Server): OpenResponses | undefined {
  return byServer.get(server);
}
