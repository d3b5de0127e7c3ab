// The OpenAPI document of invented resources, as independent validators and generators read it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestSchemas, startTestSite, type TestSite } from '../../support/start-test-site.js';
import { exampleOf } from '../../../src/http/openapi/examples.js';
import { equals } from '../../../src/model/query.js';
import { OpenApiDocument, type Schema } from '../../support/openapi-document.js';
import type { Method } from '../../support/send.js';
import { typedModule } from '../../support/typed-client.js';

const permissions = { rules: { read: true, create: true, edit: true } };
const hall = {
  name: 'hall',
  path: 'halls',
  fields: { name: { type: 'string', filterable: ['contains', 'prefix'] } },
  search: { fields: ['name'] },
  permissions,
};
const fair = {
  name: 'fair',
  path: 'fairs',
  fields: {
    hall: { type: 'reference', to: 'hall' },
    opens: { type: 'time' },
    doors: { type: 'string', format: 'time' },
    hours: {
      type: 'array',
      items: {
        type: 'object',
        properties: { at: { type: 'string', format: 'time' }, day: { type: 'string', format: 'date' } },
      },
    },
    day: { type: 'string', format: 'date' },
    night: { type: 'date', nullable: false },
    at: { type: 'datetime', nullable: false },
    noted: { type: 'string', format: 'date-time' },
    rate: { type: 'number', minimum: 0, exclusiveMaximum: 1, default: 0.5 },
    share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.2, default: 0.1 },
    depth: { type: 'number', maximum: -10, default: -10 },
    half: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.25, default: 0.5 },
    step: { type: 'number', minimum: 0.005, maximum: 0.5, multipleOf: 0.005, default: 0.5 },
    third: { type: 'integer', exclusiveMinimum: 3, multipleOf: 3, default: 6 },
  },
  views: { open: { where: { opens: { null: false } } } },
  permissions,
};

const moment = { type: 'string', format: 'date-time' };
/** Values that are shown as they were sent, or while nobody has sent any. */
const stall = {
  name: 'stall',
  path: 'stalls',
  fields: {
    built: { ...moment, required: true },
    moments: { type: 'array', items: moment },
    plan: {
      type: 'object',
      properties: { at: moment, deep: { type: 'object', properties: { at: moment } } },
      patternProperties: { '^d_': moment, '^t_': { type: 'string', format: 'time' } },
    },
    size: { type: 'object', properties: { width: { type: 'number', required: true } } },
    note: { type: 'json', anyOf: [{ type: 'string' }, { type: 'integer' }] },
    mark: { type: 'json', oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] },
    grade: { type: 'json', enum: ['a', 1] },
    extra: {
      type: 'metadata',
      keys: {
        at: moment,
        often: { ...moment, single: false },
        day: { type: 'string', format: 'date' },
        kind: { type: 'string', enum: ['x'] },
        rows: { type: 'integer', minimum: 5 },
        box: { type: 'object', properties: { width: { type: 'integer', required: true } } },
      },
    },
  },
  permissions,
};

/** Rows that say more or less of themselves. */
const genre = {
  name: 'genre',
  path: 'genres',
  key: 'slug',
  operations: ['list', 'retrieve'],
  storage: { static: 'genre', rows: [{ slug: 'essay', name: 'Essays' }, { slug: 'draft' }] },
  fields: { slug: { type: 'string' }, name: { type: 'string' } },
  permissions: { rules: { read: true } },
};

/** Values that an update takes and a creation does not, and texts of a form that may be empty. */
const form = {
  name: 'form',
  path: 'forms',
  fields: {
    size: {
      type: 'object',
      properties: {
        width: { type: 'number', required: true },
        unit: { type: 'string', enum: ['cm'] },
        area: { type: 'number', readOnly: true },
      },
    },
    given: { type: 'object', properties: { a: { type: 'integer', required: true } }, default: { a: 1 } },
    code: { type: 'string', format: 'uuid' },
    day: { type: 'date', nullable: false },
    at: { type: 'datetime', nullable: false },
    opens: { type: 'time', nullable: false },
    due: { type: 'date' },
    seen: { ...moment, required: true },
    state: { type: 'string', enum: ['open', 'closed'], allowStored: ['old'], default: 'open' },
    kind: { type: 'string', enum: ['a', 'b'], allowStored: ['*'], default: 'a' },
    words: { type: 'rendered' },
    price: { type: 'decimal', precision: 5, scale: 2, minimum: 1, exclusiveMaximum: 100, default: '1.5' },
    rate: { type: 'decimal', scale: 1, enum: ['1.5', '2'], default: '2' },
    mail: { type: 'email' },
    home: { type: 'uri' },
    page: { type: 'uri', nullable: false },
    reply: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    colour: { type: 'string', format: 'hex-color' },
    label: { type: 'string', columnLength: 20 },
    secret: { type: 'password' },
    pin: { type: 'password', minLength: 12, maxLength: 15, pattern: '^[a-z]*$' },
    contact: { type: 'object', properties: { mail: { type: 'string', format: 'email' } } },
    extra: {
      type: 'metadata',
      keys: {
        day: { type: 'string', format: 'date' },
        box: { type: 'object', properties: { width: { type: 'integer', required: true } } },
        mark: { type: 'string', minLength: 3 },
      },
    },
  },
  permissions,
};

/** References that have to lead to an item when they are sent, and may lose it later. */
const ticket = {
  name: 'ticket',
  path: 'tickets',
  fields: {
    hall: { type: 'reference', to: 'hall', required: true, minimum: 1 },
    others: { type: 'references', to: 'hall', required: true, minItems: 1 },
    kept: { type: 'reference', to: 'hall', required: true, minimum: 1, onDelete: 'restrict' },
  },
  permissions,
};

/** Refusals that schema files name. */
const booth = {
  name: 'booth',
  path: 'booths',
  fields: {
    name: { type: 'string', required: true },
    slug: { type: 'slug' },
    hall: { type: 'reference', to: 'hall', error: 'no_such_hall' },
    extra: { type: 'metadata', keys: { rows: { type: 'integer' }, _key: {} } },
  },
  traits: { sluggable: { from: 'name', taken: 'booth_taken' } },
  permissions,
};
const shelf = {
  name: 'shelf',
  path: 'shelves',
  parent: { resource: 'booth', field: 'booth', errors: { notFound: 'no_such_booth' } },
  fields: {
    booth: { type: 'reference', to: 'booth', readOnly: true, onDelete: 'cascade' },
    hall: { type: 'reference', to: 'hall', error: 'no_hall_for_shelf' },
  },
  traits: { trashable: { hidden: true } },
  errors: { failed: { create: 'shelf_not_built', delete: 'shelf_not_removed' } },
  permissions,
};

let site: TestSite;
let described: OpenApiDocument;
const directory = mkdtempSync(join(tmpdir(), 'typecase-document-'));

beforeAll(async () => {
  for (const schema of [hall, fair, stall, genre, form, ticket, booth, shelf])
    writeFileSync(join(directory, `${schema.name}.json`), JSON.stringify(schema));
  site = await startTestSite(directory, {
    ROLES_FILE: fileURLToPath(new URL('../library/roles.json', import.meta.url)),
    PASSWORD_MIN_LENGTH: '10',
  });
  described = await OpenApiDocument.of(site);
});
afterAll(async () => {
  await site?.close();
  rmSync(directory, { recursive: true });
});

describe('the document', () => {
  test('has every tag once, including those of saved queries', () => {
    const tags: string[] = described.document['tags'].map(({ name }: Schema) => name);
    expect(tags.filter((name, at) => tags.indexOf(name) !== at)).toEqual([]);
  });

  test('has examples within every bound', () => {
    const schemas = Object.entries<Schema>(described.document['components'].schemas);
    const wrong = schemas.flatMap(([name, schema]) =>
      (schema['examples'] ?? []).flatMap((example: unknown) =>
        described.problems({ $ref: `#/components/schemas/${name}` }, example).map((problem) => `${name}${problem}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('has examples of decimals within their bounds', () => {
    const decimal = { type: 'string', format: 'decimal' };
    expect(exampleOf(decimal)).toBe('12.50');
    expect(exampleOf({ ...decimal, pattern: '^\\d$' })).toBe('1');
    expect(exampleOf({ ...decimal, minimum: 20, pattern: '^\\d{1,3}$' })).toBe('20');
  });

  test('has no oneOf or anyOf with a single schema', () => {
    const single: Schema[] = [];
    JSON.stringify(described.document, (_name, value: Schema) => {
      if (Array.isArray(value?.['anyOf']) && value['anyOf'].length < 2) single.push(value);
      return value;
    });
    expect(single).toEqual([]);
  });
});

test('responses with times, and with values that no client can send, match the document', async () => {
  const bodies = [
    {},
    {
      opens: '08:30',
      doors: '08:30',
      hours: [{ at: '09:00', day: '2026-01-01' }, { at: '10:00:30' }],
      day: '2026-01-01',
      at: '2026-01-01T10:00:00',
    },
    { night: '2026-01-01', noted: '2026-01-01T10:00:00+02:00' },
  ];
  const create = described.operations.find(({ method, path }) => method === 'post' && path.endsWith('/fairs'))!;
  const { schema } = described.resolve(create.described['requestBody']).content['application/json'];
  for (const body of bodies) {
    expect(described.problems(schema, body)).toEqual([]);
    expect(described.wrongWith(create, await site.send('POST', '/fairs', { body, status: 201 }))).toEqual([]);
  }
  expect(described.problems(schema, { opens: '25:00' })).not.toEqual([]);
});

test('responses with stored values match the document and can be sent back', async () => {
  const local = '2026-01-01T10:00:00';
  const bodies = [
    {},
    { moments: [local, `${local}Z`], plan: { at: local, deep: { at: local }, d_one: local, t_one: '10:00' } },
    { size: { width: 2 }, note: 5, mark: [1], grade: 'a', extra: { at: local, often: [local], rows: 5, kind: 'x' } },
    { note: null, mark: null, grade: null },
  ];
  const of = (wanted: string) => described.operations.find(({ method, path }) => `${method} ${path}` === wanted)!;
  const create = of('post /cms/v2/stalls');
  const update = of('patch /cms/v2/stalls/{id}');
  const { schema } = described.resolve(create.described['requestBody']).content['application/json'];
  for (const body of bodies) {
    const sent = { built: local, ...body };
    expect(described.problems(schema, sent)).toEqual([]);
    const created = await site.send('POST', '/stalls', { body: sent, status: 201 });
    expect(described.wrongWith(create, created)).toEqual([]);
    // An object that was never sent is shown without the members that are required when one is sent.
    const { _links, ...item } = created.body;
    expect(item.size).toEqual('size' in body ? body.size : {});
    const back = await site.send('PATCH', `/stalls/${created.body.id}`, { body: item, status: 200 });
    expect(described.wrongWith(update, back)).toEqual([]);
    expect(back.body).toMatchObject(item);
  }
  const stored = await site.send('POST', '/stalls', { body: { built: local, extra: { rows: 7 } }, status: 201 });
  for (const [method, path] of [
    ['PATCH', `/stalls/${stored.body.id}`],
    ['POST', '/stalls'],
  ] as const) {
    const { body } = await site.send(method, path, { body: { built: local, extra: { rows: 0 } }, status: 400 });
    expect(body.message).toMatch(/^extra\.rows /);
  }
  for (const size of [{}, { height: 1 }])
    await site.send('POST', '/stalls', { body: { built: local, size }, status: 400 });
});

test('errors have the codes of the document, including those of schema files', async () => {
  const { body: first } = await site.send('POST', '/booths', { body: { name: 'Tea' }, status: 201 });
  const { body: second } = await site.send('POST', '/booths', { body: { name: 'Coffee' }, status: 201 });
  const collection = '/cms/v2/booths';
  const item = `${collection}/{id}`;
  const refused: [Method, string, string, object, string][] = [
    ['POST', collection, '/booths', { name: 'Cake', hall: 99 }, 'no_such_hall'],
    ['POST', collection, '/booths', { name: 'Cake', extra: { rows: 'many' } }, 'rest_invalid_type'],
    ['POST', collection, '/booths', { name: 'Cake', extra: { _key: 'a' } }, 'rest_cannot_update'],
    ['POST', collection, '/booths', { name: 'Cake', shelves: [{ hall: 99 }] }, 'no_hall_for_shelf'],
    ['PATCH', item, `/booths/${second.id}`, { slug: first.slug }, 'booth_taken'],
    ['POST', `${collection}/{parent_id}/shelves`, '/booths/99/shelves', {}, 'no_such_booth'],
    ['GET', '/cms/v2', '//cms/v2?id[999999999]=1', {}, 'rest_invalid_param'],
  ];
  for (const [method, path, target, body, code] of refused) {
    const response = await site.send(method, target, method === 'GET' ? {} : { body });
    expect(response.body.code).toBe(code);
    const operation = described.operations.find((each) => each.path === path && each.method === method.toLowerCase())!;
    expect(described.wrongWith(operation, response)).toEqual([]);
  }
});

test('restoring an item below another one returns it, according to the document and the types', async () => {
  const { body: booth } = await site.send('POST', '/booths', { body: { name: 'Old' }, status: 201 });
  const { body: created } = await site.send('POST', `/booths/${booth.id}/shelves`, { body: {}, status: 201 });
  const target = `/booths/${booth.id}/shelves/${created.id}`;
  await site.send('DELETE', target, { status: 200 });
  const restored = await site.send('POST', `${target}/restore`, { status: 200 });
  expect(restored.body).toMatchObject({ id: created.id, booth: booth.id });
  const path = '/cms/v2/booths/{parent_id}/shelves/{id}/restore';
  const restore = described.operations.find((each) => each.path === path && each.method === 'post')!;
  expect(described.wrongWith(restore, restored)).toEqual([]);
  expect(JSON.stringify(restore.described['responses'][200])).not.toContain('Booth');
  expect(/interface ShelfResource [^]*?acted: (\w+);/.exec(typedModule(directory))?.[1]).toBe('ShelfEdit');
});

test('the error codes of writes that the database rejects are documented', () => {
  const shelves = described.operations.filter(({ path }) => /\/shelves(?:\/\{id\})?$/.test(path));
  const failures = shelves.map(({ method, described: { responses } }) => [method, responses[500]?.description]);
  expect(Object.fromEntries(failures)).toEqual({
    get: undefined,
    options: undefined,
    post: undefined,
    put: undefined,
    patch: undefined,
    delete: 'Refused: shelf_not_removed.',
  });
  const create = shelves.find(({ method, path }) => method === 'post' && path.endsWith('/shelves'))!;
  expect(create.described['responses'][500].description).toBe('Refused: shelf_not_built.');
});

test('the lengths of search texts are documented', async () => {
  const list = described.operations.find(({ method, path }) => `${method} ${path}` === 'get /cms/v2/halls')!;
  for (const name of ['search', 'name_contains', 'name_prefix']) {
    const { schema } = list.described['parameters'].find((each: Schema) => each['name'] === name);
    for (const length of [200, 201]) {
      const text = 'x'.repeat(length);
      const { status } = await site.send('GET', `/halls?${name}=${text}`);
      expect([name, length, described.problems(schema, text).length === 0]).toEqual([name, length, status === 200]);
    }
  }
});

test('an item with a dangling reference matches the document and OPTIONS', async () => {
  const [lost, kept] = [
    (await site.send('POST', '/halls', { body: {}, status: 201 })).body.id,
    (await site.send('POST', '/halls', { body: {}, status: 201 })).body.id,
  ];
  const sent = { hall: lost, others: [lost], kept };
  const created = await site.send('POST', '/tickets', { body: sent, status: 201 });
  await site.send('DELETE', `/halls/${lost}`, { status: 200 });
  await site.send('DELETE', `/halls/${kept}`, { status: 409 });
  const read = await site.send('GET', `/tickets/${created.body.id}`, { status: 200 });
  expect(read.body).toMatchObject({ hall: 0, others: [], kept });
  const operation = described.operations.find(
    ({ method, path }) => `${method} ${path}` === 'get /cms/v2/tickets/{id}',
  )!;
  expect(described.wrongWith(operation, read)).toEqual([]);
  const { schema, endpoints } = (await site.send('OPTIONS', '/tickets', { status: 200 })).body;
  const { args } = endpoints.find(({ methods }: Schema) => methods.includes('POST'));
  const least = ({ hall: one, others: several, kept: other }: Schema) => [one.minimum, several.minItems, other.minimum];
  expect([least(args), least(schema.properties)]).toEqual([
    [1, 1, 1],
    [undefined, undefined, 1],
  ]);
  await site.send('POST', '/tickets', { body: { ...sent, hall: 0 }, status: 400 });
});

test('rows of a static resource match the document, including those without a value', async () => {
  for (const [path, target] of [
    ['/cms/v2/genres', '/genres'],
    ['/cms/v2/genres/{genre}', '/genres/draft'],
  ] as const) {
    const operation = described.operations.find((each) => each.method === 'get' && each.path === path)!;
    expect(described.wrongWith(operation, await site.send('GET', target, { status: 200 }))).toEqual([]);
  }
  expect(described.document['components'].schemas.GenreView.required).toEqual(['slug']);
});

describe('the bodies of the document are accepted', () => {
  const values: [string, unknown][] = [
    ...[{}, { width: 1 }, { unit: 'cm' }, { width: 1, area: 1 }, { area: 1 }, { width: 1, other: 1 }].map(
      (value): [string, unknown] => ['size', value],
    ),
    ['given', {}],
    ['given', { a: 2 }],
    ...['code', 'day', 'at', 'opens', 'due', 'seen'].flatMap((name): [string, unknown][] => [
      [name, ''],
      [name, 'none'],
    ]),
    ['state', 'old'],
    ['state', 'other'],
    ['kind', 'old'],
    ['words', 'Some'],
    ['words', { raw: 'Some' }],
    ['words', { rendered: '<p>Some</p>' }],
    ['words', { raw: 5 }],
    ...['12.50', '0012.5', '12.500', '99.99', '12.505', '1000.00', '.5', '5.', 'x'].map((value): [string, unknown] => [
      'price',
      value,
    ]),
    ['rate', '2.0'],
    ['rate', '3'],
    ...['mail', 'home', 'page', 'reply', 'site', 'colour'].flatMap((name): [string, unknown][] =>
      ['', 'ann', 'ann@example.org', 'https://example.org/', '#fa3'].map((value) => [name, value]),
    ),
    ['label', 'x'.repeat(20)],
    ['label', 'x'.repeat(21)],
    ...['', 'ninechars', 'tenletters', 'back\\slash', 'twelveletter', 'sixteenlettersss', 'ä'.repeat(5000)].flatMap(
      (value): [string, unknown][] => [
        ['secret', value],
        ['pin', value],
      ],
    ),
    ['contact', { mail: '' }],
    ['contact', { mail: 'ann@example.org' }],
    ['extra', { day: '' }],
    ['extra', { day: 'x' }],
    ['extra', { box: {} }],
    ['extra', { mark: '' }],
    ['extra', { mark: 'ab' }],
  ];

  test.each([
    ['post', '/forms', '/cms/v2/forms'],
    ['patch', '/forms/{id}', '/cms/v2/forms/{id}'],
    ['put', '/forms/{id}', '/cms/v2/forms/{id}'],
    ['post', '/forms/{id}', '/cms/v2/forms/{id}'],
  ] as const)('%s %s', async (method, target, path) => {
    const operation = described.operations.find((each) => each.method === method && each.path === path)!;
    const { schema } = described.resolve(operation.described['requestBody']).content['application/json'];
    const seen = '2026-01-01T10:00:00';
    const stored = await site.send('POST', '/forms', { body: { seen }, status: 201 });
    const { store, models } = site.site;
    const { table } = models.byName.get('form')!;
    await store.transaction((tx) =>
      tx.update(table!.name, { state: 'old', kind: 'old' }, equals('id', stored.body.id)),
    );
    const differing: unknown[] = [];
    for (const [name, value] of values) {
      const body = { ...(path.endsWith('}') ? {} : { seen }), [name]: value };
      const to = target.replace('{id}', stored.body.id);
      const { status } = await site.send(method.toUpperCase() as 'POST', to, { body });
      const problems = described.problems(schema, body);
      if (status < 300 !== (problems.length === 0)) differing.push([name, value, status, problems]);
    }
    expect(differing).toEqual([]);
  });
});

test('OPTIONS and the document contain the bounds of decimals, the document also the lengths of passwords', async () => {
  const { body } = await site.send('OPTIONS', '/forms');
  const { args } = body.endpoints.find(({ methods }: Schema) => methods.includes('POST'));
  const { properties } = described.document['components'].schemas.FormCreate;
  const lengths = {
    secret: { minLength: 10, maxLength: 4096 },
    pin: { minLength: 12, maxLength: 15, pattern: '^[a-z]*$' },
  };
  expect(args).toMatchObject({
    price: { type: 'string', format: 'decimal', minimum: 1, maximum: 100, exclusiveMaximum: true, default: '1.50' },
    rate: { enum: ['1.5', '2.0'], default: '2.0' },
  });
  expect(properties).toMatchObject({ price: { minimum: 1, exclusiveMaximum: 100 }, ...lengths });
  expect(body.schema.properties.price).toMatchObject({ minimum: 1, maximum: 100, exclusiveMaximum: true });
  const created = await site.send('POST', '/forms', { body: { seen: '2026-01-01T10:00:00' }, status: 201 });
  expect(args.rate.enum).toContain(created.body.rate);
});

test('the headers of rate limits are described where they are sent', async () => {
  const limited = await startTestSchemas([hall], { RATE_LIMIT: '2/60' });
  try {
    const { responses } = (await limited.send('GET', '//docs-json', { status: 200 })).body.paths['/cms/v2/halls'].post;
    const names = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    const seen = [];
    for (let at = 0; at < 3; at++) {
      const { status, headers } = await limited.send('POST', '/halls', { body: { name: 'One' } });
      seen.push(status);
      expect(Object.keys(responses[status].headers)).toEqual(expect.arrayContaining(names));
      for (const name of names) {
        expect(headers[name.toLowerCase()]).toMatch(/^\d+$/);
        expect(headers['access-control-expose-headers']).toContain(name);
      }
    }
    expect(seen.at(-1)).toBe(429);
    const { paths } = (await site.send('GET', '//docs-json', { status: 200 })).body;
    expect(Object.keys(paths['/cms/v2/halls'].get.responses[429].headers)).toEqual(expect.arrayContaining(names));
    expect(Object.keys(paths['/cms/v2/halls'].get.responses[200].headers)).not.toContain(names[0]);
  } finally {
    await limited.close();
  }
});
