// A progress bar on a terminal; no output where the stream is a file or a pipe.
import type { Writable } from 'node:stream';
import { SingleBar } from 'cli-progress';

/** The output stream of the bar, usually standard error. */
export type BarStream = Writable & { isTTY?: boolean; columns?: number };

/** What is counted. */
export type BarUnit = 'bytes' | 'items' | 'steps';

/** Columns of the label, the percentage, the counts and the rate. */
const TEXT_COLUMNS = 60;
const KB = 1_000;
const MB = 1_000_000;

/** A bar with a percentage, counts and the average rate since the start; it is cleared at the end. */
export class ProgressBar {
  private bar: SingleBar | undefined;
  private readonly began = performance.now();

  constructor(
    private readonly stream: BarStream,
    private readonly label: string,
    private readonly unit: BarUnit,
  ) {}

  /** Redraws at most ten times a second. */
  update(done: number, total: number): void {
    if (!this.stream.isTTY) return;
    this.bar ??= this.begin(total);
    this.bar.setTotal(total);
    this.bar.update(done, this.texts(done, total));
  }

  /** Clears the bar, so that the following output starts on an empty line. */
  end(): void {
    this.bar?.stop();
    this.bar = undefined;
  }

  private begin(total: number): SingleBar {
    const bar = new SingleBar({
      stream: this.stream,
      format: `${this.label} [{bar}] {percentage}% | {counts} | {rate}`,
      barsize: Math.max(10, Math.min(40, (this.stream.columns ?? 80) - TEXT_COLUMNS)),
      barCompleteChar: '#',
      barIncompleteChar: '.',
      clearOnComplete: true,
      emptyOnZero: true,
    });
    bar.start(total, 0, this.texts(0, total));
    return bar;
  }

  private texts(done: number, total: number): { counts: string; rate: string } {
    return { counts: this.counted(done, total), rate: this.rate(done) };
  }

  private counted(done: number, total: number): string {
    if (this.unit === 'bytes' && total < MB) return `${Math.round(done / KB)} of ${Math.round(total / KB)} kB`;
    if (this.unit === 'bytes') return `${(done / MB).toFixed(1)} of ${(total / MB).toFixed(1)} MB`;
    return `${done} of ${total} ${this.unit}`;
  }

  private rate(done: number): string {
    const perSecond = done / Math.max(0.001, (performance.now() - this.began) / 1000);
    return this.unit === 'bytes' ? `${(perSecond / MB).toFixed(1)} MB/s` : `${Math.round(perSecond)}/s`;
  }
}
