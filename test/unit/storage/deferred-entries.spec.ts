// When the index entries that transactions with many rows deferred are merged.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DeferredEntries } from '../../../src/storage/pool/deferred-entries.js';

describe('deferred index entries', () => {
  it('are merged one merge at a time, and once more for those that came meanwhile', async () => {
    const ends: (() => void)[] = [];
    const entries = new DeferredEntries(() => new Promise((resolve) => void ends.push(resolve)));
    for (let n = 0; n < 3; n += 1) entries.added();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await turn();
    expect(ends).toHaveLength(2);
    ends[1]!();
    await turn();
    expect(ends).toHaveLength(2);
    entries.added();
    expect(ends).toHaveLength(3);
  });

  it('are merged by a later merge when one fails', async () => {
    let merges = 0;
    const entries = new DeferredEntries(() => {
      merges += 1;
      return Promise.reject(new Error('the database is gone'));
    });
    for (let n = 0; n < 2; n += 1) {
      entries.added();
      await turn();
    }
    expect(merges).toBe(2);
  });
});
