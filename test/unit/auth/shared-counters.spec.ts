// Counters of several processes: in the database and in Redis, their fallback in memory, and the batching of requests
// before they are counted.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type Counters, MemoryCounters } from '../../../src/auth/rate-limit/memory-counters.js';
import { RedisCounters } from '../../../src/auth/rate-limit/redis-counters.js';
import { FallbackCounters, GatheringCounters, StoreCounters } from '../../../src/auth/rate-limit/shared-counters.js';
import { LoginThrottle } from '../../../src/auth/rate-limit/login-throttle.js';
import { RequestLimits } from '../../../src/auth/rate-limit/request-limits.js';
import { ANONYMOUS } from '../../../src/model/actor.js';
import { openStore } from '../../../src/storage/open-store.js';
import { availableEngines, freshDatabase } from '../../support/fresh-database.js';
import { Proxy } from '../storage/proxy.js';
import { refusal } from './world.js';

const HERE = '192.0.2.1';
const FAIL = '429 rest_too_many_requests';

/** The throttles of four processes that share what they count. */
async function throttled(throttles: LoginThrottle[]): Promise<void> {
  const attempts = Array.from({ length: 14 }, (_, i) => throttles[i % throttles.length]!);
  const outcomes = await Promise.all(attempts.map((throttle) => refusal(throttle.attempt(HERE, 'ann'))));
  expect(outcomes.filter((outcome) => outcome === FAIL)).toHaveLength(4);
  for (const throttle of throttles) {
    expect(await refusal(throttle.attempt(HERE, 'ann'))).toBe(FAIL);
    expect(await refusal(throttle.check(HERE, 'ann'))).toBe(FAIL);
    expect(await refusal(throttle.check('192.0.2.2', 'ann'))).toContain('no refusal');
  }
  const [first, second] = throttles as [LoginThrottle, LoginThrottle];
  for (let i = 0; i < 9; i++) await first.attempt(HERE, 'bob');
  await (await second.attempt(HERE, 'bob')).succeeded();
  await first.attempt(HERE, 'bob');
}

describe.each(availableEngines())('counters in the database on %s', (engine) => {
  it('throttle logins over all processes', async () => {
    const database = await freshDatabase(engine);
    const stores = await Promise.all([1, 2].map(() => openStore(database.url, { pool: 4 }, new Map())));
    try {
      const counters = [0, 1, 0, 1].map((at) => new StoreCounters(stores[at]!.rateCounters!));
      await throttled(counters.map((each) => new LoginThrottle(each)));
    } finally {
      for (const store of stores) await store.close();
      await database.drop();
    }
  });
});

const redisUrl = process.env['TEST_REDIS_URL'] ?? '';
(redisUrl ? describe : describe.skip)('counters in Redis (TEST_REDIS_URL)', () => {
  const prefix = `typecase-test-${randomBytes(6).toString('hex')}:`;
  let all: RedisCounters[];

  beforeEach(async () => {
    all = [1, 2, 3, 4].map(() => new RedisCounters(redisUrl, prefix));
    await Promise.all(all.map((each) => each.connect()));
  });
  afterEach(async () => {
    for (const each of all) each.close();
    const redis = new Redis(redisUrl);
    const keys = await redis.keys(`${prefix}*`);
    if (keys.length > 0) await redis.del(...keys);
    await redis.quit();
  });

  it('throttle logins over all processes', async () => {
    await throttled(all.map((each) => new LoginThrottle(each)));
  });

  it('count each call once, never fall below zero, and expire', async () => {
    const counts = await Promise.all(Array.from({ length: 40 }, (_, i) => all[i % 4]!.add('a', 1, 60)));
    expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(await all[0]!.add('a', -50, 60)).toMatchObject({ count: 0 });
    expect(await all[0]!.add('b', 0, 60)).toEqual({ count: 0, reset: 60 });
    await all[0]!.add('b', 1, 60);
    const redis = new Redis(redisUrl);
    const left = await redis.pttl(`${prefix}b`);
    await redis.quit();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it('are replaced while the connection is interrupted, and used again afterwards', async () => {
    const { hostname, port } = new URL(redisUrl);
    const target = { host: hostname, port: Number(port || 6379) };
    const wire = await Proxy.before(target);
    const far = new RedisCounters(`redis://127.0.0.1:${wire.port}`, prefix);
    let ms = 0;
    const news: string[] = [];
    const told = { failed: () => news.push('failed'), recovered: () => news.push('recovered') };
    const counters = new FallbackCounters(far, new MemoryCounters(), told, () => ms);
    let again: Proxy | undefined;
    try {
      await far.connect();
      expect((await counters.add('wire', 3, 60)).count).toBe(3);
      await wire.close();
      expect((await counters.add('wire', 1, 60)).count).toBe(1);
      again = await Proxy.before(target, wire.port);
      // It connects again when it likes: until then others count.
      let count = 0;
      for (ms += 3_000; count < 4; ms += 3_000) {
        await sleep(20);
        ({ count } = await counters.add('wire', 1, 60));
        if (!news.includes('recovered')) count = 0;
      }
      expect(count).toBe(4);
      expect(news).toEqual(['failed', 'recovered']);
    } finally {
      far.close();
      await again?.close();
    }
  });
});

describe('an unavailable Redis', () => {
  let silent: Server | undefined;
  const sockets: Socket[] = [];
  afterEach(() => {
    sockets.splice(0).forEach((socket) => socket.destroy());
    silent?.close();
  });

  async function countsElsewhere(url: string): Promise<void> {
    const faults: string[] = [];
    const redis = new RedisCounters(url, 'typecase-test:');
    await redis.connect();
    const counters = new FallbackCounters(redis, new MemoryCounters(), {
      failed: (error) => faults.push(String(error)),
      recovered: () => faults.push('recovered'),
    });
    try {
      await throttled([1, 2].map(() => new LoginThrottle(counters)));
      expect(faults).toHaveLength(1);
    } finally {
      redis.close();
    }
  }

  it('is replaced by the fallback when nothing listens on the port', async () => {
    await countsElsewhere('redis://127.0.0.1:1');
  });

  it('is replaced by the fallback when it accepts connections and does not respond', async () => {
    silent = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent!.listen(0, '127.0.0.1', resolve));
    await countsElsewhere(`redis://127.0.0.1:${(silent.address() as { port: number }).port}`);
  });
});

describe('the fallback of counters', () => {
  it('is abandoned when the first counters work again, and each change is reported once', async () => {
    let ms = 0;
    let broken = false;
    const news: string[] = [];
    const memory = new MemoryCounters(() => ms);
    const first: Counters = {
      add: (key, by, seconds) => (broken ? Promise.reject(new Error('away')) : memory.add(key, by, seconds)),
      forget: (key) => (broken ? Promise.reject(new Error('away')) : memory.forget(key)),
    };
    const told = { failed: (error: unknown) => news.push(String(error)), recovered: () => news.push('recovered') };
    const counters = new FallbackCounters(first, new MemoryCounters(() => ms), told, () => ms);
    expect((await counters.add('a', 5, 60)).count).toBe(5);
    broken = true;
    expect((await counters.add('a', 1, 60)).count).toBe(1);
    expect((await counters.add('a', 1, 60)).count).toBe(2);
    await counters.forget('a');
    ms += 3_000;
    expect((await counters.add('a', 1, 60)).count).toBe(1);
    broken = false;
    expect((await counters.add('a', 1, 60)).count).toBe(2);
    ms += 3_000;
    expect((await counters.add('a', 1, 60)).count).toBe(6);
    expect(news).toEqual(['Error: away', 'recovered']);
  });
});

describe('request limits over several processes', () => {
  it.each([20, 100, 6000])('of %d admit at most a tenth more per process, with few statements', async (most) => {
    let statements = 0;
    const memory = new MemoryCounters();
    const shared: Counters = {
      add: async (key, by, seconds) => {
        statements++;
        await new Promise((resolve) => setImmediate(resolve));
        return memory.add(key, by, seconds);
      },
      forget: (key) => memory.forget(key),
    };
    const rule = { mode: 'custom', requests: most, seconds: 60 } as const;
    const processes = [1, 2, 3, 4].map(() => new RequestLimits(new GatheringCounters(shared), rule));
    let admitted = 0;
    for (let i = 0; i < most * 2; i++) {
      const outcome = await refusal(processes[i % 4]!.admit({ ...ANONYMOUS, address: HERE }, false));
      if (outcome !== FAIL) admitted++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(admitted).toBeGreaterThanOrEqual(most);
    expect(admitted).toBeLessThanOrEqual(most * 1.4);
    expect(statements).toBeLessThanOrEqual(16);
  });
});
