// The OpenAPI document against the running site: requests made from it are answered as it says.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import type { Method } from '../support/send.js';
import { openFilledCms, type Cms } from './stage.js';

type Schema = Record<string, any>;
interface Operation {
  method: string;
  path: string;
  described: Schema;
}

let cms: Cms;
let document: Schema;
let ajv: Ajv2020;
let operations: Operation[];
const validators = new Map<unknown, ValidateFunction>();

beforeAll(async () => {
  cms = await openFilledCms();
  document = (await cms.site.send('GET', '//docs-json')).body;
  ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'doc', components: document['components'] });
  operations = Object.entries<Schema>(document['paths']).flatMap(([path, item]) =>
    Object.entries<Schema>(item).map(([method, described]) => ({ method, path, described })),
  );
});
afterAll(() => cms?.site.close());

/** References lead into the document. */
const rooted = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/'));

function problemsOf(schema: Schema, value: unknown): string[] {
  let validate = validators.get(schema);
  if (!validate) validators.set(schema, (validate = ajv.compile(rooted(schema))));
  return validate(value)
    ? []
    : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`).slice(0, 8);
}

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

function addressOf(path: string): string {
  const key = cms.kept[ids[path] ?? ''] ?? 1;
  return path
    .replace('{parent_id}', String(cms.kept['post']))
    .replace('{id}', String(key))
    .replace('{taxonomy}', 'category')
    .replace('{type}', 'post')
    .replace('{status}', 'publish')
    .replace('{uuid}', 'none');
}

/** The schema of an answer, and what is wrong with it by the document. */
function wrongWith({ described }: Operation, status: number, body: unknown): string[] {
  const response =
    described['responses'][status] ?? (status >= 400 && status < 500 && described['responses']['default']);
  if (!response) return [`the status ${status} is not described`];
  const schema = response.content?.['application/json']?.schema;
  return schema ? problemsOf(schema, body) : [];
}

describe('the document', () => {
  test('names every operation once, with tag, summary, security and errors', () => {
    const names = operations.map(({ described }) => described['operationId']);
    expect(names.filter((name, at) => names.indexOf(name) !== at || !/^[a-z]\w+$/.test(name))).toEqual([]);
    const tags = document['tags'].map(({ name }: Schema) => name);
    const bare = operations.filter(
      ({ described }) =>
        !described['summary'] ||
        !described['tags'].every((tag: string) => tags.includes(tag)) ||
        !Object.keys(described['responses']).some((status) => status.startsWith('4')),
    );
    expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    const unsecured = operations.filter(({ method, described }) => method !== 'options' && !described['security']);
    expect(unsecured).toEqual([]);
  });

  test('has examples that its schemas allow', () => {
    const schemas = Object.entries<Schema>(document['components'].schemas);
    const wrong = schemas.flatMap(([name, schema]) =>
      (schema['examples'] ?? []).flatMap((example: unknown) =>
        problemsOf({ $ref: `#/components/schemas/${name}` }, example).map((problem) => `${name}${problem}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('offers texts as texts, files as files, and filter as an object', () => {
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

test('answers in every context are as described', async () => {
  const wrong: string[] = [];
  for (const operation of operations.filter(({ method }) => method === 'get')) {
    const takesContext = operation.described['parameters']?.some(({ name }: Schema) => name === 'context');
    for (const context of takesContext ? ['view', 'embed', 'edit'] : ['']) {
      for (const headers of [{}, cms.actors.admin.headers]) {
        const address = addressOf(operation.path) + (context && `?context=${context}`);
        const { status, body } = await cms.site.send('GET', `/${address}`, { as: headers });
        for (const problem of wrongWith(operation, status, body)) wrong.push(`${address} (${status}): ${problem}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('every operation on a resource may be asked to refuse what it does not know', async () => {
  const own = operations.filter(
    ({ method, path }) => method !== 'options' && /^\/cms\/v2\/(?!.*(?:passwords|restore$))/.test(path),
  );
  const without = own.filter(({ described }) => !described['parameters'].some(({ name }: Schema) => name === 'Prefer'));
  expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  for (const method of ['GET', 'POST'] as const) {
    const { described } = own.find((each) => each.method === method.toLowerCase() && each.path === '/cms/v2/tags')!;
    const send = (fields: Record<string, unknown>) =>
      cms.site.send(method, '/tags', {
        as: cms.actors.admin.headers,
        headers: { Prefer: 'handling=strict' },
        ...(method === 'GET' ? { query: fields } : { body: fields }),
      });
    const refused = await send({ name: 'Strict', colour: 'red' });
    expect(refused.body.code).toBe('rest_unknown_param');
    expect(described['responses'][refused.status].description).toContain('rest_unknown_param');
    const taken = await send(method === 'GET' ? { per_page: 1 } : { name: 'Strict' });
    expect(taken.headers['preference-applied']).toBe('handling=strict');
    expect(Object.keys(described['responses'][taken.status].headers)).toContain('Preference-Applied');
  }
});

test('batches of every kind, and their answers, are as described', async () => {
  const described = operations.find(({ method, path }) => method === 'post' && path === '/batch/v1')!;
  const schema = described.described['requestBody'].content['application/json'].schema;
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
    const answer = await cms.site.send('POST', '//batch/v1', { as: cms.actors.admin.headers, body });
    const wrong = [...problemsOf(schema, body), ...wrongWith(described, answer.status, answer.body)];
    expect({ status: answer.status, wrong }).toEqual({ status: 207, wrong: [] });
  }
});

/** Values that a schema allows. */
function values(schema: Schema): fc.Arbitrary<unknown> {
  if (schema['$ref']) return values(document['components'].schemas[schema['$ref'].split('/').at(-1)]);
  if (schema['enum']) return fc.constantFrom(...schema['enum']);
  if (schema['anyOf']) return fc.oneof(...schema['anyOf'].map(values));
  const types = [schema['type']].flat();
  const [type] = types;
  if (types.length > 1)
    return fc.oneof(...types.map((each) => (each === 'null' ? fc.constant(null) : values({ ...schema, type: each }))));
  if (type === 'integer')
    return fc.integer({ min: schema['minimum'] ?? 0, max: Math.min(schema['maximum'] ?? 50, 50) });
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return fc.array(values(schema['items'] ?? { type: 'string' }), { maxLength: 3 });
  if (type === 'object') {
    const members = Object.entries<Schema>(schema['properties'] ?? {}).map(([name, member]) => [name, values(member)]);
    return fc.record(Object.fromEntries(members), { requiredKeys: schema['required'] ?? [] });
  }
  if (schema['pattern']?.startsWith('^\\d{4}-\\d{2}'))
    return fc.constantFrom('2024-03-02T10:15:00', '2024-03-02T10:15:00Z', '2024-02-30T00:00:00');
  if (schema['pattern'] || schema['format'])
    return fc.constantFrom('ann@example.org', 'https://example.org/', '127.0.0.1');
  return fc.string({ minLength: schema['minLength'] ?? 0, maxLength: Math.min(schema['maxLength'] ?? 20, 40) });
}

test('requests made from the document are answered as described', async () => {
  const able = operations.filter(
    ({ method, path }) => method !== 'options' && path.startsWith('/cms/v2/') && !/passwords|media$|me$/.test(path),
  );
  const request = fc.constantFrom(...able).chain((operation) => {
    const { parameters = [], requestBody } = operation.described;
    const queried = parameters.filter(
      ({ in: place, name }: Schema) => place === 'query' && !name.startsWith('_') && name !== 'filter',
    );
    const query = fc.record(Object.fromEntries(queried.map(({ name, schema }: Schema) => [name, values(schema)])), {
      requiredKeys: [],
    });
    const schema = requestBody?.content['application/json']?.schema;
    return fc.record({
      operation: fc.constant(operation),
      query,
      body: schema ? values(schema) : fc.constant(undefined),
      known: fc.boolean(),
    });
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ operation, query, body, known }) => {
      const as = known ? cms.actors.admin.headers : {};
      const method = operation.method.toUpperCase() as Method;
      const answer = await cms.site.send(method, `/${addressOf(operation.path)}`, { as, query: flat(query), body });
      // What was created or deleted does not stand in the way of the next request: another answer is described too.
      expect({
        status: answer.status,
        wrong: wrongWith(operation, answer.status, answer.body),
        body: answer.status < 300 ? '' : answer.body,
      }).toMatchObject({ wrong: [] });
    }),
    { numRuns: 150 },
  );
}, 120_000);

// Lists go with commas between their items.
function flat(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}
