import { expect, it } from '@jest/globals';
import { updateInPortions } from '../../../../src/model/functions/update-in-portions.js';
import { equals, type Predicate, type Query } from '../../../../src/model/query.js';
import type { Transaction } from '../../../../src/model/store.js';

/** The id after which a query selects rows. */
const after = ({ where }: Query): number => {
  const parts = where.op === 'and' ? where.of : [where];
  return parts.reduce((id, part) => (part.op === 'gt' ? Number(part.value) : id), 0);
};

it.each([0, 1, 499, 500, 501, 1_200])('changes %i rows, each once and few at a time', async (count) => {
  const ids = Array.from({ length: count }, (_, at) => 3 * at + 2);
  const changed: number[][] = [];
  const tx = {
    select: async (query: Query) =>
      ids
        .filter((id) => id > after(query))
        .slice(0, query.limit)
        .map((id) => ({ id })),
    update: async (_table: string, _set: object, where: Predicate) => {
      if (where.op === 'in') changed.push(where.values as number[]);
      else if (where.op === 'eq') changed.push([where.value as number]);
      return 0;
    },
  } as unknown as Transaction;
  await updateInPortions(tx, 'books', { owner: 1 }, equals('owner', 2));
  expect(changed.flat()).toEqual(ids);
  expect(Math.max(0, ...changed.map(({ length }) => length))).toBeLessThanOrEqual(500);
});
