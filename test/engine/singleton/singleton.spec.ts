// A resource with one item (a singleton), and fields of it that are settings of the site.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { administrator, makeActor } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { scenario, type SavedIds, type Stage } from '../../support/scenario.js';
import { until } from '../../support/server-process.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const start = (environment: Record<string, string>) =>
  startTestSite(here('schemas'), { ROLES_FILE: here('roles.json'), ...environment });
const WRITES = 'GET, POST, PUT, PATCH';
const CONFIGURED = { SITE_TITLE: 'Configured', SITE_COMMENT_MAX_LINKS: '7' };

let stage: Stage;
const saved: SavedIds = {};

beforeAll(async () => {
  const site = await start(CONFIGURED);
  stage = { site, actors: { lead: administrator(site), helper: await makeActor(site, 'subscriber', 'hugo') } };
});
afterAll(() => stage.site.close());

const members = ['best', 'clock', 'colour', 'limit', 'motto', 'quiet', 'talk'];

describe('a singleton', () => {
  scenario(
    () => stage,
    [
      {
        name: 'is there from the start, with what is configured',
        path: '/house',
        status: 200,
        has: { motto: 'Configured', clock: 'UTC', talk: 'open', limit: 7, quiet: false, best: 1, colour: 'red' },
        members,
        sends: { Allow: 'GET' },
        check: ({ body }) =>
          expect(body._links).toEqual({ self: [expect.objectContaining({ href: 'http://api.test/cms/v2/house' })] }),
      },
      {
        name: 'shows more to those who may write it',
        as: 'lead',
        path: '/house?context=edit',
        status: 200,
        members: [...members, 'key'],
        sends: { Allow: WRITES, ETag: /./ },
      },
      { name: 'is in no list', path: '/house/1', status: 404, has: { code: 'rest_no_route' } },
      {
        name: 'is not deleted',
        as: 'lead',
        method: 'DELETE',
        path: '/house',
        status: 404,
        has: { code: 'rest_no_route' },
      },
      {
        name: 'is not written by visitors',
        method: 'PATCH',
        path: '/house',
        body: { colour: 'blue' },
        status: 401,
        has: { code: 'house_kept' },
        sends: { Allow: 'GET' },
      },
      {
        name: 'is not written by others',
        as: 'helper',
        method: 'PUT',
        path: '/house',
        body: { colour: 'blue' },
        status: 403,
        has: { code: 'house_kept' },
      },
      { name: 'has been left alone', path: '/house', status: 200, has: { colour: 'red' } },
      {
        name: 'is written by POST',
        as: 'lead',
        method: 'POST',
        path: '/house',
        body: { colour: 'blue' },
        status: 200,
        has: { colour: 'blue', limit: 7 },
        sends: { Allow: WRITES },
      },
      {
        name: 'is written by PUT',
        as: 'lead',
        method: 'PUT',
        path: '/house',
        body: { colour: 'green' },
        status: 200,
        has: { colour: 'green' },
      },
      {
        name: 'is written by PATCH',
        as: 'lead',
        method: 'PATCH',
        path: '/house',
        body: { colour: 'grey' },
        status: 200,
        has: { colour: 'grey' },
      },
      {
        name: 'has versions',
        as: 'lead',
        method: 'PATCH',
        path: '/house',
        headers: { 'If-Match': '"1-old"' },
        body: { colour: 'x' },
        status: 412,
      },
      {
        name: 'is written by batches',
        as: 'lead',
        method: 'POST',
        path: '//batch/v1',
        body: {
          requests: [
            { method: 'PATCH', path: '/cms/v2/house', body: { colour: 'white' } },
            { method: 'DELETE', path: '/cms/v2/house' },
          ],
        },
        status: 207,
        check: ({ body }) => expect(body.responses.map((each: { status: number }) => each.status)).toEqual([200, 404]),
      },
      { name: 'is seen at once', path: '/house', status: 200, has: { colour: 'white' } },
      {
        name: 'is described',
        as: 'lead',
        method: 'OPTIONS',
        path: '/house',
        status: 200,
        sends: { Allow: WRITES },
        check: ({ body }) => {
          expect(body.endpoints.map(({ methods }: { methods: string[] }) => methods)).toEqual([
            ['GET'],
            ['POST', 'PUT', 'PATCH'],
          ]);
          expect(Object.keys(body.schema.properties).sort()).toEqual([...members, 'key'].sort());
          expect(body.schema.properties.motto.type).toEqual(['string', 'null']);
        },
      },
      {
        name: 'is in the index, with one URL',
        path: '//',
        status: 200,
        check: ({ body }) => {
          const own = Object.keys(body.routes).filter((route) => route.includes('house'));
          expect(own).toEqual(['/cms/v2/house']);
          expect(body.routes['/cms/v2/house'].methods).toEqual(['GET', 'POST', 'PUT', 'PATCH']);
        },
      },
      {
        name: 'is in the OpenAPI document, with one URL',
        path: '//docs-json',
        status: 200,
        check: ({ body }) => {
          expect(Object.keys(body.paths).filter((path) => path.includes('house'))).toEqual(['/cms/v2/house']);
          expect(Object.keys(body.paths['/cms/v2/house']).sort()).toEqual(['get', 'options', 'patch', 'post', 'put']);
          expect(body.paths['/cms/v2/house'].get.parameters.some((each: { in: string }) => each.in === 'path')).toBe(
            false,
          );
        },
      },
      { name: 'is linked to', method: 'POST', path: '/rooms', body: { name: 'Hall' }, status: 201, saveAs: 'hall' },
      {
        name: 'is embedded',
        path: '/rooms/{hall}?_embed',
        status: 200,
        check: ({ body }) => expect(body._embedded.house[0]).toMatchObject({ colour: 'white', motto: 'Configured' }),
      },
    ],
    saved,
  );
});

describe('fields that map to settings', () => {
  const refused = (field: string, value: unknown) => ({
    name: `refuse ${String(value)} as ${field}`,
    as: 'lead',
    method: 'PATCH' as const,
    path: '/house',
    body: { [field]: value, motto: 'Half' },
    status: 400,
    check: ({ body }: { body: any }) => expect(Object.keys(body.data.params)).toEqual([field]),
  });
  scenario(
    () => stage,
    [
      {
        name: 'are defaults until then',
        method: 'POST',
        path: '/rooms',
        body: {},
        status: 201,
        has: { talk: 'open', limit: 7, quiet: false },
        saveAs: 'first',
      },
      refused('clock', 'Mars/Olympus'),
      refused('limit', 10),
      refused('talk', 'loud'),
      refused('best', 99),
      {
        name: 'stay as they were then',
        path: '/house',
        status: 200,
        has: { motto: 'Configured', clock: 'UTC', best: 1 },
      },
      {
        name: 'are set',
        as: 'lead',
        method: 'PATCH',
        path: '/house',
        body: { motto: 'Changed', clock: '+5:30', talk: 'closed', limit: 0, quiet: true, best: '{first}' },
        status: 200,
        has: { motto: 'Changed', clock: '+05:30', talk: 'closed', limit: 0, quiet: true, best: '{first}' },
      },
      {
        name: 'are shown',
        path: '/house',
        status: 200,
        has: { motto: 'Changed', limit: 0, quiet: true, best: '{first}' },
      },
      {
        name: 'are in the index',
        path: '//',
        status: 200,
        has: { name: 'Changed', timezone_string: '+05:30', gmt_offset: 5.5 },
      },
      {
        name: 'are the defaults that OPTIONS tells',
        method: 'OPTIONS',
        path: '/rooms',
        status: 200,
        check: ({ body }) => {
          const { talk, limit, quiet } = body.schema.properties;
          expect([talk.default, limit.default, quiet.default]).toEqual(['closed', 0, true]);
          const create = body.endpoints.find(({ methods }: { methods: string[] }) => methods.includes('POST'));
          expect(create.args.talk.default).toBe('closed');
        },
      },
      {
        name: 'are used',
        method: 'POST',
        path: '/rooms',
        body: {},
        status: 201,
        has: { talk: 'closed', limit: 0, quiet: true },
        check: ({ body }) => {
          const halfHours = (Date.parse(`${body.made.slice(0, 19)}Z`) - Date.now()) / 1_800_000;
          expect(Math.round(halfHours)).toBe(11);
        },
      },
      { name: 'leave what was made before', path: '/rooms/{first}', status: 200, has: { talk: 'open', limit: 7 } },
    ],
    saved,
  );

  const nameOf = async (site: TestSite) => (await site.send('GET', '//')).body.name as string;

  test('are followed by other processes and later starts', async () => {
    const other = await start({ ...CONFIGURED, DATABASE_URL: stage.site.config.database.url });
    try {
      expect(await nameOf(other)).toBe('Changed');
      const { headers } = stage.actors['lead']!;
      await stage.site.send('PATCH', '/house', { as: headers, body: { motto: 'Again' }, status: 200 });
      expect(await nameOf(stage.site)).toBe('Again');
      await until(
        () => nameOf(other),
        (name) => name === 'Again',
      );
    } finally {
      await other.close();
    }
  });

  scenario(
    () => stage,
    [
      {
        name: 'are as configured again',
        as: 'lead',
        method: 'PATCH',
        path: '/house',
        body: { motto: null, clock: null, talk: null, limit: null, quiet: null, best: null },
        status: 200,
        has: { motto: 'Configured', clock: 'UTC', talk: 'open', limit: 7, quiet: false, best: 1 },
      },
      { name: 'are so in the index', path: '//', status: 200, has: { name: 'Configured', gmt_offset: 0 } },
      {
        name: 'are so where they are used',
        method: 'POST',
        path: '/rooms',
        body: {},
        status: 201,
        has: { talk: 'open', limit: 7 },
      },
    ],
    saved,
  );
});
