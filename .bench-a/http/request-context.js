// What the transport knows about one request, hung on it by the first middleware and read by everything after it.
import { randomBytes } from 'node:crypto';
/** Data of one request. The fields a step fills later start at their neutral value, so that all contexts have one shape. */
export class RequestContext {
    id;
    startedAt = performance.now();
    /** The method after an override. */
    method;
    overridden = false;
    query = NO_PARAMETERS;
    /** The query string as sent, without `?`. */
    queryString = '';
    origin;
    mediaType = '';
    bodyKind = 'none';
    /** The parsed body of `json` and `form` kinds, without a prototype. */
    body;
    /** Set by authentication. */
    actor;
    /** The answer depends on a secret of the caller although he is anonymous (a post password): not to be cached. */
    confidential = false;
    pretty = false;
    envelope = false;
    /** The client waits for `100 Continue` before it sends the body. */
    awaitsContinue = false;
    /** The connection has had its share of requests: it closes after this answer. */
    last = false;
    /** When the whole request was first seen to be here; kept by the deadline. */
    waitingSince = 0;
    constructor(id, method) {
        this.id = id;
        this.method = method;
    }
    /** Whether the caller has proved who he is. */
    get known() {
        return this.actor !== undefined && this.actor.id > 0;
    }
}
const NO_PARAMETERS = Object.freeze(Object.create(null));
const SANE_ID = /^[\w.:-]{1,64}$/;
const PREFIX = randomBytes(6).toString('hex');
let counter = 0;
/** An id nobody else in this process has, and hardly anybody elsewhere. */
export function newRequestId() {
    counter = (counter + 1) % Number.MAX_SAFE_INTEGER;
    return `${PREFIX}-${counter.toString(36)}`;
}
/** The context of a request; made on first use, so that a request refused early has one too. */
export function contextOf(request) {
    return (request.context ??= beginContext(request));
}
function beginContext(request) {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && SANE_ID.test(given) ? given : newRequestId();
    const context = new RequestContext(id, request.method ?? 'GET');
    context.origin = request.headers.origin;
    return context;
}
