// Bounds the work on images of one process: how many are decoded at once, how many wait, and for how long.
import { availableParallelism } from 'node:os';
import { E_TIMEOUT, Semaphore, withTimeout, type SemaphoreInterface } from 'async-mutex';
import { UploadProblem } from './upload-problem.js';

/** Kinds of jobs: an upload goes before the copies that readers request. */
export type ImageJobKind = 'upload' | 'reader';

/** Limits of a queue. */
export interface ImageQueueOptions {
  /** Images that are worked on at once. */
  places: number;
  /** Jobs of each kind that may wait. */
  waiting: Readonly<Record<ImageJobKind, number>>;
  /** Longest wait in milliseconds, shorter than the timeout of requests. */
  waitMs: number;
}

// Sharp decodes in libuv's pool of four threads; the remaining ones serve files and passwords.
const DEFAULTS: ImageQueueOptions = {
  places: placesOf(1),
  waiting: { upload: 64, reader: 32 },
  waitMs: 20_000,
};
const PRIORITY = { upload: 1, reader: 0 } as const;

/** The queue of one process. */
export class ImageQueue {
  readonly #options: ImageQueueOptions;
  readonly #places: Semaphore;
  readonly #queue: SemaphoreInterface;
  readonly #waiting: Record<ImageJobKind, number> = { upload: 0, reader: 0 };

  constructor(options: Partial<ImageQueueOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#places = new Semaphore(this.#options.places);
    this.#queue = withTimeout(this.#places, this.#options.waitMs);
  }

  /** Limits this process to its share of the machine, on which `processes` serve; call it before the first job. */
  share(processes: number): void {
    this.#places.setValue(placesOf(processes));
  }

  /**
   * Runs `work` once a place is free. Rejects with UploadProblem `rest_unavailable` when too many wait, or when it has
   * waited too long; `work` has not begun then.
   */
  async run<T>(kind: ImageJobKind, work: () => Promise<T>): Promise<T> {
    if (this.#waiting[kind] >= this.#options.waiting[kind]) throw busy();
    const release = await this.#turn(kind);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #turn(kind: ImageJobKind): Promise<() => void> {
    this.#waiting[kind] += 1;
    try {
      return (await this.#queue.acquire(1, PRIORITY[kind]))[1];
    } catch (error) {
      throw error === E_TIMEOUT ? busy() : error;
    } finally {
      this.#waiting[kind] -= 1;
    }
  }
}

function placesOf(processes: number): number {
  return Math.min(3, Math.max(1, Math.floor((availableParallelism() - 1) / processes)));
}

/** The queue of this process. */
export const imageQueue = new ImageQueue();

/** The error for more work than may wait. */
export function busy(): UploadProblem {
  return new UploadProblem('rest_unavailable', 'Too many images are being processed. Try again in a moment.');
}
