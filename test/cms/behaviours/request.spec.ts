// Behaviours Q-…, and those of V-… and N-… that show over HTTP: where parameters come from and how they are judged.
import { expect } from '@jest/globals';
import { argsOf, REFERENCE_SCHEMAS, schemaOf, world, type Line } from './harness.js';

const invalid = (...params: string[]) => ({ code: 'rest_invalid_param', params });
const JSON_TYPE = { 'Content-Type': 'application/json' };

const { behaviour, saved } = world({
  schemas: REFERENCE_SCHEMAS,
  actors: ['editor'],
  seed: [
    ['POST /categories as admin', 201, { body: { name: 'Parent' }, saveAs: 'parent' }],
    [
      'POST /posts as admin',
      201,
      {
        body: { title: 'First', content: 'Text', status: 'publish', meta: { subtitle: 'Sub', rating: 3 } },
        saveAs: 'first',
      },
    ],
    ['POST /posts as admin', 201, { body: { title: 'Second', status: 'publish' }, saveAs: 'second' }],
    ['POST /tags as admin', 201, { body: { name: 'Tag' }, saveAs: 'tag' }],
    ['POST /pages as admin', 201, { body: { title: 'Page', status: 'publish' }, saveAs: 'page' }],
    ['POST /comments as admin', 201, { body: { post: '{first}', content: 'Words' }, saveAs: 'comment' }],
  ],
});
const tag = (status: number, more: object, query = ''): Line => [`POST /tags${query} as editor`, status, more];
const json = (type: string, text: string, status: number, more: object = {}): Line =>
  tag(status, { raw: text, headers: { 'Content-Type': type }, ...more });

behaviour('Q-01 header names in any case', [
  ...['x-http-method-override', 'X-HTTP-METHOD-OVERRIDE', 'X-Http-Method-Override'].map((name): Line => [
    'POST /tags/{tag} as editor',
    200,
    { headers: { [name]: 'PATCH' }, body: { description: name }, has: { description: name } },
  ]),
  [
    'POST /tags/987654 as editor',
    404,
    { headers: { 'x-HTTP-method-override': 'DELETE' }, body: { force: true }, code: 'rest_term_invalid' },
  ],
]);

behaviour('Q-02 content types', [
  json('application/json', '{"name":"Json"}', 201, { has: { name: 'Json' } }),
  json('application/json; charset=utf-8', '{"name":"Charset"}', 201),
  json('application/activity+json', '{"name":"Plus"}', 201),
  json('application/activity+json; profile="x"', '{"name":"Plus profile"}', 201),
  json('APPLICATION/JSON', '{"name":"Upper"}', 201),
  tag(201, { form: 'name=By+form', has: { name: 'By form' } }),
  // The reference reads such a body as nothing.
  json('text/plain', '{"name":"Text"}', 415, { code: 'rest_unsupported_media_type' }),
  json('application/json; charset=latin1', '{"name":"Latin"}', 415, { code: 'rest_unsupported_media_type' }),
]);

behaviour('Q-03 which source wins; invalid JSON', [
  tag(201, { body: { name: 'Body' }, has: { name: 'Body' } }, '?name=Query'),
  tag(201, { form: 'name=Form', has: { name: 'Form' } }, '?name=Query'),
  tag(201, { body: {}, has: { name: 'From query' } }, '?name=From+query'),
  // A body of GET does not count; the reference reads a JSON one.
  ['GET /posts as editor', 200, { raw: '{"per_page":1}', headers: JSON_TYPE, only: ['first', 'second'] }],
  json('application/json', '{"name":', 400, {
    code: 'rest_invalid_json',
    has: { data: { json_error_code: expect.any(Number), json_error_message: expect.any(String) } },
  }),
  ...['["name"]', '"name"', '7'].map((text) => json('application/json', text, 400, { code: 'rest_invalid_json' })),
  ['POST /tags?name=Query as editor', 400, { raw: '{broken', headers: JSON_TYPE, code: 'rest_invalid_json' }],
  [
    'GET /tags?search=Query as editor',
    200,
    { check: (body) => expect(body.map(({ name }: { name: string }) => name)).toEqual(['From query']) },
  ],
]);

behaviour('Q-04 bodies of PUT, PATCH, DELETE', [
  ...['PUT', 'PATCH'].flatMap((verb): Line[] => [
    [
      `${verb} /tags/{tag} as editor`,
      200,
      { body: { description: `${verb} json` }, has: { description: `${verb} json` } },
    ],
    [`${verb} /tags/{tag} as editor`, 200, { form: `description=${verb}+form`, has: { description: `${verb} form` } }],
  ]),
  ...[{ body: { force: true } }, { form: 'force=true' }].flatMap((more, at): Line[] => [
    tag(201, { body: { name: `Bin ${at}` }, saveAs: 'bin' }),
    ['DELETE /tags/{bin} as editor', 200, { ...more, has: { deleted: true } }],
  ]),
]);

behaviour('Q-05 sources are united', [
  [
    'POST /tags?description=Of+the+query as editor',
    201,
    { body: { name: 'United' }, has: { name: 'United', description: 'Of the query' } },
  ],
  [
    'POST /tags?description=Of+the+query&name=lost as editor',
    201,
    {
      form: 'name=United+form&slug=united-form',
      has: { name: 'United form', slug: 'united-form', description: 'Of the query' },
    },
  ],
]);

behaviour('Q-06 bad values are told together', [
  [
    'GET /posts?per_page=0&order=x&after=y',
    400,
    {
      ...invalid('per_page', 'order', 'after'),
      details: { per_page: 'rest_out_of_bounds', order: 'rest_not_in_enum', after: 'rest_invalid_date' },
      check: ({ data, message }) => {
        for (const [name, text] of Object.entries(data.params)) expect(text).toBe(data.details[name].message);
        expect(message).toMatch(/per_page.*order.*after|after.*order/);
      },
    },
  ],
  [
    'POST /posts as editor',
    400,
    {
      body: { status: 'x', author: 'y', title: 7 },
      ...invalid('status', 'author', 'title'),
      details: { status: 'rest_not_in_enum', author: 'rest_invalid_type', title: 'rest_invalid_type' },
    },
  ],
  [
    'GET /posts?include[]={first}&include[]=x',
    400,
    {
      ...invalid('include'),
      has: { data: { details: { include: { code: 'rest_invalid_type', data: { param: 'include[1]' } } } } },
    },
  ],
]);

behaviour('Q-07 missing parameters; empty JSON', [
  [
    'POST /users as admin',
    400,
    { body: {}, code: 'rest_missing_callback_param', params: ['username', 'email', 'password'] },
  ],
  [
    'POST /users as admin',
    400,
    {
      body: { username: null, email: 'a@example.org' },
      code: 'rest_missing_callback_param',
      params: ['username', 'password'],
    },
  ],
  tag(400, { body: {}, code: 'rest_missing_callback_param', params: ['name'] }),
  // Missing ones are reported before invalid ones.
  tag(400, { body: { slug: 7 }, code: 'rest_missing_callback_param', params: ['name'] }),
  ['POST /tags/{tag} as editor', 200, { raw: '', headers: JSON_TYPE }],
  ['POST /tags/{tag} as editor', 200, { raw: '{}', headers: JSON_TYPE }],
  ['GET /posts', 200, { headers: JSON_TYPE, only: ['first', 'second'] }],
]);

behaviour('Q-08 the path cannot be overridden', [
  // In the reference the JSON body wins.
  ['POST /posts/{first} as editor', 200, { body: { id: '{second}', excerpt: 'E' }, has: { id: '{first}' } }],
  ['POST /posts/{first}?id={second} as editor', 200, { body: { excerpt: 'F' }, has: { id: '{first}' } }],
  ['GET /posts/{first}?id={second}', 200, { has: { id: '{first}' } }],
  ['GET /posts/{second}', 200, { has: { excerpt: { rendered: '' } } }],
]);

behaviour('V-01 scalars in queries', [
  ['GET /posts?per_page=1.0', 200, { items: ['second'] }],
  ['GET /posts?per_page=1.5', 400, { ...invalid('per_page'), details: { per_page: 'rest_invalid_type' } }],
  ['GET /tags?hide_empty=1', 200],
  ['GET /tags?hide_empty=FALSE', 200],
  ['GET /tags?hide_empty=2', 400, invalid('hide_empty')],
  ['POST /posts as editor', 400, { body: { slug: 7 }, ...invalid('slug') }],
]);

behaviour('V-03 lists in queries', [
  ...[
    'include={first},{second}',
    'include[]={first}&include[]={second}',
    'include[0]={first}&include[1]={second}',
    'include={first}%20{second}',
    'include={first},%20{second}',
  ].map((query): Line => [`GET /posts?${query}&orderby=include`, 200, { items: ['first', 'second'] }]),
  ['GET /posts?include[a]={first}', 400, invalid('include')],
  ['GET /posts?include=', 200, { only: ['first', 'second'] }],
]);

behaviour('V-10 arguments follow the schema', [
  [
    'OPTIONS /users',
    200,
    {
      check: (body) => {
        const [create, properties] = [argsOf(body, 'POST'), schemaOf(body).properties];
        const writable = Object.keys(properties).filter((name) => !properties[name].readonly);
        expect(Object.keys(create).sort()).toEqual(writable.sort());
        expect(
          Object.keys(create)
            .filter((name) => create[name].required)
            .sort(),
        ).toEqual(['email', 'password', 'username']);
      },
    },
  ],
  [
    'OPTIONS /users/{admin}',
    200,
    {
      check: (body) => {
        const update = argsOf(body, 'PATCH');
        expect(Object.values<any>(update).filter(({ required }) => required)).toEqual([]);
        expect(update).not.toHaveProperty('registered_date');
      },
    },
  ],
  [
    'OPTIONS /posts',
    200,
    {
      check: (body) => {
        expect(argsOf(body, 'POST').status).toMatchObject({
          type: 'string',
          enum: ['publish', 'future', 'draft', 'pending', 'private'],
        });
        expect(argsOf(body, 'POST')).not.toHaveProperty('modified');
      },
    },
  ],
]);

behaviour('V-11 _fields by context', [
  [
    'GET /posts/{first}?_fields=title.rendered,meta.subtitle',
    200,
    { check: (body) => expect(body).toEqual({ title: { rendered: 'First' }, meta: { subtitle: 'Sub' } }) },
  ],
  ['GET /posts/{first}?_fields=status,id', 200, { check: (body) => expect(body).toEqual({ id: saved['first'] }) }],
  [
    'GET /posts/{first}?_fields=status,id&context=edit as editor',
    200,
    { check: (body) => expect(body).toEqual({ id: saved['first'], status: 'publish' }) },
  ],
  ['GET /posts/{first}?_fields=title.raw', 200, { check: (body) => expect(body).not.toHaveProperty('title.raw') }],
  ['GET /posts/{first}?_fields=_links.self', 200, { check: (body) => expect(Object.keys(body)).toEqual(['_links']) }],
]);

behaviour(
  'V-12 the public schema hides what is internal',
  ['/posts', '/comments', '/users', '/posts/{first}/meta'].map((path): Line => [
    `OPTIONS ${path}`,
    200,
    {
      check: (body) => {
        const KNOWN = [
          'description',
          'type',
          'format',
          'enum',
          'context',
          'readonly',
          'required',
          'default',
          'properties',
          'items',
          'minimum',
          'maximum',
          'minLength',
          'maxLength',
          'pattern',
          'additionalProperties',
          'uniqueItems',
        ];
        for (const property of Object.values<object>(schemaOf(body).properties))
          expect(KNOWN).toEqual(expect.arrayContaining(Object.keys(property)));
        expect(Object.keys(schemaOf(body).properties)).not.toEqual(expect.arrayContaining(['owner_id']));
      },
    },
  ]),
);

const DATES: [string, boolean][] = [
  ['2019-01-01T00:00:00-05:00', true],
  ['2019-01-01T00:00:00-05:30', true],
  ['2019-01-01T00:00:00-05', true],
  ['2019-01-01T00:00:00+05', true],
  ['2019-01-01T00:00:00-00', true],
  ['2019-01-01T00:00:00+00', true],
  ['2019-01-01T00:00:00Z', true],
  ['2019-01-01T00:00:00', true],
  ['2019-01-01 00:00:00', true],
  ['2019-01-01T00:00:00.123Z', true],
  ['2019-01-01T00:00:00-5', false],
  ['2019-01-01T00:00', false],
  ['2019-01-01T00', false],
  ['2019-01-01', false],
  ['2019-01', false],
  ['2019', false],
];
behaviour(
  'N-01 date forms',
  DATES.map(([date, fits]) => [
    `GET /posts?after=${encodeURIComponent(date)}`,
    fits ? 200 : 400,
    fits ? { only: ['first', 'second'] } : { ...invalid('after'), details: { after: 'rest_invalid_date' } },
  ]),
);

const fields = (query: string, wanted: () => object): Line => [
  `GET /posts/{first}?${query}`,
  200,
  { check: (body) => expect(body).toEqual(wanted()) },
];
behaviour('N-02 _fields in its forms', [
  ['GET /posts/{first}?_fields=', 200, { has: { id: '{first}', _links: {} } }],
  fields('_fields=id', () => ({ id: saved['first'] })),
  fields('_fields=id,slug', () => ({ id: saved['first'], slug: 'first' })),
  fields('_fields=id, slug'.replace(' ', '%20'), () => ({ id: saved['first'], slug: 'first' })),
  fields('_fields[]=id&_fields[]=slug', () => ({ id: saved['first'], slug: 'first' })),
  fields('_fields=content.rendered,content.protected', () => ({
    content: { rendered: '<p>Text</p>\n', protected: false },
  })),
  // The whole member was requested too.
  fields('_fields=content.rendered,content', () => ({ content: { rendered: '<p>Text</p>\n', protected: false } })),
  fields('_fields=meta.rating', () => ({ meta: { rating: 3 } })),
  fields('_fields=nothing', () => ({})),
  [
    'GET /posts?_fields=slug',
    200,
    { check: (body) => expect(body).toEqual(expect.arrayContaining([{ slug: 'first' }, { slug: 'second' }])) },
  ],
  ['GET /posts/987654?_fields=id', 404, 'rest_post_invalid_id'],
]);

behaviour('N-04 only OPTIONS gets the description', [
  ['OPTIONS /posts', 200, { has: { namespace: 'cms/v2', methods: ['GET', 'POST'] } }],
  ['GET /posts', 200, { check: (body) => expect(Array.isArray(body)).toBe(true) }],
  ['HEAD /posts', 200, { check: (_body, { text }) => expect(text ?? '').toBe('') }],
]);

behaviour('N-05 contexts of nested members', [
  [
    'GET /posts/{first}',
    200,
    { hasNot: ['title.raw', 'content.raw', 'excerpt.raw', 'guid.raw', 'content.block_version'] },
  ],
  ['GET /posts?include={first}', 200, { check: ([item]) => expect(item).not.toHaveProperty('content.raw') }],
  [
    'GET /posts/{first}?context=edit as editor',
    200,
    { has: { title: { raw: 'First' }, guid: { raw: expect.any(String) } } },
  ],
  ['GET /posts/{first}?context=embed', 200, { hasNot: ['content', 'guid', 'excerpt.raw'] }],
  ['GET /comments/{comment}?context=embed', 200, { hasNot: ['content.raw', 'author_email'] }],
]);

behaviour('N-06 integers, lists, objects', [
  ...['10', '10.0', '%2010'.slice(3)].map((page): Line => [`GET /posts?per_page=${page}`, 200]),
  ...['10.5', 'abc', '1abc', ''].map((page): Line => [`GET /posts?per_page=${page}`, 400, invalid('per_page')]),
  ['POST /posts as editor', 201, { body: { title: 'n', categories: '1' }, has: { categories: [1] } }],
  ['POST /posts as editor', 400, { body: { title: 'n', categories: { a: 1 } }, ...invalid('categories') }],
  ['POST /posts as editor', 201, { body: { title: 'n', meta: {} } }],
  ['POST /posts as editor', 400, { body: { title: 'n', meta: [1] }, ...invalid('meta') }],
]);
