// The metrics of a site, in the format of Prometheus. Frequent events are counted in plain numbers; prom-client formats
// them for a scrape. All names and labels are in docs/operations.md.
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { MetricsText } from '../http/metrics/metrics.controller.js';
import { DURATION_BOUNDS, type RequestCounts, type RouteSample } from '../http/metrics/request-counts.js';
import type { StoreLoad } from '../storage/sql/administered-store.js';
import { summed } from './processes/ended-counts.js';
import type { ProcessMetrics } from './processes/metrics-exchange.js';
import type { StatementCounts } from './statement-counts.js';

/** The sources of the metrics of one process. */
export interface Measured {
  requests: RequestCounts;
  statements: StatementCounts;
  /** Requests in progress. */
  inFlight(): number;
  cache(): { hits: number; misses: number };
  store(): StoreLoad;
}

type Labels = Record<string, string | number>;
type Value = { value: number; labels: Labels; metricName?: string };

/** Milliseconds between samples of the event loop. */
const LAG_PRECISION_MS = 20;

let ofProcess: Registry | undefined;

/** Metrics of the process, which all of its sites share: CPU, memory, event loop, garbage collection. */
function processRegistry(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
  return ofProcess;
}

/** The metrics of one site. */
export class SiteMetrics {
  private readonly registry = new Registry();

  constructor(private readonly measured: Measured) {
    processRegistry();
    this.addRequests();
    this.addStatements();
    this.addStore();
  }

  /** The metrics of this process. */
  async read(): Promise<ProcessMetrics> {
    const both = await Promise.all([processRegistry(), this.registry].map((registry) => registry.getMetricsAsJSON()));
    return both.flat() as ProcessMetrics;
  }

  private addRequests(): void {
    const { requests, inFlight, cache } = this.measured;
    this.add('typecase_http_requests_total', 'counter', 'Requests completed.', () =>
      requests
        .samples()
        .flatMap(({ route, counts }) =>
          counts.map(({ method, status, count }) => ({ value: count, labels: { route, method, status } })),
        ),
    );
    const duration = 'typecase_http_request_duration_seconds';
    this.add(duration, 'histogram', 'From the head of a request to the end of its response.', () =>
      requests.samples().flatMap((sample) => histogramOf(duration, sample)),
    );
    this.add('typecase_http_requests_in_flight', 'gauge', 'Requests in progress.', () => one(inFlight()));
    this.add(
      'typecase_response_cache_total',
      'counter',
      'Reads without credentials, by the cache of responses.',
      () => {
        const { hits, misses } = cache();
        return [
          { value: hits, labels: { result: 'hit' } },
          { value: misses, labels: { result: 'miss' } },
        ];
      },
    );
  }

  private addStatements(): void {
    const { statements } = this.measured;
    this.add('typecase_database_statements_total', 'counter', 'Statements run.', () =>
      statements.samples().map(({ kind, role, count }) => ({ value: count, labels: { kind, role } })),
    );
    this.add('typecase_database_statement_seconds_total', 'counter', 'Time that statements took.', () =>
      statements.samples().map(({ kind, role, seconds }) => ({ value: seconds, labels: { kind, role } })),
    );
  }

  private addStore(): void {
    const { store } = this.measured;
    this.add('typecase_database_pool_connections', 'gauge', 'Connections to database servers.', () =>
      store().pools.flatMap(({ role, inUse, idle }) => [
        { value: inUse, labels: { role, state: 'in_use' } },
        { value: idle, labels: { role, state: 'idle' } },
      ]),
    );
    const perRole = (of: 'size' | 'waiting') => () =>
      store().pools.map((pool) => ({ value: pool[of], labels: { role: pool.role } }));
    this.add('typecase_database_pool_size', 'gauge', 'Most connections that are opened.', perRole('size'));
    this.add(
      'typecase_database_pool_waiting',
      'gauge',
      'Reads and transactions that wait for a connection.',
      perRole('waiting'),
    );
    this.add('typecase_database_writers_waiting', 'gauge', 'Transactions that wait for their turn.', () =>
      one(store().writersWaiting),
    );
  }

  // Not the classes of prom-client, which look up labels at every observation.
  private add(name: string, type: 'counter' | 'gauge' | 'histogram', help: string, read: () => Value[]): void {
    // Replicas share a label: their values are added.
    const get = async () => ({ name, help, type, values: summed(read()), aggregator: 'sum' });
    this.registry.registerMetric({ name, help, type, aggregator: 'sum', get } as never);
  }
}

/** The metrics of all processes of a server as one text: sums, means of event-loop lags. */
export async function metricsText(processes: readonly ProcessMetrics[]): Promise<MetricsText> {
  const registry = AggregatorRegistry.aggregate(processes as never);
  return { type: registry.contentType, text: await registry.metrics() };
}

function one(value: number): Value[] {
  return [{ value, labels: {} }];
}

function histogramOf(name: string, { route, buckets, sum }: RouteSample): Value[] {
  let count = 0;
  const values: Value[] = buckets.map((n, at) => {
    count += n;
    return { metricName: `${name}_bucket`, value: count, labels: { le: DURATION_BOUNDS[at] ?? '+Inf', route } };
  });
  return [
    ...values,
    { metricName: `${name}_sum`, value: sum, labels: { route } },
    { metricName: `${name}_count`, value: count, labels: { route } },
  ];
}
