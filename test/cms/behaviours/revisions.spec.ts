// Behaviours R-…: revisions of posts.
import { expect } from '@jest/globals';
import { argsOf, schemaOf, withBrokenTable, world, type Line } from './harness.js';

const MEMBERS = [
  'author',
  'date',
  'date_gmt',
  'guid',
  'id',
  'modified',
  'modified_gmt',
  'parent',
  'slug',
  'title',
  'content',
  'excerpt',
];
const at = '/posts/{post}/revisions';

const site = world({
  actors: ['editor', 'author', 'contributor', 'subscriber'],
  seed: [
    [
      'POST /posts as editor',
      201,
      { body: { title: 'First', content: 'One', excerpt: 'Short', status: 'publish' }, saveAs: 'post' },
    ],
    ['POST /posts as editor', 201, { body: { title: 'Other', status: 'publish' }, saveAs: 'other' }],
    ['POST /pages as editor', 201, { body: { title: 'Page', status: 'publish' }, saveAs: 'page' }],
    ['POST /posts/{post} as editor', 200, { body: { content: 'Two' } }],
    ['POST /posts/{post} as admin', 200, { body: { title: 'Third', content: 'Three' } }],
    ['POST /posts/{other} as editor', 200, { body: { content: 'Else' } }],
    [
      'GET /posts/{post}/revisions as editor',
      200,
      { check: (body) => void ([saved['newest'], saved['older']] = body.map(({ id }: { id: number }) => id)) },
    ],
    ['GET /posts/{other}/revisions as editor', 200, { check: ([first]) => void (saved['foreign'] = first.id) }],
  ],
});
const { behaviour, saved } = site;

behaviour('R-01 parameters', [
  // The reference also has search, include, exclude, offset, order, orderby.
  [
    `OPTIONS ${at}`,
    200,
    {
      has: { methods: ['GET'] },
      check: (body) =>
        expect(
          Object.keys(argsOf(body, 'GET'))
            .filter((name) => !name.startsWith('parent'))
            .sort(),
        ).toEqual(['context', 'page', 'per_page']),
    },
  ],
  [
    `OPTIONS ${at}/{newest}`,
    200,
    {
      has: { methods: ['GET', 'DELETE'] },
      check: (body) => {
        expect(
          Object.keys(argsOf(body, 'GET'))
            .filter((name) => !name.startsWith('parent'))
            .sort(),
        ).toEqual(['context', 'diff', 'id']);
        // The reference demands force.
        expect(Object.keys(argsOf(body, 'DELETE'))).not.toContain('force');
      },
    },
  ],
]);

behaviour('R-02 the list', [
  [`GET ${at} as editor`, 200, { items: ['newest', 'older'], sends: { 'X-WP-Total': '2', 'X-WP-TotalPages': '1' } }],
  [`GET ${at}`, 401, 'rest_cannot_read'],
  [`GET ${at} as contributor`, 403, 'rest_cannot_read'],
  [`GET ${at} as author`, 403, 'rest_cannot_read'],
  ['GET /posts/987654/revisions as editor', 404, 'rest_post_invalid_parent'],
  ['GET /posts/{page}/revisions as editor', 404, 'rest_post_invalid_parent'],
  ['GET /pages/{page}/revisions as editor', 200, { items: [] }],
]);

behaviour('R-03 one revision', [
  // The reference has objects with raw and rendered, and meta.
  [
    `GET ${at}/{newest} as editor`,
    200,
    {
      members: MEMBERS,
      has: {
        author: '{admin}',
        parent: '{post}',
        slug: `{post}-revision-v1`,
        title: 'Third',
        content: 'Three',
        excerpt: 'Short',
        guid: 'http://site.test/?p={newest}',
        _links: { parent: [{ href: 'http://api.test/cms/v2/posts/{post}' }] },
      },
    },
  ],
  [`GET ${at}/{newest}?context=edit as editor`, 200, { members: MEMBERS }],
  [
    `GET ${at}/{newest}?context=embed as editor`,
    200,
    { members: ['author', 'date', 'id', 'parent', 'slug', 'title', 'excerpt'] },
  ],
  [`GET ${at}/{newest}`, 401, 'rest_cannot_read'],
  [`GET ${at}/{newest} as contributor`, 403, 'rest_cannot_read'],
  [`GET ${at}/{newest}?context=banana as editor`, 400, { code: 'rest_invalid_param', params: ['context'] }],
  ['GET /posts/987654/revisions/{newest} as editor', 404, 'rest_post_invalid_parent'],
  ['GET /posts/{other}/revisions/{newest} as editor', 404, 'rest_revision_parent_id_mismatch'],
  [`GET ${at}/987654 as editor`, 404, 'rest_post_invalid_id'],
  ['GET /posts/{newest} as editor', 404, 'rest_post_invalid_id'],
]);

behaviour(
  'R-05 revisions are not written',
  (['POST', 'PUT', 'PATCH'] as const).flatMap((verb): Line[] => [
    [`${verb} ${at} as editor`, 404, { body: {}, code: 'rest_no_route' }],
    [`${verb} ${at}/{newest} as editor`, 404, { body: {}, code: 'rest_no_route' }],
  ]),
);

behaviour('R-06 properties of the schema', [
  [
    `OPTIONS ${at}`,
    200,
    {
      check: (body) => {
        expect(schemaOf(body).title).toBe('post-revision');
        expect(Object.keys(schemaOf(body).properties).sort()).toEqual([...MEMBERS].sort());
        for (const name of ['guid', 'title', 'content', 'excerpt'])
          expect(schemaOf(body).properties[name].type).toBe('string');
      },
    },
  ],
]);

behaviour('R-07 pages of revisions', [
  [
    `GET ${at}?per_page=1 as editor`,
    200,
    { items: ['newest'], sends: { 'X-WP-Total': '2', 'X-WP-TotalPages': '2', Link: /page=2>; rel="next"/ } },
  ],
  [`GET ${at}?per_page=1&page=2 as editor`, 200, { items: ['older'] }],
  [`GET ${at}?per_page=1&page=3 as editor`, 400, 'rest_revision_invalid_page_number'],
  // Without per_page all are on the first page.
  [`GET ${at}?page=1 as editor`, 200, { items: ['newest', 'older'], sends: { 'X-WP-TotalPages': '1' } }],
  [`GET ${at}?page=2 as editor`, 400, 'rest_revision_invalid_page_number'],
  [`GET ${at}?per_page=101 as editor`, 400, { code: 'rest_invalid_param', params: ['per_page'] }],
]);

behaviour('R-08 when revisions come into being', [
  ['POST /posts as editor', 201, { body: { title: 'Fresh', content: 'Text', status: 'publish' }, saveAs: 'fresh' }],
  ['GET /posts/{fresh}/revisions as editor', 200, { items: [] }],
  [
    'POST /posts/{fresh} as editor',
    200,
    { body: { content: 'Changed' }, has: { _links: { 'version-history': [{ count: 1 }] } } },
  ],
  [
    'POST /posts/{fresh} as editor',
    200,
    { body: { content: 'Changed', status: 'private' }, has: { _links: { 'version-history': [{ count: 1 }] } } },
  ],
  [
    'POST /posts/{fresh} as editor',
    200,
    { body: { title: 'Fresher' }, has: { _links: { 'version-history': [{ count: 2 }] } } },
  ],
  [
    'GET /posts/{fresh}/revisions as editor',
    200,
    { check: ([newest]) => expect(newest).toMatchObject({ title: 'Fresher', content: 'Changed' }) },
  ],
]);

behaviour('R-08 text and revision stand or fall together', async () => {
  await withBrokenTable(site.site, 'contents', 'INSERT', () =>
    site.run([['POST /posts/{fresh} as editor', 500, { body: { title: 'Half' } }]]),
  );
  await site.run([['GET /posts/{fresh}?context=edit as editor', 200, { has: { title: { raw: 'Fresher' } } }]]);
});

// The reference: 501 without force, and forbidden to everybody.
behaviour('R-04 DELETE deletes at once', [
  [`DELETE ${at}/{older}`, 401, 'rest_cannot_delete'],
  [`DELETE ${at}/{older} as contributor`, 403, 'rest_cannot_delete'],
  [`DELETE ${at}/{foreign} as editor`, 404, 'rest_revision_parent_id_mismatch'],
  [`DELETE ${at}/987654 as editor`, 404, 'rest_post_invalid_id'],
  [
    `DELETE ${at}/{older} as editor`,
    200,
    { has: { deleted: true, previous: { id: '{older}', content: 'Two' } }, hasNot: ['previous._links'] },
  ],
  [`GET ${at} as editor`, 200, { items: ['newest'] }],
  [`DELETE ${at}/{newest}?force=false as editor`, 200, { has: { deleted: true } }],
]);
