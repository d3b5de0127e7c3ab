import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MemoryCounters } from '../../../src/auth/rate-limit/memory-counters.js';
import { LoginThrottle, subjectOf } from '../../../src/auth/rate-limit/login-throttle.js';
import { RequestLimits, type RateLimit } from '../../../src/auth/rate-limit/request-limits.js';
import { ResourceError } from '../../../src/errors/resource-error.js';
import { ANONYMOUS, type Actor } from '../../../src/model/actor.js';
import { refusal } from './world.js';

let ms = 0;
let throttle: LoginThrottle;
const HERE = '192.0.2.1';
const FAIL = '429 rest_too_many_requests';
const failTimes = async (times: number, address = HERE, name = 'ann') => {
  for (let i = 0; i < times; i++) await throttle.attempt(address, name);
};

beforeEach(() => {
  ms = 1_000_000;
  throttle = new LoginThrottle(new MemoryCounters(() => ms));
});

describe('the throttle of logins', () => {
  it('accepts ten failures per minute for a name from one address', async () => {
    await failTimes(10);
    expect(await refusal(throttle.attempt(HERE, 'ann'))).toBe(FAIL);
    expect(await refusal(throttle.check(HERE, 'ann'))).toBe(FAIL);
    expect(await refusal(throttle.check('192.0.2.2', 'ann'))).toContain('no refusal');
    await throttle.attempt('192.0.2.2', 'ann');
    await throttle.attempt(HERE, 'bob');
    ms += 60_000;
    await throttle.attempt(HERE, 'ann');
  });

  it('reports when to retry', async () => {
    await failTimes(10);
    ms += 19_500;
    const error = (await throttle.attempt(HERE, 'ann').catch((each: unknown) => each)) as ResourceError;
    expect(error.headers).toEqual({
      'Retry-After': '41',
      'RateLimit-Limit': '10',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '41',
    });
  });

  it('accepts a hundred failures per address, over all names', async () => {
    for (let i = 0; i < 100; i++) await throttle.attempt('2001:db8::1', `name ${i}`);
    expect(await refusal(throttle.attempt('2001:db8::2', 'another'))).toBe(FAIL);
    expect(await refusal(throttle.attempt('2001:db8:1::2', 'another'))).toContain('no refusal');
  });

  it('does not count attempts that were refused without a check for the address', async () => {
    await failTimes(10);
    for (let i = 0; i < 500; i++) await throttle.attempt(HERE, 'ann').catch(() => undefined);
    expect(await refusal(throttle.attempt(HERE, 'bob'))).toContain('no refusal');
  });

  it('resets the failures of a name after a success', async () => {
    await failTimes(9);
    await (await throttle.attempt(HERE, 'ann')).succeeded();
    await failTimes(10);
    expect(await refusal(throttle.attempt(HERE, 'ann'))).toBe(FAIL);
  });

  it.each(['ann', 'ANN', '  ann ', 'ａｎｎ', 'Ann\u00a0'])('normalizes unknown names: %j', (name) => {
    expect(subjectOf(name, undefined)).toBe(subjectOf('ann', undefined));
    expect(subjectOf('anna', undefined)).not.toBe(subjectOf('ann', undefined));
  });

  it('does not store the names that an address over its limit sends', async () => {
    const counters = new MemoryCounters(() => ms);
    throttle = new LoginThrottle(counters);
    for (let i = 0; i < 1000; i++) await throttle.attempt(HERE, `name ${i}`).catch(() => undefined);
    // A hundred names, the address, and all further names together.
    expect(counters.size).toBe(102);
  });

  it('uses a monotonic clock', async () => {
    throttle = new LoginThrottle(new MemoryCounters());
    await failTimes(10);
    const set = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 86_400_000);
    const error = (await throttle.attempt(HERE, 'ann').catch((each: unknown) => each)) as ResourceError;
    set.mockRestore();
    expect(Number(error.headers?.['Retry-After'])).toBeLessThanOrEqual(60);
  });

  it('does not count withdrawn attempts', async () => {
    for (let i = 0; i < 200; i++) await (await throttle.attempt(HERE, 'ann')).withdraw();
    expect(await refusal(throttle.attempt(HERE, 'ann'))).toContain('no refusal');
  });
});

describe('limits on requests', () => {
  const ann: Actor = { ...ANONYMOUS, id: 7, address: HERE };
  const limits = (rule: RateLimit) => new RequestLimits(new MemoryCounters(() => ms), rule);

  it.each(['off', 'none'] as const)('do not exist with %s', async (mode) => {
    expect(await limits({ mode }).admit(ann, true)).toBeUndefined();
  });

  it('default to 6,000 writes a minute', async () => {
    const on = limits({ mode: 'on' });
    expect(await on.admit(ann, false)).toBeUndefined();
    for (let i = 0; i < 5_999; i++) await on.admit(ann, true);
    expect(await on.admit({ ...ann, address: '192.0.2.9' }, true)).toMatchObject({ 'RateLimit-Remaining': '0' });
    expect(await refusal(on.admit(ann, true))).toBe(FAIL);
    expect(await on.admit({ ...ANONYMOUS, address: HERE }, true)).toMatchObject({ 'RateLimit-Remaining': '5999' });
    ms += 60_000;
    expect(await on.admit(ann, true)).toMatchObject({ 'RateLimit-Limit': '6000' });
  });

  it('can apply to all requests', async () => {
    const custom = limits({ mode: 'custom', requests: 2, seconds: 10 });
    expect(await custom.admit(ann, false)).toEqual({
      'RateLimit-Limit': '2',
      'RateLimit-Remaining': '1',
      'RateLimit-Reset': '10',
    });
    await custom.admit(ann, true);
    expect(await refusal(custom.admit(ann, false))).toBe(FAIL);
    expect(await refusal(custom.admit(ANONYMOUS, false))).toContain('no refusal');
  });
});
