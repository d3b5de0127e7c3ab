// A lease for work that comes in pieces.
import type { Leases } from './leases.js';
import type { Lease } from './lease.js';

/** Milliseconds for which a lease is kept after the work, so that the next piece of work needs no new one. */
const LINGER_MS = 3_000;

/** A lease for work that comes in pieces: taken for the first, given back some time after the last. */
export class Tenancy {
  private lease: Lease | undefined;
  private lingering: NodeJS.Timeout | undefined;

  constructor(
    private readonly leases: Leases,
    private readonly name: string,
  ) {}

  /** Runs a piece of work; undefined when another process holds the lease. */
  async run<T>(work: (lease: Lease) => Promise<T>): Promise<T | undefined> {
    clearTimeout(this.lingering);
    if (!this.lease || this.lease.signal.aborted) this.lease = await this.leases.take(this.name);
    if (!this.lease) return undefined;
    try {
      return await work(this.lease);
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
