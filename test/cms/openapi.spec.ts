// The OpenAPI document against the running site: requests made from it get the responses that it describes.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OpenApiDocument, type Operation, type Schema } from '../support/openapi-document.js';
import { query, type Method } from '../support/send.js';
import { openFilledCms, type Cms } from './stage.js';

let cms: Cms;
let described: OpenApiDocument;
let document: Schema;
let operations: Operation[];

beforeAll(async () => {
  cms = await openFilledCms();
  described = await OpenApiDocument.of(cms.site);
  ({ document, operations } = described);
});
afterAll(() => cms?.site.close());

const ids: Record<string, string> = {
  '/cms/v2/posts/{id}': 'post',
  '/cms/v2/pages/{id}': 'page',
  '/cms/v2/media/{id}': 'media',
  '/cms/v2/comments/{id}': 'comment',
  '/cms/v2/users/{id}': 'writer',
  '/cms/v2/tags/{id}': 'tag',
  '/cms/v2/categories/{id}': 'category',
  '/cms/v2/posts/{parent_id}/revisions/{id}': 'revision',
};

function targetOf(path: string): string {
  const key = cms.saved[ids[path] ?? ''] ?? 1;
  return path
    .replace('{parent_id}', String(cms.saved['post']))
    .replace('{id}', String(key))
    .replace('{taxonomy}', 'category')
    .replace('{type}', 'post')
    .replace('{status}', 'publish')
    .replace('{user_id}', '1')
    .replace('{uuid}', 'none');
}

describe('the document', () => {
  test('names every operation once, with tag, summary, description, security and errors', () => {
    const names = operations.map(({ described }) => described['operationId']);
    expect(names.filter((name, at) => names.indexOf(name) !== at || !/^[a-z]\w+$/.test(name))).toEqual([]);
    const tags = document['tags'].map(({ name }: Schema) => name);
    const bare = operations.filter(
      ({ described }) =>
        !described['summary'] ||
        !described['description'] ||
        !described['tags'].every((tag: string) => tags.includes(tag)) ||
        !Object.keys(described['responses']).some((status) => status.startsWith('4')),
    );
    expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    const unsecured = operations.filter(({ method, described }) => method !== 'options' && !described['security']);
    expect(unsecured).toEqual([]);
  });

  // OpenAPI 3.0 required it, and generators of clients still do.
  test('describes the items of every list', () => {
    const bare: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('type' in value && value.type === 'array' && !('items' in value)) bare.push(path);
      for (const [name, member] of Object.entries(value)) look(member, `${path}/${name}`);
    };
    look(document, '');
    expect(bare).toEqual([]);
  });

  test('has examples that its schemas allow', () => {
    const schemas = Object.entries<Schema>(document['components'].schemas);
    const wrong = schemas.flatMap(([name, schema]) =>
      (schema['examples'] ?? []).flatMap((example: unknown) =>
        described.problems({ $ref: `#/components/schemas/${name}` }, example).map((problem) => `${name}${problem}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('describes texts as texts, files as files, and filter as an object', () => {
    const { schemas } = document['components'];
    expect(schemas.PostCreate.properties.title.anyOf[0].type).toBe('string');
    expect(Object.keys(document['paths']['/cms/v2/media'].post.requestBody.content)).toEqual([
      'multipart/form-data',
      'application/octet-stream',
    ]);
    const filter = document['paths']['/cms/v2/posts'].get.parameters.find(({ name }: Schema) => name === 'filter');
    expect(filter).toMatchObject({ style: 'deepObject', explode: true });
  });
});

test('responses in every context match the document', async () => {
  const wrong: string[] = [];
  for (const operation of operations.filter(({ method }) => method === 'get')) {
    const takesContext = operation.described['parameters']?.some(({ name }: Schema) => name === 'context');
    for (const context of takesContext ? ['view', 'embed', 'edit'] : ['']) {
      for (const headers of [{}, cms.actors.admin.headers]) {
        const target = targetOf(operation.path) + (context && `?context=${context}`);
        const response = await cms.site.send('GET', `/${target}`, { as: headers });
        for (const problem of described.wrongWith(operation, response)) wrong.push(`${target}: ${problem}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('a 304 response is described with its headers', async () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const operation of operations.filter(
    ({ method, described: { responses } }) => method === 'get' && responses[304],
  )) {
    const target = `/${targetOf(operation.path)}`;
    const as = cms.actors.admin.headers;
    const { headers } = await cms.site.send('GET', target, { as });
    if (!headers['etag']) continue;
    const response = await cms.site.send('GET', target, { as, headers: { 'If-None-Match': headers['etag'] } });
    expect([target, response.status]).toEqual([target, 304]);
    for (const problem of described.wrongWith(operation, response)) wrong.push(`${target}: ${problem}`);
    seen++;
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(25);
});

test('lists have the totals of the document, and no others', async () => {
  for (const { method, path, described: list } of operations) {
    const schema = list['responses'][200]?.content?.['application/json']?.schema;
    if (method !== 'get' || path.endsWith('}') || !/^\/cms\/v2\/(?!users\/)/.test(path) || !schema) continue;
    const { status, headers } = await cms.site.send('GET', `/${targetOf(path)}`, { as: cms.actors.admin.headers });
    const promised = 'X-WP-Total' in list['responses'][200].headers;
    if (status === 404) continue;
    expect({ path, status, sent: 'x-wp-total' in headers }).toEqual({ path, status: 200, sent: promised });
  }
});

test('OPTIONS is described wherever it is supported, with the arguments of the document', async () => {
  const missing: string[] = [];
  const paths = Object.entries<Schema>(document['paths']).filter(([path]) => !/^\/(?:auth|livez|readyz)/.test(path));
  for (const [path, methods] of paths) {
    const { status, body } = await cms.site.send('OPTIONS', `/${targetOf(path)}`, { as: cms.actors.admin.headers });
    expect({ path, status, described: 'options' in methods }).toEqual({ path, status: 200, described: true });
    for (const { methods: verbs, args } of body.endpoints)
      for (const verb of verbs)
        for (const name of Object.keys(args).filter((each) => !namesOf(methods[verb.toLowerCase()]).has(each)))
          missing.push(`${verb} ${path} ${name}`);
  }
  expect(missing).toEqual([]);
});

/** Everything that an operation of the document takes, by name. */
function namesOf({ parameters = [], requestBody }: Schema): Set<string> {
  const bodies = Object.values<Schema>(requestBody?.content ?? {}).flatMap(({ schema }) => [
    schema,
    ...(schema.allOf ?? []),
  ]);
  const members = bodies.flatMap((schema: Schema) => Object.keys(described.resolve(schema)['properties'] ?? {}));
  return new Set([...parameters.map(({ name }: Schema) => name), ...members]);
}

test('search texts of operators have the length of the document', async () => {
  const list = (name: string) =>
    document['paths'][`/cms/v2/${name}`].get.parameters.reduce(
      (all: Schema, { name: parameter, schema }: Schema) => ({ ...all, [parameter]: schema }),
      {},
    );
  const bounds: [target: string, schema: Schema][] = [
    ['/posts?excerpt[contains]=', list('posts').excerpt.properties.contains],
    ['/posts?title[startswith]=', list('posts').title.properties.startswith],
  ];
  for (const [target, schema] of bounds) {
    for (const length of [200, 201]) {
      const text = 'x'.repeat(length);
      const { status } = await cms.site.send('GET', `${target}${text}`, { as: cms.actors.admin.headers });
      const allowed = described.problems(schema, text).length === 0;
      expect({ target, length, taken: status === 200 }).toEqual({ target, length, taken: allowed });
    }
  }
});

test('texts of accounts and settings have the length of the document', async () => {
  const as = cms.actors.admin.headers;
  const bodyOf = (path: string) =>
    described.resolve(document['paths'][path].post.requestBody.content['application/json'].schema)['properties'];
  const account = { username: 'a', email: 'a@example.org', password: 'long enough 1' };
  const end = (start: string, length: number, last = '') =>
    start + 'x'.repeat(length - start.length - last.length) + last;
  const texts: [path: string, name: string, most: number, text: (length: number) => string, others: object][] = [
    ['/users', 'username', 60, (length) => end('a', length), { ...account, email: 'long@example.org' }],
    ['/users', 'url', 100, (length) => end('http://example.org/', length), { ...account, username: 'linked' }],
    ['/settings', 'email', 255, (length) => end('a@', length, '.org'), {}],
  ];
  for (const [path, name, most, text, others] of texts) {
    const property = bodyOf(`/cms/v2${path}`)[name];
    for (const length of [most + 1, most]) {
      const value = text(length);
      const body = { ...others, [name]: value };
      const { status } = await cms.site.send('POST', path, { as, body });
      const taken = described.problems(property, value).length === 0;
      expect({ path, name, length, taken: status < 300 }).toEqual({ path, name, length, taken: length === most });
      expect({ path, name, length, described: taken }).toEqual({ path, name, length, described: length === most });
    }
  }
});

test('every operation on a resource supports strict handling', async () => {
  const own = operations.filter(
    ({ method, path }) => method !== 'options' && /^\/cms\/v2\/(?!.*(?:passwords|restore$))/.test(path),
  );
  const without = own.filter(({ described }) => !described['parameters'].some(({ name }: Schema) => name === 'Prefer'));
  expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  for (const method of ['GET', 'POST'] as const) {
    const { responses } = own.find(
      (each) => each.method === method.toLowerCase() && each.path === '/cms/v2/tags',
    )!.described;
    const send = (fields: Record<string, unknown>) =>
      cms.site.send(method, '/tags', {
        as: cms.actors.admin.headers,
        headers: { Prefer: 'handling=strict' },
        ...(method === 'GET' ? { query: fields } : { body: fields }),
      });
    const refused = await send({ name: 'Strict', colour: 'red' });
    expect(refused.body.code).toBe('rest_unknown_param');
    expect(responses[refused.status].description).toContain('rest_unknown_param');
    const taken = await send(method === 'GET' ? { per_page: 1 } : { name: 'Strict' });
    expect(taken.headers['preference-applied']).toBe('handling=strict');
    expect(Object.keys(responses[taken.status].headers)).toContain('Preference-Applied');
  }
});

test('batches of every kind, and their responses, match the document', async () => {
  const operation = operations.find(({ method, path }) => method === 'post' && path === '/batch/v1')!;
  const schema = operation.described['requestBody'].content['application/json'].schema;
  const tag = (name: string) => ({ path: '/cms/v2/tags', body: { name } });
  const bodies = [
    { requests: [tag('A batch'), { method: 'DELETE', path: '/cms/v2/tags/0?force=true' }] },
    { validation: 'require-all-validate', requests: [tag('Another'), { path: '/cms/v2/tags', body: {} }] },
    {
      validation: 'atomic',
      requests: [tag('Together'), { method: 'GET', path: '/cms/v2/tags/{#/responses/0/body/id}' }],
    },
    { validation: 'atomic', requests: [tag('Undone'), tag('Together')] },
  ];
  for (const body of bodies) {
    const response = await cms.site.send('POST', '//batch/v1', { as: cms.actors.admin.headers, body });
    const wrong = [...described.problems(schema, body), ...described.wrongWith(operation, response)];
    expect({ status: response.status, wrong }).toEqual({ status: 207, wrong: [] });
  }
});

/** A request as a page of the document fills it in; undefined where it leaves a key to be filled in. */
function prefilled({ path, described: { parameters = [], requestBody } }: Operation) {
  const values = (place: string): [string, unknown][] =>
    parameters
      .filter((parameter: Schema) => parameter['in'] === place)
      .map(({ name, example, schema }: Schema) => [name, example ?? schema.default]);
  const keys = values('path');
  if (keys.some(([, value]) => value === undefined)) return undefined;
  const target = keys.reduce((left, [name, value]) => left.replace(`{${name}}`, String(value)), path);
  const body = requestBody?.content['application/json']?.example;
  return { target, query: Object.fromEntries(values('query')), ...(body === undefined ? {} : { body }) };
}

test('every operation succeeds with its examples, or reports what to change', async () => {
  const wrong: string[] = [];
  const made: string[] = [];
  const last = ['get', 'options', 'post', 'put', 'patch', 'delete'];
  const ordered = operations.toSorted((one, other) => last.indexOf(one.method) - last.indexOf(other.method));
  for (const operation of ordered) {
    const request = prefilled(operation);
    if (!request) continue;
    const { target, body } = request;
    const schema = operation.described['requestBody']?.content['application/json']?.schema;
    if (schema) wrong.push(...described.problems(schema, body).map((problem) => `${target}, example: ${problem}`));
    const method = operation.method.toUpperCase() as Method;
    const response = await cms.site.send(method, `/${target}${query(request.query)}`, {
      as: cms.actors.admin.headers,
      ...(body === undefined ? {} : { body }),
    });
    for (const problem of described.wrongWith(operation, response)) wrong.push(`${method} ${target}: ${problem}`);
    if (response.status >= 400 && !/ .*\.$/.test(response.body.message))
      wrong.push(`${method} ${target}: ${response.text}`);
    if (response.status === 201) made.push(operation.path);
    // The passwords of the caller are withdrawn and nothing else of the account changes: it signs in to the end.
    expect(response.body?.code).not.toBe('incorrect_password');
  }
  expect(wrong).toEqual([]);
  const plain = ['posts', 'pages', 'users', 'tags', 'categories'].map((name) => `/cms/v2/${name}`);
  expect(made).toEqual(expect.arrayContaining(plain));
});
