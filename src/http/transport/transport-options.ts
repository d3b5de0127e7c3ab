// Options of the transport: passed to ApiAdapter, read by configureTransport().
import type { ServerResponse } from 'node:http';
import type { RequestCounts } from '../metrics/request-counts.js';
import type { Log } from '../request/logger.js';
import type { BodyBudget } from '../memory/body-budget.js';
import type { BodyLimit } from '../request/read-body.js';
import type { ApiRequest } from '../request/request-context.js';
import type { HttpResponse } from '../response/response.js';
import type { HeaderOptions } from '../response/response-headers.js';

/** Traces requests from their beginning. */
export interface RequestTrace {
  /** Called with each request; runs `handle` at once, which handles it. */
  begin(request: ApiRequest, response: ServerResponse, handle: () => void): void;
}

/** Options of ApiAdapter and configureTransport(). */
export interface TransportOptions extends HeaderOptions {
  log: Log;
  /** Limit and kind of the body, by method and path; 1 MiB and no uploads by default. Called before routing. */
  bodyLimit?: (request: ApiRequest) => BodyLimit;
  /** Methods that the caller may use at the path of a request that failed before routing. */
  allowed?: (request: ApiRequest) => Promise<readonly string[]>;
  /** The page for browsers, or a file of it, at the URL of a request; undefined where there is none. */
  page?: (request: ApiRequest) => HttpResponse | undefined;
  /** Called once the application is closed and handles no more requests. */
  onClosed?: () => void;
  /** Bytes of bodies of callers who may not write on the route; 256 KiB by default. */
  untrustedBody?: number;
  /** Memory budget for bodies; 32 MiB by default. */
  bodyBudget?: BodyBudget;
  /** Express's `trust proxy`: hops, IP addresses, or nothing. */
  trustProxy?: number | string | string[] | boolean;
  /** Milliseconds from the last byte of a request to the first of its response. */
  responseTimeout?: number;
  /** Whether responses may be compressed; true by default. */
  compression?: boolean;
  /** Bytes of all responses that are being made or sent. */
  responseMemory?: number;
  /** Counts every completed request; absent: they are not counted. */
  counts?: RequestCounts | undefined;
  /** Absent: requests are not traced. */
  trace?: RequestTrace | undefined;
  /** Milliseconds for a body that is not an upload to arrive. */
  bodyTimeout?: number;
}
