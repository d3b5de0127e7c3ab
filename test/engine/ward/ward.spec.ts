// The example of docs/recipes.md: nurses limited to their ward, codes that are set once, private images, a list of the trash.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { administrator, basic, makeActor } from '../../support/actors.js';
import { startTestSite } from '../../support/start-test-site.js';
import { scenario, type SavedIds, type Row, type Stage } from '../../support/scenario.js';

const examples = (name: string) => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

let stage: Stage;
const saved: SavedIds = {};
beforeAll(async () => {
  const site = await startTestSite(examples('ward'), {
    ROLES_FILE: examples('ward-roles.json'),
    SITE_DEFAULT_ROLE: 'nurse',
  });
  stage = {
    site,
    actors: {
      head: administrator(site),
      nia: await makeActor(site, 'nurse', 'nia'),
      olga: await makeActor(site, 'nurse', 'olga'),
    },
  };
});
afterAll(() => stage.site.close());

type More = Partial<Row>;
const row = (as: string, request: string, status: number, body?: unknown, more: More = {}): Row => {
  const [method, path] = request.split(' ') as [Row['method'], string];
  return { name: `${as} ${request} ${JSON.stringify(body ?? {})}: ${status}`, as, method, path, body, status, ...more };
};
const detail = (field: string, code: string, message: string) => ({
  data: { details: { [field]: { code, message } } },
});

scenario(
  () => stage,
  [
    row('head', 'POST /wards', 201, { name: 'North' }, { saveAs: 'north' }),
    row('head', 'POST /wards', 201, { name: 'South' }, { saveAs: 'south' }),
    row(
      'head',
      'POST /wards',
      400,
      { name: 'nÖRTH' },
      {
        has: detail('name', 'rest_not_unique', 'A ward with this name already exists (ID {north}).'),
      },
    ),
    row('head', 'PATCH /wards/{south}', 400, { name: 'NORTH' }, { has: { code: 'rest_invalid_param' } }),
    row('head', 'GET /nurses?search=x', 200),
    row('nia', 'GET /nurses/me', 200, undefined, { saveAs: 'nia' }),
    row('olga', 'GET /nurses/me', 200, undefined, { saveAs: 'olga' }),
    row('head', 'PATCH /nurses/{nia}', 200, { ward: '{north}' }),
    row('head', 'PATCH /nurses/{olga}', 200, { ward: '{south}' }),
    row('nia', 'PATCH /nurses/me', 403, { ward: '{south}' }, { has: { code: 'rest_forbidden_field' } }),
    row(
      'nia',
      'POST /patients',
      201,
      { code: 'P000001', name: 'Ada', ward: '{north}' },
      {
        saveAs: 'ada',
        hasNot: ['balance'],
      },
    ),
    row(
      'nia',
      'POST /patients',
      400,
      { code: 'P000002', name: 'Bea', ward: '{south}' },
      {
        has: detail('ward', 'rest_check_failed', 'This is not your ward.'),
      },
    ),
    row(
      'head',
      'POST /patients',
      201,
      { code: 'P000002', name: 'Bea', ward: '{south}', balance: '120.5' },
      {
        saveAs: 'bea',
        has: { balance: '120.50' },
      },
    ),
    row('nia', 'POST /patients', 403, { code: 'P000003', name: 'Cy', ward: '{north}', balance: '1' }),
    row(
      'head',
      'POST /patients',
      400,
      { code: 'P000004', name: 'Di', ward: 999 },
      {
        has: detail('ward', 'rest_invalid_param', 'There is no ward with ID 999.'),
      },
    ),
    row('nia', 'GET /patients', 200, undefined, { items: ['ada'], sends: { 'x-wp-total': '1' } }),
    row('olga', 'GET /patients?ward_name=North', 200, undefined, { items: [], sends: { 'x-wp-total': '0' } }),
    row('head', 'GET /patients?min_balance=120.49', 200, undefined, { items: ['bea'] }),
    row('nia', 'GET /patients?min_balance=1', 403, undefined, { has: { code: 'rest_forbidden_param' } }),
    row('nia', 'GET /patients/{bea}', 403),
    row(
      'nia',
      'PATCH /patients/{ada}',
      400,
      { code: 'P000009' },
      {
        has: detail('code', 'rest_write_once', 'code is set already and cannot be changed. Leave it out.'),
      },
    ),
    row('nia', 'PATCH /patients/{ada}', 200, { code: 'P000001', name: 'Ada L.' }),
    row(
      'nia',
      'POST /patients/{ada}/visits',
      400,
      { start: '2026-01-05T10:00:00Z', end: '2026-01-04T10:00:00Z' },
      {
        has: detail('end', 'rest_check_failed', 'A visit ends after it has begun.'),
      },
    ),
    row(
      'nia',
      'POST /patients/{ada}/visits',
      201,
      { start: '2026-01-05T10:00:00Z', end: '2026-01-07T11:00:00+01:00' },
      {
        saveAs: 'visit',
        has: { start: '2026-01-05T10:00:00+00:00', end: '2026-01-07T10:00:00+00:00', days: 2 },
      },
    ),
    row('nia', 'GET /visits?ward={north}', 200, undefined, { items: ['visit'] }),
    row('olga', 'GET /visits', 200, undefined, { items: [], sends: { 'x-wp-total': '0' } }),
    row('olga', 'GET /patients/{ada}/visits', 403),
    row('head', 'DELETE /wards/{north}', 409, undefined, { has: { data: { referenced_by: ['Patients'] } } }),
    row('nia', 'DELETE /patients/{ada}', 200),
    row('nia', 'GET /patients', 200, undefined, { items: [] }),
    row('nia', 'GET /patients?trash=true', 200, undefined, { items: ['ada'] }),
    row('olga', 'GET /patients?trash=true', 200, undefined, { items: [] }),
    row('nia', 'POST /patients/{ada}/restore', 200),
    row('nia', 'GET /patients', 200, undefined, { items: ['ada'] }),
  ],
  saved,
);

it('images can be seen by readers of the patient, and by anybody with the signed URL', async () => {
  const { site, actors } = stage;
  const form = new FormData();
  form.set('patient', String(saved['ada']));
  form.set('file', new Blob(['hello'], { type: 'text/plain' }), 'a.txt');
  const created = await site.send('POST', '/scans', { as: actors['nia']!.headers, body: form });
  expect(created.status).toBe(201);
  const { pathname, search } = new URL(created.body.file_url);
  const get = (path: string, as = {}) => site.send('GET', path, { as });
  expect((await get(`/${pathname}${search}`)).text).toBe('hello');
  expect((await get(`/${pathname}`, actors['nia']!.headers)).text).toBe('hello');
  expect((await get(`/${pathname}`)).status).toBe(404);
  expect((await get(`/${pathname}`, actors['olga']!.headers)).status).toBe(404);
  expect((await get(`/${pathname}${search}0`)).status).toBe(403);
  const seen = await get('/scans', basic('olga', 'a password of its own'));
  expect([seen.status, seen.body]).toEqual([200, []]);
});

it('an upload is refused because of the missing right, not because of its fields', async () => {
  const form = new FormData();
  form.set('patient', String(saved['ada']));
  form.set('file', new Blob(['hello'], { type: 'text/plain' }), 'a.txt');
  const { status, body } = await stage.site.send('POST', '/scans', { body: form });
  expect([status, body.code]).toEqual([401, 'rest_cannot_create']);
});
