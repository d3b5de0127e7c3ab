// Gathers the metrics of all workers for the one that was asked (WORKERS): it asks the primary, which asks all of them.
import type { MetricObjectWithValues } from 'prom-client';
import { EndedCounts } from './ended-counts.js';
import { isSupervised } from './worker-channel.js';

/** Milliseconds after which the last reply of a worker stands for one that has not come. */
const TIMEOUT_MS = 1_000;

/** Metrics of one process, as they are sent to another one. */
export type ProcessMetrics = MetricObjectWithValues<never>[];

/** A worker requests the metrics of all, or sends its own. */
export type MetricsMessage = { wantsMetrics: number } | { givesMetrics: number; metrics: ProcessMetrics };
/** The primary requests the metrics of a worker, or sends those of all. */
type MetricsOrder = { giveMetrics: number } | { allMetrics: number; metrics: ProcessMetrics[] };

/** The part of a worker that the primary uses. */
export interface AskedWorker {
  isConnected(): boolean;
  send(message: MetricsOrder): unknown;
}

/** Whether a message of a worker is about metrics. */
export function isAboutMetrics(message: object): message is MetricsMessage {
  return 'wantsMetrics' in message || 'givesMetrics' in message;
}

interface Gathering {
  asker: AskedWorker;
  /** Number of the request at the asker. */
  number: number;
  missing: Set<AskedWorker>;
  timer: NodeJS.Timeout;
}

/** The side of the primary. */
export class MetricsExchange {
  private readonly open = new Map<number, Gathering>();
  private last = 0;
  /** The last reply of each worker: Prometheus takes a sum that is without it once for a start of the server from 0. */
  private readonly known = new Map<AskedWorker, ProcessMetrics>();
  private readonly ended = new EndedCounts();

  /** `workers`: those that serve now. */
  constructor(private readonly workers: () => AskedWorker[]) {}

  /** Takes a message of a worker. */
  take(from: AskedWorker, message: MetricsMessage): void {
    if ('wantsMetrics' in message) this.begin(from, message.wantsMetrics);
    else {
      const gathering = this.open.get(message.givesMetrics);
      if (!gathering?.missing.delete(from)) return;
      this.known.set(from, message.metrics);
      if (gathering.missing.size === 0) this.end(message.givesMetrics);
    }
  }

  private begin(asker: AskedWorker, number: number): void {
    const id = ++this.last;
    const workers = this.workers().filter((worker) => worker.isConnected());
    const timer = setTimeout(() => this.end(id), TIMEOUT_MS);
    this.open.set(id, { asker, number, missing: new Set(workers), timer });
    for (const worker of workers) worker.send({ giveMetrics: id });
  }

  private end(id: number): void {
    const { asker, number, timer } = this.open.get(id)!;
    clearTimeout(timer);
    this.open.delete(id);
    if (asker.isConnected()) asker.send({ allMetrics: number, metrics: this.all() });
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

/** The side of a worker, and of a server without workers: `read` gives its own metrics, the result those of all. */
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
        // The primary goes on with the last ones of this worker.
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
