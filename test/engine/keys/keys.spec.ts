// Items that are named by a field of their own in their URL, not by their id.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { basic, type Headers } from '../../support/actors.js';
import { ADMINISTRATOR, startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const permissions = { rules: { read: true, edit: true, create: true, delete: true } };
const code = { type: 'string', required: true, unique: true, columnLength: 60 };
const trash = { trashable: { hidden: true } };
const SCHEMAS = [
  { name: 'bin', path: 'bins', key: 'code', fields: { code, title: { type: 'string' } }, traits: trash, permissions },
  {
    name: 'lot',
    path: 'lots',
    key: 'no',
    fields: { no: { type: 'integer', required: true, unique: true }, title: { type: 'string' } },
    traits: trash,
    permissions,
  },
  {
    name: 'tool',
    path: 'tools',
    key: 'tag',
    fields: { tag: { type: 'uuid', required: true, unique: true } },
    permissions,
  },
  { name: 'shelf', path: 'shelves', fields: { title: { type: 'string' } }, permissions },
  {
    name: 'label',
    path: 'labels',
    key: 'code',
    parent: { resource: 'shelf', field: 'shelf' },
    fields: { code, shelf: { type: 'reference', to: 'shelf' } },
    traits: trash,
    permissions,
  },
  {
    name: 'note',
    path: 'notes',
    parent: { resource: 'shelf', field: 'shelf' },
    fields: { text: { type: 'string' }, shelf: { type: 'reference', to: 'shelf' } },
    traits: trash,
    permissions,
  },
  {
    name: 'plan',
    path: 'plans',
    key: 'code',
    fields: { code, title: { type: 'string' } },
    traits: { uploaded: {} },
    permissions,
  },
  {
    name: 'person',
    path: 'people',
    key: 'username',
    selfAlias: 'me',
    fields: {
      username: { ...code },
      email: { type: 'string', format: 'email', required: true, columnLength: 100 },
      password: { type: 'password', required: true },
      roles: { type: 'strings' },
    },
    traits: { account: {} },
    permissions,
  },
];

let site: TestSite;
let as: Headers;
beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
  as = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
});
afterAll(() => site.close());
const send = (method: 'GET' | 'POST' | 'DELETE', path: string, status: number, body?: object) =>
  site.send(method, path, { as, body, status });

it('items with keys of every type can be restored from the trash', async () => {
  await send('POST', '/bins', 201, { code: 'A-1', title: 'First' });
  // Each is named by the id of the other.
  for (const no of [2, 1]) await send('POST', '/lots', 201, { no, title: `Lot ${no}` });
  const shelf = (await send('POST', '/shelves', 201, { title: 'Shelf' })).body.id;
  await send('POST', `/shelves/${shelf}/labels`, 201, { code: 'L' });
  const note = (await send('POST', `/shelves/${shelf}/notes`, 201, { text: 'Note' })).body.id;
  const items = [
    ['/bins', 'A-1'],
    ['/lots', '2'],
    [`/shelves/${shelf}/labels`, 'L'],
    [`/shelves/${shelf}/notes`, note],
  ];
  for (const [collection, key] of items) {
    const before = (await send('GET', collection, 200)).body;
    const item = (await send('GET', `${collection}/${key}`, 200)).body;
    await send('DELETE', `${collection}/${key}`, 200);
    expect((await send('GET', collection, 200)).body).toHaveLength(before.length - 1);
    expect((await send('POST', `${collection}/${key}/restore`, 200)).body.id).toBe(item.id);
    expect((await send('GET', collection, 200)).body).toEqual(before);
  }
});

it('items with keys can be changed when files or passwords are prepared before the transaction', async () => {
  const form = new FormData();
  form.set('code', 'P');
  form.set('file', new Blob(['a plan'], { type: 'text/plain' }), 'plan.txt');
  await site.send('POST', '/plans', { as, body: form, status: 201 });
  expect((await send('POST', '/plans/P', 200, { title: 'Ground floor' })).body).toMatchObject({
    title: 'Ground floor',
  });
  const changed = (await send('POST', `/people/${ADMINISTRATOR.username}`, 200, { password: 'another one of mine' }))
    .body;
  expect(changed.username).toBe(ADMINISTRATOR.username);
  as = basic(ADMINISTRATOR.username, 'another one of mine');
  await send('GET', '/people', 200);
});

it('uuid keys are accepted in upper and lower case', async () => {
  const tag = '0f8fad5b-d9cb-469f-a165-70867728950e';
  await send('POST', '/tools', 201, { tag });
  for (const key of [tag, tag.toUpperCase()]) expect((await send('GET', `/tools/${key}`, 200)).body.tag).toBe(tag);
  await send('DELETE', `/tools/${tag.toUpperCase()}?force=true`, 200);
  await send('GET', `/tools/${tag}`, 404);
});

it('concurrent updates with If-Match exclude each other, however the key is spelled', async () => {
  const { headers } = await send('POST', '/lots', 201, { no: 7 });
  const changes = ['7', '07', '007', '0007'].map((key) =>
    site.send('POST', `/lots/${key}`, { as, headers: { 'If-Match': headers['etag']! }, body: { title: key } }),
  );
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 412, 412, 412]);
});

it.each(['a b', 'a/b', '50%', '%2F', 'ü?x=1#y', 'c:d@e+f'])('links identify items by their keys: %s', async (key) => {
  const { body, headers } = await send('POST', '/bins', 201, { code: key });
  const [{ href }] = body._links.self;
  expect(headers['location']).toBe(href);
  const url = new URL(href);
  expect(url.search + url.hash).toBe('');
  const path = url.pathname.replace(/.*(?=\/bins\/)/, '');
  expect(await send('GET', path, 200)).toMatchObject({ body: { id: body.id, code: key, _links: body._links } });
});

it.each([
  ['', 'rest_too_short'],
  ['.', 'rest_invalid_pattern'],
  ['..', 'rest_invalid_pattern'],
])('keys cannot be %j, which no URL can contain', async (code, expected) => {
  const { data } = (await send('POST', '/bins', 400, { code })).body;
  expect(data.details.code.code).toBe(expected);
  await send('POST', '/bins', 201, { code: `with ${expected}${code}` });
  await send('POST', `/bins/${encodeURIComponent(`with ${expected}${code}`)}`, 400, { code });
});

it('keys are never empty, according to OPTIONS', async () => {
  const { endpoints } = (await site.send('OPTIONS', '/bins', { as })).body;
  expect(endpoints[1].args.code).toMatchObject({ type: 'string', required: true, minLength: 1 });
});

describe('the alias of the own account, where accounts are named by their username', () => {
  it('names the account of the caller', async () => {
    const own = (await send('GET', `/people/${ADMINISTRATOR.username}`, 200)).body;
    expect((await send('GET', '/people/me', 200)).body).toEqual(own);
    expect((await send('GET', '/people/me?expand=roles&context=edit', 400)).body.code).toBe('rest_invalid_param');
    expect((await send('POST', '/people/me', 200, { email: 'mine@example.org' })).body).toMatchObject({
      id: own.id,
      email: 'mine@example.org',
    });
    expect((await send('GET', '/people', 200)).body[0].email).toBe('mine@example.org');
  });

  it('refuses callers who are not signed in', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const { body } = await site.send(method, '/people/me', { body: method === 'POST' ? {} : undefined, status: 401 });
      expect(body.code).toBe('rest_not_logged_in');
    }
  });

  it('cannot be a username', async () => {
    const account = { username: 'me', email: 'me@example.org', password: 'another one of mine' };
    const { data } = (await send('POST', '/people', 400, account)).body;
    expect(data.params.username).toMatch(/stands for the caller/);
  });

  it('excludes concurrent updates with If-Match under either name', async () => {
    const { headers } = await send('GET', '/people/me?context=edit', 200);
    const etag = headers['etag']!;
    const changes = ['me', ADMINISTRATOR.username, 'me', ADMINISTRATOR.username].map((key, at) =>
      site.send('POST', `/people/${key}`, { as, headers: { 'If-Match': etag }, body: { email: `m${at}@example.org` } }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412, 412, 412]);
  });
});
