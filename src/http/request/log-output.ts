// Where log lines go: standard output. A log that cannot be written (a full disk, a pipe without a reader) costs lines,
// never the process. pino's own stream ends it with an uncaught error, and at its exit tries for ever.
import { write, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';

const STANDARD_OUTPUT = 1;
/** Writing each line separately costs more than serving a small request. */
const BUFFERED_CHARACTERS = 4_096;
const FLUSH_MS = 500;
/** Lines that wait while they cannot be written, in characters; further ones are dropped. */
const MAX_WAITING = 16 * 1024 * 1024;
/** A pipe whose reader is slow is tried again after this pause. */
const PAUSE_MS = 20;
/** Longest time that a process waits for such a reader at its exit. */
const EXIT_MS = 5_000;
const NOTHING = Buffer.alloc(0);

class LogOutput implements DestinationStream {
  /** Bytes that are being written, or were not. */
  private begun: Buffer = NOTHING;
  private waiting = '';
  private writing = false;
  private failed = false;
  private reported = false;

  write(lines: string): void {
    this.add(lines);
    // After a failure the timer tries again, not each line.
    if (this.waiting.length >= BUFFERED_CHARACTERS && !this.failed) this.flush();
  }

  /** Writes lines, and all that waits, before it returns, as far as that is possible. */
  writeNow(lines: string): void {
    this.add(lines);
    this.finish();
  }

  private add(lines: string): void {
    if (this.waiting.length < MAX_WAITING) this.waiting += lines;
  }

  /** Begins to write what waits. */
  flush(): void {
    if (this.writing || !this.take()) return;
    this.writing = true;
    write(STANDARD_OUTPUT, this.begun, (error, bytes) => {
      this.writing = false;
      this.begun = this.begun.subarray(bytes ?? 0);
      this.failed = error !== null;
      if (!error) return this.begun.length > 0 || this.waiting.length >= BUFFERED_CHARACTERS ? this.flush() : undefined;
      if (error.code === 'EAGAIN') setTimeout(() => this.flush(), PAUSE_MS).unref();
      else this.reportError(error);
    });
  }

  /** Writes what waits before it returns, as far as that is possible. At the exit: a write that has begun is not waited for. */
  finish(): void {
    if (this.writing) [this.begun, this.writing] = [NOTHING, false];
    for (const end = Date.now() + EXIT_MS; this.take();) {
      try {
        this.begun = this.begun.subarray(writeSync(STANDARD_OUTPUT, this.begun));
      } catch (error) {
        const fault = error as NodeJS.ErrnoException;
        if (fault.code !== 'EAGAIN') return this.reportError(fault);
        if (Date.now() > end) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      }
    }
  }

  private take(): boolean {
    if (this.begun.length === 0) [this.begun, this.waiting] = [Buffer.from(this.waiting), ''];
    return this.begun.length > 0;
  }

  private reportError({ code, message }: NodeJS.ErrnoException): void {
    if (this.reported || code === 'EPIPE') return;
    this.reported = true;
    process.stderr.write(`the log cannot be written, lines may be missing from it: ${message}\n`);
  }
}

/** One for all loggers of the process, with a timer that writes. */
let buffered: LogOutput | undefined;

/** Standard output for lines, which are written together. */
export function bufferedOutput(): DestinationStream {
  if (buffered) return buffered;
  const output = (buffered = new LogOutput());
  setInterval(() => output.flush(), FLUSH_MS).unref();
  process.on('exit', () => output.finish());
  return output;
}

/** Standard output as a stream that writes at once. */
export function immediateOutput(): Writable {
  const output = new LogOutput();
  return new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      output.writeNow(String(chunk));
      done();
    },
  });
}
