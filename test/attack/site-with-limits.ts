// The shipped schemas with every limit on, and addresses that the caller chooses, as behind a proxy. Used by the suites of test/attack/.
import type { Headers } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import type { HttpResponse } from '../support/send.js';

/** Starts it. */
export function bootLimited(environment: Record<string, string> = {}): Promise<TestSite> {
  return startTestSite('schemas', { RATE_LIMIT: 'on', TRUST_PROXY: '1', ...environment });
}

/** Headers of a request from an address. */
export function from(address: string, headers: Headers = {}): Headers {
  return { 'X-Forwarded-For': address, ...headers };
}

/** Status and code of a response. */
export function refusalOf({ status, body }: HttpResponse): string {
  return body.code === undefined ? String(status) : `${status} ${body.code}`;
}

/** What every 429 response says. */
export const TOO_MANY = '429 rest_too_many_requests';

/** Headers of a 429 response for a limit, as numbers. */
export function limitOf({ headers }: HttpResponse): { limit: number; remaining: number; resets: boolean } {
  const [reset, after] = [Number(headers['ratelimit-reset']), Number(headers['retry-after'])];
  return {
    limit: Number(headers['ratelimit-limit']),
    remaining: Number(headers['ratelimit-remaining']),
    resets: reset >= 1 && reset <= 60 && after === reset,
  };
}
