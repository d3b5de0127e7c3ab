// What a refused query says: why, and what is allowed.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const permissions = 'public-read';
const SCHEMAS = [
  { name: 'house', path: 'houses', fields: { city: { type: 'string' } }, permissions },
  {
    name: 'hall',
    path: 'halls',
    parent: { resource: 'house', field: 'house' },
    fields: { house: { type: 'reference', to: 'house', readOnly: true }, name: { type: 'string' } },
    permissions,
  },
  {
    name: 'show',
    path: 'shows',
    fields: {
      title: { type: 'string' },
      hall: { type: 'reference', to: 'hall' },
      house: { type: 'reference', to: 'house' },
    },
    search: { fields: ['title'] },
    list: { orderby: ['title', 'id', 'relevance'] },
    params: { city: { filter: 'equals', field: 'hall.house.city' } },
    permissions,
  },
];

let site: TestSite;
beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
});
afterAll(() => site.close());

it.each([
  ['orderby=-hall', 'orderby: "hall" is no sort key of this list. Allowed: title, id.'],
  ['orderby=-relevance', '"relevance" has no direction, and cannot be combined with others. Allowed: title, id.'],
  ['expand=hall', '"hall" leads to items of a nested resource, which are not expanded. Allowed there: house.'],
  ['expand=title', '"title" is not a reference. Allowed there: house.'],
  ['hall[name][eq]=x', 'It leads to items of a nested resource, whose fields only a parameter can filter by.'],
])('%s is refused with the reason', async (query, message) => {
  const { body } = await site.send('GET', `/shows?${query}`, { status: 400 });
  expect(Object.values(body.data.params).join()).toContain(message);
});

it('a parameter filters by fields behind an item of a nested resource', async () => {
  await site.send('GET', '/shows?city=Tallinn', { status: 200 });
});
