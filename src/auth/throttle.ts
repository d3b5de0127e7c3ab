// Slows down guessing of passwords: failures per account and address, and per address (reliability T18). An account is never
// locked for other addresses. Asked by the credential verifier around each check of an account's password.
import { createHash } from 'node:crypto';
import type { Tally } from '../model/store.js';
import { networkOf } from './client-address.js';
import type { Counters } from './counters.js';
import { tooMany } from './too-many.js';

const WINDOW = 60;
const PER_ACCOUNT = 10;
const PER_ADDRESS = 100;

/** One check of a password, counted as a failure until its end is known. */
export interface Attempt {
  succeeded(): Promise<void>;
  /** The password was not looked at after all. */
  withdraw(): Promise<void>;
}

/** Counts failed logins. */
export class LoginThrottle {
  constructor(private readonly counters: Counters) {}

  /** Counts an attempt before it is made, so that many at once are counted too. Throws 429. */
  async attempt(address: string, name: string): Promise<Attempt> {
    const [pair, place] = keysOf(address, name);
    const ofPair = await this.counters.add(pair, 1, WINDOW);
    // Attempts that nobody looks at do not use up the address for others behind it.
    if (ofPair.count > PER_ACCOUNT) throw refused(PER_ACCOUNT, ofPair);
    const ofPlace = await this.counters.add(place, 1, WINDOW);
    if (ofPlace.count > PER_ADDRESS) {
      await this.counters.add(pair, -1, WINDOW);
      throw refused(PER_ADDRESS, ofPlace);
    }
    return {
      succeeded: async () => {
        await this.counters.forget(pair);
        await this.counters.add(place, -1, WINDOW);
      },
      withdraw: async () => {
        await this.counters.add(pair, -1, WINDOW);
        await this.counters.add(place, -1, WINDOW);
      },
    };
  }

  /** Counts a failure that needed no check of its own. */
  async failed(address: string, name: string): Promise<void> {
    for (const key of keysOf(address, name)) await this.counters.add(key, 1, WINDOW);
  }

  /** Refuses a name that failed too often from here, without counting. A right password must not stand out then. */
  async check(address: string, name: string): Promise<void> {
    const tally = await this.counters.add(keysOf(address, name)[0], 0, WINDOW);
    if (tally.count >= PER_ACCOUNT) throw refused(PER_ACCOUNT, tally);
  }
}

// Names come from strangers and may be long.
function keysOf(address: string, name: string): [pair: string, place: string] {
  const network = networkOf(address);
  const account = createHash('sha256').update(name.toLowerCase()).digest('base64url');
  return [`login ${network} ${account}`, `login ${network}`];
}

function refused(limit: number, tally: Tally): Error {
  const message = `Too many failed logins. Wait ${tally.reset} seconds before the next one.`;
  return tooMany(limit, tally, message);
}
