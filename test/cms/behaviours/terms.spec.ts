// Behaviours T-…: tags and categories. Reading comes first, on terms that stay as seeded.
import { describe, expect } from '@jest/globals';
import { argsOf, REFERENCE_SCHEMAS, schemaOf, world, type Line, type More } from './harness.js';

const invalid = (...params: string[]) => ({ code: 'rest_invalid_param', params });
const TAG = ['id', 'count', 'description', 'link', 'name', 'slug', 'taxonomy', 'meta'];
const BOTH = ['/tags', '/categories'];

describe('reading', () => {
  const { behaviour, saved } = world({
    schemas: REFERENCE_SCHEMAS,
    actors: ['editor', 'author', 'subscriber'],
    seed: [
      ['POST /tags as admin', 201, { body: { name: 'Apple', description: 'Zed', slug: 'x-apple' }, saveAs: 'apple' }],
      [
        'POST /tags as admin',
        201,
        { body: { name: 'Banana', description: 'Able', slug: 'c-banana' }, saveAs: 'banana' },
      ],
      [
        'POST /tags as admin',
        201,
        { body: { name: 'Cherry', description: 'Mid', slug: 'b-cherry' }, saveAs: 'cherry' },
      ],
      ['POST /categories as admin', 201, { body: { name: 'Fruit' }, saveAs: 'fruit' }],
      ['POST /categories as admin', 201, { body: { name: 'Stone fruit', parent: '{fruit}' }, saveAs: 'stone' }],
      [
        'POST /posts as admin',
        201,
        {
          body: { title: 'One', status: 'publish', tags: ['{apple}', '{cherry}'], categories: ['{fruit}', '{stone}'] },
          saveAs: 'one',
        },
      ],
      ['POST /posts as admin', 201, { body: { title: 'Two', status: 'publish', tags: ['{cherry}'] }, saveAs: 'two' }],
      [
        'POST /posts as admin',
        201,
        { body: { title: 'None', status: 'publish', tags: [], categories: [] }, saveAs: 'none' },
      ],
      ['POST /posts as admin', 201, { body: { title: 'Draft', tags: ['{banana}'] }, saveAs: 'draft' }],
    ],
  });
  saved['default'] = 1;

  behaviour('T-01 parameters of the lists', [
    [
      'OPTIONS /tags',
      200,
      {
        check: (body) =>
          expect(Object.keys(argsOf(body, 'GET')).sort()).toEqual([
            'context',
            'exclude',
            'hide_empty',
            'include',
            'offset',
            'order',
            'orderby',
            'page',
            'per_page',
            'post',
            'search',
            'slug',
          ]),
      },
    ],
    [
      'OPTIONS /categories',
      200,
      {
        check: (body) =>
          expect(Object.keys(argsOf(body, 'GET')).sort()).toEqual([
            'context',
            'exclude',
            'hide_empty',
            'include',
            'order',
            'orderby',
            'page',
            'parent',
            'per_page',
            'post',
            'search',
            'slug',
          ]),
      },
    ],
  ]);

  behaviour('T-02 list and edit context', [
    [
      'GET /tags',
      200,
      {
        items: ['apple', 'banana', 'cherry'],
        check: (body) => expect(Object.keys(body[0]).sort()).toEqual([...TAG, '_links'].sort()),
      },
    ],
    ['GET /categories', 200, { items: ['fruit', 'stone', 'default'] }],
    ...BOTH.flatMap((path): Line[] => [
      [`GET ${path}?context=edit`, 401, 'rest_forbidden_context'],
      [`GET ${path}?context=edit as author`, 403, 'rest_forbidden_context'],
      [`GET ${path}?context=edit as editor`, 200],
    ]),
  ]);

  behaviour('T-03 hide_empty', [
    ['GET /tags?hide_empty=true', 200, { items: ['apple', 'cherry'] }],
    ['GET /categories?hide_empty=true', 200, { items: ['fruit', 'stone', 'default'] }],
    ['GET /tags?hide_empty=nothanks', 400, invalid('hide_empty')],
  ]);

  behaviour('T-04 include, exclude, offset', [
    ['GET /tags?include={cherry},{apple}', 200, { items: ['apple', 'cherry'] }],
    ['GET /tags?include={cherry},{apple}&orderby=include', 200, { items: ['cherry', 'apple'] }],
    ['GET /tags?exclude={apple}', 200, { items: ['banana', 'cherry'] }],
    ...BOTH.flatMap((path): Line[] => [
      [`GET ${path}?include=garbage`, 400, invalid('include')],
      [`GET ${path}?exclude=garbage`, 400, invalid('exclude')],
    ]),
    ['GET /tags?offset=1', 200, { items: ['banana', 'cherry'] }],
    ['GET /tags?offset=1&per_page=1', 200, { items: ['banana'] }],
    ['GET /tags?offset=garbage', 400, invalid('offset')],
    ['GET /categories?offset=1', 200, { items: ['fruit', 'stone', 'default'] }],
  ]);

  behaviour('T-05 orderby', [
    ['GET /tags?orderby=name&order=desc', 200, { items: ['cherry', 'banana', 'apple'] }],
    ['GET /tags?orderby=slug', 200, { items: ['cherry', 'banana', 'apple'] }],
    ['GET /tags?orderby=description', 200, { items: ['banana', 'cherry', 'apple'] }],
    ['GET /tags?orderby=count&order=desc', 200, { items: ['cherry', 'apple', 'banana'] }],
    ['GET /tags?orderby=id&order=desc', 200, { items: ['cherry', 'banana', 'apple'] }],
    ['GET /tags?orderby=term_group', 200, { only: ['apple', 'banana', 'cherry'] }],
    ['GET /tags?orderby=garbage', 400, invalid('orderby')],
    // The reference takes it.
    ['GET /tags?orderby=include_slugs&slug=x', 400, invalid('orderby')],
  ]);

  behaviour('T-06 terms of a post', [
    ['GET /tags?post={one}', 200, { items: ['apple', 'cherry'], sends: { 'X-WP-Total': '2' } }],
    ['GET /tags?post={one}&per_page=1&page=2', 200, { items: ['cherry'], sends: { 'X-WP-TotalPages': '2' } }],
    ['GET /tags?post={one}&orderby=name&order=desc', 200, { items: ['cherry', 'apple'] }],
    ['GET /tags?post={none}', 200, { items: [], sends: { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' } }],
    ['GET /categories?post={one}', 200, { items: ['fruit', 'stone'] }],
    ...BOTH.flatMap((path): Line[] => [
      [`GET ${path}?post=987654`, 400, 'rest_post_invalid_id'],
      [`GET ${path}?post=x`, 400, invalid('post')],
      [`GET ${path}?post={draft}`, 401, 'rest_forbidden_context'],
    ]),
  ]);

  behaviour('T-07 search and slug', [
    ['GET /tags?search=app', 200, { items: ['apple'] }],
    ['GET /tags?search=b-ch', 200, { items: ['cherry'] }],
    ['GET /tags?search=Zed', 200, { items: [] }],
    ['GET /tags?slug=x-apple', 200, { items: ['apple'] }],
    ['GET /tags?slug[]=x-apple&slug[]=b-cherry', 200, { items: ['apple', 'cherry'] }],
    ['GET /tags?slug=x-apple,b-cherry,none', 200, { items: ['apple', 'cherry'] }],
    ['GET /categories?slug=stone-fruit', 200, { items: ['stone'] }],
  ]);

  behaviour('T-08 parent', [
    ['GET /categories?parent=0', 200, { items: ['fruit', 'default'] }],
    ['GET /categories?parent={fruit}', 200, { items: ['stone'] }],
    ['GET /categories?parent=987654', 200, { items: [] }],
    ['GET /categories?parent=invalid-parent', 400, invalid('parent')],
    ['GET /tags?parent={fruit}', 200, { items: ['apple', 'banana', 'cherry'] }],
  ]);

  behaviour('T-09 pagination', [
    [
      'GET /tags?per_page=2',
      200,
      { sends: { 'X-WP-Total': '3', 'X-WP-TotalPages': '2', Link: /page=2>; rel="next"$/ } },
    ],
    ['GET /tags?per_page=2&page=2', 200, { items: ['cherry'], sends: { Link: /page=1>; rel="prev"$/ } }],
    ['GET /tags?per_page=100', 200, { sends: { 'X-WP-TotalPages': '1' } }],
    ['GET /tags?per_page=2&page=9', 200, { items: [], sends: { 'X-WP-Total': '3', Link: /page=2>; rel="prev"$/ } }],
    ['GET /tags?page=0', 400, { ...invalid('page'), details: { page: 'rest_out_of_bounds' } }],
  ]);

  behaviour('T-10 unknown taxonomies', [
    ['GET /invalid-taxonomy', 404, 'rest_no_route'],
    ['GET /invalid-taxonomy/1', 404, 'rest_no_route'],
  ]);

  behaviour(
    'T-11 an unknown context',
    BOTH.map((path) => [`GET ${path}?context=banana`, 400, invalid('context')]),
  );

  behaviour('T-12 one term', [
    [
      'GET /tags/{apple}',
      200,
      {
        members: TAG,
        has: {
          name: 'Apple',
          slug: 'x-apple',
          taxonomy: 'post_tag',
          count: 1,
          description: 'Zed',
          link: 'http://site.test/tag/x-apple/',
          meta: { color: '' },
        },
      },
    ],
    [
      'GET /categories/{stone}',
      200,
      {
        members: [...TAG, 'parent'],
        has: { taxonomy: 'category', parent: '{fruit}', link: 'http://site.test/category/fruit/stone-fruit/' },
      },
    ],
    ['GET /tags/{apple}', 200, { check: ({ meta }) => expect(Object.keys(meta)).toEqual(['color']) }],
    ...BOTH.map((path): Line => [`GET ${path}/987654`, 404, 'rest_term_invalid']),
    ['GET /tags/{fruit}', 404, 'rest_term_invalid'],
    ['GET /categories/{apple}', 404, 'rest_term_invalid'],
    ['GET /tags/{apple}?context=edit', 401, 'rest_forbidden_context'],
    ['GET /tags/{apple}?context=edit as subscriber', 403, 'rest_forbidden_context'],
    ['GET /tags/{apple}?context=embed', 200, { members: ['id', 'link', 'name', 'slug', 'taxonomy'] }],
  ]);

  behaviour('T-16 _fields, parent, links, schema, edit context', [
    [
      'GET /tags/{apple}?_fields=id,name',
      200,
      { check: (body) => expect(body).toEqual({ id: saved['apple'], name: 'Apple' }) },
    ],
    [
      'GET /categories/{stone}',
      200,
      {
        has: {
          _links: {
            up: [{ embeddable: true, href: 'http://api.test/cms/v2/categories/{fruit}' }],
            about: [{ href: 'http://api.test/cms/v2/taxonomies/category' }],
            'wp:post_type': [{ href: 'http://api.test/cms/v2/posts?categories={stone}' }],
          },
        },
      },
    ],
    [
      'GET /tags/{apple}',
      200,
      {
        has: {
          _links: {
            self: [{ href: 'http://api.test/cms/v2/tags/{apple}' }],
            collection: [{ href: 'http://api.test/cms/v2/tags' }],
            'wp:post_type': [{ href: 'http://api.test/cms/v2/posts?tags={apple}' }],
            curies: [{ name: 'wp' }],
          },
        },
        hasNot: ['_links.up'],
      },
    ],
    [
      'OPTIONS /tags',
      200,
      {
        check: (body) => {
          expect(schemaOf(body).title).toBe('tag');
          expect(Object.keys(schemaOf(body).properties).sort()).toEqual([...TAG].sort());
        },
      },
    ],
    [
      'OPTIONS /categories',
      200,
      { check: (body) => expect(Object.keys(schemaOf(body).properties).sort()).toEqual([...TAG, 'parent'].sort()) },
    ],
    ['GET /tags/{apple}?context=edit as editor', 200, { members: TAG }],
  ]);
});

describe('writing', () => {
  const { behaviour, saved } = world({
    actors: ['editor', 'author', 'contributor', 'subscriber'],
    seed: [
      ['POST /tags as admin', 201, { body: { name: 'Apple' }, saveAs: 'tag' }],
      ['POST /categories as admin', 201, { body: { name: 'Fruit' }, saveAs: 'category' }],
      ['POST /categories as admin', 201, { body: { name: 'Other' }, saveAs: 'other' }],
    ],
  });
  const post = (path: string, body: object, status: number, more: string | More = {}, as = 'editor'): Line => [
    `POST ${path} as ${as}`,
    status,
    { body, ...(typeof more === 'string' ? { code: more } : more) },
  ];

  behaviour('T-13 creating', [
    post(
      '/tags',
      { name: 'By a contributor', description: 'Words', slug: 'So Good' },
      201,
      {
        members: TAG,
        has: { name: 'By a contributor', description: 'Words', slug: 'so-good', count: 0 },
        check: ({ id }, { headers }) => expect(headers['location']).toBe(`http://api.test/cms/v2/tags/${id}`),
      },
      'contributor',
    ),
    post('/tags', { name: 'x' }, 403, 'rest_cannot_create', 'subscriber'),
    post('/categories', { name: 'x' }, 403, 'rest_cannot_create', 'contributor'),
    post('/categories', { name: 'x' }, 403, 'rest_cannot_create', 'subscriber'),
    ...BOTH.flatMap((path) => [
      post(path, {}, 400, { code: 'rest_missing_callback_param', params: ['name'] }),
      [`POST ${path}`, 401, { body: { name: 'x' }, code: 'rest_cannot_create' }] as Line,
    ]),
    post('/tags', { name: 'x', parent: '{tag}' }, 400, 'rest_taxonomy_not_hierarchical'),
    post('/tags', { name: 'x', parent: 0 }, 400, 'rest_taxonomy_not_hierarchical'),
    post('/categories', { name: 'Child', parent: '{category}' }, 201, {
      has: { parent: '{category}' },
      saveAs: 'child',
    }),
    post('/categories', { name: 'x', parent: 987654 }, 400, 'rest_term_invalid'),
    post('/categories', { name: 'Top', parent: 0 }, 201, { has: { parent: 0 } }),
    post('/tags', { name: 'apple' }, 400, { code: 'term_exists', has: { data: { term_id: '{tag}' } } }),
    post('/categories', { name: 'Fruit' }, 400, { code: 'term_exists', has: { data: { term_id: '{category}' } } }),
    // Only an unused slug distinguishes terms of one name: another one would become a slug that nobody sent.
    post('/tags', { name: 'Taken', slug: 'taken-slug' }, 201),
    post('/tags', { name: 'apple', slug: 'taken-slug' }, 400, {
      code: 'term_exists',
      has: { data: { term_id: '{tag}' } },
    }),
    post('/tags', { name: 'apple', slug: 'unused' }, 201, { has: { slug: 'unused' } }),
    post('/categories', { name: 'Fruit', parent: '{other}' }, 201, { has: { slug: 'fruit-other' } }),
    post('/tags', { name: '  ' }, 400, 'empty_term_name'),
  ]);

  behaviour('T-14 updating', [
    post('/tags/{tag}', { name: 'Changed', description: 'New', slug: 'new-slug' }, 200, {
      has: { name: 'Changed', description: 'New', slug: 'new-slug' },
    }),
    post('/tags/{tag}', {}, 200, { has: { name: 'Changed' } }),
    post('/tags/{tag}', { name: 'Changed' }, 200),
    ...BOTH.map((path) => post(`${path}/987654`, { name: 'x' }, 404, 'rest_term_invalid')),
    post('/tags/{tag}', { name: 'x' }, 403, 'rest_cannot_update', 'author'),
    ['POST /tags/{tag}', 401, { body: { name: 'x' }, code: 'rest_cannot_update' }],
    post('/categories/{child}', { parent: '{other}' }, 200, { has: { parent: '{other}' } }),
    post('/categories/{child}', { name: 'Child again' }, 200, { has: { parent: '{other}' } }),
    post('/categories/{child}', { parent: 0 }, 200, { has: { parent: 0 } }),
    post('/categories/{child}', { parent: 987654 }, 400, 'rest_term_invalid'),
    post('/tags/{tag}', { parent: '{tag}' }, 400, 'rest_taxonomy_not_hierarchical'),
  ]);

  behaviour('T-15 deleting', [
    post('/tags', { name: 'Bin' }, 201, { saveAs: 'bin' }),
    ['DELETE /tags/{bin} as editor', 501, 'rest_trash_not_supported'],
    ['DELETE /tags/{bin}?force=false as editor', 501, 'rest_trash_not_supported'],
    ['DELETE /tags/{bin}?force=true as author', 403, 'rest_cannot_delete'],
    ['DELETE /tags/{bin}?force=true', 401, 'rest_cannot_delete'],
    [
      'DELETE /tags/{bin}?force=true as editor',
      200,
      {
        check: (body) =>
          expect(body).toMatchObject({ deleted: true, previous: { id: saved['bin'], name: 'Bin', slug: 'bin' } }),
        hasNot: ['previous._links'],
      },
    ],
    ['GET /tags/{bin}', 404, 'rest_term_invalid'],
    ...BOTH.map((path): Line => [`DELETE ${path}/987654?force=true as editor`, 404, 'rest_term_invalid']),
    ['DELETE /categories/1?force=true as admin', 403, 'rest_cannot_delete'],
  ]);

  const BACK = String.raw`\o/ ¯\_(ツ)_/¯`;
  behaviour(
    'T-16 round trips',
    ['/tags/{tag}', '/categories/{other}'].flatMap((path) => [
      post(path, { name: BACK, description: BACK }, 200, { has: { name: BACK, description: BACK } }),
      post(
        path,
        {
          name: '<div>div</div> <strong>strong</strong> <script>oh noes</script>',
          description: '<div>div</div> <strong>strong</strong>',
        },
        200,
        { has: { name: 'div strong', description: 'div <strong>strong</strong>' } },
      ),
      post(path, { name: 'Fish & chips', description: 'One & two' }, 200, { has: { name: 'Fish &amp; chips' } }),
    ]),
  );
});
