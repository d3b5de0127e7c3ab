// Bounds the work on images of one process: how many are decoded at once, how many wait, and for how long.
import { availableParallelism } from 'node:os';
import { RoundRobinQueue } from '../concurrency/round-robin.js';
import { UploadProblem } from './upload-problem.js';

/** Kinds of jobs: uploads take precedence over copies that readers request. */
export type ImageJobKind = 'upload' | 'reader';

/** Limits of a queue. */
export interface ImageQueueOptions {
  /** Images that are processed at once. */
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
/** In the order of their priority. */
const KINDS = ['upload', 'reader'] as const;

/** A job that waits. */
interface Place {
  begin(): void;
  refuse(): void;
}

/** The queue of one process: clients take turns, and the jobs of one client are served in order of arrival. */
export class ImageQueue {
  readonly #options: ImageQueueOptions;
  readonly #waiting = { upload: new RoundRobinQueue<Place>(), reader: new RoundRobinQueue<Place>() };
  #places: number;
  #running = 0;

  constructor(options: Partial<ImageQueueOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#places = this.#options.places;
  }

  /**
   * Limits this process to its share of the machine, on which `processes` processes serve; to be called before the
   * first job.
   */
  share(processes: number): void {
    this.#places = placesOf(processes);
  }

  /**
   * Runs `work` once a place is free. Rejects with UploadProblem `rest_unavailable`, without running it, when too many
   * jobs of this client or of all clients wait, or when it has waited too long.
   */
  async run<T>(kind: ImageJobKind, work: () => Promise<T>, client = ''): Promise<T> {
    if (this.#running < this.#places) this.#running += 1;
    else await this.#turn(kind, client);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  #turn(kind: ImageJobKind, client: string): Promise<void> {
    const waiting = this.#waiting[kind];
    if (waiting.size >= this.#options.waiting[kind]) makeRoom(waiting, waiting.sizeOf(client));
    return new Promise((resolve, reject) => {
      const refuse = () => {
        clearTimeout(timer);
        reject(busy());
      };
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const place = { begin, refuse };
      const timer = setTimeout(() => {
        waiting.remove(client, place);
        refuse();
      }, this.#options.waitMs);
      waiting.add(client, place);
    });
  }

  #next(): void {
    const kind = KINDS.find((each) => this.#waiting[each].size > 0);
    if (kind === undefined || this.#running >= this.#places) return;
    this.#running += 1;
    this.#waiting[kind].take()!.begin();
  }
}

/**
 * Evicts the newest job of the client with the most waiting jobs, in favour of a client that has `own`.
 * @throws UploadProblem `rest_unavailable` where no client has more than `own`
 */
function makeRoom(waiting: RoundRobinQueue<Place>, own: number): void {
  const newest = waiting.takeFromBusiest(own + 1);
  if (!newest) throw busy();
  newest.refuse();
}

function placesOf(processes: number): number {
  return Math.min(3, Math.max(1, Math.floor((availableParallelism() - 1) / processes)));
}

/** The queue of this process. */
export const imageQueue = new ImageQueue();

/** The error for a job that finds no place in the queue. */
export function busy(): UploadProblem {
  return new UploadProblem('rest_unavailable', 'Too many images are being processed. Try again in a moment.');
}
