// Throttles guessing of item passwords: per item and network, and with wider limits per network and per item.
// Exceeding a wide limit only lowers the limit per pair, so that no client can lock others out of an item.
import type { ItemPasswordLimits } from '../../model/site/site.js';
import type { RateCounter } from '../../model/store.js';
import { networkOf } from './client-address.js';
import type { Counters } from './memory-counters.js';
import { tooMany } from './rate-limit-error.js';

const WINDOW = 60;
/** Wrong passwords allowed for one network and one item. */
const PER_PAIR = 10;
/** The same while the network or the item exceeds its wide limit. */
const PER_PAIR_WHEN_CROWDED = 1;
const PER_NETWORK = 100;
const PER_ITEM = 300;

/** Counts wrong passwords of items. */
export class CountedItemPasswords implements ItemPasswordLimits {
  constructor(private readonly counters: Counters) {}

  async check(item: string, address: string, compare: () => boolean): Promise<boolean> {
    const [pair, place, thing] = keysOf(item, address);
    const [ofPair, ofPlace, ofItem] = await Promise.all(
      [pair, place, thing].map((key) => this.counters.add(key, 0, WINDOW)),
    );
    const crowded = ofPlace!.count >= PER_NETWORK || ofItem!.count >= PER_ITEM;
    const most = crowded ? PER_PAIR_WHEN_CROWDED : PER_PAIR;
    // Checked before the comparison: over the limit a right password must look like a wrong one.
    if (ofPair!.count >= most) throw throttleError(most, ofPair!);
    const isRight = compare();
    // Concurrent requests may have been compared meanwhile: a right password among many guesses at once must look like
    // the others, too.
    const now = await this.counters.add(pair, isRight ? 0 : 1, WINDOW);
    if (isRight ? now.count >= most : now.count > most) throw throttleError(most, now);
    if (isRight) return true;
    await this.counters.add(place, 1, WINDOW);
    await this.counters.add(thing, 1, WINDOW);
    return false;
  }
}

function keysOf(item: string, address: string): [pair: string, place: string, thing: string] {
  const network = networkOf(address);
  return [`password ${item} ${network}`, `password ${network}`, `password ${item}`];
}

function throttleError(limit: number, counter: RateCounter): Error {
  const message = `Too many wrong passwords for this item. Wait ${counter.reset} seconds before the next one.`;
  return tooMany(limit, counter, message);
}
