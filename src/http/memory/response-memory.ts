// Memory budget for all large responses of one process: acquired before they are made, released as they are sent.
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
  /** The places of each client, in the order of their turns. */
  private readonly waiting = new Map<string, Set<Place>>();

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
    const places = this.waiting.get(client) ?? new Set();
    let place!: Place;
    const admitted = new Promise<void>((resolve, reject) => {
      const end = (done: () => void) => {
        clearTimeout(timer);
        if (!places.delete(place)) return;
        if (places.size === 0) this.waiting.delete(client);
        done();
        this.admit();
      };
      const leave = (error: unknown) => end(() => reject(error));
      const timer = setTimeout(
        () => leave(unavailable('Too many large answers are on their way. Ask for less, or try again.', 5)),
        this.timeout,
      );
      place = { bytes, admitted: undefined as never, leave, admit: () => end(resolve) };
    });
    place = Object.assign(place, { admitted });
    this.waiting.set(client, places.add(place));
    return place;
  }

  /** Adds bytes unconditionally, or releases some. */
  add(bytes: number): void {
    this.used += bytes;
    if (bytes < 0) this.admit();
  }

  private admit(): void {
    const [turn] = this.waiting;
    if (!turn) return;
    const [client, places] = turn;
    const first = places.values().next().value!;
    if (this.used + first.bytes > this.capacity) return;
    this.used += first.bytes;
    // To the end of the round.
    this.waiting.delete(client);
    this.waiting.set(client, places);
    first.admit();
  }
}
