// The hosts of a database server or cluster: connections go to one of them until it fails.
import type { Host } from './database-url.js';

/** Shared by a pool and its `Database`. */
export class Hosts {
  private at: number;

  constructor(
    private readonly all: readonly Host[],
    first: Host,
  ) {
    this.at = all.indexOf(first);
  }

  /** The host that new connections go to. */
  get current(): Host {
    return this.all[this.at]!;
  }

  /** Sends new connections to the next host, unless another caller has already done so. */
  failOver(host: Host): void {
    if (host === this.current) this.at = (this.at + 1) % this.all.length;
  }

  /**
   * The result of `open` for the current host, or for another one when that host is lost. Throws the last error, or the
   * first one that is not `isLost`.
   */
  async connect<T>(open: () => Promise<T>, isLost: (error: unknown) => boolean): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const host = this.current;
      try {
        return await open();
      } catch (error) {
        if (!isLost(error) || attempt >= this.all.length) throw error;
        this.failOver(host);
      }
    }
  }

  /** The result of `work` on the current host, or on another one while `isReadOnly` is true of its errors. */
  async writing<T>(work: () => Promise<T>, isReadOnly: (error: unknown) => boolean): Promise<T> {
    for (let remaining = this.all.length - 1; ; remaining--) {
      const host = this.current;
      try {
        return await work();
      } catch (error) {
        if (!isReadOnly(error) || remaining <= 0) throw error;
        this.failOver(host);
      }
    }
  }

  /** Checks each host until one accepts writes; returns the reason of the last one that does not. */
  async readOnlyReason(check: () => Promise<string | undefined>): Promise<string | undefined> {
    for (let remaining = this.all.length - 1; ; remaining--) {
      const why = await check();
      if (why === undefined || remaining <= 0) return why;
      this.failOver(this.current);
    }
  }
}

/** The result of `open` for the first reachable host. Throws the last error, or the first that is not `isLost`. */
export async function firstReachable<T>(
  hosts: readonly Host[],
  open: (host: Host) => Promise<T>,
  isLost: (error: unknown) => boolean,
): Promise<T> {
  let failure: unknown;
  for (const host of hosts) {
    try {
      return await open(host);
    } catch (error) {
      failure = error;
      if (!isLost(error)) break;
    }
  }
  throw failure;
}
