// A progress bar on a terminal; no output where the stream is a file or a pipe.
import type { Writable } from 'node:stream';

/** The output stream of the bar, usually standard error. */
export type BarStream = Writable & { isTTY?: boolean; columns?: number };

/** A bar with a percentage, redrawn in place. */
export class ProgressBar {
  private last = -1;
  private drawn = false;

  constructor(
    private readonly stream: BarStream,
    private readonly label: string,
  ) {}

  /** Redraws after each whole percent. */
  update(done: number, total: number): void {
    if (!this.stream.isTTY) return;
    const percent = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 100;
    if (percent === this.last) return;
    this.last = percent;
    this.drawn = true;
    const width = Math.max(10, Math.min(40, (this.stream.columns ?? 80) - this.label.length - 10));
    const filled = Math.round((percent / 100) * width);
    this.stream.write(
      `\r${this.label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${String(percent).padStart(3)}%`,
    );
  }

  /** Clears the bar, so that the following output starts on an empty line. */
  end(): void {
    if (this.drawn) this.stream.write('\r\x1b[2K');
    this.drawn = false;
    this.last = -1;
  }
}
