// Index entries of many new rows are deferred (PostgreSQL: pending lists). Merged by the inserting connection they would
// hold it up; merged beside it, they use the time in which it waits.

/** Merges deferred index entries, one merge at a time. */
export class DeferredEntries {
  private merging = false;
  private more = false;

  /** `merge` merges the entries of committed rows. Its errors are ignored: the next merge, or a search, finds the rest. */
  constructor(private readonly merge: () => Promise<void>) {}

  /** Notes a transaction that has inserted many rows. */
  added(): void {
    this.more = true;
    if (!this.merging) this.run().catch(() => undefined);
  }

  private async run(): Promise<void> {
    this.merging = true;
    try {
      while (this.more) {
        this.more = false;
        await this.merge();
      }
    } finally {
      this.merging = false;
    }
  }
}
