// A progress bar on a terminal; silent where the stream is a file or a pipe. Made by the command line.
import type { Writable } from 'node:stream';

/** Where a bar is drawn: standard error, as a rule. */
export type BarStream = Writable & { isTTY?: boolean; columns?: number };

export class ProgressBar {
  private last = -1;
  private drawn = false;

  constructor(
    private readonly stream: BarStream,
    private readonly label: string,
  ) {}

  /** Draws anew when a whole percent has passed. */
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

  /** Wipes the bar, so that what follows begins on a clean line. */
  end(): void {
    if (this.drawn) this.stream.write('\r\x1b[2K');
    this.drawn = false;
    this.last = -1;
  }
}
