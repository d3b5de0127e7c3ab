// Behaviours F-…: the meta field, on schemas with registered keys of every kind.
import { expect, test } from '@jest/globals';
import { administrator } from '../../support/actors.js';
import { changedSchemas, schemaOf, SCHEMAS, withBrokenTable, world, type Line, type More } from './harness.js';

const KEYS = {
  single: { type: 'string' },
  multi: { type: 'string', single: false },
  count: { type: 'integer', default: 7 },
  ratio: { type: 'number' },
  flag: { type: 'boolean' },
  colour: { type: 'string', enum: ['red', 'blue'], default: 'red' },
  stored_name: { type: 'string', as: 'shown_name' },
  secret: { type: 'string', hidden: true },
  _protected: { type: 'string' },
  _ruled: { type: 'string', needs: 'manage_options' },
  place: { type: 'object', properties: { lat: { type: 'number' }, name: { type: 'string' } } },
  open: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: true },
  typed: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: { type: 'integer' } },
  numbers: { type: 'array', items: { type: 'integer' } },
};

const site = world({
  schemas: changedSchemas(SCHEMAS, (name, schema) => {
    if (name === 'post') schema.fields.meta.keys = KEYS;
    if (name === 'page') schema.fields.meta.keys = { page_only: { type: 'string' } };
    if (name === 'tag')
      schema.fields.meta.keys = { tone: { type: 'string' }, many: { type: 'integer', single: false } };
    if (name === 'category') schema.fields.meta.keys = { shade: { type: 'string' } };
  }),
  actors: ['editor', 'author'],
  seed: [
    ['POST /posts as editor', 201, { body: { title: 'Post', status: 'publish' }, saveAs: 'post' }],
    ['POST /pages as editor', 201, { body: { title: 'Page', status: 'publish' }, saveAs: 'page' }],
    ['POST /tags as editor', 201, { body: { name: 'Tag' }, saveAs: 'tag' }],
    ['POST /categories as editor', 201, { body: { name: 'Category' }, saveAs: 'category' }],
  ],
});
const { behaviour, saved } = site;

const set = (meta: unknown, status = 200, more: string | More = {}, as = 'editor'): Line => [
  `POST /posts/{post} as ${as}`,
  status,
  { body: { meta }, ...(typeof more === 'string' ? { code: more } : more) },
];
const shows = (meta: object): More => ({ has: { meta } });
/** Writes what no schema would let in. */
const store = (key: string, value: string) =>
  site.site.site.writer.batch(({ create }) => create('meta', { key, value }, { parentId: Number(saved['post']) }));

behaviour('F-01 reading', [
  [
    'GET /posts/{post}',
    200,
    {
      check: ({ meta }) =>
        expect(meta).toEqual({
          single: '',
          multi: [],
          count: 7,
          ratio: 0,
          flag: false,
          colour: 'red',
          shown_name: '',
          _protected: '',
          _ruled: '',
          place: {},
          open: {},
          typed: {},
          numbers: [],
        }),
    },
  ],
  set(
    { single: 'one', multi: ['a', 'b'], count: 5, ratio: 1.5, flag: true, shown_name: 'n', numbers: [1, 2] },
    200,
    shows({ single: 'one', multi: ['a', 'b'], count: 5, ratio: 1.5, flag: true, shown_name: 'n', numbers: [1, 2] }),
  ),
  [
    'GET /posts/{post}',
    200,
    {
      has: { meta: { single: 'one', multi: ['a', 'b'], count: 5, ratio: 1.5, flag: true } },
      hasNot: ['meta.secret', 'meta.stored_name'],
    },
  ],
  ['POST /posts/{post}/meta as editor', 201, { body: { key: 'unregistered', value: 'x' } }],
  ['POST /posts/{post}/meta as editor', 201, { body: { key: 'secret', value: 'x' } }],
  ['GET /posts/{post}?context=edit as admin', 200, { hasNot: ['meta.unregistered', 'meta.secret'] }],
  ['POST /posts/{post} as editor', 200, { body: { meta: { count: null } }, has: { meta: { count: 7 } } }],
  ['POST /posts/{post}/meta as editor', 201, { body: { key: 'count', value: 'many' } }],
  ['GET /posts/{post}', 200, { check: ({ meta }) => expect(meta.count).toBeNull() }],
  set({ count: 6 }, 200, shows({ count: 6 })),
]);

behaviour('F-01 a stored value outside the schema is null', async () => {
  await store('colour', 'green');
  await store('numbers', '{"not":"a list"}');
  await site.run([
    ['GET /posts/{post}', 200, { check: ({ meta }) => expect(meta.colour).toBeNull() }],
    set({ colour: 'blue', numbers: [3] }, 200, shows({ colour: 'blue', numbers: [3] })),
  ]);
});

behaviour('F-02 writing', [
  set({ single: 'first' }, 200, shows({ single: 'first' })),
  set({ single: 'second' }, 200, shows({ single: 'second' })),
  set({ multi: ['a', 'b', 'c'] }, 200, shows({ multi: ['a', 'b', 'c'], single: 'second' })),
  set({ multi: ['b', 'd'] }, 200, shows({ multi: ['b', 'd'] })),
  set({ multi: ['d'] }, 200, shows({ multi: ['d'] })),
  set({ shown_name: 'by its name' }, 200, shows({ shown_name: 'by its name' })),
  set({ stored_name: 'by its key', unregistered: 'ignored' }, 200, shows({ shown_name: 'by its name' })),
  set({ single: 'a,b, c' }, 200, shows({ single: 'a,b, c' })),
  set({ count: '12', ratio: '2.5', flag: '1' }, 200, shows({ count: 12, ratio: 2.5, flag: true })),
  set({ single: ['a'] }, 400, { code: 'rest_invalid_type', has: { message: expect.stringContaining('meta.single') } }),
  set({ count: 'twelve' }, 400, { code: 'rest_invalid_type', has: { additional_data: [{ param: 'meta.count' }] } }),
  set({ multi: [['a']] }, 400, 'rest_invalid_type'),
  // The first wrong item decides, by its place in the list.
  set({ multi: ['a', 1, 2] }, 400, {
    code: 'rest_invalid_type',
    has: { message: expect.stringContaining('meta.multi[1] '), additional_data: [{ param: 'meta.multi[1]' }] },
    hasNot: ['additional_errors'],
  }),
  set({ colour: 'green' }, 400, { code: 'rest_not_in_enum', hasNot: ['additional_data'] }),
  set('not an object', 400, { code: 'rest_invalid_param', params: ['meta'] }),
  set('', 200, shows({ single: 'a,b, c' })),
  ['POST /posts/{post} as editor', 200, { form: 'meta=&title=Post', has: { meta: { single: 'a,b, c' } } }],
  set(7, 400, { code: 'rest_invalid_param', params: ['meta'] }),
  [
    'POST /posts as editor',
    201,
    {
      body: { title: 'With', meta: { single: 'at once', multi: ['x'] } },
      has: { meta: { single: 'at once', multi: ['x'] } },
    },
  ],
  // In the reference the text is saved all the same.
  ['POST /posts/{post} as editor', 400, { body: { title: 'Half', meta: { count: 'x' } }, code: 'rest_invalid_type' }],
  ['GET /posts/{post}', 200, { has: { title: { rendered: 'Post' } } }],
]);

behaviour('F-03 who writes', [
  ['POST /posts/{post}', 401, { body: { meta: { single: 'x' } }, code: 'rest_cannot_edit' }],
  set({ single: 'x' }, 403, 'rest_cannot_edit', 'author'),
  set({ _protected: 'x' }, 403, { code: 'rest_cannot_update', has: { data: { key: '_protected' } } }),
  set({ _protected: 'x' }, 403, 'rest_cannot_update', 'admin'),
  // What is shown of a key without a value, as in a fetched item that is sent back.
  set({ _protected: '', _ruled: '', single: 'sent back' }, 200, shows({ _protected: '', single: 'sent back' })),
  ['POST /posts as editor', 201, { body: { title: 'Copy', meta: { _protected: '' } } }],
  set({ _ruled: 'x' }, 403, { code: 'rest_cannot_update', has: { data: { key: '_ruled' } } }),
  set({ _ruled: 'x' }, 200, shows({ _ruled: 'x' }), 'admin'),
  set({ _ruled: 'x' }, 200, shows({ _ruled: 'x' })),
  set({ _ruled: null }, 403, { code: 'rest_cannot_delete', has: { data: { key: '_ruled' } } }),
  set({ secret: 'y' }, 200),
]);

behaviour('F-03 an item that is sent back has the default of keys without a value', async () => {
  let read: unknown;
  const keys = async () =>
    (await site.sendRequest('GET /posts/{echoed}/meta as editor')).body.map(({ key }: { key: string }) => key);
  await site.run([
    [
      'POST /posts as editor',
      201,
      { body: { title: 'Echoed', meta: { single: 'x', _protected: '' } }, saveAs: 'echoed' },
    ],
    ['GET /posts/{echoed}?context=edit as editor', 200, { check: (body) => void (read = body) }],
  ]);
  await site.run([['PUT /posts/{echoed} as editor', 200, { body: read, has: { meta: { _protected: '', count: 7 } } }]]);
  // What was not sent is not stored either.
  expect(await keys()).toEqual(['single']);
  await site.run([
    ['POST /posts/{echoed} as editor', 200, { body: { meta: { count: 8 } }, has: { meta: { count: 8 } } }],
    ['POST /posts/{echoed} as editor', 200, { body: { meta: { count: 7 } }, has: { meta: { count: 7 } } }],
  ]);
});

behaviour('F-03 a failing storage', async () => {
  await withBrokenTable(site.site, 'contents_meta', 'INSERT', () =>
    site.run([set({ single: 'lost' }, 500, 'rest_meta_database_error')]),
  );
  await site.run([['GET /posts/{post}', 200, { check: ({ meta }) => expect(meta.single).not.toBe('lost') }]]);
});

behaviour('F-04 deleting', async () => {
  await site.run([
    set({ single: 'there', multi: ['a'] }),
    set({ single: null }, 200, shows({ single: '' })),
    set({ single: null }, 200, shows({ single: '' })),
    set({ multi: [] }, 200, shows({ multi: [] })),
    set({ multi: ['a'] }),
    set({ multi: null }, 200, shows({ multi: [] })),
    set({ colour: null }, 200, shows({ colour: 'red' })),
  ]);
  await store('colour', 'green');
  // The reference: 500 rest_invalid_stored_value.
  await site.run([set({ colour: null }, 200, shows({ colour: 'red' }))]);
});

behaviour('F-05 objects, lists, booleans, slashes', [
  set({ place: { lat: 1.5, name: 'Here' } }, 200, shows({ place: { lat: 1.5, name: 'Here' } })),
  set({ place: { lat: 1.5, name: 'Here' } }, 200, shows({ place: { lat: 1.5, name: 'Here' } })),
  set({ place: { lat: 'north' } }, 400, 'rest_invalid_type'),
  set({ place: { lat: 1, other: 1 } }, 400, 'rest_additional_properties_forbidden'),
  set({ open: { name: 'n', other: { deep: [1] } } }, 200, shows({ open: { name: 'n', other: { deep: [1] } } })),
  set({ typed: { name: 'n', one: 1 } }, 200, shows({ typed: { name: 'n', one: 1 } })),
  set({ typed: { name: 'n', one: 'x' } }, 400, 'rest_invalid_type'),
  set({ numbers: [1, '2', 3] }, 200, shows({ numbers: [1, 2, 3] })),
  set({ numbers: [1, 'x'] }, 400, 'rest_invalid_type'),
  set({ flag: true }),
  set({ flag: false }, 200, shows({ flag: false })),
  set({ flag: 'maybe' }, 400, 'rest_invalid_type'),
  set(
    { single: String.raw`a \ slash \\ and "quotes" \'s` },
    200,
    shows({ single: String.raw`a \ slash \\ and "quotes" \'s` }),
  ),
  set({ count: 'x', ratio: 'y' }, 400, {
    code: 'rest_invalid_type',
    has: { additional_errors: [{ code: 'rest_invalid_type' }] },
  }),
]);

behaviour('F-06 keys stand in the schema', [
  [
    'OPTIONS /posts',
    200,
    {
      check: (body) => {
        const { properties } = schemaOf(body).properties.meta;
        expect(Object.keys(properties).sort()).toEqual(
          Object.keys(KEYS)
            .filter((key) => key !== 'secret')
            .map((key) => (key === 'stored_name' ? 'shown_name' : key))
            .sort(),
        );
        expect(properties).toMatchObject({
          single: { type: 'string', default: '' },
          multi: { type: 'array', items: { type: 'string' }, default: [] },
          count: { type: 'integer', default: 7 },
          flag: { default: false },
          colour: { enum: ['red', 'blue'], default: 'red' },
          place: { type: 'object', additionalProperties: false },
        });
      },
    },
  ],
]);

const only = (path: string, keys: string[]): Line => [
  `GET ${path}`,
  200,
  { check: ({ meta }) => expect(Object.keys(meta)).toEqual(keys) },
];
behaviour('F-07 keys of one resource', [
  only('/pages/{page}', ['page_only']),
  only('/tags/{tag}', ['tone', 'many']),
  only('/categories/{category}', ['shade']),
  [
    'POST /tags/{tag} as editor',
    200,
    { body: { meta: { tone: 'dark', many: [1, 2], shade: 'no' } }, has: { meta: { tone: 'dark', many: [1, 2] } } },
  ],
  [
    'POST /categories/{category} as editor',
    200,
    { body: { meta: { shade: 'light', tone: 'no' } }, has: { meta: { shade: 'light' } }, hasNot: ['meta.tone'] },
  ],
  ['POST /tags/{tag} as author', 403, { body: { meta: { tone: 'x' } }, code: 'rest_cannot_update' }],
  ['POST /tags/{tag} as editor', 400, { body: { meta: { many: ['x'] } }, code: 'rest_invalid_type' }],
  [
    'POST /pages/{page} as editor',
    200,
    { body: { meta: { page_only: 'p', single: 'no' } }, has: { meta: { page_only: 'p' } } },
  ],
]);

test('the ETag of an item changes when an entry below it changes a key that it shows', async () => {
  const { send } = site.site;
  const as = administrator(site.site).headers;
  const { id } = (await send('POST', '/posts', { as, body: { title: 'Versions' }, status: 201 })).body;
  let entry = '';
  const changes = [
    async () => {
      const body = { key: 'single', value: 'a' };
      entry = `/posts/${id}/meta/${(await send('POST', `/posts/${id}/meta`, { as, body, status: 201 })).body.id}`;
    },
    () => send('POST', entry, { as, body: { value: 'b' }, status: 200 }),
    () => send('POST', entry, { as, body: { value: 'b' }, status: 200 }),
    () => send('POST', entry, { as, body: { key: 'free' }, status: 200 }),
    () => send('POST', entry, { as, body: { value: 'c' }, status: 200 }),
    () => send('POST', entry, { as, body: { key: 'single' }, status: 200 }),
    () => send('DELETE', `${entry}?force=true`, { as, status: 200 }),
  ];
  const responses: number[] = [];
  for (const change of changes) {
    const { headers } = await send('GET', `/posts/${id}`, { as });
    await change();
    responses.push((await send('POST', `/posts/${id}`, { as, headers: { 'If-Match': headers['etag']! } })).status);
  }
  expect(responses).toEqual([412, 412, 200, 412, 200, 412, 412]);
});
