// The default headers of every response: computed at start, assembled per response.
import helmet from 'helmet';
import type { HeaderValues } from './response.js';
import type { RequestContext } from '../request/request-context.js';

/** Settings that the default headers depend on. */
export interface HeaderOptions {
  /** `*`, or the origins that may read responses, with credentials. */
  cors: '*' | readonly string[];
  /** `Strict-Transport-Security`; `off` by default. */
  hsts?: 'off' | 'on' | 'include-subdomains';
  /** Absolute URL of the API index, for the root link. */
  apiRoot: string;
}

type Flat = (string | number)[];

const EXPOSED =
  'X-WP-Total, X-WP-TotalPages, Link, ETag, Location, Allow, Retry-After, Preference-Applied, X-Request-Id, ' +
  'Idempotency-Replayed, Content-Range, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';
const ACCEPTED =
  'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, ' +
  'If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, Prefer, Traceparent, ' +
  'X-HTTP-Method-Override, X-Requested-With, Range';
const METHODS = 'OPTIONS, GET, POST, PUT, PATCH, DELETE';
const JSON_TYPE = 'application/json; charset=UTF-8';
const NO_CACHE: Flat = [
  'Expires',
  'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control',
  'no-cache, must-revalidate, max-age=0, no-store, private',
];
const CACHING = new Set(['expires', 'cache-control', 'last-modified']);

/** Assembles the headers of a response as Node's flat list of names and values. */
export class DefaultHeaders {
  private readonly constant: Flat;
  private readonly constantNames: ReadonlySet<string>;
  private readonly vary: string;
  private readonly rootLink: string;
  /** Additional headers by allowed origin; empty with `*`. */
  private readonly byOrigin = new Map<string, Flat>();

  constructor(options: HeaderOptions) {
    const open = options.cors === '*';
    this.vary = open ? 'Authorization, Accept-Encoding' : 'Authorization, Accept-Encoding, Origin';
    this.rootLink = `<${options.apiRoot}>; rel="https://api.w.org/"`;
    this.constant = [
      ...securityHeaders(options.hsts ?? 'off'),
      'X-Robots-Tag',
      'noindex',
      'Access-Control-Expose-Headers',
      EXPOSED,
      'Access-Control-Allow-Headers',
      ACCEPTED,
      ...(open ? crossOrigin('*') : []),
    ];
    this.constantNames = new Set(
      this.constant.filter((_, at) => at % 2 === 0).map((name) => String(name).toLowerCase()),
    );
    if (options.cors !== '*') {
      for (const origin of options.cors) {
        this.byOrigin.set(origin, [...crossOrigin(origin), 'Access-Control-Allow-Credentials', 'true']);
      }
    }
  }

  /** All headers of one response. Its own override the defaults; Link and Vary are joined; values are sanitized. */
  assemble(context: RequestContext, own: HeaderValues, status: number, hasBody: boolean): Flat {
    const flat = this.constant.slice();
    const uncached = mustNotBeCached(context, status);
    let link = this.rootLink;
    let vary = context.negotiated ? `${this.vary}, Accept` : this.vary;
    let type: string | undefined = JSON_TYPE;
    for (const name in own) {
      const value = safeValue(own[name]!);
      const lower = name.toLowerCase();
      if (lower === 'link') link += `, ${value}`;
      else if (lower === 'vary') vary += `, ${value}`;
      else if (uncached && CACHING.has(lower)) continue;
      else {
        if (lower === 'content-type') type = undefined;
        if (this.constantNames.has(lower)) remove(flat, lower);
        flat.push(name, value);
      }
    }
    if (hasBody && type !== undefined) flat.push('Content-Type', type);
    flat.push('Link', link, 'Vary', vary, 'X-Request-Id', context.id);
    if (uncached) flat.push(...NO_CACHE);
    const granted = context.origin === undefined ? undefined : this.byOrigin.get(context.origin);
    if (granted) flat.push(...granted);
    return flat;
  }
}

// From helmet; its policy must not upgrade to https, because the service may run on plain http.
function securityHeaders(hsts: NonNullable<HeaderOptions['hsts']>): Flat {
  const flat: Flat = [];
  const stand = { setHeader: (name: string, value: string) => flat.push(name, value), removeHeader: () => undefined };
  const secure = helmet({
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    strictTransportSecurity: hsts === 'off' ? false : { includeSubDomains: hsts === 'include-subdomains' },
  });
  secure({ headers: {} } as never, stand as never, (error?: unknown) => {
    if (error) throw error;
  });
  return flat;
}

function crossOrigin(origin: string): Flat {
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Allow-Methods', METHODS];
}

function mustNotBeCached(context: RequestContext, status: number): boolean {
  return context.known || context.confidential || (context.overridden && status >= 400 && status < 500);
}

const UNSAFE = /[^\t\x20-\x7e]/;
const UNSAFE_ALL = /[^\t\x20-\x7e]/gu;
const LONE_SURROGATE = /^[\ud800-\udfff]$/;

/** Sanitizes a header value against header injection: everything but printable ASCII is percent-encoded. */
function safeValue(value: string | number): string | number {
  if (typeof value === 'number' || !UNSAFE.test(value)) return value;
  return value.replace(UNSAFE_ALL, (char) => (LONE_SURROGATE.test(char) ? '%EF%BF%BD' : encodeURIComponent(char)));
}

function remove(flat: Flat, lowerName: string): void {
  const at = flat.findIndex((part, index) => index % 2 === 0 && String(part).toLowerCase() === lowerName);
  if (at >= 0) flat.splice(at, 2);
}
