// A bounded crowd: so many at once, so many waiting, each only so long, the others are sent away with 503. Used by server.store.ts.
import { unavailable } from './retry.js';

/** Limits of a gate. */
export interface GateOptions {
  /** How many are inside at once. */
  size: number;
  /** How many may wait. */
  queue: number;
  /** Milliseconds one may wait. */
  patience: number;
}

/** Lets work through in the order it came. */
export class Gate {
  private free: number;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly options: GateOptions) {
    this.free = options.size;
  }

  /** Runs `work` once there is room. Throws 503 `rest_unavailable` when there is none in time. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await this.turn();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.size >= this.options.queue) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(enter);
        reject(unavailable());
      }, this.options.patience);
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.add(enter);
    });
  }

  private leave(): void {
    const [next] = this.waiting;
    if (!next) this.free++;
    else {
      this.waiting.delete(next);
      next();
    }
  }
}
