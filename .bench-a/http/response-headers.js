// The headers that every answer carries (decisions 1.1 to 1.5, 0.17, 0.25): computed at boot, put together per answer.
import helmet from 'helmet';
const EXPOSED = 'X-WP-Total, X-WP-TotalPages, Link, ETag, Location, Allow, Retry-After, X-Request-Id';
const ACCEPTED = 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, ' +
    'If-Match, If-None-Match, Idempotency-Key, X-HTTP-Method-Override';
const METHODS = 'OPTIONS, GET, POST, PUT, PATCH, DELETE';
const JSON_TYPE = 'application/json; charset=UTF-8';
const NO_CACHE = [
    'Expires',
    'Wed, 11 Jan 1984 05:00:00 GMT',
    'Cache-Control',
    'no-cache, must-revalidate, max-age=0, no-store, private',
];
const CACHING = new Set(['expires', 'cache-control', 'last-modified']);
/** Assembles the headers of an answer as Node's flat list of names and values. */
export class ResponseHeaders {
    constant;
    constantNames;
    vary;
    rootLink;
    /** Extra headers by listed origin; empty with `*`. */
    byOrigin = new Map();
    constructor(options) {
        const open = options.cors === '*';
        this.vary = open ? 'Authorization' : 'Authorization, Origin';
        this.rootLink = `<${options.apiRoot}>; rel="https://api.w.org/"`;
        this.constant = [
            ...securityHeaders(),
            'X-Robots-Tag',
            'noindex',
            'Access-Control-Expose-Headers',
            EXPOSED,
            'Access-Control-Allow-Headers',
            ACCEPTED,
            ...(open ? crossOrigin('*') : []),
        ];
        this.constantNames = new Set(this.constant.filter((_, at) => at % 2 === 0).map((name) => String(name).toLowerCase()));
        if (options.cors !== '*') {
            for (const origin of options.cors) {
                this.byOrigin.set(origin, [...crossOrigin(origin), 'Access-Control-Allow-Credentials', 'true']);
            }
        }
    }
    /** All headers of one answer. Its own win over the constant ones; Link and Vary are joined; values are made safe. */
    assemble(context, own, status, hasBody) {
        const flat = this.constant.slice();
        const uncached = mustNotBeCached(context, status);
        let link = this.rootLink;
        let vary = this.vary;
        let type = JSON_TYPE;
        for (const name in own) {
            const value = safeValue(own[name]);
            const lower = name.toLowerCase();
            if (lower === 'link')
                link += `, ${value}`;
            else if (lower === 'vary')
                vary += `, ${value}`;
            else if (uncached && CACHING.has(lower))
                continue;
            else {
                if (lower === 'content-type')
                    type = undefined;
                if (this.constantNames.has(lower))
                    remove(flat, lower);
                flat.push(name, value);
            }
        }
        if (hasBody && type !== undefined)
            flat.push('Content-Type', type);
        flat.push('Link', link, 'Vary', vary, 'X-Request-Id', context.id);
        if (uncached)
            flat.push(...NO_CACHE);
        const granted = context.origin === undefined ? undefined : this.byOrigin.get(context.origin);
        if (granted)
            flat.push(...granted);
        return flat;
    }
}
// The library decides on names and values; its policy must not force https on a service that may stand on plain http.
function securityHeaders() {
    const flat = [];
    const stand = { setHeader: (name, value) => flat.push(name, value), removeHeader: () => undefined };
    const secure = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
    secure({ headers: {} }, stand, (error) => {
        if (error)
            throw error;
    });
    return flat;
}
function crossOrigin(origin) {
    return ['Access-Control-Allow-Origin', origin, 'Access-Control-Allow-Methods', METHODS];
}
function mustNotBeCached(context, status) {
    return context.known || context.confidential || (context.overridden && status >= 400 && status < 500);
}
const UNSAFE = /[^\t\x20-\x7e]/;
const UNSAFE_ALL = /[^\t\x20-\x7e]/gu;
const LONE_SURROGATE = /^[\ud800-\udfff]$/;
/** A header value that Node takes and that cannot start another header: all but printable ASCII is percent-encoded. */
export function safeValue(value) {
    if (typeof value === 'number' || !UNSAFE.test(value))
        return value;
    return value.replace(UNSAFE_ALL, (char) => (LONE_SURROGATE.test(char) ? '%EF%BF%BD' : encodeURIComponent(char)));
}
function remove(flat, lowerName) {
    const at = flat.findIndex((part, index) => index % 2 === 0 && String(part).toLowerCase() === lowerName);
    if (at >= 0)
        flat.splice(at, 2);
}
