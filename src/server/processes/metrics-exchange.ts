// Gathers the metrics of all workers (WORKERS): the worker that serves `/metrics` requests them from the primary, which
// requests them from all workers.
import type { MetricObjectWithValues } from 'prom-client';
import { EndedCounts } from './ended-counts.js';
import { isSupervised } from './worker-channel.js';

/** Milliseconds after which the previous reply of a worker is used in place of a missing one. */
const TIMEOUT_MS = 1_000;

/** Metrics of one process, as they are sent to another one. */
export type ProcessMetrics = MetricObjectWithValues<never>[];

/** A worker requests the metrics of all, or sends its own. */
export type MetricsMessage = { wantsMetrics: number } | { givesMetrics: number; metrics: ProcessMetrics };
/** The primary requests the metrics of a worker, or sends those of all. */
type MetricsOrder = { giveMetrics: number } | { allMetrics: number; metrics: ProcessMetrics[] };

/** The part of a worker that the primary uses. */
export interface MetricsWorker {
  isConnected(): boolean;
  send(message: MetricsOrder): unknown;
}

/** Whether a message of a worker is about metrics. */
export function isAboutMetrics(message: object): message is MetricsMessage {
  return 'wantsMetrics' in message || 'givesMetrics' in message;
}

interface Gathering {
  requester: MetricsWorker;
  /** Number of the request in the process that sent it. */
  number: number;
  missing: Set<MetricsWorker>;
  timer: NodeJS.Timeout;
}

/** The exchange of metrics in the primary process. */
export class MetricsExchange {
  private readonly open = new Map<number, Gathering>();
  private last = 0;
  /** The last reply of each worker: Prometheus would take a sum that lacks a worker for a counter reset. */
  private readonly known = new Map<MetricsWorker, ProcessMetrics>();
  private readonly ended = new EndedCounts();

  /** `workers` returns those that serve now. */
  constructor(private readonly workers: () => MetricsWorker[]) {}

  /** Takes a message of a worker. */
  take(from: MetricsWorker, message: MetricsMessage): void {
    if ('wantsMetrics' in message) this.begin(from, message.wantsMetrics);
    else {
      const gathering = this.open.get(message.givesMetrics);
      if (!gathering?.missing.delete(from)) return;
      this.known.set(from, message.metrics);
      if (gathering.missing.size === 0) this.end(message.givesMetrics);
    }
  }

  private begin(requester: MetricsWorker, number: number): void {
    const id = ++this.last;
    const workers = this.workers().filter((worker) => worker.isConnected());
    const timer = setTimeout(() => this.end(id), TIMEOUT_MS);
    this.open.set(id, { requester, number, missing: new Set(workers), timer });
    for (const worker of workers) worker.send({ giveMetrics: id });
  }

  private end(id: number): void {
    const { requester, number, timer } = this.open.get(id)!;
    clearTimeout(timer);
    this.open.delete(id);
    if (requester.isConnected()) requester.send({ allMetrics: number, metrics: this.all() });
  }

  private all(): ProcessMetrics[] {
    for (const [worker, metrics] of this.known)
      if (!worker.isConnected()) {
        this.known.delete(worker);
        this.ended.add(metrics);
      }
    return [...this.known.values(), this.ended.read()];
  }
}

/**
 * The exchange in a worker, or in a server without workers: `read` returns its own metrics, the result those of all
 * workers.
 */
export function allMetrics(read: () => Promise<ProcessMetrics>): () => Promise<ProcessMetrics[]> {
  if (!isSupervised()) return async () => [await read()];
  const waiting = new Map<number, (metrics: ProcessMetrics[]) => void>();
  let last = 0;
  const send = (message: MetricsMessage): void => {
    if (process.connected) process.send!(message, undefined, undefined, () => undefined);
  };
  process.on('message', (order: MetricsOrder | string | null) => {
    if (typeof order !== 'object' || order === null) return;
    if ('giveMetrics' in order)
      void read().then(
        (metrics) => send({ givesMetrics: order.giveMetrics, metrics }),
        // The primary then uses the previous metrics of this worker.
        () => undefined,
      );
    else if ('allMetrics' in order) waiting.get(order.allMetrics)?.(order.metrics);
  });
  return async () => {
    const number = ++last;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<ProcessMetrics[]>((resolve, reject) => {
        waiting.set(number, resolve);
        send({ wantsMetrics: number });
        // The primary replies after `TIMEOUT_MS` at the latest, unless it ends.
        timer = setTimeout(() => read().then((own) => resolve([own]), reject), 2 * TIMEOUT_MS).unref();
      });
    } finally {
      clearTimeout(timer);
      waiting.delete(number);
    }
  };
}
