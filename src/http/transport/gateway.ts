// The listening server of a process. It hands each request to the application that is current when the request arrives,
// so that an application can be replaced while connections stay open (docs/operations.md, "Live schemas").
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiRequest } from '../request/request-context.js';
import type { ApiResponse } from '../response/write-response.js';
import type { ApiAdapter } from './api-adapter.js';
import { type OpenResponses, trackOpenResponses } from './in-flight.js';
import { serverBounds, setUpServer } from './server-bounds.js';
import { RequestQueue } from './request-queue.js';

/** Milliseconds between checks of the open responses. */
const POLL = 10;
/** Probes are never held: a migration is no reason to restart the process. */
const PROBE = /^\/+(?:livez|readyz)(?:[/?]|$)/;

/** Receives all requests of a process. Keep-alive connections outlive the applications that used them. */
export class Gateway implements OpenResponses {
  readonly server: Server;
  private readonly requests = new RequestQueue((request, response) => this.dispatch(request, response));
  /** Every application with open responses, the current one included. */
  private readonly adapters = new Set<ApiAdapter>();
  private held: [ApiRequest, ApiResponse][] | undefined;
  private closing = false;

  /** `current` handles requests until `replace()`; its application must be initialized. */
  constructor(private current: ApiAdapter) {
    const receive = (request: ApiRequest, response: ApiResponse) => this.requests.take(request, response);
    this.server = createServer({ ...this.messageClasses(), ...serverBounds } as never, receive as never);
    setUpServer(this.server, current.defaultHeaders, receive, (status) =>
      this.current.transport.counts?.countUnread(status),
    );
    trackOpenResponses(this.server, this);
    this.replace(current);
  }

  /** Rejects with the error of the system when the host and port cannot be listened on. */
  listen(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }

  /** Requests that arrive from now on are handled by another application. Returns the former one. */
  replace(next: ApiAdapter): ApiAdapter {
    const former = this.current;
    next.requests = this.requests;
    next.inFlight.draining = this.closing;
    this.adapters.add(next);
    this.current = next;
    return former;
  }

  /** Resolves once a former application has no open response; forgets it. */
  async retired(former: ApiAdapter): Promise<void> {
    while (former.inFlight.size > 0) await sleep(POLL, undefined, { ref: false });
    this.adapters.delete(former);
  }

  /**
   * Holds new requests until `release()`. Resolves true once every earlier one has its response; false when some have
   * not after `timeoutMs`. A server that is closing holds none.
   */
  async hold(timeoutMs: number): Promise<boolean> {
    if (!this.closing) this.held ??= [];
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      if (this.unfinished === 0) return true;
      if (performance.now() > deadline) return false;
      await sleep(POLL);
    }
  }

  /** Ends a hold: what waited is handed to the current application. */
  release(): void {
    const waiting = this.held ?? [];
    this.held = undefined;
    for (const [request, response] of waiting) {
      if (!request.socket.destroyed) this.dispatch(request, response);
      // Its response was never begun and will not close: the requests behind it are dropped here.
      else this.requests.next(response);
    }
  }

  /** Number of open responses and of held requests. */
  get size(): number {
    let sum = this.held?.length ?? 0;
    for (const { inFlight } of this.adapters) sum += inFlight.size;
    return sum;
  }

  get draining(): boolean {
    return this.closing;
  }

  set draining(closing: boolean) {
    this.closing = closing;
    for (const { inFlight } of this.adapters) inFlight.draining = closing;
  }

  private get unfinished(): number {
    let sum = 0;
    for (const { inFlight } of this.adapters) sum += inFlight.unfinished;
    return sum;
  }

  private dispatch(request: ApiRequest, response: ApiResponse): void {
    if (this.held && !PROBE.test(request.url ?? '')) {
      this.held.push([request, response]);
      return;
    }
    const { current } = this;
    const { IncomingMessage, ServerResponse } = current.classes;
    // Parsed while the former application was current, and then held or queued.
    if (!(request instanceof IncomingMessage)) {
      Object.setPrototypeOf(request, IncomingMessage.prototype);
      Object.setPrototypeOf(response, ServerResponse.prototype);
    }
    current.receive(request, response);
  }

  // Node reads the classes once, when the server is made: these constructors return objects of the current ones.
  private messageClasses() {
    const classes = () => this.current.classes;
    return {
      IncomingMessage: function Incoming(socket: Socket) {
        return new (classes().IncomingMessage)(socket);
      },
      ServerResponse: function Outgoing(request: never, options: never) {
        return new (classes().ServerResponse as new (...given: unknown[]) => object)(request, options);
      },
    };
  }
}
