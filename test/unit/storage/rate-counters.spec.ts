// Counters that processes share: exact however many count at once, over when their time is, and nothing that moves the data version.
import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../../src/model/store.js';
import { openStore } from '../../../src/storage/open-store.js';
import { availableEngines, freshDatabase } from '../../support/fresh-database.js';
import { library } from './library.js';

describe.each(availableEngines())('rate counters on %s', (engine) => {
  async function withStores(work: (one: Store, other: Store) => Promise<void>): Promise<void> {
    const database = await freshDatabase(engine);
    const open = () => openStore(database.url, { pool: 5 }, library);
    const stores = [await open(), await open()] as const;
    try {
      await work(...stores);
    } finally {
      for (const store of stores) await store.close();
      await database.drop();
    }
  }

  it('are counted by all processes together, each call once', async () => {
    await withStores(async (one, other) => {
      const additions = Array.from({ length: 40 }, (_, i) => (i % 2 ? one : other).rateCounters!.add('a', 1, 60));
      const counts = (await Promise.all(additions)).map(({ count }) => count);
      expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
      expect((await other.rateCounters!.add('a', 5, 60)).count).toBe(45);
      const seen = await one.rateCounters!.add('a', 0, 60);
      expect(seen.count).toBe(45);
      expect(seen.reset).toBeGreaterThan(0);
      expect(seen.reset).toBeLessThanOrEqual(60);
    });
  });

  it('can be decremented, never below zero, and deleted', async () => {
    await withStores(async (one, other) => {
      await one.rateCounters!.add('a', 2, 60);
      expect((await other.rateCounters!.add('a', -1, 60)).count).toBe(1);
      expect((await other.rateCounters!.add('a', -3, 60)).count).toBe(1);
      expect((await other.rateCounters!.add('nobody', -3, 60)).count).toBe(0);
      await other.rateCounters!.forget('a');
      expect(await one.rateCounters!.add('a', 0, 60)).toEqual({ count: 0, reset: 60 });
      expect((await one.rateCounters!.add('a', 1, 60)).count).toBe(1);
    });
  });

  it('restart at the end of their window, and are then swept', async () => {
    await withStores(async (one, other) => {
      await one.rateCounters!.add('long', 3, 60);
      await one.rateCounters!.add('short', 3, 1);
      for (let count = 1; count > 0; await sleep(50)) ({ count } = await other.rateCounters!.add('short', 0, 1));
      await one.rateCounters!.sweep();
      expect((await one.rateCounters!.add('short', 2, 60)).count).toBe(2);
      expect((await one.rateCounters!.add('long', 1, 60)).count).toBe(4);
    });
  });

  it('restart when they end later than their window, because the clock was set back', async () => {
    await withStores(async (one, other) => {
      await one.rateCounters!.add('a', 3, 86_400);
      expect(await other.rateCounters!.add('a', 0, 60)).toEqual({ count: 0, reset: 60 });
      expect(await other.rateCounters!.add('a', 2, 60)).toEqual({ count: 2, reset: 60 });
      expect((await one.rateCounters!.add('a', 1, 60)).count).toBe(3);
    });
  });

  it('do not change the data version', async () => {
    await withStores(async (one, other) => {
      const before = await other.reader.version!();
      await one.rateCounters!.add('a', 1, 60);
      await one.rateCounters!.forget('a');
      expect(await other.reader.version!()).toEqual(before);
    });
  });
});
