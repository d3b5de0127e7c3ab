// Field types of texts with a form, of any JSON and of exact decimals: what they accept, keep, show, filter and order.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scenario, type SavedIds, type Row } from '../../support/scenario.js';
import { openHospital, type Hospital } from './stage.js';

let stage: Hospital;
const saved: SavedIds = {};

beforeAll(async () => {
  stage = await openHospital();
});
afterAll(() => stage.site.close());

const CODE = '0E8AD6B1-5C7F-4F0B-9C7D-6F0B9C7D6F0B';

const creates = (name: string, sent: object, has: object): Row => ({
  name: `creates ${name} as it was sent`,
  as: 'head',
  method: 'POST',
  path: '/drugs',
  body: { name, ...sent },
  status: 201,
  has,
  saveAs: name,
});
const refused = (field: string, value: unknown, code: string): Row => ({
  name: `refuses ${JSON.stringify(value)?.slice(0, 60)} as ${field}`,
  as: 'head',
  method: 'POST',
  path: '/drugs',
  body: { name: 'never', [field]: value },
  status: 400,
  has: { code: 'rest_invalid_param', data: { details: { [field]: { code } } } },
});
const listed = (query: string, items: string[]): Row => ({
  name: `lists ?${query}`,
  path: `/drugs?${query}`,
  status: 200,
  items,
});
const badParam = (query: string, param: string, code: string): Row => ({
  name: `refuses ?${query}`,
  path: `/drugs?${query}`,
  status: 400,
  has: { data: { details: { [param]: { code } } } },
});

describe('values', () => {
  scenario(
    () => stage,
    [
      creates(
        'aspirin',
        {
          code: CODE,
          price: '12.5',
          tax: 9.5,
          mail: 'Ann@Example.org',
          leaflet: 'https://example.org/a?b=1#c',
          due: '08:30',
        },
        {
          code: CODE.toLowerCase(),
          price: '12.5000',
          tax: 9.5,
          weight: null,
          mail: 'Ann@Example.org',
          due: '08:30:00',
        },
      ),
      creates(
        'bromide',
        { price: 9, tax: '0', facts: { a: [1, 'x', null, { b: false }] }, due: '23:59:59' },
        {
          price: '9.0000',
          tax: 0,
          facts: { a: [1, 'x', null, { b: false }] },
        },
      ),
      creates(
        'caffeine',
        { price: '-0.0001', weight: '7', facts: 'text' },
        { price: '-0.0001', tax: 20, weight: '7', facts: 'text' },
      ),
      creates('digoxin', { price: '99999999999998.9999', facts: [] }, { price: '99999999999998.9999', facts: [] }),
      creates('elixir', {}, { price: '0.0000', code: null, mail: null, leaflet: null, due: null, facts: null }),
      {
        name: 'takes a whole item back',
        as: 'head',
        method: 'PUT',
        path: '/drugs/{aspirin}',
        body: {
          code: CODE.toLowerCase(),
          price: '12.5000',
          tax: 9.5,
          weight: null,
          leaflet: 'https://example.org/a?b=1#c',
          due: '08:30:00',
          facts: null,
        },
        status: 200,
        has: { price: '12.5000', leaflet: 'https://example.org/a?b=1#c' },
      },
      {
        name: 'empties what may be empty',
        as: 'head',
        method: 'PATCH',
        path: '/drugs/{caffeine}',
        body: { weight: null, facts: null },
        status: 200,
        has: { weight: null, facts: null },
      },
      {
        name: 'keeps a decimal that is sent with other digits',
        as: 'head',
        method: 'PATCH',
        path: '/drugs/{bromide}',
        body: { price: '009.00', facts: false },
        status: 200,
        has: { price: '9.0000', facts: false },
      },
      refused('code', 'x', 'rest_invalid_uuid'),
      refused('price', 'x', 'rest_invalid_type'),
      refused('price', '1e3', 'rest_invalid_type'),
      refused('price', true, 'rest_invalid_type'),
      refused('price', '0.00001', 'rest_invalid_multiple'),
      refused('price', 1234567890.123456, 'rest_invalid_type'),
      refused('price', '-1000.0001', 'rest_out_of_bounds'),
      refused('price', '999999999999999', 'rest_out_of_bounds'),
      refused('price', '9'.repeat(41), 'rest_invalid_type'),
      refused('tax', '0.25', 'rest_invalid_multiple'),
      refused('tax', '1000', 'rest_out_of_bounds'),
      refused('weight', '1.5', 'rest_invalid_multiple'),
      refused('mail', 'nobody', 'rest_invalid_email'),
      refused('mail', `${'a'.repeat(60)}@example.org`, 'rest_too_long'),
      refused('leaflet', 'javascript:alert(1)', 'rest_invalid_uri'),
      refused('leaflet', 'example.org', 'rest_invalid_uri'),
      refused('leaflet', 'https://exa mple.org', 'rest_invalid_uri'),
      refused('due', '24:00', 'rest_invalid_time'),
      refused('due', '8:30', 'rest_invalid_time'),
      refused('facts', 'a\u0000b', 'rest_invalid_pattern'),
    ],
    saved,
  );
});

describe('lists', () => {
  scenario(
    () => stage,
    [
      listed('orderby=price&order=asc', ['caffeine', 'elixir', 'bromide', 'aspirin', 'digoxin']),
      listed('orderby=price&order=desc&per_page=2&page=2', ['bromide', 'elixir']),
      listed('orderby=due&order=asc', ['caffeine', 'digoxin', 'elixir', 'aspirin', 'bromide']),
      listed('min_price=9', ['aspirin', 'bromide', 'digoxin']),
      listed('min_price=9.00001', ['aspirin', 'digoxin']),
      listed('max_price=8.99999', ['caffeine', 'elixir']),
      listed('max_price=-0.00005', ['caffeine']),
      listed('min_price=99999999999998.99991', []),
      listed('max_price=99999999999999999999', ['aspirin', 'bromide', 'caffeine', 'digoxin', 'elixir']),
      listed('min_price=99999999999999999999', []),
      listed('price=12.5,9.0', ['aspirin', 'bromide']),
      listed('price=12.50001', []),
      listed('price_is=12.5', ['aspirin']),
      listed(`code=${CODE}`, ['aspirin']),
      listed(`not_code=${CODE}`, ['bromide', 'caffeine', 'digoxin', 'elixir']),
      listed('mail=Ann@Example.org', ['aspirin']),
      listed('mail_has=example', ['aspirin']),
      listed('leaflet=https://example.org/a?b=1%23c', ['aspirin']),
      listed('after=08:30', ['bromide']),
      listed('from=08:30', ['aspirin', 'bromide']),
      badParam('min_price=x', 'min_price', 'rest_invalid_type'),
      badParam('price=x', 'price', 'rest_invalid_type'),
      badParam('after=x', 'after', 'rest_invalid_time'),
    ],
    saved,
  );

  test('accept any search text', async () => {
    for (const param of ['price', 'price_is', 'code', 'mail', 'leaflet', 'mail_has', 'from']) {
      for (const value of ['', '%00', 'null', '-', '1e999', 'ä'.repeat(300), '1,2,x']) {
        const { status } = await stage.site.send('GET', `/drugs?${param}=${encodeURI(value)}`);
        expect([200, 400]).toContain(status);
      }
    }
  });
});

describe('OPTIONS', () => {
  scenario(
    () => stage,
    [
      {
        name: 'publish the forms',
        method: 'OPTIONS',
        path: '/drugs',
        status: 200,
        has: {
          schema: {
            properties: {
              code: { type: ['string', 'null'], format: 'uuid' },
              price: { type: 'string', format: 'decimal' },
              tax: { type: 'number', default: 20, multipleOf: 0.5 },
              mail: { type: ['string', 'null'], format: 'email', maxLength: 60 },
              leaflet: { type: ['string', 'null'], format: 'uri' },
              due: { type: ['string', 'null'], format: 'time' },
            },
          },
        },
      },
    ],
    saved,
  );
});
