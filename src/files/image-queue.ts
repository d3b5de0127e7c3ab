// Bounds the work on images of one process: how many are decoded at once, how many wait, and for how long.
import { availableParallelism } from 'node:os';
import { Semaphore } from 'async-mutex';
import { UploadProblem } from './upload-problem.js';

/** Kinds of jobs: an upload goes before the copies that readers request. */
export type ImageJobKind = 'upload' | 'reader';

/** Limits of a queue. */
export interface ImageQueueOptions {
  /** Images that are worked on at once. */
  places: number;
  /** Jobs of each kind that may wait. */
  waiting: Readonly<Record<ImageJobKind, number>>;
  /** Longest wait in milliseconds, shorter than the timeout of requests; checked when a place becomes free. */
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
  readonly #waiting: Record<ImageJobKind, number> = { upload: 0, reader: 0 };

  constructor(options: Partial<ImageQueueOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#places = new Semaphore(this.#options.places);
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
    const { waiting, waitMs } = this.#options;
    if (this.#waiting[kind] >= waiting[kind]) throw busy();
    this.#waiting[kind] += 1;
    const since = Date.now();
    const [, release] = await this.#places.acquire(1, PRIORITY[kind]).finally(() => (this.#waiting[kind] -= 1));
    try {
      if (Date.now() - since > waitMs) throw busy();
      return await work();
    } finally {
      release();
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
