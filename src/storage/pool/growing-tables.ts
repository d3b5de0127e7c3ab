// While a site fills up, its tables outgrow the planner's statistics: a plan that was made for an empty table, and that
// a connection caches, reads all rows of a large one.

/** Transactions before the first update of the statistics, and the factor from one interval to the next. */
const FIRST = 500;
const FACTOR = 4;
/** Number of transactions that one with many rows counts as. */
const BULK = 500;

/** Updates the statistics of tables that have grown, after 500 writes, 2,500, 10,500 and so on. */
export class GrowingTables {
  private remaining = FIRST;
  private next = FIRST * FACTOR;

  /** `sample` updates the statistics. Its errors are ignored: without statistics, statements are slower, not wrong. */
  constructor(private readonly sample: () => Promise<void>) {}

  /** Counts a transaction that has written; `many`: it inserted many rows. */
  noteTransaction(many: boolean): void {
    this.remaining -= many ? BULK : 1;
    if (this.remaining > 0) return;
    this.remaining = this.next;
    this.next *= FACTOR;
    this.sample().catch(() => undefined);
  }
}
