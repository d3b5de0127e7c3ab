// A lease for consecutive pieces of work: it stays held for a while after each, so that the next one can reuse it.
import type { Leases } from './leases.js';
import type { Lease } from './lease.js';

/** Milliseconds for which the lease stays held after a piece of work. */
const LINGER_MS = 3_000;

/** Takes the lease for the first piece of work, and releases it `LINGER_MS` after the last. */
export class ReusableLease {
  private lease: Lease | undefined;
  private failed = false;
  private lingering: NodeJS.Timeout | undefined;

  constructor(
    private readonly leases: Leases,
    private readonly name: string,
  ) {}

  /** Runs a piece of work; undefined, without running it, when another process holds the lease. Throws the error of `work`. */
  async run<T>(work: (lease: Lease) => Promise<T>): Promise<T | undefined> {
    clearTimeout(this.lingering);
    try {
      // After a failure, work is repeated only once the database accepts writes: its outcome could not be recorded otherwise.
      if (this.failed) await this.lease?.renewNow();
      if (!this.lease || this.lease.signal.aborted) this.lease = await this.leases.take(this.name);
      this.failed = false;
      if (!this.lease) return undefined;
      return await work(this.lease);
    } catch (error) {
      this.failed = true;
      throw error;
    } finally {
      this.lingering = setTimeout(() => void this.end(), LINGER_MS);
      this.lingering.unref();
    }
  }

  /** Releases the lease. No work may be running. Never rejects. */
  async end(): Promise<void> {
    clearTimeout(this.lingering);
    const { lease } = this;
    this.lease = undefined;
    // Another process takes over a lease that was not released, once it has expired.
    await lease?.release().catch(() => undefined);
  }
}
