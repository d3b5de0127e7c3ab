// Memory budget for all large responses of one process: acquired before they are made, released as they are sent.
import { RoundRobinQueue } from '../../concurrency/round-robin.js';
import { limits } from '../limits.js';
import { unavailable } from '../http-errors.js';

/** A place in the queue for memory. */
export interface Waiter {
  readonly bytes: number;
  /** Resolves once the bytes are acquired; rejects with 503 after a timeout, or with the error of `leave`. */
  readonly admitted: Promise<void>;
  /** Leaves the queue. */
  leave(error: unknown): void;
}

interface Place extends Waiter {
  admit(): void;
}

/** A semaphore that counts bytes: clients take turns, the requests of one are first come, first served. */
export class ResponseMemory {
  private used = 0;
  private readonly waiting = new RoundRobinQueue<Place>();

  constructor(
    readonly capacity: number = limits.responseMemory,
    private readonly timeout: number = limits.memoryWait,
  ) {}

  /** Whether the queue is not empty, or more is held than the capacity. */
  get isPressed(): boolean {
    return this.waiting.size > 0 || this.used > this.capacity;
  }

  /** Bytes held beyond the capacity. */
  get excess(): number {
    return Math.max(0, this.used - this.capacity);
  }

  /** Acquires bytes immediately if there is room and the queue is empty; returns whether it did. */
  take(bytes: number): boolean {
    if (this.waiting.size > 0 || this.used + bytes > this.capacity) return false;
    this.used += bytes;
    return true;
  }

  /** Acquires bytes as soon as there is room and it is the turn of the client. */
  wait(bytes: number, client: string): Waiter {
    let place!: Place;
    const admitted = new Promise<void>((resolve, reject) => {
      const leave = (error: unknown) => {
        if (!this.waiting.remove(client, place)) return;
        clearTimeout(timer);
        reject(error);
        this.admit();
      };
      const admit = () => {
        clearTimeout(timer);
        resolve();
        this.admit();
      };
      const timer = setTimeout(
        () => leave(unavailable('Too many large responses are being sent. Request less, or try again.', 5)),
        this.timeout,
      );
      place = { bytes, admitted: undefined as never, leave, admit };
    });
    place = Object.assign(place, { admitted });
    this.waiting.add(client, place);
    return place;
  }

  /** Adds bytes unconditionally, or releases some. */
  add(bytes: number): void {
    this.used += bytes;
    if (bytes < 0) this.admit();
  }

  private admit(): void {
    const first = this.waiting.first();
    if (!first || this.used + first.bytes > this.capacity) return;
    this.used += first.bytes;
    this.waiting.take();
    first.admit();
  }
}
