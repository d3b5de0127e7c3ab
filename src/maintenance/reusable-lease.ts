// A lease for work that comes in pieces: it is kept for a while after each, so that the next one need not take it again.
import type { Leases } from './leases.js';
import type { Lease } from './lease.js';

/** Milliseconds for which a lease is kept after the work, so that the next piece of work needs no new one. */
const LINGER_MS = 3_000;

/** Taken for the first piece of work, given back some time after the last. */
export class ReusableLease {
  private lease: Lease | undefined;
  private failed = false;
  private lingering: NodeJS.Timeout | undefined;

  constructor(
    private readonly leases: Leases,
    private readonly name: string,
  ) {}

  /** Runs a piece of work; undefined when another process holds the lease. */
  async run<T>(work: (lease: Lease) => Promise<T>): Promise<T | undefined> {
    clearTimeout(this.lingering);
    try {
      // Work whose outcome could not be recorded is done again, but not before the database accepts writes again.
      if (this.failed) await this.lease?.renewNow();
      if (!this.lease || this.lease.signal.aborted) this.lease = await this.leases.take(this.name);
      this.failed = false;
      if (!this.lease) return undefined;
      return await work(this.lease);
    } catch (error) {
      this.failed = true;
      throw error;
    } finally {
      // A failure shows in the next piece of work.
      this.lingering = setTimeout(() => void this.end().catch(() => undefined), LINGER_MS);
      this.lingering.unref();
    }
  }

  /** Gives the lease back. No work may be running. */
  async end(): Promise<void> {
    clearTimeout(this.lingering);
    const { lease } = this;
    this.lease = undefined;
    await lease?.release();
  }
}
