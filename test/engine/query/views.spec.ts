// Saved queries: lists with fixed conditions, fields and order.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../../../src/errors/problem.js';
import { compileSite } from '../../../src/schema/compile-site.js';
import { administrator } from '../../support/actors.js';
import { startTestSchemas } from '../../support/start-test-site.js';
import { evaluate, typedModule } from '../../support/typed-client.js';
import { openDepot, SCHEMAS, type Depot, type Product } from './stage.js';

let depot: Depot;

beforeAll(async () => {
  depot = await openDepot();
});

afterAll(async () => {
  await depot?.site.close();
});

type Line = { id: number; quantity: number };
const get = (path: string, as = depot.actors.boss.headers) => depot.site.send('GET', path, { as });
const cheap = ({ price, kind, stock }: Product) => Number(price) < 5 && (kind === 'toy' || [1, 2].includes(stock));

describe('a view', () => {
  test('has its conditions, fields, order and size', async () => {
    const wanted = depot.products.filter(cheap);
    const { status, body, headers } = await get('/products/views/cheap');
    expect([status, headers['x-wp-total'], body.length]).toEqual([
      200,
      String(wanted.length),
      Math.min(4, wanted.length),
    ]);
    for (const item of body) expect(Object.keys(item)).toEqual(['id', 'name', 'price']);
    const prices = (await get('/products/views/cheap?per_page=100')).body.map(({ price }: Product) => Number(price));
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
    expect(headers['link']).toContain('/products/views/cheap?page=2>; rel="next"');
  });

  test('accepts further conditions, but no other order', async () => {
    const { body } = await get(
      '/products/views/cheap?per_page=100&kind[eq]=toy&_fields=id,stock&orderby=name&order=asc',
    );
    const wanted = depot.products.filter((product) => cheap(product) && product.kind === 'toy');
    expect(body.map(({ id }: Product) => id).sort()).toEqual(wanted.map(({ id }) => id).sort());
    expect(Object.keys(body[0])).toEqual(['id']);
    const all = (await get('/products/views/cheap?per_page=100&orderby=-id,name')).body.map(({ price }: Product) =>
      Number(price),
    );
    expect(all).toEqual([...all].sort((a, b) => b - a));
  });

  test('is a member of the typed client, also below a parent and across; its queries accept conditions', async () => {
    const { headers: credentials } = depot.actors.boss;
    const { cms } = await evaluate({ cms: typedModule(SCHEMAS) });
    const { port } = depot.site.server.address() as AddressInfo;
    const withCredentials = (url: string, init: RequestInit) =>
      fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...credentials } });
    const client = cms.createClient({ url: `http://127.0.0.1:${port}`, fetch: withCredentials });
    const page = await client.productCheap.list({ kind: 'toy' });
    expect(page).toMatchObject({
      items: (await get('/products/views/cheap?kind=toy')).body,
      pages: expect.any(Number),
    });
    const conditions = {
      stock: { gte: 2, in: [2, 3, 4] },
      or: [{ kind: 'toy' }, { price: { lt: '5' } }],
      tags: { null: false },
    };
    const asked = new URLSearchParams(
      'stock[gte]=2&stock[in]=2,3,4&or[0][kind]=toy&or[1][price][lt]=5&tags[null]=false&per_page=100',
    ).toString();
    const { items } = await client.product.list({ ...conditions, per_page: 100 });
    expect(items.length).toBeGreaterThan(0);
    expect(items).toEqual((await get(`/products?${asked}`)).body);
    const all: unknown[] = [];
    for await (const item of client.productCheap.all()) all.push(item);
    expect(all.length).toBe(depot.products.filter(cheap).length);
    const order = { title: 'Of the typed client', lines: [{ quantity: 5 }, { quantity: 1 }] };
    const as = depot.actors.boss.headers;
    const { body: created } = await depot.site.send('POST', '/orders', { as, body: order, status: 201 });
    expect((await client.orderLineSeveral(created.id).list()).total).toBe(1);
    const { total } = await client.orderLineAcrossSeveral.list();
    expect(total).toBe(Number((await get('/lines/views/several')).headers['x-wp-total']));
    await depot.site.send('DELETE', `/orders/${created.id}`, { as, status: 200 });
  });

  test('is read in an atomic batch, also below a parent and across', async () => {
    const as = depot.actors.boss.headers;
    const order = { title: 'Of a batch', lines: [{ quantity: 5 }] };
    const { body: created } = await depot.site.send('POST', '/orders', { as, body: order, status: 201 });
    const paths = [
      '/products/views/cheap?per_page=2',
      `/orders/${created.id}/lines/views/several`,
      '/lines/views/several',
      '/orders/views/mine',
    ];
    const requests = paths.map((path) => ({ method: 'GET', path: `/cms/v2${path}` }));
    const { body } = await depot.site.send('POST', '//batch/v1', { as, body: { validation: 'atomic', requests } });
    for (const [at, path] of paths.entries())
      expect(body.responses[at]).toMatchObject({ status: 200, body: (await get(path)).body });
    for (const path of [
      '/products/views/none',
      '/products/views',
      '/products/views/cheap/1',
      '/products/1/views/cheap',
    ]) {
      const none = { validation: 'atomic', requests: [{ method: 'GET', path: `/cms/v2${path}` }] };
      expect((await depot.site.send('POST', '//batch/v1', { as, body: none })).body.responses[0].status).toBe(404);
      expect((await get(path)).status).toBe(404);
    }
    await depot.site.send('DELETE', `/orders/${created.id}?force=true`, { as, status: 200 });
  });

  test('supports cursors, export, summaries and expansion', async () => {
    const first = await get('/products/views/cheap?cursor=&per_page=2');
    const [, next] = /<[^>]*\/cms\/v2([^>]*)>; rel="next"/.exec(String(first.headers['link']))!;
    expect(next).toContain('/products/views/cheap?');
    const second = await get(next!);
    expect(new Set([...first.body, ...second.body].map(({ id }: Product) => id)).size).toBe(4);
    const csv = await depot.site.send('GET', '/products/views/cheap', {
      headers: { Accept: 'text/csv' },
      as: depot.actors.boss.headers,
    });
    expect(csv.text.split('\r\n')[0]).toBe('id,name,price');
    expect((await get('/products/views/cheap?aggregate=count')).body).toEqual([
      { count: depot.products.filter(cheap).length },
    ]);
    const foreign = (await get('/products/views/foreign?expand=maker.country&per_page=100')).body;
    expect(foreign.length).toBeGreaterThan(0);
    for (const { maker } of foreign) expect(maker.country.code).toBe('FI');
  });

  test.each([
    ['/products/views/cheap', 200],
    ['/orders/1/lines/views/several', 200],
    ['/lines/views/several', 200],
    ['/products/views/none', 404],
  ])('is a page for browsers: %s, with status %i', async (path, status) => {
    const page = await depot.site.send('GET', path, { headers: { Accept: 'text/html' } });
    expect([page.status, page.headers['content-type']]).toEqual([status, 'text/html; charset=UTF-8']);
  });

  test('can depend on the caller and the time', async () => {
    const as = depot.actors.clerk.headers;
    await depot.site.send('POST', '/orders', { as, body: { title: 'Of the clerk' } });
    await depot.site.send('POST', '/orders', { as: depot.actors.boss.headers, body: { title: 'Of the boss' } });
    expect((await get('/orders/views/mine')).body).toEqual([{ title: 'Of the boss' }]);
    expect((await get('/orders/views/mine', as)).body).toEqual([{ title: 'Of the clerk' }]);
    // What belongs to nobody is not that of visitors.
    await depot.site.site.writer.batch(({ create }) => create('order', { title: 'For everybody', owner: 0 }));
    expect((await get('/orders', {})).body).toMatchObject([{ title: 'For everybody', owner: 0 }]);
    expect((await get('/orders/views/mine', {})).body).toEqual([]);
    const added = new Date(Date.now() - 86_400_000).toISOString();
    const sent = { name: 'New', price: '1', added, season: '2024-01-01' };
    const { body } = await depot.site.send('POST', '/products', { as, body: sent });
    for (const view of ['fresh', 'lately'])
      expect((await get(`/products/views/${view}`, as)).body.map(({ id }: Product) => id)).toEqual([body.id]);
  });

  test('of a nested resource lists the items below one parent, or below all', async () => {
    const make = async (title: string, as: Record<string, string>, quantities: number[]) => {
      const lines = quantities.map((quantity) => ({ quantity }));
      const { body } = await depot.site.send('POST', '/orders', { as, body: { title, lines }, status: 201 });
      return { id: body.id as number, several: body.lines.filter(({ quantity }: Line) => quantity > 1) as Line[] };
    };
    const [boss, clerk] = [depot.actors.boss.headers, depot.actors.clerk.headers];
    const [one, other] = [await make('Lines', clerk, [1, 2, 3]), await make('More lines', boss, [5, 1])];
    const shown = ({ several }: typeof one) => several.map(({ id, quantity }) => ({ id, quantity })).reverse();
    const below = await get(`/orders/${one.id}/lines/views/several?per_page=9&_fields=id,quantity`, clerk);
    expect([below.status, below.body]).toEqual([200, shown(one)]);
    const first = await get('/lines/views/several?_fields=id,quantity');
    expect([first.status, first.headers['x-wp-total'], first.body]).toEqual([200, '3', shown(other)]);
    const [, next] = /<[^>]*\/cms\/v2([^>]*)>; rel="next"/.exec(String(first.headers['link']))!;
    expect((await get(next!)).body).toEqual(shown(one).slice(0, 1));
    // What lies below an order that the caller may not read is neither shown nor counted.
    const own = await get('/lines/views/several?cursor=&per_page=9', clerk);
    expect(own.headers['x-wp-total']).toBe('2');
    expect(own.body.map(({ _links }: any) => _links.self[0].href)).toEqual(
      shown(one).map(({ id }) => `http://api.test/cms/v2/orders/${one.id}/lines/${id}`),
    );
    expect((await get('/lines/views/several?aggregate=count,sum.quantity', clerk)).body).toEqual([
      { count: 2, sum: { quantity: 5 } },
    ]);
    const { paths } = (await depot.site.send('GET', '//docs-json')).body;
    const operations = Object.values<any>(paths).map(({ get: read }) => read?.operationId);
    expect(operations.filter((id) => /Several/.test(id)).sort()).toEqual([
      'listOrderLineSeveralView',
      'listOrderLineSeveralViewAcross',
    ]);
  });

  test('has its own permissions in addition to those of the list', async () => {
    expect((await get('/products/views/fresh', {})).status).toBe(401);
    expect((await get('/products/views/fresh', depot.actors.guest.headers)).status).toBe(403);
    expect((await get('/products/views/fresh', depot.actors.clerk.headers)).status).toBe(200);
    const kinds = (await get('/products/views/foreign?per_page=100', depot.actors.clerk.headers)).body.map(
      ({ kind }: Product) => kind,
    );
    expect(new Set(kinds)).toEqual(new Set(['toy']));
    // A condition on a field that the caller may not read holds nowhere.
    expect((await get('/products/views/costly', depot.actors.clerk.headers)).body).toEqual([]);
    expect((await get('/products/views/costly')).body.length).toBeGreaterThan(0);
  });

  test('is described', async () => {
    const { body } = await depot.site.send('OPTIONS', '/products/views/cheap');
    expect(body.methods).toEqual(['GET']);
    expect(Object.keys(body.schema.properties)).toEqual(['id', 'name', 'price']);
    expect(body.endpoints[0].args).not.toHaveProperty('orderby');
    expect(body.endpoints[0].args.per_page.default).toBe(4);
    const index = await depot.site.send('GET', '//');
    expect(index.body.routes['/cms/v2/products/views/cheap'].methods).toEqual(['GET']);
    const openApi = (await depot.site.send('GET', '//docs-json')).body;
    expect(openApi.paths['/cms/v2/products/views/cheap'].get.operationId).toBe('listProductCheapView');
    expect((await depot.site.send('POST', '/products/views/cheap', { body: {} })).status).toBe(404);
    expect((await get('/products/views/none')).status).toBe(404);
  });
});

describe('what check accepts works', () => {
  const permissions = 'public-read';
  const quiet = {
    name: 'quiet',
    path: 'quiets',
    fields: { n: { type: 'integer' } },
    list: { query: false },
    permissions,
  };
  const node = (where: object) => ({
    name: 'node',
    path: 'nodes',
    fields: {
      n: { type: 'integer' },
      up: { type: 'reference', to: 'node' },
      quiet: { type: 'reference', to: 'quiet' },
    },
    views: { some: { where } },
    permissions,
  });
  const groups = { or: [{ and: [{ or: [{ and: [{ or: [{ n: 1 }, { n: 2 }] }] }] }] }] };

  test.each([
    ['groups deeper than those of a request', groups, [2, 1]],
    ['more references than in a request', { up: { up: { up: { n: { eq: 1 } } } } }, [4]],
  ])('%s', async (_, where, wanted) => {
    const site = await startTestSchemas([quiet, node(where)]);
    try {
      const as = administrator(site).headers;
      for (const n of [1, 2, 3, 4]) await site.send('POST', '/nodes', { as, body: { n, up: n - 1 }, status: 201 });
      const { body } = await site.send('GET', '/nodes/views/some', { status: 200 });
      expect(body.map(({ n }: { n: number }) => n)).toEqual(wanted);
    } finally {
      await site.close();
    }
  });

  test('conditions on items that take none are refused', async () => {
    const refused = startTestSchemas([quiet, node({ quiet: { n: { eq: 1 } } })]);
    await expect(refused).rejects.toThrow('views.some.where.quiet: refers to items that take no conditions');
  });
});

describe('check finds', () => {
  test.each([
    ['{"where": {"colour": 1}}', '"colour" cannot be used in conditions'],
    ['{"where": {"rank": {"like": 1}}}', '"like" is not an operator of the type integer'],
    ['{"where": {"rank": {"gt": "many"}}}', 'gt must be a whole number.'],
    [
      '{"where": {"rank": {"gt": "$now"}}}',
      'gt must be a whole number.|the time cannot be compared with the type integer',
    ],
    ['{"where": {"name": {"contains": "x"}}}', 'needs "filterable": "contains" at the field "name"'],
    ['{"where": {"rank": "$me"}}', '"$me" stands for the id of the caller'],
    ['{"where": {"rank": {"between": [1, {"now": "-7d"}]}}}', 'the time cannot be compared with the type integer'],
    ['{"where": {"rank": {"in": [1, "$me"]}}}', '"$me" stands for the id of the caller'],
    ['{"where": {"rank": {"between": [1]}}}', 'between must have at least 2 items.'],
    ['{"where": {"or": 1}}', 'is a list of conditions'],
    ['{"orderby": "name"}', '"name" is none of the orderings offered'],
    ['{"fields": ["nam"]}', 'unknown field "nam"'],
    ['{"needs": {"rule": "nothing"}}', 'unknown rule "nothing"'],
    ['{"fro": 1}', 'unknown key'],
  ])('%s', (view, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'typecase-views-'));
    const fields = '{"name": {"type": "string"}, "rank": {"type": "integer"}}';
    writeFileSync(
      join(folder, 'thing.json'),
      `{"name": "thing", "path": "things", "fields": ${fields}, "views": {"some": ${view}}}`,
    );
    try {
      compileSite(folder);
      throw new Error('no problem was found');
    } catch (error) {
      expect(error).toBeInstanceOf(StartupError);
      expect(String((error as Error).message)).toMatch(new RegExp(message.replaceAll(/[$.]/g, '\\$&')));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
