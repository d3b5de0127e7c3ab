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
  leave(host: Host): void {
    if (host === this.current) this.at = (this.at + 1) % this.all.length;
  }

  /**
   * What `open` returns for the current host, or for one of the others when that is lost. Throws the last error, or the first that
   * is not `lost`.
   */
  async connect<T>(open: () => Promise<T>, lost: (error: unknown) => boolean): Promise<T> {
    for (let tries = 1; ; tries++) {
      const host = this.current;
      try {
        return await open();
      } catch (error) {
        if (!lost(error) || tries >= this.all.length) throw error;
        this.leave(host);
      }
    }
  }

  /** Asks each host why it accepts no writes, until one takes them. */
  async whyNoneWrites(ask: () => Promise<string | undefined>): Promise<string | undefined> {
    for (let left = this.all.length - 1; ; left--) {
      const why = await ask();
      if (why === undefined || left <= 0) return why;
      this.leave(this.current);
    }
  }
}

/** The result of `open` for the first reachable host. Throws the last error, or the first that is not `lost`. */
export async function firstReachable<T>(
  hosts: readonly Host[],
  open: (host: Host) => Promise<T>,
  lost: (error: unknown) => boolean,
): Promise<T> {
  let failure: unknown;
  for (const host of hosts) {
    try {
      return await open(host);
    } catch (error) {
      failure = error;
      if (!lost(error)) break;
    }
  }
  throw failure;
}
