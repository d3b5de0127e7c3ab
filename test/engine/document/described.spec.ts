// What a running site answers is in its OpenAPI document: parameters, headers, and members of bodies; those of nested
// creations, actions, exports and application passwords too.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administrator, makeActor } from '../../support/actors.js';
import { OpenApiDocument, type Operation, type Schema } from '../../support/openapi-document.js';
import type { HttpResponse, Method, Sent } from '../../support/send.js';
import { startTestSchemas, startTestSite, type TestSite } from '../../support/start-test-site.js';

const permissions = { rules: { read: true, create: { signedIn: true }, edit: { signedIn: true } } };
const SCHEMAS = [
  {
    name: 'hall',
    path: 'halls',
    fields: { name: { type: 'string', required: true, filterable: 'in' } },
    traits: { trashable: { hidden: true } },
    views: { open: { where: { name: { ne: 'closed' } }, fields: ['name'] } },
    permissions,
  },
  {
    name: 'seat',
    path: 'seats',
    parent: { resource: 'hall', field: 'hall' },
    fields: {
      hall: { type: 'reference', to: 'hall', readOnly: true, onDelete: 'cascade' },
      row: { type: 'integer', required: true },
    },
    permissions,
  },
  {
    name: 'person',
    path: 'people',
    selfAlias: 'me',
    fields: {
      username: { type: 'string', required: true, contexts: ['edit'] },
      email: { type: 'email', required: true, contexts: ['edit'] },
      password: { type: 'password', required: true },
      roles: { type: 'strings', contexts: ['edit'] },
      hall: { type: 'reference', to: 'hall' },
    },
    traits: { account: {} },
    permissions: { rules: { read: { signedIn: true }, edit: { is: { id: '$me' } } } },
  },
  {
    name: 'hint',
    path: 'hints',
    parent: { resource: 'person', field: 'person' },
    fields: {
      person: { type: 'reference', to: 'person', readOnly: true, onDelete: 'cascade' },
      text: { type: 'string' },
    },
    permissions,
  },
  /** Has the name of the type of the saved query above. */
  { name: 'hall-open-view', path: 'views', fields: { seats: { type: 'integer' } }, permissions },
];

let site: TestSite;
let described: OpenApiDocument;
const ACTIONS = `
import { defineExtension } from 'typecase';
export default defineExtension({
  action: [
    { name: 'greet', resource: 'person', description: 'Greets.', needs: { signedIn: true }, run() {} },
    { name: 'visit', resource: 'hall', description: 'Visits it.', needs: { signedIn: true }, run() {} },
    {
      name: 'count',
      resource: 'hall',
      on: 'collection',
      description: 'Counts.',
      body: { most: { type: 'integer', default: 5 }, of: { type: 'array', items: { type: 'integer' } } },
      needs: 'manage_options',
      returns: { type: 'object', properties: { most: { type: 'integer' } } },
      run: ({ values }) => ({ most: values.most }),
    },
  ],
});
`;

const folder = mkdtempSync(join(tmpdir(), 'typecase-described-'));

beforeAll(async () => {
  const extensions = mkdtempSync(join(folder, 'extensions-'));
  writeFileSync(join(extensions, 'actions.mjs'), ACTIONS);
  const schemas = mkdtempSync(join(folder, 'schemas-'));
  for (const schema of SCHEMAS) writeFileSync(join(schemas, `${schema.name}.json`), JSON.stringify(schema));
  site = await startTestSite(schemas, { EXTENSIONS_DIR: extensions });
  described = await OpenApiDocument.of(site);
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

const admin = () => administrator(site).headers;

function operationAt(method: string, path: string): Operation {
  const found = described.operations.find((each) => each.path === path && each.method === method.toLowerCase());
  if (!found) throw new Error(`${method} ${path} is not described.`);
  return found;
}

/** Sends a request to a path of the document, and expects that the document describes it and its response. */
async function ask(
  method: Method,
  path: string,
  sent: Sent = {},
  keys: Record<string, unknown> = {},
): Promise<HttpResponse> {
  const operation = operationAt(method, path);
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(keys[name]));
  const response = await site.send(method, `/${target}`, sent);
  const known = (operation.described['parameters'] ?? []).map(({ name }: Schema) => name.toLowerCase());
  const names = [...Object.keys(sent.query ?? {}), ...Object.keys(sent.headers ?? {})].map((name) =>
    name.toLowerCase(),
  );
  const unknown = names.filter((name) => name !== 'accept' && !known.includes(name));
  const isShaped = ['_fields', '_envelope'].some((name) => sent.query?.[name] !== undefined);
  const wrong = described.wrongWith(operation, response, isShaped);
  expect({ method, target, unknown, wrong }).toEqual({ method, target, unknown: [], wrong: [] });
  return response;
}

test('an export as CSV has the headers of the document', async () => {
  await ask('POST', '/cms/v2/halls', { as: admin(), body: { name: 'One' } });
  const { headers } = await ask('GET', '/cms/v2/halls', { headers: { Accept: 'text/csv' } });
  expect(headers['content-disposition']).toBe('attachment; filename="halls.csv"');
  await ask('GET', '/cms/v2/halls', { headers: { Accept: 'application/x-ndjson' } });
});

test('application passwords, and the schema of OPTIONS for them, are as the document describes them', async () => {
  const all = '/cms/v2/people/{user_id}/application-passwords';
  const me = { user_id: 'me' };
  const once = { as: admin(), body: { name: 'One' }, headers: { 'Idempotency-Key': 'one' } };
  const { body: created } = await ask('POST', all, once, me);
  const { headers } = await ask('POST', all, once, me);
  expect(headers['idempotency-replayed']).toBe('true');
  const one = { ...me, uuid: created.uuid };
  for (const context of ['view', 'embed', 'edit']) {
    await ask('GET', all, { as: admin(), query: { context } }, me);
    await ask('GET', `${all}/{uuid}`, { as: admin(), query: { context } }, one);
  }
  const { body: renamed } = await ask('PATCH', `${all}/{uuid}`, { as: admin(), body: { name: 'Two' } }, one);
  expect(renamed._links.self[0].href).toMatch(created.uuid);
  const { schema } = (await ask('OPTIONS', `${all}/{uuid}`, {}, one)).body;
  const { app_id } = schema.properties;
  expect([created.app_id, described.problems({ anyOf: app_id.anyOf }, '')]).toEqual(['', []]);
  expect(app_id.format).toBeUndefined();
  await ask('DELETE', `${all}/{uuid}`, { as: admin() }, one);
});

test('tokens are requested as the document and OPTIONS describe', async () => {
  const { username, password } = administrator(site);
  const schemaOf = (path: string): Schema =>
    operationAt('POST', path).described['requestBody'].content['application/json'].schema;
  const bodies: [string, object, number][] = [
    ['/auth/token', { username, password }, 200],
    ['/auth/token', { grant_type: 'password', username, password }, 200],
    ['/auth/token', { grant_type: 'refresh_token', username, password }, 400],
    ['/auth/token', { grant_type: 'other', username, password }, 400],
    ['/auth/token', { username, password: 'x'.repeat(4097) }, 400],
    ['/auth/revoke', { token: 'x'.repeat(4096) }, 200],
    ['/auth/revoke', { token: 'x'.repeat(4097) }, 400],
  ];
  for (const [path, body, status] of bodies) {
    const response = await site.send('POST', `/${path}`, { body });
    expect([path, body, response.status]).toEqual([path, body, status]);
    expect(described.wrongWith(operationAt('POST', path), response)).toEqual([]);
    expect([path, body, described.problems(schemaOf(path), body).length === 0]).toEqual([path, body, status === 200]);
  }
  for (const path of ['/auth/token', '/auth/revoke']) {
    const { args } = (await ask('OPTIONS', path)).body.endpoints[0];
    const properties = [schemaOf(path), ...(schemaOf(path)['anyOf'] ?? [])].flatMap((each: Schema) =>
      Object.keys(each['properties'] ?? {}),
    );
    expect(Object.keys(args).sort()).toEqual([...new Set(properties)].sort());
  }
});

test('parameters that shape every response are described wherever they have an effect', async () => {
  const shaped = (names: string[]) =>
    Object.fromEntries(names.map((name) => [name, name === '_fields' ? 'name' : '1']));
  const reads = ['/', '/cms/v2'];
  for (const path of reads) {
    for (const method of ['GET', 'OPTIONS'] as const)
      for (const name of ['_fields', '_pretty', '_envelope']) await ask(method, path, { query: shaped([name]) });
    const { headers } = await ask('GET', path);
    const conditional = { headers: { 'If-None-Match': headers['etag']! } };
    expect((await ask('GET', path, conditional)).status).toBe(304);
    expect((await site.send('OPTIONS', `/${path}`, conditional)).status).toBe(200);
    expect(operationAt('OPTIONS', path).described['responses'][304]).toBeUndefined();
  }
  const names = await ask('GET', '/', { query: { _fields: 'name' } });
  expect(Object.keys(names.body)).toEqual(['name']);
  const all = '/cms/v2/people/{user_id}/application-passwords';
  await ask('GET', all, { as: admin(), query: shaped(['_fields', '_pretty']) }, { user_id: 'me' });
  const removed = await ask('DELETE', all, { as: admin(), query: { _fields: 'count' } }, { user_id: 'me' });
  expect(Object.keys(removed.body)).toEqual(['count']);
  for (const path of ['/cms/v2/halls', '/batch/v1', '/auth/token'])
    await ask('OPTIONS', path, { query: { _pretty: '' } });
  await ask('POST', '/batch/v1', { as: admin(), query: { _pretty: '' }, body: { requests: [] } });
});

test('actions take what the document says, with strict handling too', async () => {
  const as = admin();
  const { id } = (await ask('POST', '/cms/v2/halls', { as, body: { name: 'Strict' } })).body;
  const item = '/cms/v2/halls/{id}';
  const strict = { Prefer: 'handling=strict' };
  await ask('PATCH', item, { as, body: { size: 1 }, headers: strict }, { id });
  const actions: [string, object][] = [
    [`${item}/restore`, {}],
    [`${item}/visit`, {}],
    ['/cms/v2/halls/count', { most: 2 }],
  ];
  for (const [path, body] of actions) {
    const act = async (sent: Sent, status: number) => {
      if (path.endsWith('/restore')) await site.send('DELETE', `/halls/${id}`, { as });
      const response = await ask('POST', path, { as, body, ...sent }, { id });
      expect([path, response.status]).toEqual([path, status]);
      return response;
    };
    await act({ query: { _pretty: '' } }, 200);
    expect((await act({ headers: strict }, 200)).headers['preference-applied']).toBe('handling=strict');
    const refused = await act({ headers: strict, body: { ...body, name: 'Sent' } }, 400);
    expect(refused.body.data.params).toEqual({ name: expect.stringContaining('name is not a parameter') });
    if (path.endsWith('/restore')) await act({ headers: { 'If-Match': '"other"' } }, 412);
    await act({ headers: { 'Idempotency-Key': path } }, 200);
    const repeated = await ask('POST', path, { as, body, headers: { 'Idempotency-Key': path } }, { id });
    expect(repeated.headers['idempotency-replayed']).toBe('true');
  }
  await site.send('DELETE', `/halls/${id}`, { as, status: 200 });
  await ask('POST', `${item}/restore`, { as, query: { _fields: 'id' } }, { id });
  await site.send('DELETE', `/halls/${id}`, { as, status: 200 });
  await ask('POST', `${item}/restore`, { as, query: { _embed: '' } }, { id });
});

test('a saved query and a resource whose types would have the same name have schemas of their own', async () => {
  await ask('POST', '/cms/v2/views', { as: admin(), body: { seats: 5 } });
  const { body } = await ask('GET', '/cms/v2/views');
  expect(Object.keys(body[0])).toEqual(['id', 'seats', '_links']);
  await ask('POST', '/cms/v2/halls', { as: admin(), body: { name: 'Open' } });
  const { body: open } = await ask('GET', '/cms/v2/halls/views/open');
  expect(Object.keys(open[0])).toEqual(['name']);
});

test('a creation returns the items that were created below it, as the document describes', async () => {
  const body = { name: 'Seated', seats: [{ row: 1 }, { row: 2 }] };
  const { seats } = (await ask('POST', '/cms/v2/halls', { as: admin(), body })).body;
  expect(seats.map(({ row }: Schema) => row)).toEqual([1, 2]);
  const { schema } = operationAt('POST', '/cms/v2/halls').described['responses'][201].content['application/json'];
  expect(described.problems(schema, { ...seats[0], name: 'Seated', seats: [{ row: 'x' }] })).not.toEqual([]);
});

test('the own account, and what is below it, take what the document says', async () => {
  const { id: hall } = (await ask('POST', '/cms/v2/halls', { as: admin(), body: { name: 'Own' } })).body;
  const me = '/cms/v2/people/me';
  await ask('PATCH', me, { as: admin(), body: { hall } });
  expect((await ask('GET', me, { as: admin(), query: { expand: 'hall' } })).body.hall.name).toBe('Own');
  const below: [Method, string, string][] = [
    ['POST', '/cms/v2/people/{parent_id}/hints', 'parent_id'],
    ['GET', '/cms/v2/people/{parent_id}/hints', 'parent_id'],
    ['POST', '/cms/v2/people/{id}/greet', 'id'],
    ['OPTIONS', '/cms/v2/people/{id}/greet', 'id'],
  ];
  for (const [method, path, name] of below) {
    const sent = method === 'POST' ? { body: {} } : {};
    for (const as of [admin(), {}]) await ask(method, path, { as, ...sent }, { [name]: 'me' });
    const parameters: Schema[] = operationAt(method, path).described['parameters'];
    const { schema } = parameters.find((each) => each['name'] === name)!;
    const taken = [1, 'me', 'you'].map((key) => described.problems(schema, key).length === 0);
    expect([method, path, taken]).toEqual([method, path, [true, true, false]]);
  }
  expect((await site.send('GET', '/people/you/hints')).status).toBe(404);
});

test('lists in parameters have the length of the document', async () => {
  const count = operationAt('POST', '/cms/v2/halls/count').described['requestBody'].content['application/json'];
  const list: Schema[] = operationAt('GET', '/cms/v2/halls').described['parameters'];
  const schemas = { name: list.find(({ name }) => name === 'name')!['schema'], of: count.schema.properties.of };
  for (const length of [100, 101]) {
    const of = Array.from({ length }, (_, at) => at);
    const statuses = {
      name: (await site.send('GET', `/halls?name=${of.join(',')}`)).status,
      of: (await site.send('POST', '/halls/count', { as: admin(), body: { of } })).status,
    };
    const name = of.map(String);
    const taken = { name: described.problems(schemas.name, name), of: described.problems(schemas.of, of) };
    expect([length, statuses]).toEqual([length, length > 100 ? { name: 400, of: 400 } : { name: 200, of: 200 }]);
    expect([length, taken.name.length > 0, taken.of.length > 0]).toEqual([length, length > 100, length > 100]);
  }
});

test('a limit for all requests, and the stream of events, are described where they are', async () => {
  const limited = await startTestSchemas([SCHEMAS.at(-1)!], { RATE_LIMIT: '1000/60', LIVE_UPDATES: 'on' });
  try {
    const document = await OpenApiDocument.of(limited);
    const check = (path: string, method: string, response: HttpResponse) => {
      const operation = document.operations.find((each) => each.path === path && each.method === method)!;
      expect([method, path, document.wrongWith(operation, response)]).toEqual([method, path, []]);
    };
    for (const path of ['/', '/cms/v2/views', '/livez', '/readyz'])
      check(path, 'get', await limited.send('GET', `/${path}`, { status: 200 }));
    check('/cms/v2/views', 'options', await limited.send('OPTIONS', '/views', { status: 200 }));
    const { headers } = await limited.send('GET', '/views');
    const unchanged = await limited.send('GET', '/views', {
      headers: { 'If-None-Match': headers['etag']! },
      status: 304,
    });
    expect(unchanged.headers['ratelimit-limit']).toBe('1000');
    check('/cms/v2/views', 'get', unchanged);
    const stream = await limited.send('HEAD', '//events', { status: 200 });
    const { responses, parameters } = document.operations.find(({ path }) => path === '/events')!.described;
    const described = Object.keys(responses[200].headers).map((name) => name.toLowerCase());
    for (const name of Object.keys(stream.headers).filter((each) => /^(?:x-accel|ratelimit)/.test(each)))
      expect(described).toContain(name);
    const { args } = (await limited.send('OPTIONS', '//events')).body.endpoints[0];
    const ids: Schema = parameters.find(({ name }: Schema) => name === 'ids');
    for (const length of [100, 101]) {
      const values = Array.from({ length }, (_, at) => at + 1);
      const { status } = await limited.send('HEAD', `//events?ids=${values.join(',')}`);
      const { required: _required, ...argument } = args.ids;
      const taken = [ids['schema'], argument].map((schema) => document.problems(schema, values).length === 0);
      expect([length, status, taken]).toEqual(length > 100 ? [101, 400, [false, false]] : [100, 200, [true, true]]);
    }
  } finally {
    await limited.close();
  }
});

test('OPTIONS of actions names POST for callers who may use them', async () => {
  const { id } = (await ask('POST', '/cms/v2/halls', { as: admin(), body: { name: 'Allowed' } })).body;
  await site.send('DELETE', `/halls/${id}`, { as: admin(), status: 200 });
  const reader = (await makeActor(site, 'subscriber', 'allowed')).headers;
  const allowed = async (path: string, key: number): Promise<string[]> => {
    const callers = [admin(), reader, {}];
    const responses = callers.map((as) => ask('OPTIONS', path, { as }, { id: key }));
    return (await Promise.all(responses)).map(({ headers }) => headers['allow'] ?? '-');
  };
  expect(await allowed('/cms/v2/halls/count', 0)).toEqual(['POST', '-', '-']);
  for (const key of [id, 9999]) {
    expect(await allowed('/cms/v2/halls/{id}/restore', key)).toEqual(['POST', 'POST', '-']);
    expect(await allowed('/cms/v2/halls/{id}/visit', key)).toEqual(['POST', 'POST', '-']);
  }
  await site.send('POST', `/halls/${id}/restore`, { status: 401 });
  await site.send('POST', '/halls/count', { as: reader, body: {}, status: 403 });
});
