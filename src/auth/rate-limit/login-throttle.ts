// Throttles password guessing: failures per account and network, and per network. An account is never locked for other
// networks.
import { createHash } from 'node:crypto';
import { accountKey } from '../../model/functions/account-key.js';
import type { RateCounter } from '../../model/store.js';
import { networkOf } from './client-address.js';
import type { Counters } from './memory-counters.js';
import { tooMany } from './rate-limit-error.js';

const WINDOW = 60;
const PER_ACCOUNT = 10;
const PER_IP_ADDRESS = 100;

/** One password check, counted as a failure until its result is known. */
export interface Attempt {
  succeeded(): Promise<void>;
  /** The password was not checked after all: uncount it. */
  withdraw(): Promise<void>;
}

/** The key of the account whose password is tried: every spelling of its names gives the same key. */
export function subjectOf(name: string, account: number | undefined): string {
  // Unverified names may be long: hash them.
  return account === undefined ? createHash('sha256').update(accountKey(name)).digest('base64url') : `#${account}`;
}

function isAccount(subject: string): boolean {
  return subject.startsWith('#');
}

/** Counts failed logins. A subject is a key made by `subjectOf`. */
export class LoginThrottle {
  constructor(private readonly counters: Counters) {}

  /** Counts an attempt before it is made, so that concurrent ones are counted too. Throws 429. */
  async attempt(address: string, subject: string): Promise<Attempt> {
    const [pair, place] = keysOf(address, subject);
    // Checked first, so that an IP address over its limit cannot fill the counters with invented names.
    const before = await this.counters.add(place, 0, WINDOW);
    if (before.count >= PER_IP_ADDRESS) {
      // Guesses at an account count all the same, for `check`: a right one that is cached is not rejected here. Invented
      // names share a counter, so that both take as long.
      await this.counters.add(isAccount(subject) ? pair : `${place} others`, 1, WINDOW);
      throw throttleError(PER_IP_ADDRESS, before);
    }
    const ofPair = await this.counters.add(pair, 1, WINDOW);
    // Attempts that are rejected here do not use up the limit of the IP address, which other users may share.
    if (ofPair.count > PER_ACCOUNT) throw throttleError(PER_ACCOUNT, ofPair);
    const ofPlace = await this.counters.add(place, 1, WINDOW);
    const back = async (...keys: string[]) => {
      for (const key of keys) await this.counters.add(key, -1, WINDOW);
    };
    if (ofPlace.count > PER_IP_ADDRESS) {
      await back(pair);
      throw throttleError(PER_IP_ADDRESS, ofPlace);
    }
    return {
      succeeded: async () => {
        await this.counters.forget(pair);
        await back(place);
      },
      withdraw: () => back(pair, place),
    };
  }

  /** Counts a failure that needed no password check. */
  async recordFailure(address: string, subject: string): Promise<void> {
    for (const key of keysOf(address, subject)) await this.counters.add(key, 1, WINDOW);
  }

  /**
   * Rejects a subject that failed too often from here, without counting: a right password must not be distinguishable.
   */
  async check(address: string, subject: string): Promise<void> {
    const counter = await this.counters.add(keysOf(address, subject)[0], 0, WINDOW);
    if (counter.count >= PER_ACCOUNT) throw throttleError(PER_ACCOUNT, counter);
  }
}

function keysOf(address: string, subject: string): [pair: string, place: string] {
  const network = networkOf(address);
  return [`login ${network} ${subject}`, `login ${network}`];
}

function throttleError(limit: number, counter: RateCounter): Error {
  const message = `Too many failed logins. Wait ${counter.reset} seconds before the next one.`;
  return tooMany(limit, counter, message);
}
