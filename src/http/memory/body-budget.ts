// Limits the bytes of request bodies that one process holds in memory, with shares per class of caller.
import { badRequest, unavailable } from '../http-errors.js';

/** Shares of the budget, in bytes. */
export interface BudgetShares {
  /** All callers. */
  total: number;
  /** All anonymous callers together, so that they cannot lock out authenticated ones. */
  anonymous: number;
  /** One account. */
  account: number;
  /** One network of anonymous callers. */
  network: number;
}

/** Shares that always admit one body of the largest size; `untrusted` is the largest body of anonymous callers. */
export function sharesOf(total: number, largest: number, untrusted: number): BudgetShares {
  const all = Math.max(total, 2 * largest, 2 * untrusted);
  return {
    total: all,
    anonymous: Math.max(all / 4, untrusted),
    account: all / 2,
    network: Math.max(all / 16, untrusted),
  };
}

const ANONYMOUS = 'anonymous';

/** The budget of one process. */
export class BodyBudget {
  private readonly held = new Map<string, number>();
  private readonly holds = new Set<BodyHold>();
  private total = 0;

  constructor(private readonly shares: BudgetShares) {}

  /** Bytes currently held. */
  get size(): number {
    return this.total;
  }

  /** Starts to account for a body of a caller; `hasClosed`: whether the response has closed already. */
  open(caller: string, isKnown: boolean, hasClosed: () => boolean): BodyHold {
    const pools = isKnown
      ? [{ name: caller, most: this.shares.account }]
      : [
          { name: caller, most: this.shares.network },
          { name: ANONYMOUS, most: this.shares.anonymous },
        ];
    const hold = new BodyHold(this, pools, hasClosed);
    this.holds.add(hold);
    return hold;
  }

  /** Adds bytes to pools; throws 503 when one of them is full. Used by BodyHold. */
  add(pools: readonly Pool[], bytes: number): void {
    if (!this.hasRoom(pools, bytes)) this.sweep();
    if (!this.hasRoom(pools, bytes)) throw unavailable('The server is holding too many requests in memory. Try again.');
    this.move(pools, bytes);
  }

  /** Returns bytes to pools. Used by BodyHold. */
  remove(hold: BodyHold, pools: readonly Pool[], bytes: number): void {
    this.holds.delete(hold);
    this.move(pools, -bytes);
  }

  private hasRoom(pools: readonly Pool[], bytes: number): boolean {
    return (
      this.total + bytes <= this.shares.total &&
      pools.every(({ name, most }) => (this.held.get(name) ?? 0) + bytes <= most)
    );
  }

  private move(pools: readonly Pool[], bytes: number): void {
    this.total += bytes;
    for (const { name } of pools) {
      const size = (this.held.get(name) ?? 0) + bytes;
      if (size > 0) this.held.set(name, size);
      else this.held.delete(name);
    }
  }

  private sweep(): void {
    for (const hold of this.holds) if (hold.hasClosed()) hold.release();
  }
}

interface Pool {
  name: string;
  most: number;
}

/** The memory held by one request. */
export class BodyHold {
  private bytes = 0;
  private released = false;

  constructor(
    private readonly budget: BodyBudget,
    private readonly pools: readonly Pool[],
    readonly hasClosed: () => boolean,
  ) {}

  /** Holds more bytes; throws 503 `rest_unavailable` when the budget is exceeded. */
  take(bytes: number): void {
    if (this.released) throw badRequest('The client has left.');
    this.budget.add(this.pools, bytes);
    this.bytes += bytes;
  }

  /** Releases everything; idempotent. */
  release(): void {
    this.released = true;
    this.budget.remove(this, this.pools, this.bytes);
    this.bytes = 0;
  }
}
