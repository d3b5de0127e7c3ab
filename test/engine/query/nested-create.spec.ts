// Items that are created together with what they own.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { InProcess } from '../../../src/http/batch/in-process.js';
import { systemActor } from '../../../src/model/actor.js';
import { openDepot, type Depot } from './stage.js';

let depot: Depot;

beforeAll(async () => {
  depot = await openDepot();
});

afterAll(async () => {
  await depot?.site.close();
});

const create = (body: object, headers: Record<string, string> = {}, path = '/orders') =>
  depot.site.send('POST', path, { as: depot.actors.clerk.headers, body, headers });
const count = async () =>
  Number((await depot.site.send('GET', '/orders', { as: depot.actors.boss.headers })).headers['x-wp-total']);
const linesOf = async (id: number) =>
  (await depot.site.send('GET', `/orders/${id}/lines?orderby=id&order=asc`, { as: depot.actors.clerk.headers })).body;

test('an item is created with the items below it', async () => {
  const product = depot.products[0]!.id;
  const { status, body, headers } = await create({ title: 'One', lines: [{ product, quantity: 2 }, { quantity: 3 }] });
  expect([status, body.title, headers['location']]).toEqual([201, 'One', `http://api.test/cms/v2/orders/${body.id}`]);
  expect(body.lines).toMatchObject([
    { order: body.id, product, quantity: 2 },
    { order: body.id, quantity: 3 },
  ]);
  expect((await linesOf(body.id)).map(({ quantity }: { quantity: number }) => quantity)).toEqual([2, 3]);
});

test('OPTIONS and the index name the lists of items that may come with a new one', async () => {
  const { body } = await depot.site.send('OPTIONS', '/orders', { as: depot.actors.clerk.headers });
  const argsOf = ({ endpoints }: { endpoints: { methods: string[]; args: Record<string, object> }[] }) =>
    endpoints.find(({ methods }) => methods.includes('POST'))!.args;
  const { routes } = (await depot.site.send('GET', '//cms/v2')).body;
  for (const args of [argsOf(body), argsOf(routes['/cms/v2/orders'])])
    expect(args['lines']).toEqual({
      description: expect.stringContaining('/orders/{parent_id}/lines'),
      type: 'array',
      items: { type: 'object' },
      required: false,
    });
});

test('the response includes values calculated from the items below', async () => {
  const key = { 'Idempotency-Key': 'pieces' };
  const sent = { title: 'Sum', lines: [{ quantity: 2 }, { quantity: 3 }] };
  const { body } = await create(sent, key);
  expect([body.pieces, body.lines.length]).toEqual([5, 2]);
  expect((await create(sent, key)).body).toEqual(body);
  const shortened = await create(sent, {}, '/orders?_fields=pieces');
  expect(shortened.body).toEqual({ pieces: 5 });
  expect((await create(sent, {}, '/orders?_fields=title')).body).toEqual({ title: 'Sum' });
});

test('nothing is written when one of the items is refused', async () => {
  const before = await count();
  const { status, body } = await create({ title: 'Two', lines: [{ quantity: 1 }, { quantity: 0, product: 5 }] });
  expect([status, body.code, Object.keys(body.data.params)]).toEqual([
    400,
    'rest_invalid_param',
    ['lines[1][quantity]'],
  ]);
  const missing = await create({ title: 'Two', lines: [{}] });
  expect([missing.status, missing.body.data.params]).toEqual([400, ['lines[0][quantity]']]);
  const reference = await create({ title: 'Two', lines: [{ quantity: 1 }, { quantity: 1, product: 99_999 }] });
  expect([reference.status, Object.keys(reference.body.data.params)]).toEqual([400, ['lines[1][product]']]);
  expect((await create({ title: 'Two', lines: [1] })).status).toBe(400);
  expect((await create({ title: 'Two', lines: Array.from({ length: 101 }, () => ({ quantity: 1 })) })).status).toBe(
    400,
  );
  expect((await create({ lines: [{ quantity: 1 }] })).status).toBe(400);
  expect(await count()).toBe(before);
});

test('values other than a list of items are refused', async () => {
  const before = await count();
  for (const lines of ['one', 5, true, {}, { 0: { quantity: 1 } }]) {
    const { status, body } = await create({ title: 'No list', lines });
    expect({ lines, status, params: body.data?.params }).toEqual({
      lines,
      status: 400,
      params: { lines: 'lines must be a list of objects.' },
    });
  }
  const batch = [{ path: '/cms/v2/orders', body: { title: 'No list', lines: 'one' } }];
  const sent = { as: depot.actors.clerk.headers, body: { requests: batch } };
  const response = await depot.site.send('POST', '//batch/v1', sent);
  expect(response.body.responses[0].status).toBe(400);
  expect(await count()).toBe(before);
  for (const lines of [null, '']) expect((await create({ title: 'None', lines })).status).toBe(201);
});

test('strict handling rejects unknown names in every item', async () => {
  const body = { title: 'Strict', lines: [{ quantity: 1 }, { quantity: 1, colour: 'red' }] };
  const strict = await create(body, { Prefer: 'handling=strict' });
  expect([strict.status, strict.body.code, Object.keys(strict.body.data?.params ?? {})]).toEqual([
    400,
    'rest_unknown_param',
    ['lines[1][colour]'],
  ]);
  expect(strict.headers['preference-applied']).toBe('handling=strict');
  expect((await create(body)).status).toBe(201);
});

test('the rules apply to each item', async () => {
  const before = await count();
  const anonymous = await depot.site.send('POST', '/orders', { body: { title: 'x', lines: [{ quantity: 1 }] } });
  expect(anonymous.status).toBe(401);
  expect(await count()).toBe(before);
});

test('a repeated request gets the first response without another creation', async () => {
  const key = { 'Idempotency-Key': 'order-1' };
  const sent = { title: 'Once', lines: [{ quantity: 1 }, { quantity: 2 }] };
  const first = await create(sent, key);
  const total = await count();
  const second = await create(sent, key);
  expect([second.status, second.body, second.headers['idempotency-replayed']]).toEqual([201, first.body, 'true']);
  expect([await count(), (await linesOf(first.body.id)).length]).toEqual([total, 2]);
  expect((await create({ ...sent, lines: [{ quantity: 1 }] }, key)).status).toBe(422);
});

test.each(['normal', 'require-all-validate', 'atomic'])(
  'batches create items with items below them, too: %s',
  async (validation) => {
    const send = (lines: object[], headers: Record<string, string> = {}) =>
      depot.site.send('POST', '//batch/v1', {
        as: depot.actors.clerk.headers,
        headers,
        body: { validation, requests: [{ path: '/cms/v2/orders', body: { title: 'In a batch', lines } }] },
      });
    const before = await count();
    const key = { 'Idempotency-Key': `nested-${validation}` };
    const { responses } = (await send([{ quantity: 2 }, { quantity: 3 }], key)).body;
    expect(responses[0]).toMatchObject({ status: 201, body: { lines: [{ quantity: 2 }, { quantity: 3 }] } });
    expect(await linesOf(responses[0].body.id)).toHaveLength(2);
    const again = await send([{ quantity: 2 }, { quantity: 3 }], key);
    expect(again.body.responses[0].body).toEqual(responses[0].body);
    const [refused] = (await send([{ quantity: 2 }, { quantity: 0 }])).body.responses;
    expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['lines[1][quantity]']]);
    expect(await count()).toBe(before + 1);
  },
);

test('a batch can refer to the items', async () => {
  const requests = [
    { path: '/cms/v2/orders', body: { title: 'Referred to', lines: [{ quantity: 4 }] } },
    { method: 'GET', path: '/cms/v2/orders/{#/responses/0/body/id}/lines/{#/responses/0/body/lines/0/id}' },
  ];
  const body = { validation: 'atomic', requests };
  const { responses } = (await depot.site.send('POST', '//batch/v1', { as: depot.actors.clerk.headers, body })).body;
  expect(responses[1]).toMatchObject({ status: 200, body: { quantity: 4 } });
});

test('the in-process API creates items with items below them, too', async () => {
  const orders = depot.site.site.app.get(InProcess).resource<{ id: number; lines: object[] }>('order');
  const as = systemActor(depot.actors.clerk.id);
  const created = await orders.create({ title: 'From code', lines: [{ quantity: 5 }] }, { as });
  expect(created.lines).toMatchObject([{ order: created.id, quantity: 5 }]);
  await expect(orders.create({ title: 'From code', lines: [{ quantity: 0 }] }, { as })).rejects.toThrow('lines[0]');
});

test('an empty list is accepted, and _fields applies', async () => {
  expect((await create({ title: 'None', lines: [] })).body.lines).toEqual([]);
  const { body } = await create({ title: 'Short', lines: [{ quantity: 1 }] }, {}, '/orders?_fields=id');
  expect(Object.keys(body)).toEqual(['id']);
});

test('strict handling accepts the member', async () => {
  const strict = { Prefer: 'handling=strict' };
  expect((await create({ title: 'Strict', lines: [] }, strict)).status).toBe(201);
  expect((await create({ title: 'Strict', line: [] }, strict)).status).toBe(400);
});
