// Counters that processes share: exact however many count at once, over when their time is, and nothing that moves the data version.
import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../../src/model/store.js';
import { openStore } from '../../../src/storage/open-store.js';
import { enginesThere, freshDatabase } from '../../support/fresh-database.js';
import { library } from './library.js';

describe.each(enginesThere())('tallies on %s', (engine) => {
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

  it('are counted by all processes together, each number once', async () => {
    await withStores(async (one, other) => {
      const additions = Array.from({ length: 40 }, (_, i) => (i % 2 ? one : other).tallies!.add('a', 1, 60));
      const counts = (await Promise.all(additions)).map(({ count }) => count);
      expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
      expect((await other.tallies!.add('a', 5, 60)).count).toBe(45);
      const seen = await one.tallies!.add('a', 0, 60);
      expect(seen.count).toBe(45);
      expect(seen.reset).toBeGreaterThan(0);
      expect(seen.reset).toBeLessThanOrEqual(60);
    });
  });

  it('are taken back, never below nothing, and forgotten', async () => {
    await withStores(async (one, other) => {
      await one.tallies!.add('a', 2, 60);
      expect((await other.tallies!.add('a', -1, 60)).count).toBe(1);
      expect((await other.tallies!.add('a', -3, 60)).count).toBe(1);
      expect((await other.tallies!.add('nobody', -3, 60)).count).toBe(0);
      await other.tallies!.forget('a');
      expect(await one.tallies!.add('a', 0, 60)).toEqual({ count: 0, reset: 60 });
      expect((await one.tallies!.add('a', 1, 60)).count).toBe(1);
    });
  });

  it('begin anew when they are over, and are swept then', async () => {
    await withStores(async (one, other) => {
      await one.tallies!.add('long', 3, 60);
      await one.tallies!.add('short', 3, 1);
      for (let count = 1; count > 0; await sleep(50)) ({ count } = await other.tallies!.add('short', 0, 1));
      await one.tallies!.sweep();
      expect((await one.tallies!.add('short', 2, 60)).count).toBe(2);
      expect((await one.tallies!.add('long', 1, 60)).count).toBe(4);
    });
  });

  it('move no data version', async () => {
    await withStores(async (one, other) => {
      const before = await other.reader.version!();
      await one.tallies!.add('a', 1, 60);
      await one.tallies!.forget('a');
      expect(await other.reader.version!()).toEqual(before);
    });
  });
});
