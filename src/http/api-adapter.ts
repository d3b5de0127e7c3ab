// Nest's Express adapter without Express's per-request costs, with bounds, and with one way to write an answer.
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { Answer } from './answer.js';
import { toErrorAnswer } from './error-answer.js';
import { InFlight } from './in-flight.js';
import { limits } from './limits.js';
import { requestLog } from './logger.js';
import type { PrototypeHolder } from './message-classes.js';
import { installMessageClasses } from './message-classes.js';
import { parseQuery } from './parse-query.js';
import { answerParserErrors } from './raw-answer.js';
import { noRoute, unavailable } from './refusals.js';
import type { ApiRequest } from './request-context.js';
import { contextOf } from './request-context.js';
import { ResponseHeaders } from './response-headers.js';
import type { TransportOptions } from './transport-options.js';
import type { ApiResponse } from './write-answer.js';
import { writeAnswer } from './write-answer.js';

type Listener = (request: ApiRequest, response: ApiResponse, done?: (error?: unknown) => void) => void;
type CountedSocket = Socket & { requests?: number };

/** Pass it to NestFactory.create() with `bodyParser: false`, then call configureTransport(). */
export class ApiAdapter extends ExpressAdapter {
  readonly standing: ResponseHeaders;
  inFlight!: InFlight;
  private readonly classes: ReturnType<typeof installMessageClasses>;
  private readonly closed: (this: ApiResponse) => void;
  private closing = false;
  private refusesWhileClosing = false;
  private cutsOnClose = false;

  constructor(readonly transport: TransportOptions) {
    super();
    this.standing = new ResponseHeaders(transport);
    this.classes = installMessageClasses(this.getInstance<PrototypeHolder>(), this.standing, (response) =>
      this.isLast(response),
    );
    this.disable('x-powered-by');
    this.set('etag', false);
    this.set('query parser', parseQuery);
    if (transport.trustProxy !== undefined) this.set('trust proxy', transport.trustProxy);
    this.closed = closeListener(this);
  }

  /** Called by Nest once, with the application's options. */
  override initHttpServer(options: NestApplicationOptions): void {
    const bounds = {
      ...this.classes,
      maxHeaderSize: limits.parserBytes,
      requireHostHeader: false,
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      connectionsCheckingInterval: limits.connectionsCheckingInterval,
    };
    const receive = (request: ApiRequest, response: ApiResponse) => this.receive(request, response);
    const server = (
      options?.httpsOptions
        ? createSecureServer({ ...options.httpsOptions, ...bounds } as never, receive as never)
        : createServer(bounds as never, receive as never)
    ) as Server;
    this.setUpServer(server, receive);
    this.refusesWhileClosing = options?.return503OnClosing === true;
    this.cutsOnClose = options?.forceCloseConnections === true;
    this.httpServer = server;
  }

  /** Writes an Answer in one piece; anything else as Express does, with the constant headers added. */
  override reply(response: ApiResponse, body: unknown, statusCode?: number): unknown {
    if (!(body instanceof Answer)) return response.headersSent ? undefined : super.reply(response, body, statusCode);
    return writeAnswer(response, body, this.standing, this.isLast(response));
  }

  override beforeClose(): void {
    this.closing = true;
    super.beforeClose();
  }

  override close(): Promise<unknown> | undefined {
    this.closing = true;
    if (this.cutsOnClose) this.httpServer?.closeAllConnections();
    return super.close();
  }

  private setUpServer(server: Server, receive: (request: ApiRequest, response: ApiResponse) => void): void {
    server.maxConnections = limits.maxConnections;
    // One more than allowed, so that too many are refused and not silently left out.
    server.maxHeadersCount = limits.headerCount + 1;
    this.inFlight = new InFlight(server);
    answerParserErrors(server, this.standing);
    server.on('checkContinue', (request: ApiRequest, response: ApiResponse) => {
      contextOf(request).awaitsContinue = true;
      receive(request, response);
    });
    server.on('checkExpectation', receive);
  }

  private receive(request: ApiRequest, response: ApiResponse): void {
    this.inFlight.add(response);
    // Node's own bound answers 503 to clients that go on after `Connection: close`; ours closes.
    const socket: CountedSocket = request.socket;
    socket.requests = (socket.requests ?? 0) + 1;
    if (socket.requests >= limits.maxRequestsPerSocket) contextOf(request).last = true;
    response.on('close', this.closed);
    if (this.closing && this.refusesWhileClosing) {
      this.answerLast(request, response, unavailable('The service is shutting down. Try again.'));
      return;
    }
    try {
      this.getInstance<Listener>()(request, response, (error) =>
        this.answerLast(request, response, error ?? noRoute()),
      );
    } catch (error) {
      this.answerLast(request, response, error);
    }
  }

  // What no layer of Express takes: an address it cannot parse, or an error of the error handling itself.
  private answerLast(request: ApiRequest, response: ApiResponse, error: unknown): void {
    if (response.headersSent) response.destroy();
    else
      writeAnswer(
        response,
        toErrorAnswer(error, contextOf(request), this.transport.log),
        this.standing,
        this.isLast(response),
      );
  }

  // Whether the connection ends with this answer.
  private isLast(response: ApiResponse): boolean {
    return this.closing || this.inFlight.draining || contextOf(response.req).last;
  }
}

// One function for all responses: a closure for each would cost more than the listener does.
function closeListener(adapter: ApiAdapter) {
  const isLogged = adapter.transport.log.isLevelEnabled('info');
  const log = requestLog(adapter.transport.log);
  return function closed(this: ApiResponse): void {
    adapter.inFlight.delete(this);
    if (isLogged) log(this.req, this.statusCode, !this.writableFinished);
  };
}
