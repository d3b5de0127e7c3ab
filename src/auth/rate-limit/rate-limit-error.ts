// The 429 error of every rate limit, and the headers that show the remaining quota.
import { ResourceError } from '../../errors/resource-error.js';
import type { RateCounter } from '../../model/store.js';

/** `RateLimit-*` headers for a limit. */
export function limitHeaders(limit: number, counter: RateCounter): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(Math.max(0, limit - counter.count)),
    'RateLimit-Reset': String(counter.reset),
  };
}

/** 429 with `Retry-After`. */
export function tooMany(limit: number, counter: RateCounter, message?: string): ResourceError {
  const headers = { ...limitHeaders(limit, counter), 'Retry-After': String(counter.reset) };
  return new ResourceError('rest_too_many_requests', { status: 429, headers, ...(message && { message }) });
}
