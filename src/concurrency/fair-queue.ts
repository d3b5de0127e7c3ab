// Bounded concurrency with a bounded, fair queue: by priority, and round-robin between clients within a priority.
import { RoundRobinQueue } from './round-robin.js';

/** Priority and client of queued work. */
export interface Turn {
  /** Priority: 0 is served first; see `LANES`. */
  lane: number;
  /** The client: clients of one lane are served round-robin. */
  client: string;
}

/** Bounds of a queue. */
export interface FairQueueOptions {
  /** Maximum number of tasks that run at a time. */
  atOnce: number;
  /** Capacity of the queue, over all lanes. */
  places: number;
  /** Capacity for one client in one lane. */
  share: number;
}

interface Ticket {
  admit(): void;
  refuse(): void;
}

/** Number of lanes. */
const LANES = 4;
/** Weighted round-robin over the lanes; the turn of an empty lane goes to the others in order, so that none starves. */
const SCHEDULE = [0, 1, 0, 2, 0, 1, 0, 3];

/** Runs tasks in fair order. */
export class FairQueue {
  private readonly lanes = Array.from({ length: LANES }, () => new RoundRobinQueue<Ticket>());
  private running = 0;
  private waiting = 0;
  private turns = 0;

  /** `refusal` creates the error for a task that finds no place in the queue. */
  constructor(
    private readonly options: FairQueueOptions,
    private readonly refusal: () => Error,
  ) {}

  /**
   * Runs `work` when it is its turn. Rejects when the queue is full, or when a task of higher priority takes its
   * place.
   */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    if (this.running < this.options.atOnce) this.running++;
    else await this.place(turn);
    try {
      return await work();
    } finally {
      const next = this.next();
      if (next) next.admit();
      else this.running--;
    }
  }

  private place({ lane: at, client }: Turn): Promise<void> {
    const lane = this.lanes[at]!;
    const own = lane.sizeOf(client);
    if (own >= this.options.share) throw this.refusal();
    if (this.waiting >= this.options.places) this.makeRoom(at, own);
    return new Promise((resolve, reject) => {
      lane.add(client, { admit: resolve, refuse: () => reject(this.refusal()) });
      this.waiting++;
    });
  }

  /** Evicts the newest task of the busiest client in the last lane, if that lane has a lower priority. */
  private makeRoom(at: number, own: number): void {
    const last = this.lanes.findLastIndex((lane) => lane.size > 0);
    const evicted = last < at ? undefined : this.lanes[last]!.takeFromBusiest(last === at ? own + 1 : 0);
    if (!evicted) throw this.refusal();
    evicted.refuse();
    this.waiting--;
  }

  private next(): Ticket | undefined {
    if (this.waiting === 0) return undefined;
    const preferred = this.lanes[SCHEDULE[this.turns++ % SCHEDULE.length]!]!;
    const lane = preferred.size > 0 ? preferred : this.lanes.find(({ size }) => size > 0)!;
    this.waiting--;
    return lane.take();
  }
}
