// Semaphore with a bounded queue and a timeout, in which clients take turns; rejects with 503 when full.
import { RoundRobinQueue } from '../../concurrency/round-robin.js';
import type { ResourceError } from '../../errors/resource-error.js';
import type { Requester } from '../../model/store.js';
import { SharedRequesters, type QueuedRead } from './shared-requesters.js';
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

/** The engine itself, which counts as one client. */
const ENGINE: Requester = { client: '' };

/** Runs tasks: clients take turns, and the tasks of one client run in the order of their arrival. */
export class BoundedSemaphore {
  private readonly places = new RoundRobinQueue<QueueEntry>();
  private free: number;

  constructor(private readonly options: SemaphoreOptions) {
    this.free = options.size;
  }

  /** Tasks in the queue. */
  get waiting(): number {
    return this.places.size;
  }

  /**
   * Runs `work` once a slot is free. Rejects when the queue is full and no client has more tasks in it than this one,
   * when the timeout expires, or when the requester leaves before its turn.
   */
  async run<T>(work: () => Promise<T>, requester?: Requester): Promise<T> {
    // A free slot needs neither a timer nor the client.
    if (this.free > 0) this.free -= 1;
    else await this.acquire(requester ?? ENGINE);
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private acquire(requester: Requester): Promise<void> {
    const { client } = requester;
    const { queue, timeout } = this.options;
    if (this.places.size >= queue) this.evict(this.places.sizeOf(client));
    return new Promise((begin, reject) => {
      const refuse = () => reject((this.options.refusal ?? unavailable)());
      const place = new QueueEntry(this.places, requester, client, { begin, refuse }, timeout);
      this.places.add(client, place);
      if (requester instanceof SharedRequesters) requester.enqueued(place);
    });
  }

  /** Rejects the newest task of the client with the most tasks, in favour of a client that has `own`. */
  private evict(own: number): void {
    const newest = this.places.takeFromBusiest(own + 1);
    if (!newest) throw (this.options.refusal ?? unavailable)();
    newest.refuse();
  }

  private next(): void {
    for (let place = this.places.take(); place; place = this.places.take()) if (place.begin()) return;
    this.free += 1;
  }
}

/** A task that waits. */
class QueueEntry implements QueuedRead {
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly places: RoundRobinQueue<QueueEntry>,
    private readonly requester: Requester,
    private client: string,
    private readonly outcome: { begin(): void; refuse(): void },
    timeout: number,
  ) {
    this.timer = setTimeout(() => {
      this.places.remove(this.client, this);
      this.refuse();
    }, timeout);
  }

  /** Starts the task; false when its requester has left. */
  begin(): boolean {
    if (this.requester.hasLeft) {
      this.refuse();
      return false;
    }
    this.leave();
    this.outcome.begin();
    return true;
  }

  refuse(): void {
    this.leave();
    this.outcome.refuse();
  }

  moveTo(client: string): void {
    if (this.places.move(this.client, this, client)) this.client = client;
  }

  private leave(): void {
    clearTimeout(this.timer);
    if (this.requester instanceof SharedRequesters) this.requester.dequeued(this);
  }
}
