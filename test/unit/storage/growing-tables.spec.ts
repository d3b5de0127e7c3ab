// When the statistics of growing tables are updated.
import { describe, expect, it } from '@jest/globals';
import { GrowingTables } from '../../../src/storage/pool/growing-tables.js';

/** Numbers of writes after which the statistics were looked at. */
function looks(writes: number, many: boolean): number[] {
  const at: number[] = [];
  let written = 0;
  const tables = new GrowingTables(() => {
    at.push(written);
    return Promise.reject(new Error('the database is gone'));
  });
  for (written = 1; written <= writes; written++) tables.noteTransaction(many);
  return at;
}

describe('statistics of growing tables', () => {
  it('are updated at increasing intervals, and errors are ignored', () => {
    expect(looks(11_000, false)).toEqual([500, 2_500, 10_500]);
  });

  it('are updated sooner where each transaction inserts many rows', () => {
    expect(looks(30, true)).toEqual([1, 5, 21]);
  });
});
