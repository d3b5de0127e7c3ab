// What counters and histograms of workers that have ended had counted: counts of a server never go down while it runs.
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

  /** Takes the last metrics of a worker; gauges are of no use any more. */
  add(metrics: ProcessMetrics): void {
    for (const metric of metrics)
      if (isCount(metric)) {
        const before = this.sums.get(metric.name)?.values ?? [];
        this.sums.set(metric.name, { ...metric, values: summed<Counted>([...before, ...metric.values]) as never });
      }
  }

  /** As the metrics of one more process. */
  read(): ProcessMetrics {
    return [...this.sums.values()];
  }
}

// Between processes a type is a word, in prom-client an enumeration with the same words.
function isCount({ type }: Metric): boolean {
  return ['counter', 'histogram'].includes(type as unknown as string);
}
