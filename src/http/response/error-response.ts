// Converts anything thrown to an error response.
import { HttpException, NotFoundException } from '@nestjs/common';
import { blameOf } from '../../errors/blame.js';
import { ResourceError } from '../../errors/resource-error.js';
import type { HttpResponse } from './response.js';
import { toResponse } from './response.js';
import { limits } from '../limits.js';
import type { Log } from '../request/logger.js';
import { noRoute } from '../http-errors.js';
import type { RequestContext } from '../request/request-context.js';

const CODES: Record<number, string | undefined> = {
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

/**
 * The response for an error; internal errors are logged, and the client gets only a request id. Never throws: code of
 * extensions throws what it likes, also what cannot be read or sent, and a request without a response would hang.
 */
export function toErrorResponse(error: unknown, context: RequestContext, log: Log): HttpResponse {
  try {
    return responseOf(error, context, log);
  } catch (failure) {
    return internalError(failure, context, log);
  }
}

function responseOf(error: unknown, context: RequestContext, log: Log): HttpResponse {
  const refusal = error instanceof ResourceError ? error : asResourceError(error);
  if (refusal === undefined) return internalError(error, context, log);
  const status = refusal.statusFor(context.known);
  const wrong = wrongRefusal(refusal, status);
  if (wrong !== undefined) return internalError(new Error(wrong, { cause: refusal }), context, log);
  if (status >= 500) log.warn({ id: context.id, code: refusal.code, err: refusal.cause }, refusal.message);
  return toResponse({ status, body: withoutLongTexts(refusal.body(context.known)), headers: refusal.headers }, context);
}

/** Why a ResourceError cannot be sent: extensions in JavaScript may throw one without a code, or with any status. */
function wrongRefusal({ code }: ResourceError, status: unknown): string | undefined {
  if (typeof code !== 'string' || code === '') return 'a ResourceError without a code was thrown';
  if (Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 599) return undefined;
  return `the ResourceError "${code}" has the status ${String(status)}; it must be from 400 to 599`;
}

/** Truncates repeated input, so that an error does not grow with its request. */
function withoutLongTexts<T>(value: T): T {
  if (typeof value === 'string') return cut(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutLongTexts) as T;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [cut(name), withoutLongTexts(member)])) as T;
}

function cut(text: string): string {
  return text.length > limits.errorText ? `${text.slice(0, limits.errorText)}…` : text;
}

// Errors of Nest (guards, pipes) and of Express: only those with a 4xx status.
function asResourceError(error: unknown): ResourceError | undefined {
  if (error instanceof URIError) return noRoute();
  if (error instanceof HttpException) {
    if (error.cause instanceof URIError) return noRoute();
    const status = error.getStatus();
    if (status < 400 || (status >= 500 && status !== 503)) return undefined;
    if (error instanceof NotFoundException && error.message.startsWith('Cannot ')) return noRoute();
    return new ResourceError(CODES[status] ?? 'rest_bad_request', { status, message: error.message });
  }
  const status = exposedStatus(error);
  return status === undefined
    ? undefined
    : new ResourceError(CODES[status] ?? 'rest_bad_request', { status, message: (error as Error).message });
}

// The `expose` convention of http-errors, which Express and its libraries follow.
function exposedStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('status' in error) || !('expose' in error)) return undefined;
  const { status, expose } = error;
  return expose === true && typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

function internalError(error: unknown, context: RequestContext, log: Log): HttpResponse {
  const source = blameOf(error);
  const about = { id: context.id, method: context.method, ...(source === undefined ? {} : { source }), err: error };
  log.error(about, source === undefined ? 'request failed unexpectedly' : `${source} failed`);
  const message = 'The server failed. Report the request_id to its operator.';
  const data = { status: 500, request_id: context.id };
  return toResponse({ status: 500, body: { code: 'internal_server_error', message, data } }, context);
}
