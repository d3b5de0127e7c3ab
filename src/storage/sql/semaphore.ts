// Semaphore with a bounded queue and a timeout; rejects with 503 when full.
import { E_TIMEOUT, Semaphore, withTimeout, type SemaphoreInterface } from 'async-mutex';
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
  private readonly slots: Semaphore;
  private readonly queue: SemaphoreInterface;
  /** Tasks in the queue. */
  waiting = 0;

  constructor(private readonly options: SemaphoreOptions) {
    this.slots = new Semaphore(options.size);
    this.queue = withTimeout(this.slots, options.timeout);
  }

  /** Runs `work` once a slot is free. Rejects when the queue is full or the timeout expires. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    // A free slot needs no timer.
    const release = this.slots.isLocked() ? await this.turn() : (await this.slots.acquire())[1];
    try {
      return await work();
    } finally {
      release();
    }
  }

  private async turn(): Promise<() => void> {
    if (this.waiting >= this.options.queue) throw this.refusal();
    this.waiting++;
    try {
      return (await this.queue.acquire())[1];
    } catch (error) {
      throw error === E_TIMEOUT ? this.refusal() : error;
    } finally {
      this.waiting--;
    }
  }

  private refusal(): ResourceError {
    return (this.options.refusal ?? unavailable)();
  }
}
