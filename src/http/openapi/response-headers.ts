// Headers that all responses have, and those of rate limits, defined once in the document.
import type { Schema } from './schema-parts.js';
import type { Paths } from './other-paths.js';

const header = (description: string, type = 'string'): Schema => ({ description, schema: { type } });

const COMMON_HEADERS = {
  Link: header('The root of the API; pages before and after of a list; the URL of an item on the site.'),
  Allow: header('Methods that the caller may use here.'),
};

const LIMIT_HEADERS = {
  'RateLimit-Limit': header('Requests that the limit allows in its time.', 'integer'),
  'RateLimit-Remaining': header('Requests that are left of it.', 'integer'),
  'RateLimit-Reset': header('Seconds until it starts again.', 'integer'),
};

/** Named headers of the document. */
export const COMPONENT_HEADERS = { ...COMMON_HEADERS, ...LIMIT_HEADERS };

/** Methods that the limit for writes does not count. */
const READING = ['get', 'options'];
/** Operations that no limit counts. */
const UNCOUNTED = ['getLiveness', 'getReadiness'];

/**
 * Adds them to the responses; headers that an operation describes itself take precedence. Those of limits stand where clients pace
 * themselves by them: refusals of other kinds would only make the document longer. `countsReads`: whether there is a limit for
 * all requests.
 */
export function addCommonHeaders(paths: Paths, countsReads: boolean): void {
  for (const item of Object.values(paths))
    for (const [method, { operationId = '', responses = {} }] of Object.entries(item))
      for (const [status, response] of Object.entries(responses as Record<string, { headers?: Schema }>)) {
        const isCounted = !READING.includes(method) || (countsReads && !UNCOUNTED.includes(operationId));
        const isLimited = status === '429' || (/^[23]/.test(status) && isCounted);
        response.headers = { ...COMMON, ...response.headers, ...(isLimited ? LIMITS : {}) };
      }
}

const COMMON = refsTo(COMMON_HEADERS);
const LIMITS = refsTo(LIMIT_HEADERS);

function refsTo(headers: object): Schema {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
