// Counts and sums of only those items that `where` matches.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator, makeActor } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const calculated = (value: unknown) => ({ function: 'expression', options: { value } });
const over = 'ticket.event';
const paid = { state: ['paid', 'used'] };
const EVENT = {
  name: 'event',
  path: 'events',
  fields: {
    sold: calculated({ count: over, where: paid }),
    all: calculated({ count: over }),
    earned: calculated({ sum: 'price', over, where: paid }),
    dearest: calculated({ max: 'price', over, where: { state: 'void' } }),
    unseated: calculated({ count: over, where: { seat: null, state: 'paid' } }),
    standing: calculated({ count: over, where: { seat: [null, 3], child: false } }),
    marked: calculated({ count: over, where: { mark: 'odd' } }),
    exact: calculated({ count: over, where: { price: '9.50' } }),
    ungated: calculated({ count: over, where: { gate: null } }),
    number: calculated({ count: over, where: { price: 9.5 } }),
    shorter: calculated({ count: over, where: { price: ['9.5', 20] } }),
    unplaced: calculated({ count: over, where: { row: [0, 1] } }),
    placed: calculated({ count: over, where: { row: 1 } }),
    none: calculated({ count: over, where: { row: 0 } }),
    rest: calculated({ subtract: [10, { count: over, where: { child: true } }] }),
  },
  permissions: 'public-read',
};
const TICKET = {
  name: 'ticket',
  path: 'tickets',
  fields: {
    event: { type: 'reference', to: 'event', required: true },
    state: { type: 'string', enum: ['held', 'paid', 'used', 'void'], default: 'held' },
    price: { type: 'decimal', scale: 2, default: '0.00' },
    seat: { type: 'integer', nullable: true },
    gate: { type: 'string', enum: ['north', 'south'], nullable: true },
    row: { type: 'reference', to: 'event' },
    child: { type: 'boolean', default: false },
    mark: { type: 'string', default: '', read: 'manage_options' },
  },
  permissions: 'public-read',
};

let site: TestSite;
beforeAll(async () => {
  site = await startTestSchemas([EVENT, TICKET]);
  const as = administrator(site).headers;
  await site.send('POST', '/events', { as, body: {}, status: 201 });
  for (const body of [
    { state: 'held', price: '1.00', seat: 3 },
    { state: 'paid', price: '9.50', seat: 4, child: true, mark: 'odd' },
    { state: 'paid', price: '20.00', row: 1 },
    { state: 'used', price: '0.25', seat: 5, gate: 'north' },
    { state: 'void', price: '99.00', seat: 6 },
  ])
    await site.send('POST', '/tickets', { as, body: { event: 1, ...body }, status: 201 });
});
afterAll(() => site.close());

test('expressions count and sum only the items that `where` names', async () => {
  const { body } = await site.send('GET', '/events/1', { as: administrator(site).headers });
  expect(body).toMatchObject({ sold: 3, all: 5, earned: '29.75', dearest: '99.00', unseated: 1, standing: 2 });
  expect(body).toMatchObject({ marked: 1, exact: 1, rest: 9 });
  expect(body).toMatchObject({ ungated: 4, number: 1, shorter: 2, unplaced: 5, placed: 1, none: 4 });
});

test('items do not count for callers who may not see their value in `where`', async () => {
  const { headers } = await makeActor(site, 'subscriber');
  expect((await site.send('GET', '/events/1', { as: headers })).body).toMatchObject({ sold: 3, marked: 0 });
});
