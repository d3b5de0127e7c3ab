import { ExpressAdapter } from '@nestjs/platform-express';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { Answer } from './answer.js';
import { toErrorAnswer } from './error-answer.js';
import { InFlight } from './in-flight.js';
import { limits } from './limits.js';
import { logRequest, requestLogger } from './logger.js';
import { installMessageClasses } from './message-classes.js';
import { parseQuery } from './parse-query.js';
import { answerParserErrors } from './raw-answer.js';
import { noRoute, unavailable } from './refusals.js';
import { contextOf } from './request-context.js';
import { ResponseHeaders } from './response-headers.js';
import { writeAnswer } from './write-answer.js';
/** Pass it to NestFactory.create() with `bodyParser: false`, then call configureTransport(). */
export class ApiAdapter extends ExpressAdapter {
    transport;
    standing;
    inFlight;
    classes;
    closed;
    closing = false;
    refusesWhileClosing = false;
    cutsOnClose = false;
    constructor(transport) {
        super();
        this.transport = transport;
        this.standing = new ResponseHeaders(transport);
        this.classes = installMessageClasses(this.getInstance(), this.standing, (response) => this.isLast(response));
        this.disable('x-powered-by');
        this.set('etag', false);
        this.set('query parser', parseQuery);
        if (transport.trustProxy !== undefined)
            this.set('trust proxy', transport.trustProxy);
        this.closed = closeListener(this);
    }
    /** Called by Nest once, with the application's options. */
    initHttpServer(options) {
        const bounds = {
            ...this.classes,
            maxHeaderSize: limits.parserBytes,
            requireHostHeader: false,
            headersTimeout: limits.headersTimeout,
            requestTimeout: limits.requestTimeout,
            keepAliveTimeout: limits.keepAliveTimeout,
            connectionsCheckingInterval: limits.connectionsCheckingInterval,
        };
        const receive = (request, response) => this.receive(request, response);
        const server = (options?.httpsOptions
            ? createSecureServer({ ...options.httpsOptions, ...bounds }, receive)
            : createServer(bounds, receive));
        this.setUpServer(server, receive);
        this.refusesWhileClosing = options?.return503OnClosing === true;
        this.cutsOnClose = options?.forceCloseConnections === true;
        this.httpServer = server;
    }
    /** Writes an Answer in one piece; anything else as Express does, with the constant headers added. */
    reply(response, body, statusCode) {
        if (!(body instanceof Answer))
            return response.headersSent ? undefined : super.reply(response, body, statusCode);
        return writeAnswer(response, body, this.standing, this.isLast(response));
    }
    beforeClose() {
        this.closing = true;
        super.beforeClose();
    }
    close() {
        this.closing = true;
        if (this.cutsOnClose)
            this.httpServer?.closeAllConnections();
        return super.close();
    }
    setUpServer(server, receive) {
        server.maxConnections = limits.maxConnections;
        // One more than allowed, so that too many are refused and not silently left out.
        server.maxHeadersCount = limits.headerCount + 1;
        this.inFlight = new InFlight(server);
        answerParserErrors(server, this.standing);
        server.on('checkContinue', (request, response) => {
            contextOf(request).awaitsContinue = true;
            receive(request, response);
        });
        server.on('checkExpectation', receive);
    }
    receive(request, response) {
        this.inFlight.add(response);
        // Node's own bound answers 503 to clients that go on after `Connection: close`; ours closes.
        const socket = request.socket;
        socket.requests = (socket.requests ?? 0) + 1;
        if (socket.requests >= limits.maxRequestsPerSocket)
            contextOf(request).last = true;
        response.on('close', this.closed);
        if (this.closing && this.refusesWhileClosing) {
            this.answerLast(request, response, unavailable('The service is shutting down. Try again.'));
            return;
        }
        try {
            this.getInstance()(request, response, (error) => this.answerLast(request, response, error ?? noRoute()));
        }
        catch (error) {
            this.answerLast(request, response, error);
        }
    }
    // What no layer of Express takes: an address it cannot parse, or an error of the error handling itself.
    answerLast(request, response, error) {
        if (response.headersSent)
            response.destroy();
        else
            writeAnswer(response, toErrorAnswer(error, contextOf(request), this.transport.log), this.standing, this.isLast(response));
    }
    // Whether the connection ends with this answer.
    isLast(response) {
        return this.closing || this.inFlight.draining || contextOf(response.req).last;
    }
}
// One function for all responses: a closure for each would cost more than the listener does.
function closeListener(adapter) {
    const isLogged = adapter.transport.log.isLevelEnabled('info');
    const log = requestLogger(adapter.transport.log);
    return function closed() {
        adapter.inFlight.delete(this);
        if (isLogged)
            logRequest(log, this.req, this.statusCode, !this.writableFinished);
    };
}
