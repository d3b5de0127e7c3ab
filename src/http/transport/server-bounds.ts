// Limits and listeners of every HTTP server that receives requests of the API.
import type { Server } from 'node:http';
import { limits } from '../limits.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';
import { respondToParserErrors } from '../response/parser-errors.js';
import type { DefaultHeaders } from '../response/response-headers.js';
import type { ApiResponse } from '../response/write-response.js';

/** Options of `createServer()`. */
export const serverBounds = {
  maxHeaderSize: limits.parserBytes,
  requireHostHeader: false,
  headersTimeout: limits.headersTimeout,
  requestTimeout: limits.requestTimeout,
  keepAliveTimeout: limits.keepAliveTimeout,
  connectionsCheckingInterval: limits.connectionsCheckingInterval,
};

/** Sets the other limits, and handles parser errors and `Expect`. */
export function setUpServer(
  server: Server,
  defaults: DefaultHeaders,
  receive: (request: ApiRequest, response: ApiResponse) => void,
  /** Called with the status of each request that the parser rejects. */
  refused?: (status: number) => void,
): void {
  server.maxConnections = limits.maxConnections;
  // One more than allowed, so that excess headers are rejected and not silently dropped.
  server.maxHeadersCount = limits.headerCount + 1;
  respondToParserErrors(server, defaults, refused);
  server.on('checkContinue', (request: ApiRequest, response: ApiResponse) => {
    contextOf(request).awaitsContinue = true;
    receive(request, response);
  });
  server.on('checkExpectation', receive);
}
