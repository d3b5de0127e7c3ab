// Behaviours K-…: entries of posts/<id>/meta.
import { expect } from '@jest/globals';
import { argsOf, REFERENCE_SCHEMAS, world, type Line, type More } from './harness.js';

const invalid = (...params: string[]) => ({ code: 'rest_invalid_param', params });
const at = '/posts/{post}/meta';

const site = world({
  schemas: REFERENCE_SCHEMAS,
  actors: ['editor', 'author', 'subscriber'],
  seed: async (world) => {
    await world.run([
      [
        'POST /posts as editor',
        201,
        { body: { title: 'Post', status: 'publish', meta: { geo: { lat: 1 } } }, saveAs: 'post' },
      ],
      ['POST /posts as editor', 201, { body: { title: 'Other', status: 'publish' }, saveAs: 'other' }],
      ['POST /pages as editor', 201, { body: { title: 'Page', status: 'publish' }, saveAs: 'page' }],
      [`POST ${at} as editor`, 201, { body: { key: 'colour', value: 'red' }, saveAs: 'entry' }],
      [`POST ${at} as editor`, 201, { body: { key: 'colour', value: 'blue' }, saveAs: 'second' }],
      ['POST /posts/{other}/meta as editor', 201, { body: { key: 'size', value: 'big' }, saveAs: 'foreign' }],
    ]);
    // What the engine and importers may write, clients not.
    const { writer } = world.site.site;
    world.saved['protected'] = await writer.batch(({ create }) =>
      create('meta', { key: '_hidden', value: 'x' }, { parentId: Number(world.saved['post']) }),
    );
    world.saved['structured'] = (await writer.find('meta', { key: 'geo' }))!['id'];
  },
});
const { behaviour } = site;
const create = (body: object, status: number, more: string | More = {}, as = 'editor'): Line => [
  `POST ${at} as ${as}`,
  status,
  { body, ...(typeof more === 'string' ? { code: more } : more) },
];
const update = (id: string, body: object, status: number, more: string | More = {}, as = 'editor'): Line => [
  `POST ${at}/{${id}} as ${as}`,
  status,
  { body, ...(typeof more === 'string' ? { code: more } : more) },
];

behaviour('K-01 routes and contexts', [
  [
    `OPTIONS ${at}`,
    200,
    {
      has: { methods: ['GET', 'POST'] },
      check: (body) => expect(argsOf(body, 'GET').context).toMatchObject({ default: 'edit' }),
    },
  ],
  [`OPTIONS ${at}/{entry}`, 200, { has: { methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] } }],
  // In the plugin edit is the only context.
  ...['view', 'embed', 'edit'].map((context): Line => [
    `GET ${at}/{entry}?context=${context} as editor`,
    200,
    { members: ['id', 'key', 'value'] },
  ]),
  [`GET ${at}?context=banana as editor`, 400, invalid('context')],
]);

behaviour('K-02 reading', [
  [`GET ${at} as editor`, 200, { items: ['entry', 'second'] }],
  [
    `GET ${at}/{entry} as editor`,
    200,
    {
      has: {
        id: '{entry}',
        key: 'colour',
        value: 'red',
        _links: { about: [{ embeddable: true, href: 'http://api.test/cms/v2/posts/{post}' }] },
      },
    },
  ],
  [`GET ${at}`, 401, 'rest_forbidden'],
  [`GET ${at}/{entry}`, 401, 'rest_forbidden'],
  [`GET ${at} as author`, 403, 'rest_forbidden'],
  [`GET ${at}/{entry} as subscriber`, 403, 'rest_forbidden'],
  ['GET /posts/987654/meta as editor', 404, 'rest_post_invalid_id'],
  ['GET /posts/0/meta as editor', 404, 'rest_post_invalid_id'],
  ['GET /posts/{page}/meta as editor', 404, 'rest_post_invalid_id'],
  [`GET ${at}/987654 as editor`, 404, 'rest_meta_invalid_id'],
  [`GET ${at}/{foreign} as editor`, 400, 'rest_meta_post_mismatch'],
  [`GET ${at}/{protected} as editor`, 403, 'rest_meta_protected'],
  [`GET ${at}/{structured} as editor`, 403, 'rest_meta_protected'],
]);

behaviour('K-03 creating', [
  create({ key: 'taste', value: 'sweet' }, 201, {
    has: { key: 'taste', value: 'sweet' },
    check: ({ id }, { headers }) =>
      expect(headers['location']).toBe(`http://api.test/cms/v2/posts/${site.saved['post']}/meta/${id}`),
  }),
  create({ key: 'bare' }, 201, { has: { value: '' } }),
  create({ value: 'x' }, 400, { code: 'rest_missing_callback_param', params: ['key'] }),
  create({ key: '', value: 'x' }, 400, 'rest_meta_invalid_key'),
  create({ key: '<b></b>', value: 'x' }, 400, 'rest_meta_invalid_key'),
  create({ key: 'list', value: ['a'] }, 400, invalid('value')),
  create({ key: 'object', value: { a: 1 } }, 400, invalid('value')),
  // The plugin: 400 rest_post_invalid_action. Nothing unserialises here.
  create({ key: 'php', value: 'a:1:{i:0;s:1:"x";}' }, 201, { has: { value: 'a:1:{i:0;s:1:"x";}' } }),
  create({ key: '_secret', value: 'x' }, 403, 'rest_meta_protected'),
  create({ key: 'slashes', value: String.raw`a \ b \\ "c" \'d` }, 201, {
    has: { value: String.raw`a \ b \\ "c" \'d` },
  }),
  create({ key: 'n', value: 7 }, 400, invalid('value')),
  [`POST ${at}`, 401, { body: { key: 'x', value: 'y' }, code: 'rest_forbidden' }],
  create({ key: 'x' }, 403, 'rest_forbidden', 'author'),
  ['POST /posts/987654/meta as editor', 404, { body: { key: 'x' }, code: 'rest_post_invalid_id' }],
]);

behaviour('K-04 updating', [
  update('entry', { value: 'green' }, 200, { has: { key: 'colour', value: 'green' } }),
  update('entry', { key: 'tint' }, 200, { has: { key: 'tint', value: 'green' } }),
  update('entry', { key: 'colour', value: 'red' }, 200, { has: { key: 'colour', value: 'red' } }),
  update('entry', { key: 'colour', value: 'red' }, 200),
  update('entry', {}, 400, 'rest_meta_data_invalid'),
  update('entry', { key: '' }, 400, 'rest_meta_invalid_key'),
  update('entry', { key: '_secret' }, 403, 'rest_meta_protected'),
  update('protected', { value: 'x' }, 403, 'rest_meta_protected'),
  update('protected', { key: 'open', value: 'x' }, 403, 'rest_meta_protected'),
  update('entry', { value: ['a'] }, 400, invalid('value')),
  update('structured', { value: 'x' }, 400, 'rest_post_invalid_action'),
  update('foreign', { value: 'x' }, 400, 'rest_meta_post_mismatch'),
  [`POST ${at}/987654 as editor`, 404, { body: { value: 'x' }, code: 'rest_meta_invalid_id' }],
  [`POST ${at}/{entry}`, 401, { body: { value: 'x' }, code: 'rest_forbidden' }],
  [`PUT ${at}/{entry} as editor`, 200, { body: { value: 'put' }, has: { value: 'put' } }],
]);

behaviour('K-05 deleting', [
  [`DELETE ${at}/{second} as editor`, 501, 'rest_trash_not_supported'],
  [`DELETE ${at}/987654 as editor`, 501, 'rest_trash_not_supported'],
  [`DELETE ${at}/987654?force=true as editor`, 404, 'rest_meta_invalid_id'],
  [`DELETE ${at}/{foreign}?force=true as editor`, 400, 'rest_meta_post_mismatch'],
  [`DELETE ${at}/{protected}?force=true as editor`, 403, 'rest_meta_protected'],
  [`DELETE ${at}/{structured}?force=true as editor`, 403, 'rest_meta_protected'],
  [`DELETE ${at}/{second}?force=true`, 401, 'rest_forbidden'],
  [`DELETE ${at}/{second}?force=true as author`, 403, 'rest_forbidden'],
  // The plugin answers a message.
  [
    `DELETE ${at}/{second}?force=true as editor`,
    200,
    {
      check: (body) =>
        expect(body).toEqual({ deleted: true, previous: { id: site.saved['second'], key: 'colour', value: 'blue' } }),
    },
  ],
  [`GET ${at}/{second} as editor`, 404, 'rest_meta_invalid_id'],
]);
