// examples/shop: what its README promises, and what many customers at the same time make of it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { administrator, makeActor, type TestActor } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { isSigned, startReceiver, type Receiver } from '../../support/receiver.js';
import { runs } from '../../support/runs.js';

const shop = (path: string) => fileURLToPath(new URL(`../../../examples/shop/${path}`, import.meta.url));
const CUSTOMERS = runs(100, 24);

let site: TestSite;
let owner: TestActor;
let ann: TestActor;
let bob: TestActor;
let warehouse: Receiver;

beforeAll(async () => {
  warehouse = await startReceiver();
  site = await startTestSite(shop('schemas'), {
    EXTENSIONS_DIR: shop('extensions'),
    ROLES_FILE: shop('roles.json'),
    SITE_DEFAULT_ROLE: 'customer',
    WEBHOOK_ALLOW_HOSTS: warehouse.host,
  });
  owner = administrator(site);
  ann = await makeActor(site, 'customer', 'ann');
  bob = await makeActor(site, 'customer', 'bob');
});
afterAll(async () => {
  await site.close();
  await warehouse.close();
});

const made = async (path: string, body: object, as: TestActor): Promise<any> =>
  (await site.send('POST', path, { as: as.headers, body, status: 201 })).body;
let goods = 0;
const variant = async (stock: number, price = '10.00'): Promise<any> => {
  const product = await made('/products', { name: `Product ${(goods += 1)}` }, owner);
  return made('/variants', { product: product.id, sku: `SKU-${goods}`, price, stock }, owner);
};
const ordered = async (as: TestActor, lines: { variant: number; quantity: number }[]): Promise<any> => {
  const order = await made('/orders', {}, as);
  for (const line of lines) await made(`/orders/${order.id}/lines`, line, as);
  return order;
};
const pay = (id: number, as: TestActor) =>
  site.send('POST', `/orders/${id}/pay`, { as: as.headers, body: { reference: 'bank-1' } });
const stockOf = async ({ id }: { id: number }) => (await site.send('GET', `/variants/${id}`)).body.stock;

test('an order is the sum of its lines, at the prices of its creation', async () => {
  const [one, other] = [await variant(5, '24.90'), await variant(5, '0.10')];
  const order = await ordered(ann, [
    { variant: one.id, quantity: 2 },
    { variant: other.id, quantity: 3 },
  ]);
  await site.send('PATCH', `/variants/${one.id}`, { as: owner.headers, body: { price: '99.00' }, status: 200 });
  const shown = await site.send('GET', `/orders/${order.id}`, { as: ann.headers });
  expect(shown.body).toMatchObject({ status: 'open', customer: ann.id, total: '50.10' });
  const lines = await site.send('GET', `/orders/${order.id}/lines`, { as: ann.headers });
  const line = lines.body.find(({ variant: id }: { variant: number }) => id === one.id);
  const changed = await site.send('PATCH', `/orders/${order.id}/lines/${line.id}`, {
    as: ann.headers,
    body: { quantity: 1, price: '0.01', amount: '0.01' },
  });
  expect(changed.body).toMatchObject({ price: '24.90', amount: '24.90' });
});

test('paying removes the items from the stock once', async () => {
  const goods_ = await variant(3);
  const order = await ordered(ann, [{ variant: goods_.id, quantity: 2 }]);
  expect(await pay(order.id, ann)).toMatchObject({ status: 200, body: { status: 'paid', receipt: 'bank-1' } });
  expect(await stockOf(goods_)).toBe(1);
  expect(await pay(order.id, ann)).toMatchObject({ status: 409, body: { code: 'order_not_open' } });
  expect(await stockOf(goods_)).toBe(1);
  const late = { as: ann.headers, body: { variant: goods_.id, quantity: 1 } };
  expect((await site.send('POST', `/orders/${order.id}/lines`, late)).status).toBe(403);
});

test('an order without enough stock is refused completely', async () => {
  const [plenty, rare] = [await variant(10), await variant(1)];
  const order = await ordered(ann, [
    { variant: plenty.id, quantity: 4 },
    { variant: rare.id, quantity: 2 },
  ]);
  const refused = await pay(order.id, ann);
  expect(refused).toMatchObject({ status: 409, body: { code: 'out_of_stock', data: { stock: 1 } } });
  expect([await stockOf(plenty), await stockOf(rare)]).toEqual([10, 1]);
  expect((await site.send('GET', `/orders/${order.id}`, { as: ann.headers })).body.status).toBe('open');
  expect(await pay((await made('/orders', {}, ann)).id, ann)).toMatchObject({ body: { code: 'order_empty' } });
});

test('an order with more lines than a page is paid completely', async () => {
  const [plenty, rare] = [await variant(200), await variant(1)];
  const lines = Array.from({ length: 100 }, () => ({ variant: plenty.id, quantity: 1 }));
  const tooMuch = { variant: rare.id, quantity: 2 };
  const first = await ordered(ann, [tooMuch, ...lines]);
  expect(await pay(first.id, ann)).toMatchObject({ status: 409, body: { code: 'out_of_stock' } });
  const second = await ordered(ann, [...lines, { variant: plenty.id, quantity: 1 }]);
  expect((await pay(second.id, ann)).status).toBe(200);
  expect([await stockOf(plenty), await stockOf(rare)]).toEqual([99, 1]);
});

test(`of ${CUSTOMERS} customers who want the last ten one each, ten get them`, async () => {
  const last = await variant(10);
  const orders = [];
  for (let at = 0; at < CUSTOMERS; at += 1)
    orders.push(await ordered(at % 2 ? ann : bob, [{ variant: last.id, quantity: 1 }]));
  const responses = await Promise.all(orders.map(({ id }, at) => pay(id, at % 2 ? ann : bob)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect(await stockOf(last)).toBe(0);
});

describe('an order of another customer', () => {
  test('cannot be read or paid, nor be told from a missing one', async () => {
    const order = await ordered(ann, []);
    expect((await site.send('GET', `/orders/${order.id}`, { as: bob.headers })).status).toBe(403);
    expect(await pay(order.id, bob)).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
    expect((await site.send('POST', `/orders/${order.id}/pay`)).status).toBe(401);
    const list = await site.send('GET', '/orders', { as: bob.headers, query: { per_page: 100 } });
    expect(list.body.every(({ customer }: { customer: number }) => customer === bob.id)).toBe(true);
  });

  test('cannot be created, nor be marked as paid', async () => {
    const given = { as: bob.headers, body: { customer: ann.id } };
    expect((await site.send('POST', '/orders', given)).status).toBe(403);
    const order = await ordered(bob, []);
    const paid = { as: bob.headers, body: { status: 'paid' } };
    expect((await site.send('PATCH', `/orders/${order.id}`, paid)).status).toBe(403);
  });
});

test('the warehouse is notified of paid orders only', async () => {
  const hook = await made(
    '/webhooks',
    { url: warehouse.url, resources: ['order'], events: ['updated'], fields: ['status'] },
    owner,
  );
  const goods_ = await variant(5);
  const [first, second] = [
    await ordered(ann, [{ variant: goods_.id, quantity: 1 }]),
    await ordered(ann, [{ variant: goods_.id, quantity: 9 }]),
  ];
  await site.send('PATCH', `/orders/${first.id}`, { as: ann.headers, body: { note: 'Soon, please.' }, status: 200 });
  expect((await pay(second.id, ann)).status).toBe(409);
  await pay(first.id, ann);
  // A new webhook may still get events from shortly before its creation.
  const told = () => warehouse.accepted.filter(({ body }) => [first.id, second.id].includes(body.data.id));
  for (let tries = 0; tries < 200 && told().length === 0; tries += 1) await sleep(25);
  await sleep(300);
  expect(told().map(({ body }) => [body.type, body.data.id, body.data.fields])).toEqual([
    ['order.updated', first.id, ['status', 'paid', 'receipt']],
  ]);
  expect(isSigned(told()[0]!, hook.secret)).toBe(true);
});
