// Whether a client asks for a page rather than for JSON.
import { acceptWeights, JSON_RANGES } from '../request/accept.js';

const HTML = ['text/html', 'application/xhtml+xml'];

/**
 * Whether an `Accept` header names HTML, with a weight above that of JSON. HTML must be named: `*` in its place means
 * JSON, as does an equal weight for both by name.
 */
export function prefersPage(accept: string | undefined): boolean {
  // Nearly all clients of the API name no HTML: the search is cheaper than splitting the header.
  if (accept === undefined || !/html/i.test(accept)) return false;
  const weights = acceptWeights(accept);
  const html = Math.max(...HTML.map((name) => weights.get(name) ?? 0));
  if (html <= 0) return false;
  const named = weights.get('application/json');
  if (named !== undefined) return html > named;
  const range = JSON_RANGES.find((name) => weights.has(name));
  return range === undefined || html >= weights.get(range)!;
}
