// What a write fills in, keeps and refuses: generated values, values that are set once, unique values, messages of a schema.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scenario, type SavedIds, type Row } from '../../support/scenario.js';
import { openHospital, type Hospital } from './stage.js';

let stage: Hospital;
const saved: SavedIds = {};

beforeAll(async () => {
  stage = await openHospital();
});
afterAll(() => stage.site.close());

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

const post = (path: string, body: object, more: Partial<Row> = {}): Row => ({
  name: `POST ${path} ${JSON.stringify(body)}`,
  as: 'head',
  method: 'POST',
  path,
  body,
  status: 201,
  ...more,
});
const patch = (path: string, body: object, more: Partial<Row> = {}): Row => ({
  ...post(path, body, { status: 200, ...more }),
  name: `PATCH ${path} ${JSON.stringify(body)}`,
  method: 'PATCH',
});
const rejects = (details: object): Partial<Row> => ({
  status: 400,
  has: { code: 'rest_invalid_param', data: { details } },
});
const once = { code: 'rest_write_once' };
const taken = (message: string) => ({ code: 'rest_not_unique', message });

describe('generated values', () => {
  scenario(
    () => stage,
    [
      post(
        '/beds',
        { number: 1 },
        {
          as: 'nurse',
          saveAs: 'bed',
          check: ({ body }) => {
            expect(body.made).toMatch(MOMENT);
            expect(body.day).toMatch(/^\d{4}-\d\d-\d\d$/);
            expect(body).toMatchObject({ maker: stage.actors.nurse.id, changed: null, changer: 0 });
          },
        },
      ),
      post(
        '/beds',
        { day: '2020-02-29', maker: 1, made: '2020-02-29T00:00:00' },
        {
          saveAs: 'old',
          has: { day: '2020-02-29' },
          check: ({ body }) => expect(body.made).not.toContain('2020'),
        },
      ),
      patch(
        '/beds/{bed}',
        { number: 2 },
        {
          has: { number: 2 },
          check: ({ body }) => {
            expect(body.changed).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
            expect(body).toMatchObject({ maker: stage.actors.nurse.id, changer: stage.actors.head.id });
          },
        },
      ),
      post(
        '/drugs',
        { name: 'Aspirin' },
        {
          saveAs: 'aspirin',
          check: ({ body }) => expect(body.serial).toMatch(UUID),
        },
      ),
    ],
    saved,
  );
});

describe('values that are set once', () => {
  const own = '11111111-2222-4333-8444-555555555555';
  scenario(
    () => stage,
    [
      patch('/drugs/{aspirin}', { batch: 'A1' }, { has: { batch: 'A1' } }),
      patch('/drugs/{aspirin}', { batch: 'A1', price: 3 }, { has: { batch: 'A1', price: '3.0000' } }),
      patch('/drugs/{aspirin}', { batch: 'A2', serial: own, price: 4 }, rejects({ batch: once, serial: once })),
      patch('/drugs/{aspirin}', { batch: '' }, rejects({ batch: once })),
      {
        name: 'nothing of a refused update stays',
        path: '/drugs/{aspirin}',
        status: 200,
        has: { batch: 'A1', price: '3.0000' },
      },
      post('/drugs', { name: 'Bromide', serial: own.toUpperCase() }, { has: { serial: own }, saveAs: 'bromide' }),
      patch('/drugs/{bromide}', { serial: own.toUpperCase() }, { has: { serial: own } }),
      patch('/beds/{bed}', { owner: 1 }, { has: { owner: 1 } }),
      patch('/beds/{bed}', { owner: 0 }, rejects({ owner: once })),
    ],
    saved,
  );
});

describe('unique values', () => {
  scenario(
    () => stage,
    [
      post(
        '/drugs',
        { name: 'ASPIRÍN' },
        {
          status: 400,
          has: { data: { details: { name: taken('A drug with this name already exists (ID {aspirin}).') } } },
        },
      ),
      patch('/drugs/{bromide}', { name: 'aspirin' }, rejects({ name: { code: 'rest_not_unique' } })),
      patch('/drugs/{bromide}', { name: 'BROMIDE' }, { has: { name: 'BROMIDE' } }),
      post('/drugs', { name: 'bromide', serial: null }, rejects({ name: { code: 'rest_not_unique' } })),
      patch('/drugs/{bromide}', { name: 'Bromine' }),
      post('/drugs', { name: 'bromide' }, { saveAs: 'second' }),
      post('/wards', { name: 'Élan', open: false }, { saveAs: 'closed' }),
      post('/wards', { name: 'Elan' }, { as: 'nurse', saveAs: 'ward' }),
      post(
        '/wards',
        { name: 'éLAN' },
        {
          as: 'nurse',
          status: 400,
          has: { data: { details: { name: taken('A ward with this name already exists.') } } },
        },
      ),
      post(
        '/wards',
        { name: 'éLAN' },
        {
          status: 400,
          has: { data: { details: { name: taken('A ward with this name already exists (ID {closed}).') } } },
        },
      ),
      post('/beds', { ward: '{ward}', number: 7 }, { saveAs: 'seven' }),
      post(
        '/beds',
        { ward: '{ward}', number: 7 },
        {
          status: 400,
          has: {
            data: {
              details: {
                ward: taken('A bed with this ward and number already exists (ID {seven}).'),
                number: taken('A bed with this ward and number already exists (ID {seven}).'),
              },
            },
          },
        },
      ),
      post('/beds', { ward: '{closed}', number: 7 }, { saveAs: 'elsewhere' }),
      patch('/beds/{elsewhere}', { ward: '{ward}' }, rejects({ number: { code: 'rest_not_unique' } })),
      patch('/beds/{elsewhere}', { number: 8 }),
      patch('/beds/{elsewhere}', { ward: '{ward}' }),
      post('/beds', { ward: '{ward}' }),
      post('/beds', { ward: '{ward}' }),
      post('/beds', { number: 7 }),
      post('/beds', { number: 7 }),
      post('/beds', { note: 'x' }),
      post('/beds', { note: 'x' }, { status: 400, has: { data: { details: { note: taken('Notes differ.') } } } }),
    ],
    saved,
  );

  test('stay unique under concurrent writes', async () => {
    const responses = await Promise.all(
      ['Caffeine', 'caffeine', 'CAFFEINE', 'cafféine', 'Cäffeine', 'caffEine'].map((name) =>
        stage.site.send('POST', '/drugs', { as: stage.actors.head.headers, body: { name } }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
  });
});

describe('messages of a schema', () => {
  const says = (details: Record<string, string>): Partial<Row> =>
    rejects(Object.fromEntries(Object.entries(details).map(([name, message]) => [name, { message }])));
  scenario(
    () => stage,
    [
      post(
        '/drugs',
        {},
        { status: 400, has: { code: 'rest_missing_callback_param', message: 'Every drug has a name.' } },
      ),
      post(
        '/drugs',
        { name: 'x', tax: 0.25 },
        says({
          name: 'A name of one letter is a typing error.',
          tax: 'Taxes go by halves.',
        }),
      ),
      post('/drugs', { name: 5, tax: 101 }, says({ name: 'A name is text.', tax: 'So much is no tax.' })),
    ],
    saved,
  );
});
