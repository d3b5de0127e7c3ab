// Filters that look behind references: only what the caller may read counts, in lists and in totals.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scenario, type SavedIds, type Row } from '../../support/scenario.js';
import { openHospital, type Hospital } from './stage.js';

let stage: Hospital;
const saved: SavedIds = {};

beforeAll(async () => {
  stage = await openHospital();
});
afterAll(() => stage.site.close());

const creates = (path: string, body: object, saveAs: string): Row => ({
  name: `makes ${saveAs}`,
  as: 'head',
  method: 'POST',
  path,
  body,
  status: 201,
  saveAs: saveAs,
});
const lists = (as: string | undefined, path: string, items: string[]): Row => ({
  name: `GET ${path} of ${as ?? 'anybody'}`,
  ...(as ? { as } : {}),
  path,
  status: 200,
  items,
  sends: { 'X-WP-Total': String(items.length) },
});

describe('filters behind a reference', () => {
  scenario(
    () => stage,
    [
      creates('/wards', { name: 'East' }, 'east'),
      creates('/wards', { name: 'Wést', open: false }, 'west'),
      creates('/patients', { name: 'Anna', ward: '{east}', secret: 'x', nurse: 1 }, 'anna'),
      creates('/patients', { name: 'Bert', ward: '{west}', secret: 'x' }, 'bert'),
      creates('/patients', { name: 'Carl' }, 'carl'),
      creates('/patients', { name: 'Dora', ward: '{east}', vip: true }, 'dora'),
      lists(undefined, '/patients?ward_name=East,Wést', ['anna']),
      lists('head', '/patients?ward_name=East,Wést', ['anna', 'bert', 'dora']),
      lists(undefined, '/patients?ward_has=EST', []),
      lists('head', '/patients?ward_has=EST', ['bert']),
      lists(undefined, '/patients?ward_has=east', ['anna']),
      lists(undefined, '/patients?ward_open=false', []),
      lists('head', '/patients?ward_open=false', ['bert']),
      lists(undefined, '/patients?ward_open=true', ['anna']),
      lists(undefined, '/patients?not_in=East', []),
      lists('head', '/patients?not_in=East', ['bert']),
      lists(undefined, '/patients?nurse_mail=admin@example.org', []),
      lists('head', '/patients?ward_name=North', []),
      creates('/patients/{anna}/visits', { start: '2026-01-01T10:00:00' }, 'first'),
      lists(undefined, '/patients/{anna}/visits?ward=East', ['first']),
      lists(undefined, '/patients/{anna}/visits?ward=West', []),
      lists(undefined, '/patients/{anna}/visits?vip=false', ['first']),
      lists(undefined, '/patients/{anna}/visits?vip=true', []),
      lists('head', '/patients/{anna}/visits?secret=x', ['first']),
      lists('visitor', '/patients/{anna}/visits?secret=x', []),
      lists(undefined, '/patients/{anna}/visits?secret=x', []),
      creates('/patients/{anna}/visits', { start: '2026-01-03T10:00:00', beds: 2 }, 'third'),
      creates('/patients/{bert}/visits', { start: '2026-01-02T10:00:00' }, 'second'),
      creates('/patients/{dora}/visits', { start: '2026-01-04T10:00:00' }, 'hidden'),
      lists(undefined, '/visits', ['first', 'second', 'third']),
      lists('head', '/visits', ['first', 'second', 'third', 'hidden']),
      lists('head', '/visits?order=desc&ward=East', ['hidden', 'third', 'first']),
      lists(undefined, '/visits?include={hidden},{second}', ['second']),
      lists(undefined, '/visits?secret=x', []),
      lists('head', '/visits?secret=x', ['first', 'second', 'third']),
      lists('visitor', '/visits?vip=true', []),
      lists('head', '/visits?vip=true', ['hidden']),
      {
        name: 'items link to where they are',
        path: '/visits?include={second}&_fields=_links',
        status: 200,
        check: ({ body }) => expect(body[0]._links.self[0].href).toMatch(/\/patients\/\d+\/visits\/\d+$/),
      },
      {
        name: 'pages follow each other',
        path: '/visits?per_page=2',
        status: 200,
        sends: { Link: /\/visits\?per_page=2&page=2/ },
      },
      {
        name: 'nothing is made there',
        as: 'head',
        method: 'POST',
        path: '/visits',
        body: { start: '2026-01-02T10:00:00' },
        status: 404,
      },
      { name: 'no item is there', as: 'head', path: '/visits/{second}', status: 404 },
      {
        name: 'strict handling holds there',
        path: '/visits?vipp=true',
        status: 400,
        has: { code: 'rest_unknown_param' },
      },
      {
        name: 'OPTIONS describe the list',
        method: 'OPTIONS',
        path: '/visits',
        status: 200,
        has: { methods: ['GET'] },
        hasNot: ['endpoints.0.args.patient_id'],
        sends: { Allow: 'GET' },
      },
      {
        name: 'the index lists the URL',
        path: '/',
        status: 200,
        check: ({ body }) => expect(Object.keys(body.routes)).toContain('/cms/v2/visits'),
      },
    ],
    saved,
  );
});

describe('calculated values', () => {
  const shows = (as: string | undefined, path: string, has: object): Row => ({
    name: `GET ${path} of ${as ?? 'anybody'} shows ${JSON.stringify(has)}`,
    ...(as ? { as } : {}),
    path,
    status: 200,
    has,
  });
  scenario(
    () => stage,
    [
      shows(undefined, '/wards?include={east}', [{ patients: 1 }]),
      shows('head', '/wards?include={east},{west}&order=asc', [{ patients: 2 }, { patients: 1 }]),
      shows(undefined, '/patients?orderby=name', [{ visits: 2 }, { visits: 1 }, { visits: 0 }]),
      shows(undefined, '/patients/{anna}?_fields=visits', { visits: 2 }),
      shows(undefined, '/patients/{anna}', { title: 'Anna, born ' }),
      {
        ...creates('/patients', { name: '$& {name}', born: '2000-02-29' }, 'odd'),
        has: { title: '$& {name}, born 2000-02-29', visits: 0 },
      },
      {
        ...creates(
          '/patients/{odd}/visits',
          { start: '2026-02-27T12:00:00', end: '2026-03-01T11:59:59', price: '0.30', paid: '0.1' },
          'long',
        ),
        has: { owed: '0.20', days: 1 },
      },
      shows('head', '/visits?include={third}', [{ days: null, owed: '0.00' }]),
      { name: 'a trashed patient', as: 'head', method: 'DELETE', path: '/patients/{bert}', status: 200 },
      shows('head', '/wards/{west}', { patients: 0 }),
    ],
    saved,
  );
});

test('the OpenAPI document has both lists, and unique names', async () => {
  const { body } = await stage.site.send('GET', '//docs-json', { status: 200 });
  const ids = Object.values(body.paths as Record<string, Record<string, { operationId?: string }>>)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId }) => operationId ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(body.paths).filter((path) => path.endsWith('/visits'))).toHaveLength(2);
});
