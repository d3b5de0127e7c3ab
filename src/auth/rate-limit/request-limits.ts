// Rate limits per caller: writes, and with RATE_LIMIT=<requests>/<seconds> all requests. Checked once per request,
// after authentication.
import type { Actor } from '../../model/actor.js';
import { networkOf } from './client-address.js';
import type { Counters } from './memory-counters.js';
import { limitHeaders, tooMany } from './rate-limit-error.js';

/** The setting RATE_LIMIT. */
export type RateLimit =
  | { readonly mode: 'on' | 'off' | 'none' }
  | { readonly mode: 'custom'; readonly requests: number; readonly seconds: number };

interface Limit {
  name: string;
  most: number;
  seconds: number;
  writesOnly: boolean;
}

const WRITES: Limit = { name: 'write', most: 6000, seconds: 60, writesOnly: true };

/** Counts the requests of each caller: an account, or the IP address of an anonymous one. */
export class RequestLimits {
  private readonly limits: readonly Limit[];

  constructor(
    private readonly counters: Counters,
    rule: RateLimit,
  ) {
    const all = rule.mode === 'custom' && {
      name: 'any',
      most: rule.requests,
      seconds: rule.seconds,
      writesOnly: false,
    };
    this.limits = [...(all ? [all] : []), ...(all || rule.mode === 'on' ? [WRITES] : [])];
  }

  /** Whether requests of this kind are counted at all. */
  counts(isWrite: boolean): boolean {
    return this.limits.some((limit) => isWrite || !limit.writesOnly);
  }

  /** Counts a request; returns the `RateLimit-*` headers of its response, if a limit applies. Throws 429 with them. */
  async admit(actor: Actor, isWrite: boolean): Promise<Record<string, string> | undefined> {
    let headers: Record<string, string> | undefined;
    for (const limit of this.limits) {
      if (limit.writesOnly && !isWrite) continue;
      const caller = actor.id > 0 ? actor.id : networkOf(actor.address);
      const counter = await this.counters.add(`${limit.name} ${caller}`, 1, limit.seconds, limit.most);
      if (counter.count > limit.most) throw tooMany(limit.most, counter);
      headers ??= limitHeaders(limit.most, counter);
    }
    return headers;
  }
}
