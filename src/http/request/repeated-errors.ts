// Logs errors of work that is done again every second: at a falling rate, so that an outage does not fill the log.
import { ResourceError } from '../../errors/resource-error.js';
import type { Log } from './logger.js';

/** Milliseconds without a line after the first one of an error; twice as long after each further one. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;
/** An error that did not come for this many milliseconds is a new one. */
const FORGOTTEN_MS = 60_000;
/** Number of different errors that are distinguished. */
const MAX_ERRORS = 100;

interface Seen {
  last: number;
  /** When the next line may be written. */
  next: number;
  pauseMs: number;
  /** How often it came since its last line. */
  more: number;
}

/** The errors of one kind of work, which `what` names in the log. */
export class RepeatedErrors {
  private readonly seen = new Map<string, Seen>();

  /** `now`: a clock in milliseconds that never goes back. */
  constructor(
    private readonly log: Pick<Log, 'error'>,
    private readonly what: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Logs an error, unless the same one was logged a short time ago; `repeated` in a line: how often it came since. */
  readonly note = (error: unknown): void => {
    const about = detailsOf(error);
    const key = about.code === undefined ? String(error) : `${about.code} ${String(about.err)}`;
    const now = this.now();
    const seen = this.seenOf(key, now);
    seen.last = now;
    if (now < seen.next) {
      seen.more += 1;
      return;
    }
    this.log.error({ ...about, ...(seen.more > 0 ? { repeated: seen.more } : {}) }, this.what);
    Object.assign(seen, { next: now + seen.pauseMs, pauseMs: Math.min(seen.pauseMs * 2, LONGEST_PAUSE_MS), more: 0 });
  };

  private seenOf(key: string, now: number): Seen {
    const known = this.seen.get(key);
    if (known && now - known.last < FORGOTTEN_MS) return known;
    if (this.seen.size >= MAX_ERRORS) this.seen.clear();
    const fresh = { last: now, next: now, pauseMs: FIRST_PAUSE_MS, more: 0 };
    this.seen.set(key, fresh);
    return fresh;
  }
}

/** For a ResourceError the same as in the log of a request: its code, and the error of the driver in place of a stack. */
function detailsOf(error: unknown): { code?: string; err: unknown } {
  if (!(error instanceof ResourceError)) return { err: error };
  return { code: error.code, err: error.cause ?? error };
}
