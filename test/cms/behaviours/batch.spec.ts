// Behaviour S-13: several requests in one.
import { describe, expect } from '@jest/globals';
import { DatabaseWatch } from '../database-watch.js';
import { world } from './harness.js';

const { behaviour, saved } = world({
  actors: ['editor', 'contributor'],
  seed: [
    ['POST /tags as admin', 201, { body: { name: 'Stays' }, saveAs: 'tag' }],
    ['POST /posts as editor', 201, { body: { title: 'Stays', status: 'publish' }, saveAs: 'post' }],
    ['POST /comments as admin', 201, { body: { post: '{post}', content: 'Words' }, saveAs: 'comment' }],
  ],
});

const BATCH = 'POST //batch/v1 as admin';
const codes = ({ responses }: any) => responses.map((each: any) => each && (each.body.code ?? each.status));

behaviour('S-13 each request for itself, in order', [
  [
    BATCH,
    207,
    {
      body: {
        requests: [
          { path: '/cms/v2/tags', body: { name: 'batch one' } },
          { method: 'POST', path: '/cms/v2/tags', body: { description: 'no name' } },
          { path: '/cms/v2/types', body: {} },
          { method: 'PUT', path: '/cms/v2/tags/{tag}?_fields=id,description', body: { description: 'Changed' } },
          { method: 'DELETE', path: '/cms/v2/tags/987654?force=true' },
          { path: '/cms/v2/comments', body: { post: 1, content: 'No' } },
          { path: '/batch/v1', body: { requests: [] } },
          { path: 'tags' },
          { path: '/cms/v2/users/me', body: { description: 'Me' } },
        ],
      },
      sends: { Allow: 'POST' },
      check: (body) => {
        expect(Object.keys(body)).toEqual(['responses']);
        expect(codes(body)).toEqual([
          201,
          'rest_missing_callback_param',
          'rest_no_route',
          200,
          'rest_term_invalid',
          'rest_batch_not_allowed',
          'rest_batch_not_allowed',
          'parse_path_failed',
          200,
        ]);
        const [created, missing, noRoute, changed] = body.responses;
        expect(created.headers).toMatchObject({
          Allow: 'GET, POST',
          Location: `http://api.test/cms/v2/tags/${created.body.id}`,
        });
        expect(missing).toMatchObject({
          status: 400,
          headers: { Allow: 'GET, POST' },
          body: { data: { params: ['name'] } },
        });
        expect(noRoute).toMatchObject({ status: 404, headers: {} });
        expect(changed.body).toEqual({ id: saved['tag'], description: 'Changed' });
      },
    },
  ],
  ['GET /tags?slug=batch-one', 200, { check: (body) => expect(body).toHaveLength(1) }],
]);

behaviour('S-13 paths are matched as in requests of their own', [
  [
    BATCH,
    207,
    {
      body: {
        validation: 'atomic',
        requests: [
          { path: '/CMS/v2/Tags', body: { name: 'batch path one' } },
          { path: '//cms/v2/tags/', body: { name: 'batch path two' } },
          { method: 'PUT', path: '/cms/V2/TAGS/0{tag}?_fields=id', body: { description: 'Changed again' } },
          { method: 'GET', path: '/cms/v2/Posts/{post}/Revisions' },
          { method: 'GET', path: '/cms/v2/users/me?_fields=id' },
        ],
      },
      check: (body) => expect(codes(body)).toEqual([201, 201, 200, 200, 200]),
    },
  ],
  [
    BATCH,
    207,
    {
      body: {
        requests: [
          { path: '//Batch/v1', body: {} },
          { path: '/cms/v2/Comments', body: {} },
        ],
      },
      check: (body) => expect(codes(body)).toEqual(['rest_batch_not_allowed', 'rest_batch_not_allowed']),
    },
  ],
]);

behaviour('S-13 strict handling refuses names that no parameter can have', [
  [
    BATCH,
    207,
    {
      body: {
        requests: [
          {
            path: '/cms/v2/tags?constructor=1',
            body: { name: 'batch strict' },
            headers: { Prefer: 'handling=strict' },
          },
          { path: '/cms/v2/tags?constructor=1', body: { name: 'batch lenient' } },
        ],
      },
      check: (body) => {
        expect(codes(body)).toEqual(['rest_unknown_param', 201]);
        expect(body.responses[0].body.data.params).toHaveProperty('constructor');
        expect(body.responses[1].headers['Vary']).toBe('Prefer');
      },
    },
  ],
]);

behaviour('S-13 with the permissions, limits and headers that each request has by itself', [
  [
    'POST //batch/v1',
    207,
    {
      body: { requests: [{ path: '/cms/v2/tags', body: { name: 'x' }, headers: { Authorization: 'Basic YTpi' } }] },
      check: (body) => expect(body.responses[0]).toMatchObject({ status: 401, body: { code: 'rest_cannot_create' } }),
    },
  ],
  [
    'POST //batch/v1 as contributor',
    207,
    {
      body: {
        requests: [
          { path: '/cms/v2/posts', body: { title: 'Mine', status: 'publish' } },
          { path: '/cms/v2/posts/{post}', body: { title: 'Theirs' } },
        ],
      },
      check: (body) => expect(body.responses.map(({ status }: any) => status)).toEqual([403, 403]),
    },
  ],
  [
    BATCH,
    207,
    {
      body: {
        requests: [
          { path: '/cms/v2/posts/{post}', body: { title: 'New' }, headers: { 'If-Match': '"0-0"' } },
          { path: '/cms/v2/tags', body: { name: 'x', description: 'y'.repeat(1_100_000) } },
        ],
      },
      check: (body) => expect(codes(body)).toEqual(['rest_precondition_failed', 'rest_request_too_large']),
    },
  ],
]);

behaviour('S-13 a batch that is not one', [
  [BATCH, 400, { body: {}, code: 'rest_missing_callback_param', params: ['requests'] }],
  [BATCH, 400, { body: { requests: 'x' }, code: 'rest_invalid_param', params: ['requests'] }],
  [
    BATCH,
    400,
    {
      body: { requests: Array.from({ length: 26 }, () => ({ path: '/cms/v2/tags' })) },
      code: 'rest_invalid_param',
      params: ['requests'],
    },
  ],
  [BATCH, 400, { body: { requests: [], validation: 'all' }, code: 'rest_invalid_param', params: ['validation'] }],
  // The parameter is `requests`, as with every list; where in it stands in the text.
  [
    BATCH,
    400,
    {
      body: { requests: [{ path: '/cms/v2/tags' }, { method: 'GET', path: '/cms/v2/tags' }] },
      code: 'rest_invalid_param',
      details: { requests: 'rest_not_in_enum' },
      has: { data: { params: { requests: expect.stringContaining('requests[1][method] ') } } },
    },
  ],
  [BATCH, 400, { body: { requests: [{ body: {} }] }, details: { requests: 'rest_property_required' } }],
  [
    BATCH,
    400,
    {
      body: { requests: [{ path: '/cms/v2/tags', headers: { a: 1 } }] },
      code: 'rest_invalid_param',
      details: { requests: 'rest_invalid_type' },
      has: { data: { details: { requests: { data: { param: 'requests[0][headers][a]' } } } } },
    },
  ],
  [BATCH, 207, { body: { requests: [] }, has: { responses: [] } }],
  ['GET //batch/v1 as admin', 404, 'rest_no_route'],
  ['OPTIONS //batch/v1', 200, { has: { methods: ['POST'], endpoints: [{ args: { requests: { maxItems: 25 } } }] } }],
  ['GET //', 200, { has: { routes: { '/batch/v1': { methods: ['POST'] } } } }],
]);

behaviour('S-13 require-all-validate: nothing runs while any request is invalid', async (world) => {
  const watch = await DatabaseWatch.of(world.site);
  const before = await watch.dump();
  const requests = [
    { path: '/cms/v2/tags', body: { name: 'kept back' } },
    { path: '/cms/v2/tags', body: {} },
  ];
  const { body } = await world.line([BATCH, 207, { body: { validation: 'require-all-validate', requests } }]);
  expect(body).toMatchObject({ failed: 'validation', responses: [null, { status: 400 }] });
  expect(await watch.dump()).toEqual(before);
  await watch.close();
  const valid = await world.line([
    BATCH,
    207,
    {
      body: { validation: 'require-all-validate', requests: [requests[0], { path: '/cms/v2/posts/987654', body: {} }] },
    },
  ]);
  expect(codes(valid.body)).toEqual([201, 'rest_post_invalid_id']);
});

behaviour('S-13 atomic: all or nothing, with reads and references to earlier responses', async (world) => {
  const requests = [
    { path: '/cms/v2/categories', body: { name: 'Atomic' } },
    { path: '/cms/v2/tags', body: { name: 'Atomic' } },
    {
      path: '/cms/v2/posts',
      body: {
        title: 'Of the two',
        status: 'publish',
        content: 'long '.repeat(10_000),
        categories: [{ $ref: '#/responses/0/body/id' }],
        tags: [{ $ref: '#/responses/1/body/id' }],
      },
    },
    { method: 'PATCH', path: '/cms/v2/posts/{#/responses/2/body/id}', body: { title: 'Renamed' } },
    {
      method: 'GET',
      path: '/cms/v2/posts/{#/responses/2/body/id}?_embed=wp:term&_fields=id,title.rendered,_links,_embedded',
    },
    { method: 'GET', path: '/cms/v2/categories?slug=atomic' },
  ];
  const watch = await DatabaseWatch.of(world.site);
  const before = await watch.dump();
  for (const bad of [
    { path: '/cms/v2/tags', body: {} },
    { path: '/cms/v2/tags', body: { name: 'Atomic' } },
    { path: '/cms/v2/posts/{#/responses/7/body/id}' },
    { path: '/cms/v2/posts', body: { title: { $ref: '#/responses/0/__proto__' } } },
    { path: '/cms/v2/users', body: { username: 'admin', email: 'a@b.test', password: 'long enough' } },
  ]) {
    const { body } = await world.line([BATCH, 207, { body: { validation: 'atomic', requests: [...requests, bad] } }]);
    expect(body.failed).toBe('request');
    expect(body.responses.slice(0, -1)).toEqual(requests.map(() => null));
    expect(body.responses.at(-1)).toMatchObject({ body: { code: expect.any(String) } });
    expect(body.responses.at(-1).status).toBeLessThan(500);
  }
  expect(await watch.dump()).toEqual(before);
  await watch.close();
  const { body } = await world.line([BATCH, 207, { body: { validation: 'atomic', requests } }]);
  expect(codes(body)).toEqual([201, 201, 201, 200, 200, 200]);
  const [category, tag, , , read, list] = body.responses.map((each: any) => each.body);
  expect(read.title).toEqual({ rendered: 'Renamed' });
  expect(read._embedded['wp:term']).toMatchObject([[{ id: category.id }], [{ id: tag.id }]]);
  expect(list).toEqual([expect.objectContaining({ id: category.id })]);
  expect(body.responses[5].headers).toMatchObject({ 'X-WP-Total': 1 });
});

behaviour('S-13 a batch that is sent again with its Idempotency-Key creates nothing twice', async (world) => {
  for (const validation of ['normal', 'atomic']) {
    const requests = [
      { path: '/cms/v2/posts', body: { title: `Once ${validation}` } },
      { path: '/cms/v2/tags', body: { name: `Once ${validation}` } },
    ];
    const headers = { 'Idempotency-Key': `batch-${validation}` };
    const first = await world.line([BATCH, 207, { headers, body: { validation, requests } }]);
    const again = await world.line([BATCH, 207, { headers, body: { validation, requests } }]);
    const ids = ({ body }: any) => body.responses.map((each: any) => [each.status, each.body.id]);
    expect(ids(again)).toEqual(ids(first));
    expect(again.body.responses[0].headers).toMatchObject({ 'Idempotency-Replayed': 'true' });
    const other = await world.line([BATCH, 207, { headers, body: { validation, requests: requests.reverse() } }]);
    expect(codes(other.body)).toContain('rest_idempotency_key_reused');
  }
});

behaviour('S-13 the Idempotency-Key of a batch may be whatever that of a request may be', async (world) => {
  const send = (key: string, name: string) =>
    world.line([
      BATCH,
      207,
      { headers: { 'Idempotency-Key': key }, body: { requests: [{ path: '/cms/v2/tags', body: { name } }] } },
    ]);
  for (const length of [1, 253, 254, 255]) {
    const key = 'k'.repeat(length);
    expect(codes((await send(key, `Key ${length}`)).body)).toEqual([201]);
    expect((await send(key, `Key ${length}`)).body.responses[0].headers['Idempotency-Replayed']).toBe('true');
    expect(codes((await send(key, `Key ${length} again`)).body)).toEqual(['rest_idempotency_key_reused']);
  }
  for (const key of ['', 'k'.repeat(256), 'a b'])
    expect(codes((await send(key, 'Key')).body)).toEqual(['rest_invalid_idempotency_key']);
});

describe('where the public URL has a path', () => {
  const { behaviour: there } = world({ environment: { PUBLIC_URL: 'http://api.test/behind' } });
  const content = 'word '.repeat(80_000);

  there('S-13 bodies are as large as in requests of their own', [
    ['POST /posts as admin', 201, { body: { title: 'Large', content } }],
    [
      BATCH,
      207,
      {
        body: { requests: [{ path: '/cms/v2/posts', body: { title: 'Large, too', content } }] },
        check: (body) => expect(codes(body)).toEqual([201]),
      },
    ],
  ]);
});
