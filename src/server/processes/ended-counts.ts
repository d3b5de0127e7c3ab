// The final values of the counters and histograms of ended workers: the counts of a server must not decrease while it
// runs.
import type { ProcessMetrics } from './metrics-exchange.js';

type Metric = ProcessMetrics[number];
type Counted = { value: number; labels: object; metricName?: string };

/** Adds the values that have the same labels. */
export function summed<V extends Counted>(values: readonly V[]): V[] {
  const all = new Map<string, V>();
  for (const value of values) {
    const key = `${value.metricName ?? ''} ${JSON.stringify(value.labels)}`;
    const known = all.get(key);
    if (known) known.value += value.value;
    else all.set(key, { ...value });
  }
  return [...all.values()];
}

/** The sums over all workers that have ended. */
export class EndedCounts {
  private readonly sums = new Map<string, Metric>();

  /** Adds the last metrics of a worker, except gauges, which are meaningless after its end. */
  add(metrics: ProcessMetrics): void {
    for (const metric of metrics)
      if (isCount(metric)) {
        const before = this.sums.get(metric.name)?.values ?? [];
        this.sums.set(metric.name, { ...metric, values: summed<Counted>([...before, ...metric.values]) as never });
      }
  }

  /** The sums as the metrics of one more process. */
  read(): ProcessMetrics {
    return [...this.sums.values()];
  }
}

// In messages between processes the type is a string; prom-client declares an enumeration of the same strings.
function isCount({ type }: Metric): boolean {
  return ['counter', 'histogram'].includes(type as unknown as string);
}
