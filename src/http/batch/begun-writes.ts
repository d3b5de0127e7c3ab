// What the code of an extension or of a host has begun to write inside one transaction.

/**
 * The writes of code in one transaction. One that it does not await would be committed as far as it has come,
 * and one whose refusal it catches as far as it had come.
 */
export class BegunWrites {
  private readonly pending = new Set<Promise<unknown>>();
  private readonly refusals: unknown[] = [];

  /** Notes a write that has begun. */
  add(write: Promise<unknown>): void {
    const settled = write.then(
      () => void this.pending.delete(settled),
      (error: unknown) => {
        this.refusals.push(error);
        this.pending.delete(settled);
      },
    );
    this.pending.add(settled);
  }

  /** What `run` returns, once all writes have ended; rejects with the first refusal where the code has caught it. */
  async around(run: () => unknown): Promise<unknown> {
    const returned = await this.settledAfter(run);
    if (this.refusals.length > 0) throw this.refusals[0];
    return returned;
  }

  private async settledAfter(run: () => unknown): Promise<unknown> {
    try {
      return await run();
    } finally {
      while (this.pending.size > 0) await Promise.all(this.pending);
    }
  }
}
