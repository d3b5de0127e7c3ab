// Rate limits for creating, renewing and revoking credentials: per network, and per account for each kind of request.
// Each of these requests writes, and a login with a cached password is cheap for an attacker.
import { networkOf } from './client-address.js';
import type { Counters } from './memory-counters.js';
import { limitHeaders, tooMany } from './rate-limit-error.js';

/** What is done with the credentials of an account. */
export type CredentialAction = 'token' | 'revoke' | 'application';

const WINDOW = 60;
const PER_ACCOUNT = 60;
const PER_IP_ADDRESS = 300;

/** `RateLimit-*` headers. */
type Headers = Record<string, string>;

/** Counts requests about credentials; without counters nothing is limited. */
export class CredentialLimits {
  constructor(private readonly counters?: Counters) {}

  /** Counts a request of an IP address. Throws 429. */
  fromIpAddress(address: string): Promise<Headers> {
    return this.admit(`credentials ${networkOf(address)}`, PER_IP_ADDRESS);
  }

  /** Counts a request about an account. Throws 429. */
  ofAccount(action: CredentialAction, account: number): Promise<Headers> {
    return this.admit(`credentials ${action} #${account}`, PER_ACCOUNT);
  }

  private async admit(key: string, most: number): Promise<Headers> {
    if (!this.counters) return {};
    const counter = await this.counters.add(key, 1, WINDOW, most);
    if (counter.count > most) throw tooMany(most, counter);
    return limitHeaders(most, counter);
  }
}
