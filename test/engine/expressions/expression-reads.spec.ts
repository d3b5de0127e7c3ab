// What calculated values cost: statements that do not depend on the number of items.
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { SqlReader } from '../../../src/storage/reads/reader.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const FEW = 2;
const MANY = 20;

const calculated = (value: unknown) => ({ function: 'expression', options: { value } });
const permissions = { rules: { read: true, create: true, edit: true } };
const SHELF = {
  name: 'shelf',
  path: 'shelves',
  fields: {
    name: { type: 'string' },
    books: calculated({ count: 'volume.shelf' }),
    weight: calculated({ sum: 'weight', over: 'volume.shelf' }),
    mean: calculated({ divide: [{ sum: 'weight', over: 'volume.shelf' }, { count: 'volume.shelf' }] }),
    oldest: calculated({ min: 'printed', over: 'volume.shelf' }),
    newest: calculated({ max: 'printed', over: 'volume.shelf' }),
  },
  list: { orderby: ['id'], defaultOrder: 'asc' },
  permissions,
};
const VOLUME = {
  name: 'volume',
  path: 'volumes',
  fields: {
    shelf: { type: 'reference', to: 'shelf' },
    weight: { type: 'integer' },
    printed: { type: 'date' },
  },
  permissions,
};

let site: TestSite;
const ids: number[] = [];

beforeAll(async () => {
  site = await startTestSchemas([SHELF, VOLUME]);
  const make = async (path: string, body: object) => {
    const response = await site.send('POST', path, { body, status: 201 });
    return response.body.id as number;
  };
  for (let at = 0; at < FEW + MANY; at++) {
    const shelf = await make('/shelves', { name: `shelf ${at}` });
    ids.push(shelf);
    for (const weight of [at, at + 2])
      await make('/volumes', { shelf, weight, printed: `20${10 + at}-01-0${1 + (weight % 2)}` });
  }
});
afterAll(() => site?.close());

/** How often a page of these items reads: groups of rows that refer to them, and anything. */
async function readsOf(items: readonly number[]) {
  const grouped = (['countBy', 'aggregateBy'] as const).map((name) => jest.spyOn(SqlReader.prototype, name));
  const others = (['select', 'first', 'judge', 'count'] as const).map((name) => jest.spyOn(SqlReader.prototype, name));
  const callsOf = (spies: { mock: { calls: unknown[] } }[]) => spies.map(({ mock }) => mock.calls.length);
  const { body } = await site.send('GET', `/shelves?include=${items.join(',')}&per_page=100`, { status: 200 });
  const counted = { grouped: callsOf(grouped), all: callsOf([...grouped, ...others]).reduce((sum, n) => sum + n, 0) };
  jest.restoreAllMocks();
  return { body: body as Record<string, unknown>[], ...counted };
}

test('sums over referring items are read with one statement per sum for a page of any size', async () => {
  // Other items each time: nothing is remembered.
  const few = await readsOf(ids.slice(0, FEW));
  const many = await readsOf(ids.slice(FEW));
  expect([few.body.length, many.body.length]).toEqual([FEW, MANY]);
  expect(many.body[0]).toMatchObject({ books: 2, weight: 6, mean: '3.00', oldest: '2012-01-01', newest: '2012-01-01' });
  // One count; a sum, a minimum and a maximum: the mean shares two of them.
  expect(few.grouped).toEqual([1, 3]);
  expect(many.grouped).toEqual([1, 3]);
  expect(many.all).toBeLessThan(MANY);
});
