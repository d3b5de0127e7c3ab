// Counts and durations of requests, by route, method and status. Every request of the process passes here, so a count
// is one look-up and a few additions; labels are made only when the metrics are read.
import type { ApiRequest } from '../request/request-context.js';
import { contextOf } from '../request/request-context.js';

/** Upper bounds of the buckets of durations, in seconds. */
export const DURATION_BOUNDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** The route of requests that no route matches: URLs themselves would make any number of labels. */
const UNMATCHED = 'unmatched';
const UPLOADS = '/uploads/*';

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** The label of all other methods, of which Node parses about thirty. */
const OTHER = 'other';

/** What was counted of one route. */
export interface RouteSample {
  /** The declared pattern: `/cms/v2/posts/:id`. */
  route: string;
  /** Finished requests by method and status; 499: the client disconnected before the response was complete. */
  counts: { method: string; status: number; count: number }[];
  /** Requests per bucket of `DURATION_BOUNDS`, not cumulative; the last one counts those above. */
  buckets: readonly number[];
  /** Total duration in seconds. */
  sum: number;
}

/** Status of requests whose client left. */
const LEFT = 499;
const MAX_STATUS = 1_000;

class RouteCounts {
  /** By `method * MAX_STATUS + status`. */
  readonly counts = new Map<number, number>();
  readonly buckets = DURATION_BOUNDS.map(() => 0).concat(0);
  sum = 0;
}

/** The requests that a process has completed. */
export class RequestCounts {
  private readonly routes = new Map<string, RouteCounts>();

  /** Counts a request whose response has closed; `aborted`: before it was sent. */
  count(request: ApiRequest, status: number, aborted: boolean): void {
    const { method, startedAt, handledBy } = contextOf(request);
    const route = this.of(handledBy || routeOf(request));
    const seconds = (performance.now() - startedAt) / 1000;
    const key = indexOf(method) * MAX_STATUS + (aborted ? LEFT : status);
    route.counts.set(key, (route.counts.get(key) ?? 0) + 1);
    let bucket = 0;
    while (bucket < DURATION_BOUNDS.length && seconds > DURATION_BOUNDS[bucket]!) bucket++;
    route.buckets[bucket]! += 1;
    route.sum += seconds;
  }

  /** Counts a request that Node's parser rejected: neither its route nor its method is known. */
  countUnread(status: number): void {
    const route = this.of(UNMATCHED);
    const key = METHODS.length * MAX_STATUS + status;
    route.counts.set(key, (route.counts.get(key) ?? 0) + 1);
    route.buckets[0]! += 1;
  }

  /** What was counted so far. */
  samples(): RouteSample[] {
    return [...this.routes].map(([route, { counts, buckets, sum }]) => ({
      route,
      counts: [...counts].map(([key, count]) => ({
        method: METHODS[Math.floor(key / MAX_STATUS)] ?? OTHER,
        status: key % MAX_STATUS,
        count,
      })),
      buckets,
      sum,
    }));
  }

  private of(route: string): RouteCounts {
    let counts = this.routes.get(route);
    if (!counts) this.routes.set(route, (counts = new RouteCounts()));
    return counts;
  }
}

function indexOf(method: string): number {
  const index = METHODS.indexOf(method);
  return index < 0 ? METHODS.length : index;
}

/** The pattern that a request was routed by: their number is bounded, whatever clients send. */
export function routeOf(request: ApiRequest): string {
  const path = request.route?.path;
  if (typeof path === 'string') return path;
  return (request.originalUrl ?? request.url ?? '').startsWith('/uploads/') ? UPLOADS : UNMATCHED;
}
