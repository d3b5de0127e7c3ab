// Behaviours G-…: pages, where they are more or other than posts.
import { describe, expect } from '@jest/globals';
import { argsOf, changedSchemas, schemaOf, SCHEMAS, world, type Line } from './harness.js';

const page = (saveAs: string, body: object): Line => [
  'POST /pages as admin',
  201,
  { body: { status: 'publish', ...body }, saveAs },
];
const invalid = (...params: string[]) => ({ code: 'rest_invalid_param', params });

describe('reading', () => {
  const { behaviour } = world({
    actors: ['editor', 'author'],
    seed: [
      page('about', { title: 'About', date: '2020-01-01T10:00:00', menu_order: 3 }),
      page('board', { title: 'Board', date: '2021-01-01T10:00:00', parent: '{about}', menu_order: 1 }),
      page('contact', { title: 'Contact', date: '2022-01-01T10:00:00', parent: '{about}' }),
      page('deep', { title: 'Deep', date: '2023-01-01T10:00:00', parent: '{board}', menu_order: 2 }),
      page('locked', {
        title: 'Locked',
        content: 'Secret.',
        excerpt: 'Short.',
        password: 'sesame',
        date: '2019-01-01T10:00:00',
      }),
      page('draft', { title: 'Draft', status: 'draft' }),
      ['POST /posts as admin', 201, { body: { title: 'Post', status: 'publish' }, saveAs: 'post' }],
    ],
  });
  const ALL = ['deep', 'contact', 'board', 'about', 'locked'];

  behaviour('G-01 parameters of the list', [
    [
      'OPTIONS /pages',
      200,
      {
        check: (body) =>
          expect(Object.keys(argsOf(body, 'GET')).sort()).toEqual([
            'after',
            'author',
            'author_exclude',
            'before',
            'context',
            'exclude',
            'include',
            'menu_order',
            'offset',
            'order',
            'orderby',
            'page',
            'parent',
            'parent_exclude',
            'per_page',
            'search',
            'slug',
            'status',
          ]),
      },
    ],
  ]);

  behaviour('G-02 parent and parent_exclude', [
    ['GET /pages?parent={about}', 200, { items: ['contact', 'board'] }],
    ['GET /pages?parent={about},{board}', 200, { items: ['deep', 'contact', 'board'] }],
    ['GET /pages?parent[]={about}&parent[]=0', 200, { only: ['contact', 'board', 'about', 'locked'] }],
    ['GET /pages?parent=some-slug', 400, invalid('parent')],
    ['GET /pages?parent_exclude={about}', 200, { items: ['deep', 'about', 'locked'] }],
    ['GET /pages?parent_exclude={about},0', 200, { items: ['deep'] }],
    ['GET /pages?parent_exclude=some-slug', 400, invalid('parent_exclude')],
  ]);

  behaviour('G-03 menu_order', [
    ['GET /pages?menu_order=2', 200, { items: ['deep'] }],
    ['GET /pages?menu_order=top-first', 400, invalid('menu_order')],
    [
      'GET /pages?orderby=menu_order&order=desc',
      200,
      { check: (body) => expect(body.slice(0, 3).map((item: any) => item.menu_order)).toEqual([3, 2, 1]) },
    ],
    ['GET /pages?orderby=menu_order&order=asc&exclude={locked},{contact}', 200, { items: ['board', 'deep', 'about'] }],
  ]);

  behaviour('G-04 bounds of per_page', [
    ...[-1, 0, 101].map((size): Line => [
      `GET /pages?per_page=${size}`,
      400,
      { ...invalid('per_page'), details: { per_page: 'rest_out_of_bounds' } },
    ]),
    ['GET /pages?per_page=100', 200, { items: ALL }],
  ]);

  behaviour('G-05 status=draft', [
    // The reference before 4.7: ignored for anonymous callers.
    ['GET /pages?status=draft', 400, { ...invalid('status'), details: { status: 'rest_forbidden_status' } }],
    ['GET /pages?status=draft as author', 400, invalid('status')],
    ['GET /pages?status=draft as editor', 200, { items: ['draft'] }],
  ]);

  behaviour('G-06 after and before', [
    ['GET /pages?after=2020-01-01T10:00:00&before=2022-01-01T10:00:00', 200, { items: ['board'] }],
    ['GET /pages?after=foo', 400, invalid('after')],
    ['GET /pages?before=foo', 400, invalid('before')],
  ]);

  behaviour('G-07 a post is no page', [
    ['GET /pages/{post}', 404, 'rest_post_invalid_id'],
    ['POST /pages/{post} as editor', 404, { body: { title: 'x' }, code: 'rest_post_invalid_id' }],
  ]);

  behaviour('G-09 the password', [
    [
      'GET /pages/{locked}?password=sesame',
      200,
      { has: { content: { rendered: '<p>Secret.</p>\n', protected: true }, excerpt: { rendered: '<p>Short.</p>\n' } } },
    ],
    ['GET /pages/{locked}?password=wrong', 403, 'rest_post_incorrect_password'],
    [
      'GET /pages/{locked}',
      200,
      { has: { content: { rendered: '', protected: true }, excerpt: { rendered: '', protected: true } } },
    ],
  ]);

  behaviour('G-11 properties of the schema', [
    [
      'OPTIONS /pages',
      200,
      {
        check: (body) => {
          const { title, properties } = schemaOf(body);
          expect(title).toBe('page');
          // The reference has class_list too, and status in view context.
          expect(Object.keys(properties).sort()).toEqual([
            'author',
            'comment_status',
            'content',
            'date',
            'date_gmt',
            'excerpt',
            'featured_media',
            'generated_slug',
            'guid',
            'id',
            'link',
            'menu_order',
            'meta',
            'modified',
            'modified_gmt',
            'parent',
            'password',
            'permalink_template',
            'ping_status',
            'slug',
            'status',
            'template',
            'title',
            'type',
          ]);
          expect(properties.parent).toMatchObject({
            type: 'integer',
            context: expect.arrayContaining(['view', 'edit']),
          });
        },
      },
    ],
  ]);
});

describe('writing', () => {
  const { behaviour } = world({
    schemas: changedSchemas(SCHEMAS, (name, schema) => {
      if (name === 'page') schema.fields.template.enum = ['', 'wide.php'];
    }),
    actors: ['editor', 'author'],
    seed: [
      page('top', { title: 'Top' }),
      page('other', { title: 'Other' }),
      ['POST /posts as admin', 201, { body: { title: 'Post', status: 'publish' }, saveAs: 'post' }],
    ],
  });
  const create = (body: object, status: number, more: object = {}, as = 'editor'): Line => [
    `POST /pages as ${as}`,
    status,
    { body: { title: 'New', ...body }, ...more },
  ];
  const update = (body: object, status: number, more: object = {}): Line => [
    'POST /pages/{made} as editor',
    status,
    { body, ...more },
  ];

  behaviour('G-08 template, parent, menu_order', [
    create({ template: 'wide.php' }, 201, { has: { template: 'wide.php' } }),
    create({ template: 'none.php' }, 400, invalid('template')),
    create({ parent: '{top}' }, 201, { has: { parent: '{top}' }, saveAs: 'made' }),
    create({ parent: 987654 }, 400, { code: 'rest_post_invalid_id' }),
    // The reference takes any item; a page is demanded here.
    create({ parent: '{post}' }, 400, { code: 'rest_post_invalid_id' }),
    update({ parent: '{other}' }, 200, { has: { parent: '{other}' } }),
    update({ parent: 0 }, 200, { has: { parent: 0 } }),
    update({ parent: 987654 }, 400, { code: 'rest_post_invalid_id' }),
    update({ menu_order: 7 }, 200, { has: { menu_order: 7 } }),
    update({ title: 'Stays' }, 200, { has: { menu_order: 7 } }),
    update({ menu_order: 0 }, 200, { has: { menu_order: 0 } }),
    create({}, 403, { code: 'rest_cannot_create' }, 'author'),
    ['POST /pages', 401, { body: { title: 'x' }, code: 'rest_cannot_create' }],
  ]);

  behaviour('G-10 deleting by force', [
    create({ title: 'Gone' }, 201, { saveAs: 'gone' }),
    [
      'DELETE /pages/{gone}?force=true as editor',
      200,
      { has: { deleted: true, previous: { id: '{gone}', title: { raw: 'Gone' } } } },
    ],
    ['GET /pages/{gone} as editor', 404, 'rest_post_invalid_id'],
    ['DELETE /pages/{top} as author', 403, 'rest_cannot_delete'],
  ]);
});
