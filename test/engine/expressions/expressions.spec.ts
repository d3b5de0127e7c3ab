// Expressions: exact arithmetic, differences of dates, texts, and sums over the items that refer to an item.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { administrator, makeActor, type TestActor } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { scenario, type SavedIds, type Row } from '../../support/scenario.js';

const ROLES = {
  firstAccount: 'owner',
  roles: {
    owner: { label: 'Owner', capabilities: ['manage_options', 'write', 'see_costs'] },
    helper: { label: 'Helper', capabilities: ['write'] },
  },
};

const field = (name: string) => ({ field: name });
const calculated = (value: unknown, more: object = {}, as?: string) => ({
  function: 'expression',
  options: { value, ...(as ? { as } : {}) },
  ...more,
});

const SEED = {
  name: 'seed',
  path: 'seeds',
  fields: {
    name: { type: 'string', required: true },
    orders: calculated({ count: 'sale.seed' }),
    sold: calculated({ sum: 'amount', over: 'sale.seed' }),
    earned: calculated({ sum: 'price', over: 'sale.seed' }),
    weighed: calculated({ sum: 'weight', over: 'sale.seed' }),
    cost: calculated({ sum: 'cost', over: 'sale.seed' }),
    cheapest: calculated({ min: 'price', over: 'sale.seed' }),
    dearest: calculated({ max: 'price', over: 'sale.seed' }),
    first: calculated({ min: 'day', over: 'sale.seed' }),
    last: calculated({ max: 'at', over: 'sale.seed' }),
    mean: calculated({
      divide: [{ sum: 'price', over: 'sale.seed' }, { count: 'sale.seed' }],
      digits: 3,
    }),
    left: calculated({
      subtract: [
        { sum: 'price', over: 'sale.seed' },
        { sum: 'paid', over: 'payment.seed' },
      ],
    }),
  },
  list: { orderby: ['id'], defaultOrder: 'asc' },
  permissions: { rules: { read: true, create: 'write', edit: 'write' } },
};

const SALE = {
  name: 'sale',
  path: 'sales',
  fields: {
    seed: { type: 'reference', to: 'seed', onDelete: 'cascade' },
    amount: { type: 'integer', default: 1 },
    price: { type: 'decimal', precision: 18, scale: 2, nullable: true },
    rate: { type: 'decimal', precision: 6, scale: 4, default: '0.19' },
    weight: { type: 'number', nullable: true },
    cost: { type: 'decimal', scale: 2, read: 'see_costs' },
    day: { type: 'date' },
    at: { type: 'datetime' },
    secret: { type: 'boolean', default: false },
    total: calculated({ multiply: [field('price'), field('amount'), { add: [1, field('rate')] }] }),
    rounded: calculated({ round: { multiply: [field('price'), { add: [1, field('rate')] }] }, digits: 2 }),
    as_number: calculated({ add: [field('price'), 0.1] }, {}, 'number'),
    each: calculated({ divide: [field('price'), field('amount')] }),
    whole: calculated({ divide: [field('price'), 3], digits: 0 }),
    mixed: calculated({ add: [field('weight'), field('price'), 0.2] }),
    age: calculated({ daysBetween: ['2026-01-01', field('day')] }),
    hours: calculated({ divide: [{ secondsBetween: [field('at'), field('until')] }, 3600], digits: 1 }),
    until: { type: 'datetime' },
    later: calculated({ coalesce: [field('until'), field('at')] }),
    paid: calculated({ coalesce: [field('price'), 0] }),
    label: calculated({ concat: [field('day'), ': ', { multiply: [field('amount'), 2] }, ' × ', field('price')] }),
    margin: calculated({ subtract: [field('price'), field('cost')] }),
  },
  list: { orderby: ['id'], defaultOrder: 'asc' },
  permissions: {
    rules: {
      read: { any: [{ is: { secret: false } }, 'see_costs'] },
      create: 'write',
      edit: 'write',
    },
  },
};

const PAYMENT = {
  name: 'payment',
  path: 'payments',
  fields: {
    seed: { type: 'reference', to: 'seed' },
    paid: { type: 'decimal', scale: 4, contexts: ['edit'] },
  },
  permissions: { rules: { read: true, create: 'write', edit: 'write' } },
};

let folder: string;
const stage = {} as { site: TestSite; actors: Record<'owner' | 'helper', TestActor> };
const saved: SavedIds = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-expressions-'));
  for (const schema of [SEED, SALE, PAYMENT])
    writeFileSync(join(folder, `${schema.name}.json`), JSON.stringify(schema));
  writeFileSync(`${folder}-roles.json`, JSON.stringify(ROLES));
  stage.site = await startTestSite(folder, { ROLES_FILE: `${folder}-roles.json` });
  stage.actors = { owner: administrator(stage.site), helper: await makeActor(stage.site, 'helper') };
});
afterAll(async () => {
  await stage.site?.close();
  rmSync(folder, { recursive: true, force: true });
  rmSync(`${folder}-roles.json`, { force: true });
});

function makes(path: string, body: object, saveAs: string, has: object = {}): Row {
  return {
    name: `POST ${path} ${JSON.stringify(body)}`,
    as: 'owner',
    method: 'POST',
    path,
    body,
    status: 201,
    has,
    saveAs: saveAs,
  };
}

function shows(as: 'owner' | 'helper' | undefined, path: string, has: unknown): Row {
  return { name: `${as ?? 'a visitor'} at ${path}: ${JSON.stringify(has)}`, ...(as && { as }), path, status: 200, has };
}

const NOTHING = {
  orders: 0,
  sold: 0,
  earned: '0.00',
  weighed: 0,
  cost: '0.00',
  cheapest: null,
  dearest: null,
  first: null,
  last: null,
  mean: null,
  left: '0.0000',
};

describe('values of one item', () => {
  scenario(
    () => stage,
    [
      makes('/seeds', { name: 'poppy' }, 'poppy', NOTHING),
      makes('/seeds', { name: 'maize' }, 'maize', NOTHING),
      makes(
        '/sales',
        {
          seed: '{poppy}',
          amount: 3,
          price: '0.10',
          cost: '0.05',
          weight: 0.25,
          day: '2026-03-01',
          at: '2026-01-01T10:00:00',
          until: '2026-01-01T11:45:00',
        },
        'one',
        {
          total: '0.357000',
          rounded: '0.12',
          as_number: 0.2,
          each: '0.03',
          whole: 0,
          mixed: 0.55,
          age: 59,
          hours: '1.8',
          later: '2026-01-01T11:45:00+00:00',
          paid: '0.10',
          label: '2026-03-01: 6 × 0.10',
          margin: '0.05',
        },
      ),
      makes(
        '/sales',
        { seed: '{poppy}', price: '9999999999999999.99', rate: '-0.5', amount: 0, day: '2025-12-31', secret: true },
        'two',
        {
          total: '0.000000',
          rounded: '5000000000000000.00',
          each: null,
          whole: 3333333333333333,
          mixed: null,
          age: -1,
          hours: null,
          later: null,
        },
      ),
      makes('/sales', { seed: '{poppy}', at: '2026-05-01T08:00:00', weight: 0.5 }, 'three', {
        total: null,
        paid: '0.00',
        label: ': 2 × ',
        later: '2026-05-01T08:00:00+00:00',
      }),
      makes('/sales', { seed: '{maize}', price: '-0.25', amount: 10, cost: '1' }, 'four', { each: '-0.03' }),
      makes('/payments', { seed: '{poppy}', paid: '0.0001' }, 'payment'),
      { ...shows(undefined, '/sales/{one}', { total: '0.357000' }), hasNot: ['margin', 'cost'] },
    ],
    saved,
  );
});

describe('values of referring items', () => {
  scenario(
    () => stage,
    [
      shows('owner', '/seeds', [
        {
          orders: 3,
          sold: 4,
          earned: '10000000000000000.09',
          weighed: 0.75,
          cost: '0.05',
          cheapest: '0.10',
          dearest: '9999999999999999.99',
          first: '2025-12-31',
          last: '2026-05-01T08:00:00+00:00',
          mean: '3333333333333333.363',
          left: '10000000000000000.0899',
        },
        { orders: 1, sold: 10, earned: '-0.25', weighed: 0, cost: '1.00', first: null, left: '-0.2500' },
      ]),
      // Neither the row that they may not read, nor the costs, nor what only editors see.
      ...([undefined, 'helper'] as const).map((as) =>
        shows(as, '/seeds', [
          {
            orders: 2,
            earned: '0.10',
            cost: '0.00',
            first: '2026-03-01',
            left: as ? '0.0999' : '0.1000',
          },
          { orders: 1, earned: '-0.25', cost: '0.00' },
        ]),
      ),
      shows(undefined, '/seeds/{poppy}?_fields=earned', { earned: '0.10' }),
      { name: 'a sale is deleted', as: 'owner', method: 'DELETE', path: '/sales/{one}', status: 200 },
      shows(undefined, '/seeds/{poppy}', { orders: 1, earned: '0.00', sold: 1, cheapest: null }),
    ],
    saved,
  );

  test('are exact beyond 64 bits, and sums of any size are shown', async () => {
    const { site, actors } = stage;
    const { body } = await site.send('POST', '/seeds', {
      as: actors.owner.headers,
      body: { name: 'rye' },
      status: 201,
    });
    for (let at = 0; at < 12; at++)
      await site.send('POST', '/sales', {
        as: actors.owner.headers,
        body: { seed: body.id, price: '9999999999999999.99', weight: at % 2 ? 1.5e308 : -1e308 },
        status: 201,
      });
    const shown = await site.send('GET', `/seeds/${body.id}`, { status: 200 });
    expect(shown.body).toMatchObject({ earned: '119999999999999999.88', weighed: null });
  });
});

describe('published types', () => {
  const TYPES = {
    sold: ['integer'],
    earned: ['string', 'decimal'],
    weighed: ['number'],
    first: ['string', 'date'],
    last: ['string', 'date-time'],
    mean: ['string', 'decimal'],
  };
  test.each(Object.entries(TYPES))('%s', async (name, [type, format]) => {
    const { site } = stage;
    const options = await site.send('OPTIONS', '/seeds', { status: 200 });
    const { body } = await site.send('GET', '//docs-json', { status: 200 });
    const wanted = { type: [type, 'null'], ...(format && { format }) };
    expect(options.body.schema.properties[name]).toMatchObject({ ...wanted, readonly: true });
    const component = Object.values<any>(body.components.schemas).find((each) => each.properties?.[name]);
    expect(component.properties[name]).toMatchObject(wanted);
  });
});
