// The errors of the transport itself, before a resource is known; written by the error filter.
import { ResourceError } from '../errors/resource-error.js';

/** 413: a body over its limit. */
export function tooLarge(limit: number): ResourceError {
  const message = `The body is larger than the ${limit} bytes allowed here. Send less, or send it in parts.`;
  return new ResourceError('rest_request_too_large', { status: 413, message });
}

/** 413: a body over the limit of callers without write permission on this route. */
export function tooLargeForUntrusted(limit: number): ResourceError {
  const message =
    `The body is larger than the ${limit} bytes allowed to callers who may not write here. ` +
    'Send less, or sign in with an account that may.';
  return new ResourceError('rest_request_too_large', { status: 413, message });
}

/** 414: a path over its limit. */
export function pathTooLong(limit: number): ResourceError {
  const message = `The path is longer than ${limit} bytes. No route has such a path.`;
  return new ResourceError('rest_uri_too_long', { status: 414, message });
}

/** 414: a query string over its limit. */
export function uriTooLong(limit: number): ResourceError {
  const message = `The query string is longer than ${limit} bytes. Send fewer or shorter parameters.`;
  return new ResourceError('rest_uri_too_long', { status: 414, message });
}

/** 415: a body that does not match its media type. */
export function unsupportedMedia(message: string): ResourceError {
  return new ResourceError('rest_unsupported_media_type', { status: 415, message });
}

/** 431: too many or too long headers. */
export function headersTooLarge(bytes: number, count: number): ResourceError {
  const message = `The request has more than ${count} headers or more than ${bytes} bytes of them. Send fewer.`;
  return new ResourceError('rest_headers_too_large', { status: 431, message });
}

/** 400: malformed or truncated HTTP. */
export function badRequest(message: string): ResourceError {
  return new ResourceError('rest_bad_request', { status: 400, message });
}

/** 400: a query string or form with too many or too deeply nested parameters. */
export function badParameters(message: string): ResourceError {
  return new ResourceError('rest_invalid_param', {
    status: 400,
    message,
    data: { status: 400, params: {}, details: {} },
  });
}

/** 408: the request did not arrive in time. */
export function requestTimeout(): ResourceError {
  const message = 'The request took too long to arrive. Send it again without pauses.';
  return new ResourceError('rest_request_timeout', { status: 408, message, headers: { Connection: 'close' } });
}

/** 503: temporarily overloaded or unavailable. */
export function unavailable(message: string, retryAfter = 1): ResourceError {
  return new ResourceError('rest_unavailable', {
    status: 503,
    message,
    headers: { 'Retry-After': String(retryAfter) },
  });
}

/** 503: a request got no response in time. Its work continues: a write may be saved later. */
export function responseTimeout(method: string): ResourceError {
  if (READS.has(method)) return unavailable('The response took too long. Request less, or try again.');
  const message =
    'The response took too long, but your change may still be saved. See whether it was, before you repeat it.';
  return new ResourceError('rest_unavailable', { status: 503, message, undecided: true });
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** 404: no route matches. */
export function noRoute(): ResourceError {
  return new ResourceError('rest_no_route', { status: 404 });
}

/** 400: invalid JSON; the numbers are PHP's JSON error codes: 0 none, 1 depth, 4 syntax, 5 UTF-8. */
export function invalidJson(
  jsonErrorCode: 0 | 1 | 4 | 5,
  reason: string,
  message = `The body is not a JSON object this service can read: ${reason}`,
): ResourceError {
  return new ResourceError('rest_invalid_json', {
    status: 400,
    message,
    data: { status: 400, json_error_code: jsonErrorCode, json_error_message: reason },
  });
}
