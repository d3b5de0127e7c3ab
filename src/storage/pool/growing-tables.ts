// While a site fills up, its tables outgrow the statistics that the planner has of them: a plan that was made for an empty
// table, and that a connection keeps, reads all rows of a large one.

/** Transactions after which the statistics are looked at; four times as many the next time. */
const FIRST = 500;
const FACTOR = 4;
/** Rows of a transaction of many rows, about. */
const BULK = 500;

/** Has the statistics of tables made that have grown, after 500 writes, 2,500, 10,500 and so on. */
export class GrowingTables {
  private left = FIRST;
  private next = FIRST * FACTOR;

  /** `sample` makes the statistics, and what it throws is ignored: without them statements are slower, not wrong. */
  constructor(private readonly sample: () => Promise<void>) {}

  /** Notes that a transaction has written, one with many rows or one of a request. */
  written(many: boolean): void {
    this.left -= many ? BULK : 1;
    if (this.left > 0) return;
    this.left = this.next;
    this.next *= FACTOR;
    this.sample().catch(() => undefined);
  }
}
