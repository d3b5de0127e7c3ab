// Tracks the open responses of a server: for the drain at shutdown and for response deadlines.
import type { Server, ServerResponse } from 'node:http';
import { contextOf } from '../request/request-context.js';

const byServer = new WeakMap<Server, InFlight>();

/** Open responses of one server. */
export class InFlight {
  private readonly open = new Set<ServerResponse>();
  /** Set during shutdown: responses then close their connections. */
  draining = false;

  constructor(server: Server) {
    byServer.set(server, this);
  }

  /** Number of open responses. */
  get size(): number {
    this.dropOrphans();
    return this.open.size;
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
    const late: ServerResponse[] = [];
    for (const response of this.open) {
      if (response.headersSent || !response.req.complete) continue;
      const context = contextOf(response.req);
      if (context.waitingSince === 0) context.waitingSince = now;
      else if (now - context.waitingSince >= ms) late.push(response);
    }
    return late;
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

/** The tracker of a server; undefined for one that was not made by ApiAdapter. */
export function inFlightOf(server: Server): InFlight | undefined {
  return byServer.get(server);
}
