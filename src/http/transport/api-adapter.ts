// Nest's Express adapter with less overhead per request, with limits, and with one way to write a response.
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { HttpResponse } from '../response/response.js';
import { encoded, encodedHeaders, encodingFor } from '../response/content-encoding.js';
import { toErrorResponse } from '../response/error-response.js';
import { InFlight, trackOpenResponses } from './in-flight.js';
import { StreamedResponse } from '../response/streamed-body.js';
import { LargeBody } from '../response/large-body.js';
import { limits } from '../limits.js';
import { requestLog } from '../request/logger.js';
import type { PrototypeHolder } from './message-classes.js';
import { installMessageClasses } from './message-classes.js';
import { LARGE, Output } from '../memory/output-budget.js';
import { parseQuery } from '../request/parse-query.js';
import { noRoute, unavailable } from '../http-errors.js';
import type { ApiRequest } from '../request/request-context.js';
import { contextOf } from '../request/request-context.js';
import { DefaultHeaders } from '../response/response-headers.js';
import { ResponseMemory } from '../memory/response-memory.js';
import { serverBounds, setUpServer } from './server-bounds.js';
import { SlowReaders } from './slow-readers.js';
import type { TransportOptions } from './transport-options.js';
import { RequestQueue } from './request-queue.js';
import type { ApiResponse } from '../response/write-response.js';
import { isUnchanged, sendResponse } from '../response/write-response.js';

type Listener = (request: ApiRequest, response: ApiResponse, done?: (error?: unknown) => void) => void;
type CountedSocket = Socket & { requests?: number };

/** Pass it to NestFactory.create() with `bodyParser: false`, then call configureTransport(). */
export class ApiAdapter extends ExpressAdapter {
  readonly defaultHeaders: DefaultHeaders;
  inFlight!: InFlight;
  /** Memory budget of all responses. */
  readonly memory: ResponseMemory;
  slowReaders!: SlowReaders;
  /** Handles a request without routing; false when it has to be routed. */
  direct: ((request: ApiRequest, response: ApiResponse) => boolean) | undefined;
  /** Replaced when a gateway receives the requests. */
  requests = new RequestQueue((request, response) => this.receive(request, response));
  /** Classes of the requests and responses that it handles without changing their prototypes. */
  readonly classes: ReturnType<typeof installMessageClasses>;
  private readonly closed: (this: ApiResponse) => void;
  private closing = false;
  private refusesWhileClosing = false;
  private cutsOnClose = false;

  constructor(readonly transport: TransportOptions) {
    super();
    this.memory = new ResponseMemory(transport.responseMemory);
    this.defaultHeaders = new DefaultHeaders(transport);
    this.classes = installMessageClasses(this.getInstance<PrototypeHolder>(), this.defaultHeaders, (response) =>
      this.isLast(response),
    );
    this.disable('x-powered-by');
    this.set('etag', false);
    this.set('query parser', parseQuery);
    if (transport.trustProxy !== undefined) this.set('trust proxy', transport.trustProxy);
    this.closed = closeListener(this);
  }

  /** Creates the HTTP server; Nest calls this once with the application's options. */
  override initHttpServer(options: NestApplicationOptions): void {
    const bounds = { ...this.classes, ...serverBounds };
    const receive = (request: ApiRequest, response: ApiResponse) => this.requests.take(request, response);
    const server = (
      options?.httpsOptions
        ? createSecureServer({ ...options.httpsOptions, ...bounds } as never, receive as never)
        : createServer(bounds as never, receive as never)
    ) as Server;
    this.inFlight = new InFlight();
    trackOpenResponses(server, this.inFlight);
    this.slowReaders = new SlowReaders(this.inFlight, this.memory);
    setUpServer(server, this.defaultHeaders, receive, (status) => this.transport.counts?.countUnread(status));
    this.refusesWhileClosing = options?.return503OnClosing === true;
    this.cutsOnClose = options?.forceCloseConnections === true;
    this.httpServer = server;
  }

  /** Writes an HttpResponse; anything else as Express does, with the default headers added. */
  override reply(response: ApiResponse, body: unknown, statusCode?: number): unknown {
    if (!(body instanceof HttpResponse))
      return response.headersSent ? undefined : super.reply(response, body, statusCode);
    return this.sendEncoded(response, body);
  }

  /** Responds with an error; with an internal one where that cannot be written, such as a header with line breaks. */
  replyError(request: ApiRequest, response: ApiResponse, error: unknown): void {
    const errorResponse = (of: unknown) => toErrorResponse(of, contextOf(request), this.transport.log);
    // The response has already begun: closing the connection tells the client that it is incomplete.
    if (response.headersSent) return void response.destroy();
    try {
      this.reply(response, errorResponse(error));
    } catch (failure) {
      this.reply(response, errorResponse(failure));
    }
  }

  override beforeClose(): void {
    this.closing = true;
    super.beforeClose();
  }

  override async close(): Promise<unknown> {
    this.closing = true;
    if (this.cutsOnClose) this.httpServer?.closeAllConnections();
    const closed = await super.close();
    this.transport.onClosed?.();
    return closed;
  }

  /** Handles a request whose turn it is on its connection. */
  receive(request: ApiRequest, response: ApiResponse): void {
    this.inFlight.add(response);
    // Node's own limit sends 503 to clients that continue after `Connection: close`; this one closes the connection.
    const socket: CountedSocket = request.socket;
    socket.requests = (socket.requests ?? 0) + 1;
    if (socket.requests >= limits.maxRequestsPerSocket) contextOf(request).last = true;
    response.on('close', this.closed);
    if (!PLAIN_TARGET.test(request.url!)) request.url = plainTarget(request.url!);
    if (this.closing && this.refusesWhileClosing) {
      this.respondUnhandled(request, response, unavailable('The service is shutting down. Try again.'));
      return;
    }
    const { trace } = this.transport;
    if (trace) trace.begin(request, response, () => this.handle(request, response));
    else this.handle(request, response);
  }

  private handle(request: ApiRequest, response: ApiResponse): void {
    if (!this.direct?.(request, response)) this.route(request, response);
  }

  /**
   * Handles a request that another HTTP server has received. Limits of connections and headers are those of that server.
   */
  adopt(request: ApiRequest, response: ApiResponse): void {
    Object.setPrototypeOf(request, this.classes.IncomingMessage.prototype as object);
    Object.setPrototypeOf(response, this.classes.ServerResponse.prototype as object);
    this.receive(request, response);
  }

  /** Hands a request to Express and Nest. */
  route(request: ApiRequest, response: ApiResponse): void {
    try {
      this.getInstance<Listener>()(request, response, (error) =>
        this.respondUnhandled(request, response, error ?? noRoute()),
      );
    } catch (error) {
      this.respondUnhandled(request, response, error);
    }
  }

  // Errors outside all Express layers: a URL it cannot parse, or an error in the error handling itself.
  private respondUnhandled(request: ApiRequest, response: ApiResponse, error: unknown): void {
    if (response.headersSent) response.destroy();
    else this.send(response, toErrorResponse(error, contextOf(request), this.transport.log));
  }

  private sendEncoded(response: ApiResponse, httpResponse: HttpResponse): void {
    const request = response.req;
    const encoding = this.transport.compression === false ? undefined : encodingFor(request, httpResponse);
    if (encoding === undefined) return this.send(response, httpResponse);
    const unchanged = new HttpResponse(httpResponse.status, encodedHeaders(httpResponse, encoding), undefined);
    if (isUnchanged(request, unchanged)) return this.send(response, unchanged);
    const result = encoded(httpResponse, encoding);
    if (!(result instanceof Promise)) return this.send(response, result ?? httpResponse);
    void result.then(
      (form) => this.send(response, form ?? httpResponse),
      () => this.send(response, httpResponse),
    );
  }

  private send(response: ApiResponse, httpResponse: HttpResponse): void {
    const admission = this.admission(response, httpResponse);
    if (!admission) return this.sendNow(response, httpResponse);
    const send = () => this.sendNow(response, httpResponse);
    // What it is about may be saved: without memory in time it is sent all the same.
    void admission.then(send, send);
  }

  /** What a large body waits for whose size was not known before it was made, such as what an action returns. */
  private admission(response: ApiResponse, { body }: HttpResponse): Promise<void> | undefined {
    const bytes = body instanceof LargeBody ? body.bytes : (body?.length ?? 0);
    if (bytes <= LARGE) return undefined;
    const context = contextOf(response.req);
    const isHeld = (context.output?.holds ?? 0) > 0;
    return isHeld || context.closed ? undefined : Output.begin(this.memory, context).take(bytes);
  }

  // Unsent bytes are counted whatever the size of the response.
  private sendNow(response: ApiResponse, httpResponse: HttpResponse): void {
    if (response.headersSent || response.destroyed) return;
    const context = contextOf(response.req);
    const large = httpResponse.body instanceof LargeBody ? httpResponse.body.bytes : 0;
    const log = this.transport.log;
    if (httpResponse instanceof StreamedResponse)
      httpResponse.onError = (error) => void toErrorResponse(error, context, log);
    if (large > 0) (context.output ?? Output.begin(this.memory, context)).hold(large);
    sendResponse(response, httpResponse, this.defaultHeaders, this.isLast(response));
    if (large === 0 && !(httpResponse instanceof StreamedResponse)) this.countQueued(response);
    this.slowReaders.relieve();
  }

  private countQueued(response: ApiResponse): void {
    const context = contextOf(response.req);
    const queued = response.writableLength;
    if (queued > 0) (context.output ?? Output.begin(this.memory, context)).hold(queued);
    else context.output?.hold(0);
  }

  // Whether the connection closes after this response.
  private isLast(response: ApiResponse): boolean {
    return this.closing || this.inFlight.draining || contextOf(response.req).last;
  }
}

const PLAIN_TARGET = /^\/(?!\/)/;
const ORIGIN = /^https?:\/\/[^/?]*/i;

/**
 * The path and query of a request target. Clients may send the whole URL, as they do to proxies (RFC 9112), and
 * those that join a base with a slash at its end and a path with one at its beginning send two.
 */
function plainTarget(target: string): string {
  const path = target.replace(ORIGIN, '');
  if (path === '' || path.startsWith('?')) return `/${path}`;
  return path.replace(/^\/+/, '/');
}

// One function for all responses: a closure per response would cost more than the listener itself.
function closeListener(adapter: ApiAdapter) {
  const isLogged = adapter.transport.log.isLevelEnabled('info');
  const log = requestLog(adapter.transport.log);
  const { counts } = adapter.transport;
  return function closed(this: ApiResponse): void {
    adapter.inFlight.delete(this);
    const context = contextOf(this.req);
    context.closed = true;
    context.hold?.release();
    context.output?.release();
    counts?.count(this.req, this.statusCode, !this.writableFinished);
    if (isLogged) log(this.req, this.statusCode, !this.writableFinished);
    adapter.requests.next(this);
  };
}
