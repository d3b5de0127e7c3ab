// Semaphore with a bounded queue and a timeout; rejects with 503 when full.
import type { ResourceError } from '../../errors/resource-error.js';
import { unavailable } from './retry.js';

/** Limits of a semaphore. */
export interface SemaphoreOptions {
  /** Tasks that run at a time. */
  size: number;
  /** Capacity of the queue. */
  queue: number;
  /** Longest wait in milliseconds. */
  timeout: number;
  /** Error of rejected tasks; default 503 `rest_unavailable`. */
  refusal?: () => ResourceError;
}

/** Runs tasks in first-come, first-served order. */
export class BoundedSemaphore {
  private free: number;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly options: SemaphoreOptions) {
    this.free = options.size;
  }

  /** Runs `work` once a slot is free. Rejects when the queue is full or the timeout expires. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await this.turn();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private refusal(): ResourceError {
    return (this.options.refusal ?? unavailable)();
  }

  private turn(): Promise<void> {
    if (this.waiting.size >= this.options.queue) return Promise.reject(this.refusal());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(enter);
        reject(this.refusal());
      }, this.options.timeout);
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
