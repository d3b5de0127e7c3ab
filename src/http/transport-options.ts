// What the operator and the routes decide about the transport. Given to ApiAdapter, which configureTransport() reads it from.
import type { Log } from './logger.js';
import type { BodyRule } from './read-body.js';
import type { ApiRequest } from './request-context.js';
import type { HeaderOptions } from './response-headers.js';

/** Options of ApiAdapter and configureTransport(). */
export interface TransportOptions extends HeaderOptions {
  log: Log;
  /** Limit and kind of the body, by method and path; 1 MiB and no uploads by default. Called before routing. */
  bodyRule?: (request: ApiRequest) => BodyRule;
  /** Express's `trust proxy`: hops, addresses, or nothing. */
  trustProxy?: number | string | string[] | boolean;
  /** Milliseconds from the last byte of a request to the first of its answer. */
  answerTimeout?: number;
  /** Milliseconds for a body that is no upload to arrive. */
  bodyTimeout?: number;
}
