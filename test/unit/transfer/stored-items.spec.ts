// The batches in which a dump reads items: how long their texts are is known only after the first ones.
import { expect, it } from '@jest/globals';
import { BATCH_CHARACTERS, itemsOf } from '../../../src/transfer/dump/stored-items.js';
import type { Predicate } from '../../../src/model/query.js';

const COUNT = 1_000;

/** The sizes of the batches of a thousand items whose lines have this length. */
async function sizes(length: number): Promise<number[]> {
  const idsOf = (where: Predicate) => {
    if (where.op === 'in') return where.values;
    return where.op === 'eq' ? [where.value] : Array.from({ length: COUNT }, (_, at) => at + 1);
  };
  const reader = { select: async ({ where }: { where: Predicate }) => idsOf(where).map((id) => ({ id })) };
  const shape = { table: { name: 'things' }, where: { op: 'true' }, columns: ['id'], many: [] };
  const found: number[] = [];
  for await (const batch of itemsOf(shape as never, reader as never, () => found.at(-1)! * length))
    found.push(batch.length);
  expect(found.reduce((sum, size) => sum + size, 0)).toBe(COUNT);
  return found;
}

it('are small at first, and stay so where texts are long', async () => {
  const all = await sizes(3 * 1024 * 1024);
  expect(all[0]).toBeLessThanOrEqual(8);
  expect(Math.max(...all.slice(1)) * 3 * 1024 * 1024).toBeLessThanOrEqual(BATCH_CHARACTERS);
});

it('grow where texts are short', async () => {
  const all = await sizes(1_000);
  expect(Math.max(...all)).toBe(250);
  expect(all.length).toBeLessThan(12);
});
