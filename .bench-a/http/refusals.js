// The refusals of the transport itself, before any resource is known: thrown by its steps, written by the error filter.
import { ResourceError } from '../errors/resource-error.js';
/** A body over its limit. */
export function tooLarge(limit) {
    const message = `The body is larger than the ${limit} bytes allowed here. Send less, or send it in parts.`;
    return new ResourceError('rest_request_too_large', { status: 413, message });
}
/** A query string over its limit. */
export function uriTooLong(limit) {
    const message = `The query string is longer than ${limit} bytes. Send fewer or shorter parameters.`;
    return new ResourceError('rest_uri_too_long', { status: 414, message });
}
/** A body that cannot be read as what it says it is. */
export function unsupportedMedia(message) {
    return new ResourceError('rest_unsupported_media_type', { status: 415, message });
}
/** More or longer headers than are read. */
export function headersTooLarge(bytes, count) {
    const message = `The request has more than ${count} headers or more than ${bytes} bytes of them. Send fewer.`;
    return new ResourceError('rest_headers_too_large', { status: 431, message });
}
/** Not a request that HTTP knows, or one that ended in the middle. */
export function badRequest(message) {
    return new ResourceError('rest_bad_request', { status: 400, message });
}
/** A query string or form whose parameters are too many or too deep. */
export function badParameters(message) {
    return new ResourceError('rest_invalid_param', {
        status: 400,
        message,
        data: { status: 400, params: {}, details: {} },
    });
}
/** The request did not arrive in time. */
export function requestTimeout() {
    const message = 'The request took too long to arrive. Send it again without pauses.';
    return new ResourceError('rest_request_timeout', { status: 408, message, headers: { Connection: 'close' } });
}
/** Nobody can answer right now. */
export function unavailable(message, retryAfter = 1) {
    return new ResourceError('rest_unavailable', {
        status: 503,
        message,
        headers: { 'Retry-After': String(retryAfter) },
    });
}
/** No route matches. */
export function noRoute() {
    return new ResourceError('rest_no_route', { status: 404 });
}
/** A JSON body that is none; the numbers are those PHP clients know: 0 none, 1 depth, 4 syntax, 5 UTF-8. */
export function invalidJson(jsonErrorCode, reason) {
    return new ResourceError('rest_invalid_json', {
        status: 400,
        message: `The body is not a JSON object this service can read: ${reason}`,
        data: { status: 400, json_error_code: jsonErrorCode, json_error_message: reason },
    });
}
