// Anything thrown to an answer a client may see (decisions 3). Called by the error filter and by the adapter's last resort.
import { HttpException, NotFoundException } from '@nestjs/common';
import { ResourceError } from '../errors/resource-error.js';
import { toAnswer } from './answer.js';
import { noRoute } from './refusals.js';
const CODES = {
    401: 'rest_forbidden',
    403: 'rest_forbidden',
    404: 'rest_no_route',
    408: 'rest_request_timeout',
    412: 'rest_precondition_failed',
    413: 'rest_request_too_large',
    414: 'rest_uri_too_long',
    415: 'rest_unsupported_media_type',
    429: 'rest_too_many_requests',
    503: 'rest_unavailable',
};
/** The answer for an error; what is not meant for clients is logged and leaves only a request id. */
export function toErrorAnswer(error, context, log) {
    const refusal = error instanceof ResourceError ? error : asRefusal(error);
    if (refusal === undefined)
        return internalError(error, context, log);
    const status = refusal.statusFor(context.known);
    if (status >= 500)
        log.warn({ id: context.id, code: refusal.code, err: refusal.cause }, refusal.message);
    return toAnswer({ status, body: refusal.body(context.known), headers: refusal.headers }, context);
}
// Errors of Nest, of its guards and pipes, and of Express: only those that blame the request.
function asRefusal(error) {
    if (error instanceof URIError)
        return noRoute();
    if (error instanceof HttpException) {
        if (error.cause instanceof URIError)
            return noRoute();
        const status = error.getStatus();
        if (status >= 500 && status !== 503)
            return undefined;
        if (error instanceof NotFoundException && error.message.startsWith('Cannot '))
            return noRoute();
        return new ResourceError(CODES[status] ?? 'rest_bad_request', { status, message: error.message });
    }
    const status = exposedStatus(error);
    return status === undefined
        ? undefined
        : new ResourceError(CODES[status] ?? 'rest_bad_request', { status, message: error.message });
}
// The convention of http-errors, which Express and its libraries follow.
function exposedStatus(error) {
    if (!(error instanceof Error) || !('status' in error) || !('expose' in error))
        return undefined;
    const { status, expose } = error;
    return expose === true && typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
function internalError(error, context, log) {
    log.error({ id: context.id, method: context.method, err: error }, 'request failed unexpectedly');
    const message = 'The server met an error of its own. Give the request_id to its operator.';
    const data = { status: 500, request_id: context.id };
    return toAnswer({ status: 500, body: { code: 'internal_server_error', message, data } }, context);
}
