import { beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryCounters } from '../../../src/auth/rate-limit/memory-counters.js';
import { CountedItemPasswords } from '../../../src/auth/rate-limit/item-password-limits.js';
import { refusal } from './world.js';

const FAIL = '429 rest_too_many_requests';
let ms = 0;
let limits: CountedItemPasswords;
const right = (item: string, address: string) => refusal(limits.check(item, address, () => true));
const wrong = (item: string, address: string) => refusal(limits.check(item, address, () => false));
const YES = 'no refusal: true';
const NO = 'no refusal: false';

beforeEach(() => {
  ms = 1_000_000;
  limits = new CountedItemPasswords(new MemoryCounters(() => ms));
});

describe('passwords of items', () => {
  it('may be wrong ten times a minute from one network, after which the right one is refused too', async () => {
    for (let at = 0; at < 10; at++) expect(await wrong('a', `2001:db8::${at}`)).toBe(NO);
    expect([await wrong('a', '2001:db8::a'), await right('a', '2001:db8::b')]).toEqual([FAIL, FAIL]);
    expect([await right('b', '2001:db8::a'), await right('a', '2001:db8:0:1::a')]).toEqual([YES, YES]);
    ms += 60_000;
    expect(await right('a', '2001:db8::a')).toBe(YES);
  });

  it('may be right any number of times', async () => {
    for (let at = 0; at < 500; at++) expect(await right('a', '192.0.2.1')).toBe(YES);
  });

  it('that are guessed from many networks block no reader, but leave each network one wrong guess', async () => {
    for (let at = 0; at < 300; at++) await wrong('a', `198.51.100.${at % 150}`);
    expect([await right('a', '192.0.2.1'), await right('a', '192.0.2.1')]).toEqual([YES, YES]);
    expect([await wrong('a', '192.0.2.2'), await wrong('a', '192.0.2.2'), await right('a', '192.0.2.2')]).toEqual([
      NO,
      FAIL,
      FAIL,
    ]);
  });

  it('that are guessed for many items from one network leave it one wrong guess per item', async () => {
    for (let at = 0; at < 100; at++) await wrong(`item ${at}`, '192.0.2.1');
    expect([await wrong('x', '192.0.2.1'), await wrong('x', '192.0.2.1'), await right('y', '192.0.2.1')]).toEqual([
      NO,
      FAIL,
      YES,
    ]);
  });

  it('that are guessed concurrently, with slow counters, are checked at most ten times', async () => {
    const near = new MemoryCounters(() => ms);
    const add = async (key: string, by: number, seconds: number) => {
      await sleep(5);
      return near.add(key, by, seconds);
    };
    limits = new CountedItemPasswords({ add, forget: (key) => near.forget(key) });
    const guesses = Array.from({ length: 100 }, () => wrong('a', '192.0.2.1'));
    expect(await right('a', '192.0.2.1')).toBe(FAIL);
    expect((await Promise.all(guesses)).filter((result) => result === NO)).toHaveLength(10);
  });
});
