// What the query language refuses for its cost, and that nothing that can be sent breaks it.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { runs } from '../../support/runs.js';
import { openDepot, type Depot } from './stage.js';
import { anyText } from '../../support/any-text.js';

let depot: Depot;

beforeAll(async () => {
  depot = await openDepot();
});

afterAll(async () => {
  await depot?.site.close();
});

const MANY = 10_001;

test('a condition without an index is refused where the caller may read many items, but not where few', async () => {
  const { store } = depot.site.site;
  const owner = depot.actors.boss.id;
  const rows = Array.from({ length: MANY }, (_, at) => ({ title: `Order ${at}`, placed: '2024-01-01', owner }));
  await store.transaction(async (tx) => {
    for (let at = 0; at < rows.length; at += 1_000) await tx.insertMany('orders', rows.slice(at, at + 1_000));
  });
  const listOrders = (query: string, as: Record<string, string>) => depot.site.send('GET', `/orders?${query}`, { as });
  const boss = depot.actors.boss.headers;
  const refused = await listOrders('placed[gt]=2023-01-01', boss);
  expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['placed[gt]']]);
  expect(refused.body.data.params['placed[gt]']).toContain('"index": true');
  expect((await listOrders('or[0][id][eq]=1&or[1][placed][null]=true', boss)).status).toBe(400);
  expect((await listOrders('id[gt]=5&owner[username][eq]=admin&per_page=1', boss)).status).toBe(200);
  // To the clerk, who may read none of them, nothing reveals how many there are.
  expect((await listOrders('placed[gt]=2023-01-01', depot.actors.clerk.headers)).status).toBe(200);
});

const word = fc.constantFrom(
  'price', 'name', 'maker', 'tags', 'suppliers', 'season', 'weight', 'cost', 'discount', 'details', 'about', 'or', 'and', 'eq', 'ne', 'in',
  'nin', 'gt', 'lte', 'between', 'null', 'contains', 'startswith', 'endswith', '0', '1', '', '__proto__', 'constructor', 'country', 'code',
  'expand', 'aggregate', 'group', 'cursor', 'orderby', 'x',
); // prettier-ignore
const value = fc.oneof(
  fc.constantFrom(
    '', '1', '-1', '1e400', '9007199254740993', 'true', 'null', '2024-02-30', '2024-01-01', '2024-01-01T00:00:00Z', '\u0000', '%', '_', '\\',
    "'", '"', 'a,b', ',', 'count', 'sum.price', 'maker.country', '-price,name', 'price', 'é', '\u{1f600}', '\ud800', 'WzFd.x', '1,2,3',
  ), // prettier-ignore
  anyText({ maxLength: 8 }),
);
const parameter = fc.tuple(fc.array(word, { minLength: 1, maxLength: 8 }), value).map(([[name, ...rest], sent]) => {
  const safe = sent.toWellFormed();
  return `${encodeURIComponent(name!)}${rest.map((each) => `[${encodeURIComponent(each)}]`).join('')}=${encodeURIComponent(safe)}`;
});

test('no request causes an error of the server', async () => {
  const forms = fc.constantFrom('application/json', 'text/csv', 'application/x-ndjson');
  const paths = fc.constantFrom('/products', '/products/views/cheap', '/products/1', '/orders/1/lines', '/people');
  const actors = fc.constantFrom<Record<string, string>>({}, depot.actors.clerk.headers, depot.actors.boss.headers);
  await fc.assert(
    fc.asyncProperty(paths, fc.array(parameter, { maxLength: 5 }), forms, actors, async (path, parts, accept, as) => {
      const query = parts.join('&');
      const { status, text } = await depot.site.send('GET', `${path}?${query}`, { as, headers: { Accept: accept } });
      if (status >= 500) throw new Error(`${status} ${text}`);
    }),
    { numRuns: runs(3_000) },
  );
});
