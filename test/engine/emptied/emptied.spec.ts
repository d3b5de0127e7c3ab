// Values that are emptied or missing: texts, dates and keys that are null or were never sent.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditData, fixData } from '../../../src/maintenance/check-data.js';
import { equals } from '../../../src/model/query.js';
import { administrator, type TestActor } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const permissions = 'public-read';
const SCHEMAS = [
  {
    name: 'art',
    path: 'arts',
    fields: { title: { type: 'string' }, bio: { type: 'string', nullable: true, maxLength: 1000 } },
    search: { fields: ['title', 'bio'] },
    traits: { filled: { fields: ['title', 'bio'] } },
    permissions,
  },
  {
    name: 'visit',
    path: 'visits',
    fields: {
      title: { type: 'string' },
      start: { type: 'datetime', readOnly: true },
      end: { type: 'datetime', nullable: true, filterable: ['before', 'lte'] },
      due: { type: 'datetime', readOnly: true, filterable: ['before', 'lte'] },
    },
    permissions: {
      rules: {
        read: { any: [{ is: { end: { gt: { field: 'start' } } } }, { can: 'manage_options' }] },
        create: { can: 'manage_options' },
        edit: { can: 'manage_options' },
      },
    },
    list: { orderby: ['id'] },
  },
  {
    name: 'order',
    path: 'orders',
    key: 'number',
    fields: {
      number: { type: 'string', unique: true, required: true },
      state: { type: 'string', enum: ['a', 'b'], allowStored: ['*'], nullable: true, default: 'a' },
      seal: { type: 'object', writeOnce: true, nullable: true, additionalProperties: true },
    },
    permissions,
  },
  { name: 'ward', path: 'wards', fields: { title: { type: 'string' } }, permissions },
  {
    name: 'bed',
    path: 'beds',
    parent: { resource: 'ward', field: 'ward' },
    fields: { title: { type: 'string' }, ward: { type: 'reference', to: 'ward' } },
    permissions,
  },
  {
    name: 'token',
    path: 'tokens',
    key: 'ref',
    fields: { ref: { type: 'uuid', unique: true, default: '$uuid' }, title: { type: 'string' } },
    permissions,
  },
  {
    name: 'badge',
    path: 'badges',
    key: 'code',
    fields: {
      code: { type: 'string', sanitize: 'plain', unique: true, required: true },
      line: { type: 'string', sanitize: 'plain', minLength: 1, default: 'none' },
      free: { type: 'string', sanitize: 'plain' },
    },
    permissions,
  },
  {
    name: 'sheet',
    path: 'sheets',
    fields: {
      text: { type: 'rendered', nullable: true },
      meta: { type: 'metadata', nullable: true, keys: { note: { type: 'string' } } },
      password: { type: 'string', nullable: true, contexts: ['edit'] },
    },
    traits: { protected: { fields: ['text'] } },
    permissions,
  },
];

let site: TestSite;
let admin: TestActor;

beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
  admin = administrator(site);
});
afterAll(() => site.close());

const write = (method: 'POST' | 'PATCH', path: string, body: object, status: number, headers = {}) =>
  site.send(method, path, { as: admin.headers, body, status, headers });
const titles = async (path: string, as?: TestActor) =>
  (await site.send('GET', path, as ? { as: as.headers } : {})).body.map(({ title }: { title: string }) => title);

test('a text that was emptied with null is not found any more', async () => {
  const { body } = await write('POST', '/arts', { title: 'Emptied', bio: 'Żółw geheim' }, 201);
  expect(await titles('/arts?search=geheim')).toEqual(['Emptied']);
  await write('PATCH', `/arts/${body.id}`, { bio: null }, 200);
  expect(await titles('/arts?search=geheim')).toEqual([]);
});

test('check --data --fix removes what a search still finds of a text that an earlier release emptied', async () => {
  const { models, store, site: served } = site.site;
  const { body } = await write('POST', '/arts', { title: 'Former', bio: 'Żółw uralt' }, 201);
  await store.transaction((tx) => tx.update('arts', { bio: null }, equals('id', body.id)));
  expect(await titles('/arts?search=uralt')).toEqual(['Former']);
  const findings = await auditData(models, store, served);
  expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining(`art ${body.id}: search_text`)]);
  expect(await fixData(findings, store)).toBe(1);
  expect(await titles('/arts?search=uralt')).toEqual([]);
});

test('an item of which nothing would be left is refused, also when it is emptied in two steps', async () => {
  const { body } = await write('POST', '/arts', { title: 'Left', bio: 'x' }, 201);
  await write('PATCH', `/arts/${body.id}`, { title: '' }, 200);
  const refused = await write('PATCH', `/arts/${body.id}`, { bio: null }, 400);
  expect(refused.body.code).toBe('empty_content');
});

test('a missing date is neither before nor after another one', async () => {
  await write('POST', '/visits', { title: 'Open', end: '2026-01-01T00:00:00Z' }, 201);
  expect(await titles('/visits')).toEqual([]);
  expect(await titles('/visits', admin)).toEqual(['Open']);
  for (const filter of ['due_before', 'due_lte'])
    expect(await titles(`/visits?${filter}=2030-01-01T00:00:00Z`, admin)).toEqual([]);
  expect(await titles('/visits?end_before=2030-01-01T00:00:00Z', admin)).toEqual(['Open']);
});

test('a retry of the request that changed the key of an item gets its response', async () => {
  await write('POST', '/orders', { number: 'A-1' }, 201);
  const change = () => write('PATCH', '/orders/A-1', { number: 'B/2 x' }, 200, { 'Idempotency-Key': 'renamed' });
  const [first, again] = [await change(), await change()];
  expect(again.body).toEqual(first.body);
  expect(again.headers['idempotency-replayed']).toBe('true');
});

test('a retry of the request that put an item below another parent gets its response', async () => {
  for (const title of ['North', 'South']) await write('POST', '/wards', { title }, 201);
  const { body } = await write('POST', '/wards/1/beds', { title: 'By the window' }, 201);
  const move = () => write('PATCH', `/wards/1/beds/${body.id}`, { ward: 2 }, 200, { 'Idempotency-Key': 'moved' });
  const [first, again] = [await move(), await move()];
  expect(first.body.ward).toBe(2);
  expect(again.body).toEqual(first.body);
});

test('null empties a field that keeps values of former versions', async () => {
  await write('POST', '/orders', { number: 'C-1', state: 'b' }, 201);
  expect((await write('PATCH', '/orders/C-1', { state: null }, 200)).body.state).toBeNull();
});

test('an object that is written once may be sent back with its members in another order', async () => {
  await write('POST', '/orders', { number: 'D-1', seal: { b: 1, a: [2] } }, 201);
  await write('PATCH', '/orders/D-1', { seal: { a: [2], b: 1 } }, 200);
  await write('PATCH', '/orders/D-1', { seal: { a: [3], b: 1 } }, 400);
});

test('the key of an item is not null', async () => {
  const { body } = await write('POST', '/tokens', { ref: null }, 400);
  expect(body.data.params.ref).toMatch(/must have a value/);
  expect((await write('POST', '/tokens', {}, 201)).body.ref).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  [{ code: '<b></b>' }, 'code', 'rest_too_short'],
  [{ code: '<i>.</i>' }, 'code', 'rest_invalid_pattern'],
  [{ code: 'A', line: '<br>' }, 'line', 'rest_too_short'],
])('a text of which sanitizing leaves what its rule refuses is refused: %j', async (sent, name, code) => {
  const { data } = (await write('POST', '/badges', sent, 400)).body;
  expect(data.details).toMatchObject({ [name]: { code, message: expect.stringContaining('without markup') } });
  const kept = `kept ${code} ${name}`;
  await write('POST', '/badges', { code: kept }, 201);
  const changed = await write('PATCH', `/badges/${encodeURIComponent(kept)}`, { ...sent }, 400);
  expect(changed.body.data.details[name].code).toBe(code);
});

test('a text without further rules may be left empty by sanitizing', async () => {
  expect((await write('POST', '/badges', { code: 'B', free: '<b></b>' }, 201)).body.free).toBe('');
});

test('null counts as not sent for what is never null, whatever the schema says', async () => {
  const sent = { text: 'Shown', meta: { note: 'x' } };
  const { id } = (await write('POST', '/sheets', sent, 201)).body;
  const { body } = await write('PATCH', `/sheets/${id}`, { text: null, meta: null }, 200);
  expect(body).toMatchObject({ text: { raw: 'Shown' }, meta: { note: 'x' } });
});

test('null is no password of a protected item', async () => {
  for (const password of [undefined, null]) {
    const { id } = (await write('POST', '/sheets', { text: 'Open', password }, 201)).body;
    const open = { protected: false, rendered: '<p>Open</p>\n' };
    expect((await site.send('GET', `/sheets/${id}`)).body.text).toEqual(open);
    await write('PATCH', `/sheets/${id}`, { password: 'key' }, 200);
    expect((await site.send('GET', `/sheets/${id}`)).body.text).toEqual({ protected: true, rendered: '' });
    await write('PATCH', `/sheets/${id}`, { password: null }, 200);
    expect((await site.send('GET', `/sheets/${id}`)).body.text).toEqual(open);
  }
});
