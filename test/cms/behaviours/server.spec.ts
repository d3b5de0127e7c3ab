// Behaviours S-…: what every route has in common.
import { describe, expect } from '@jest/globals';
import { toResponse } from '../../../src/http/response/response.js';
import { argsOf, schemaOf, world, type Line } from './harness.js';

const invalid = (...params: string[]) => ({ code: 'rest_invalid_param', params });
/** Every resource that stores items, with an item to read. */
const RESOURCES: Record<string, string> = {
  '/posts': '/posts/{post}',
  '/pages': '/pages/{page}',
  '/comments': '/comments/{comment}',
  '/users': '/users/{admin}',
  '/tags': '/tags/{tag}',
  '/categories': '/categories/1',
  '/posts/{post}/meta': '/posts/{post}/meta/{entry}',
  '/posts/{post}/revisions': '/posts/{post}/revisions/{revision}',
  '/taxonomies': '/taxonomies/category',
  '/types': '/types/post',
};

const { behaviour, saved } = world({
  actors: ['editor', 'author', 'subscriber'],
  seed: [
    ['POST /tags as admin', 201, { body: { name: 'Tag' }, saveAs: 'tag' }],
    [
      'POST /posts as admin',
      201,
      { body: { title: 'Post', content: 'Text', status: 'publish', tags: ['{tag}'] }, saveAs: 'post' },
    ],
    ['POST /posts as admin', 201, { body: { title: 'Second', status: 'publish' } }],
    ['POST /posts as admin', 201, { body: { title: 'Draft' }, saveAs: 'draft' }],
    ['POST /pages as admin', 201, { body: { title: 'Page', status: 'publish' }, saveAs: 'page' }],
    ['POST /comments as admin', 201, { body: { post: '{post}', content: 'Words' }, saveAs: 'comment' }],
    ['POST /posts/{post}/meta as admin', 201, { body: { key: 'k' }, saveAs: 'entry' }],
    ['POST /posts/{post} as admin', 200, { body: { content: 'Changed' } }],
    ['GET /posts/{post}/revisions as admin', 200, { check: ([first]) => void (saved['revision'] = first.id) }],
  ],
});

behaviour('S-01 the envelope', [
  ['GET /posts/{post}?_envelope', 200, { has: { status: 200, body: { id: '{post}' }, headers: { Allow: 'GET' } } }],
  [
    'GET /posts/987654?_envelope=1',
    200,
    { has: { status: 404, body: { code: 'rest_post_invalid_id', data: { status: 404 } } } },
  ],
  [
    'GET /posts?per_page=1&_envelope',
    200,
    {
      sends: {
        'X-WP-Total': null,
        'X-WP-TotalPages': null,
        Link: /^<[^>]*>; rel="https:\/\/api.w.org\/"$/,
        Allow: 'GET',
      },
      check: ({ body, headers }) => {
        expect(body).toHaveLength(1);
        expect(headers).toMatchObject({ 'X-WP-Total': 2, 'X-WP-TotalPages': 2 });
      },
    },
  ],
]);

behaviour('S-02 defaults, overridden by the request', [
  ['GET /posts', 200, { check: (body) => expect(body).toHaveLength(2) }],
  ['GET /posts?per_page=1', 200, { check: (body) => expect(body).toHaveLength(1) }],
  ['GET /posts/{post}', 200, { hasNot: ['status'] }],
  ['GET /posts/{post}?context=edit as admin', 200, { has: { status: 'publish' } }],
]);

behaviour('S-03 HEAD', [
  ...Object.entries(RESOURCES)
    .flat()
    .map((path): Line => [`HEAD ${path} as admin`, 200, { check: (_body, { text }) => expect(text ?? '').toBe('') }]),
  ['HEAD /posts', 200, { sends: { 'X-WP-Total': '2', 'X-WP-TotalPages': '1', Allow: 'GET' } }],
  ['HEAD /posts/987654', 404],
  ['HEAD /posts?per_page=1', 200, { sends: { Link: /rel="next"/ } }],
]);

behaviour('S-02 slashes at the beginning of a path count once', [
  [
    'GET ///cms/v2/posts?per_page=1',
    200,
    { sends: { 'X-WP-Total': '2', Link: /<http:\/\/api\.test\/cms\/v2\/posts\?per_page=1&page=2>; rel="next"/ } },
  ],
  ['GET /////cms/v2/posts/{post}?context=edit as admin', 200, { has: { id: '{post}' } }],
  ['GET ///cms/v2/posts/{draft}', 401, 'rest_forbidden'],
  ['POST ///cms/v2/posts as subscriber', 403, { body: { title: 'x' }, code: 'rest_cannot_create' }],
  ['OPTIONS ///cms/v2/posts', 200],
  ['GET ///livez', 200],
  ['GET //cms//v2/posts', 404, 'rest_no_route'],
  ['GET ///api.test/cms/v2/posts', 404, 'rest_no_route'],
]);

behaviour('S-04 only named parts of the path are parameters', [
  [
    'OPTIONS /posts/{post}',
    200,
    { check: (body) => expect(Object.keys(argsOf(body, 'DELETE')).sort()).toEqual(['force', 'id']) },
  ],
  [
    'OPTIONS /posts/{post}/meta/{entry}',
    200,
    { check: (body) => expect(Object.keys(argsOf(body, 'GET')).sort()).toEqual(['context', 'id', 'parent_id']) },
  ],
]);

behaviour('S-05 401 for nobody, 403 for somebody', [
  ['POST /posts', 401, { body: { title: 'x' }, code: 'rest_cannot_create' }],
  ['POST /posts as subscriber', 403, { body: { title: 'x' }, code: 'rest_cannot_create' }],
  ['GET /posts/{draft}', 401, 'rest_forbidden'],
  ['GET /posts/{draft} as subscriber', 403, 'rest_forbidden'],
]);

behaviour('S-06 Allow lists what is permitted', [
  ['GET /posts', 200, { sends: { Allow: 'GET' } }],
  ['GET /posts as editor', 200, { sends: { Allow: 'GET, POST' } }],
  ['GET /posts/{post} as editor', 200, { sends: { Allow: 'GET, POST, PUT, PATCH, DELETE' } }],
  ['GET /posts/{post} as author', 200, { sends: { Allow: 'GET' } }],
  ['GET /tags as author', 200, { sends: { Allow: 'GET, POST' } }],
  ['OPTIONS /tags/{tag} as author', 200, { sends: { Allow: 'GET' } }],
  ['GET /types', 200, { sends: { Allow: 'GET' } }],
  ['GET /posts/{draft}', 401, { sends: { Allow: null } }],
]);

behaviour('S-07 errors', [
  [
    'GET /nowhere',
    404,
    {
      check: (body) => {
        expect(Object.keys(body).sort()).toEqual(['code', 'data', 'message']);
        expect(body).toMatchObject({
          code: 'rest_no_route',
          message: expect.stringMatching(/\w+/),
          data: { status: 404 },
        });
      },
    },
  ],
  // The first is at the top level, the others in an extra member: see F-05 for several meta errors at once.
  [
    'POST /tags as admin',
    400,
    { body: { name: 'Tag' }, has: { code: 'term_exists', data: { status: 400, term_id: '{tag}' } } },
  ],
]);

behaviour(
  'S-08 links',
  Object.entries(RESOURCES).flatMap(([collection, item]): Line[] => [
    [
      `GET ${item} as admin`,
      200,
      {
        check: ({ _links: links }) => {
          expect(links).toBeDefined();
          for (const targets of Object.values<any>(links))
            for (const { href } of targets) expect(href).toMatch(/^https?:\/\//);
          if (Object.keys(links).some((name) => name.startsWith('wp:')))
            expect(links.curies).toEqual([{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }]);
          else expect(links).not.toHaveProperty('curies');
        },
      },
    ],
    [
      `GET ${collection} as admin`,
      200,
      { check: (body) => Object.values<any>(body).forEach((each) => expect(each).toHaveProperty('_links')) },
    ],
  ]),
);

behaviour('S-09 index, namespace, OPTIONS', [
  [
    'GET //',
    200,
    {
      has: {
        name: 'Typecase',
        url: 'http://api.test',
        home: 'http://site.test',
        namespaces: ['cms/v2'],
        timezone_string: 'UTC',
        authentication: {},
        routes: { '/cms/v2/posts': { namespace: 'cms/v2', methods: ['GET', 'POST'] } },
      },
      check: ({ routes }) => {
        expect(Object.keys(routes)).toEqual(
          expect.arrayContaining([
            '/cms/v2',
            '/cms/v2/posts/(?P<id>[\\d]+)',
            '/cms/v2/posts/(?P<parent_id>[\\d]+)/meta/(?P<id>[\\d]+)',
          ]),
        );
        expect(routes['/cms/v2/posts']).not.toHaveProperty('schema');
        expect(routes['/cms/v2/posts']._links.self).toEqual([{ href: 'http://api.test/cms/v2/posts' }]);
        expect(routes['/cms/v2/posts/(?P<id>[\\d]+)']).not.toHaveProperty('_links');
      },
    },
  ],
  ['GET //?context=help', 200, { check: ({ routes }) => expect(routes['/cms/v2/posts'].schema.title).toBe('post') }],
  ...['//', '//cms/v2'].map((index): Line => [`GET ${index}?context=edit`, 400, 'rest_invalid_param']),
  ['GET //cms/v2', 200, { has: { namespace: 'cms/v2', _links: { up: [{ href: 'http://api.test/' }] } } }],
  ['GET //cms/v1', 404, 'rest_no_route'],
  ...['token', 'revoke'].map((endpoint): Line => [
    `OPTIONS //auth/${endpoint}`,
    200,
    {
      sends: { Allow: 'POST' },
      has: { namespace: '', methods: ['POST'], _links: { self: [{ href: `http://api.test/auth/${endpoint}` }] } },
      check: ({ endpoints: [{ methods, args }] }) => {
        expect(methods).toEqual(['POST']);
        expect(args[endpoint === 'token' ? 'refresh_token' : 'token']).toMatchObject({ type: 'string' });
      },
    },
  ]),
  ...Object.keys(RESOURCES).map((path): Line => [
    `OPTIONS ${path}`,
    200,
    {
      check: (body) => {
        expect(schemaOf(body)).toMatchObject({
          $schema: 'http://json-schema.org/draft-04/schema#',
          type: 'object',
          properties: expect.any(Object),
        });
        const KEYWORDS = [
          'title',
          'description',
          'default',
          'type',
          'format',
          'enum',
          'items',
          'properties',
          'additionalProperties',
          'patternProperties',
          'minProperties',
          'maxProperties',
          'minimum',
          'maximum',
          'exclusiveMinimum',
          'exclusiveMaximum',
          'multipleOf',
          'minLength',
          'maxLength',
          'pattern',
          'minItems',
          'maxItems',
          'uniqueItems',
          'anyOf',
          'oneOf',
          'required',
        ];
        for (const { args } of body.endpoints)
          for (const arg of Object.values<object>(args))
            expect(KEYWORDS).toEqual(expect.arrayContaining(Object.keys(arg)));
      },
    },
  ]),
]);

behaviour('S-10 headers of every response', [
  [
    'GET /posts',
    200,
    {
      sends: {
        'X-Robots-Tag': 'noindex',
        'X-Content-Type-Options': 'nosniff',
        'Content-Type': 'application/json; charset=UTF-8',
        Link: /^<http:\/\/api\.test\/?>; rel="https:\/\/api\.w\.org\/"/,
        Expires: null,
      },
    },
  ],
  [
    'GET /posts as admin',
    200,
    {
      sends: {
        'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
        Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
        'Last-Modified': null,
      },
    },
  ],
  ['GET /nowhere', 404, { sends: { 'X-Robots-Tag': 'noindex', Link: /rel="https:\/\/api\.w\.org\/"/ } }],
]);

behaviour('S-11 validation comes first', [
  ['POST /posts', 400, { body: { status: 'nonsense' }, ...invalid('status') }],
  ['POST /posts/{post}', 400, { body: { author: 'x' }, ...invalid('author') }],
  ['POST /users', 400, { body: {}, code: 'rest_missing_callback_param' }],
  ['POST /posts as editor', 400, { body: { title: 'Never', categories: 'x' }, ...invalid('categories') }],
  ['GET /posts?search=Never&status=any as admin', 200, { check: (body) => expect(body).toEqual([]) }],
  // A preflight has nothing to say but headers.
  [
    'OPTIONS /posts',
    204,
    {
      headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'POST' },
      check: (_body, { text }) => expect(text ?? '').toBe(''),
    },
  ],
]);

behaviour('S-12 no route', [
  ['GET /nowhere', 404, 'rest_no_route'],
  ['GET /posts/abc', 404, 'rest_no_route'],
  ['PUT /posts as admin', 404, { body: {}, code: 'rest_no_route' }],
  ['DELETE /posts as admin', 404, 'rest_no_route'],
  ['POST /types as admin', 404, { body: {}, code: 'rest_no_route' }],
  ['OPTIONS /nowhere', 404, 'rest_no_route'],
  ['GET /posts/', 200],
]);

// No resource can hold such a value: the response is made here.
behaviour('S-16 a response that cannot be encoded', () => {
  const context = { envelope: false, pretty: false } as Parameters<typeof toResponse>[1];
  expect(() => toResponse({ status: 200, body: { id: 1n } } as never, context)).toThrow(
    expect.objectContaining({ code: 'rest_encode_error', status: 500 }),
  );
  return Promise.resolve();
});

// The reference echoes any origin, with credentials.
behaviour('S-17 CORS', [
  [
    'GET /posts',
    200,
    {
      headers: { Origin: 'http://a.test' },
      sends: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Credentials': null,
        'Access-Control-Expose-Headers': /^X-WP-Total, X-WP-TotalPages, Link, ETag, Location, Allow, Retry-After/,
      },
    },
  ],
  [
    'GET /posts',
    200,
    {
      sends: {
        'Access-Control-Expose-Headers': /X-WP-Total/,
        'Access-Control-Allow-Headers':
          'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, Prefer, Traceparent, X-HTTP-Method-Override, X-Requested-With, Range',
      },
    },
  ],
  ['GET /nowhere', 404, { sends: { 'Access-Control-Allow-Origin': '*' } }],
  [
    'OPTIONS /posts',
    200,
    {
      headers: { Origin: 'http://a.test' },
      sends: { 'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE' },
    },
  ],
]);

describe('with listed origins', () => {
  const listed = world({ environment: { CORS_ORIGINS: 'http://a.test,http://b.test' } });
  listed.behaviour('S-17 CORS with listed origins', [
    [
      'GET /posts',
      200,
      {
        headers: { Origin: 'http://a.test' },
        sends: {
          'Access-Control-Allow-Origin': 'http://a.test',
          'Access-Control-Allow-Credentials': 'true',
          Vary: /Origin/,
        },
      },
    ],
    [
      'GET /posts',
      200,
      {
        headers: { Origin: 'http://c.test' },
        sends: { 'Access-Control-Allow-Origin': null, 'Access-Control-Allow-Credentials': null, Vary: /Origin/ },
      },
    ],
    [
      'GET /posts',
      200,
      { sends: { 'Access-Control-Allow-Origin': null, 'Access-Control-Expose-Headers': /X-WP-Total/ } },
    ],
  ]);
});
