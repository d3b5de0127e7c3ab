// The refusal of every limit in time, and the headers that show how much of one is left (decisions 0.18).
import { ResourceError } from '../errors/resource-error.js';
import type { Tally } from '../model/store.js';

/** `RateLimit-*` headers for a limit. */
export function limitHeaders(limit: number, tally: Tally): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(Math.max(0, limit - tally.count)),
    'RateLimit-Reset': String(tally.reset),
  };
}

/** 429 with `Retry-After`. */
export function tooMany(limit: number, tally: Tally, message?: string): ResourceError {
  const headers = { ...limitHeaders(limit, tally), 'Retry-After': String(tally.reset) };
  return new ResourceError('rest_too_many_requests', { status: 429, headers, ...(message && { message }) });
}
