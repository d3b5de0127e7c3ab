// Orders of lists by the number of items of another resource that refer to an item.
import { beforeAll, expect, test } from '@jest/globals';
import { administrator } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const permissions = { rules: { read: true, create: true, edit: true, delete: true } };
const SCHEMAS = [
  {
    name: 'book',
    path: 'books',
    fields: { title: { type: 'string' } },
    params: {
      filter: {
        type: 'object',
        filter: 'function',
        function: 'query-arguments',
        options: {
          arguments: {
            order: {
              by: {
                keys: {
                  praised: { count: 'review', by: 'book', rules: ['praise'] },
                  reviewed: { count: 'review', by: 'book' },
                  compared: { count: 'review', by: 'other' },
                },
              },
            },
          },
        },
      },
    },
    permissions,
  },
  {
    name: 'review',
    path: 'reviews',
    fields: {
      book: { type: 'reference', to: 'book' },
      other: { type: 'reference', to: 'book' },
      stars: { type: 'integer', default: 0 },
    },
    permissions: { rules: { ...permissions.rules, praise: { is: { stars: 5 } } } },
  },
];

let site: TestSite;

beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
  const as = administrator(site).headers;
  for (const title of ['a', 'b', 'c']) await site.send('POST', '/books', { as, body: { title }, status: 201 });
  // Of the two books with one praise each, the first has another review; the third is compared with most.
  for (const body of [
    { book: 1, stars: 5, other: 3 },
    { book: 2, stars: 5, other: 3 },
    { book: 1, stars: 1 },
  ])
    await site.send('POST', '/reviews', { as, body, status: 201 });
});

test.each([
  ['one number', '[praised]=asc', ['c', 'a', 'b']],
  ['two numbers of items with different rules', '[praised]=desc&filter[by][reviewed]=desc', ['a', 'b', 'c']],
  ['two numbers by different references', '[compared]=desc&filter[by][reviewed]=desc', ['c', 'a', 'b']],
])('%s', async (_, order, wanted) => {
  const { body } = await site.send('GET', `/books?filter[by]${order}`, { status: 200 });
  expect(body.map(({ title }: { title: string }) => title)).toEqual(wanted);
});
