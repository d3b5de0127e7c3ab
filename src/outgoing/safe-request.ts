// Outgoing HTTP requests to URLs that users supply. No other code opens connections to such URLs.
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import {
  type AllowedHost,
  isAllowedHost,
  isPublicAddress,
  publicLookup,
  refusedAddress,
  type Resolve,
} from './public-address.js';
import { type SafeResponse, boundedResponse, tooLate } from './bounded-response.js';

/** A request and its limits. */
export interface SafeRequest {
  /** GET by default. */
  method?: string;
  /** Sent to the first host only, because they may contain secrets. */
  headers?: Readonly<Record<string, string>>;
  /** Sent to the first URL only; redirects of requests with a body are not followed. */
  body?: string | Uint8Array;
  /** Maximum number of bytes of the response; a longer one is an error. */
  limit: number;
  /** Whether the caller does not read the body: its length and encoding in the headers are not checked. */
  ignoresBody?: boolean;
  /** The only hosts that requests are sent to, redirects included; absent: all with a public IP address. */
  onlyHosts?: readonly AllowedHost[];
  /** Hosts that are allowed without a public IP address. */
  allowHosts?: readonly AllowedHost[];
  /** Redirects to follow; default 5. */
  redirects?: number;
  /** Milliseconds until the last byte of the response; default 120,000. */
  timeout?: number;
  /** Ends the request when it is aborted. */
  signal?: AbortSignal;
  /** Minimum rate of the body in bytes per second; default 1024. */
  minimumRate?: number;
  /** Milliseconds over which the rate is measured; default 10,000. */
  rateWindow?: number;
  /** Replaces the resolver of the system. */
  resolve?: Resolve;
}

const TIMEOUT = 120_000;
const REDIRECTS = 5;
const MAX_HEADERS = 16 * 1024;

/**
 * Requests an http(s) URL. Every IP address on the way must be public or allowed by name, which is checked on the
 * connected address; URLs must not contain credentials. Connections are never shared. Rejects with an Error that states
 * the reason.
 */
export async function safeRequest(url: string, request: SafeRequest): Promise<SafeResponse> {
  const inTime = AbortSignal.timeout(request.timeout ?? TIMEOUT);
  const deadline = request.signal ? AbortSignal.any([inTime, request.signal]) : inTime;
  const most = request.body === undefined ? (request.redirects ?? REDIRECTS) : 0;
  let at = checked(url);
  const first = at.origin;
  for (let step = 0; ; step += 1) {
    const response = await send(at, request, at.origin === first, deadline);
    const next = redirectOf(response);
    if (next === undefined || most === 0) return boundedResponse(response, at, request, deadline);
    response.destroy();
    if (step >= most) throw new Error('too many redirects');
    at = checked(next, at.href);
  }
}

function checked(url: string, base?: string): URL {
  if (!URL.canParse(url, base)) throw new Error('the URL cannot be parsed');
  const parsed = new URL(url, base);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw new Error('only http and https URLs are fetched');
  if (parsed.username || parsed.password) throw new Error('URLs with credentials are not fetched');
  return parsed;
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined;
}

function send(url: URL, request: SafeRequest, trusted: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  const options: RequestOptions = {
    method: request.method ?? 'GET',
    // No compression: it would circumvent the size limit.
    headers: { 'accept-encoding': 'identity', ...(trusted ? request.headers : {}) },
    maxHeaderSize: MAX_HEADERS,
    // A new connection: a pooled one may have been opened for a host that was allowed.
    agent: false,
    signal,
    ...guardOf(url, request),
  };
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(signal.aborted ? tooLate() : error);
    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve);
    // When a server switches to another protocol, Node emits neither a response nor an error.
    const closed = () => reject(new Error('the connection ended without a response'));
    outgoing.on('error', fail).on('close', closed).end(request.body);
  });
}

function guardOf(url: URL, { allowHosts = [], onlyHosts, resolve }: SafeRequest): RequestOptions {
  const isListed = onlyHosts === undefined || isAllowedHost(url, onlyHosts);
  if (isListed && isAllowedHost(url, allowHosts)) return {};
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refusedAddress(url.hostname);
  if (!isListed) throw new Error(`${url.host} is not among the allowed hosts`);
  return { lookup: publicLookup(resolve) };
}
