// Field types of extensions support everything that the built-in types support that they are based on.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestSite, type TestSite } from '../../../support/start-test-site.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const RECORDS = [
  { barcode: '1111-2222', price: 900, pressed: '1970-05-01' },
  { barcode: '33334444', price: 1200, pressed: '1980-05-01' },
  { barcode: '5555 6666', price: 700 },
];
const [FIRST, SECOND, THIRD] = ['11112222', '33334444', '55556666'];

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite(here('schemas'), { EXTENSIONS_DIR: here('extensions'), PAGES: 'off' });
  for (const body of RECORDS) await site.send('POST', '/records', { body, status: 201 });
});
afterAll(() => site.close());

const found = async (query: string): Promise<string[]> => {
  const { body } = await site.send('GET', `/records?order=asc&${query}`, { status: 200 });
  return body.map(({ barcode }: { barcode: string }) => barcode);
};

describe('a field of a type that an extension bases on a built-in one', () => {
  test.each([
    ['a filter, in any spelling', 'barcode=11-11-22-22,55556666', [FIRST, THIRD]],
    ['a filter for parts of texts', 'barcode_contains=333', [SECOND]],
    ['filters for numbers', 'price_gte=800&price_lte=1000', [FIRST]],
    ['a filter for days', 'pressed_after=1975-01-01', [SECOND]],
    ['an operator, in any spelling', 'barcode[eq]=3333-4444', [SECOND]],
    ['operators for texts', 'barcode[startswith]=555', [THIRD]],
    ['operators for numbers', 'price[lt]=1000', [FIRST, THIRD]],
    ['operators for days', 'pressed[null]=true', [THIRD]],
    ['an order by text', 'orderby=barcode', [FIRST, SECOND, THIRD]],
    ['an order by number', 'orderby=price', [THIRD, FIRST, SECOND]],
    ['the search', 'search=4444', [SECOND]],
  ])('is found by %s', async (_by, query, barcodes) => {
    expect(await found(query)).toEqual(barcodes);
  });

  test.each([FIRST, '1111-2222'])('names an item: %s', async (key) => {
    const { body } = await site.send('GET', `/records/${key}`, { status: 200 });
    expect(body).toMatchObject({ barcode: FIRST, price: 900 });
    expect(body._links.self[0].href).toMatch(new RegExp(`/records/${FIRST}$`));
  });

  test.each(['x', '1111-222', '%00'])('names no item with an invalid value: %s', async (key) => {
    expect((await site.send('GET', `/records/${key}`)).status).toBe(404);
  });

  test('can be summed up', async () => {
    const { body } = await site.send('GET', '/records?aggregate=sum.price,max.price', { status: 200 });
    expect(body).toEqual([expect.objectContaining({ sum: { price: 2800 }, max: { price: 1200 } })]);
  });

  test('can be used in expressions', async () => {
    expect((await site.send('GET', `/records/${THIRD}`)).body.dozen).toBe(8400);
  });

  test.each([
    ['its own check', { barcode: '123' }, 'barcode must have 8 digits.'],
    ['the keywords of its type', { barcode: '77778888', price: -1 }, 'price must be at least 0.'],
    ['the rules between fields', { barcode: '77778888', price: 100_000 }, 'Too expensive.'],
    ['the form of the built-in type', { barcode: '77778888', pressed: 'May' }, expect.stringContaining('pressed must')],
  ])('satisfies %s', async (_what, body, message) => {
    const refused = await site.send('POST', '/records', { body, status: 400 });
    expect(Object.values(refused.body.data.params)).toEqual([message]);
  });

  test('can be unique, in any spelling', async () => {
    for (const body of [{ barcode: '1111 2222' }, { barcode: '77778888', code: '1234-5678' }])
      await site.send('POST', '/records', { body: { price: 1, ...body } });
    const again = await site.send('POST', '/records', { body: { barcode: '88889999', code: '12345678' } });
    expect(again).toMatchObject({
      status: 400,
      body: { data: { params: { code: expect.stringContaining('already exists') } } },
    });
    expect((await site.send('GET', '/records')).headers['x-wp-total']).toBe('4');
  });

  test('is documented with its own type', async () => {
    const { body } = await site.send('OPTIONS', '/records');
    expect(body.schema.properties.price).toMatchObject({ type: 'integer', minimum: 0 });
  });
});
