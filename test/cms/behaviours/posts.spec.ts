// Behaviours P-…: posts. Reading comes first, on content that stays as seeded; then writing.
import { describe, expect } from '@jest/globals';
import {
  argsOf,
  changedSchemas,
  PNG,
  schemaOf,
  SCHEMAS,
  withBrokenTable,
  world,
  type Line,
  type World,
} from './harness.js';

const VIEW = [
  'id',
  'date',
  'date_gmt',
  'guid',
  'modified',
  'modified_gmt',
  'slug',
  'type',
  'link',
  'title',
  'content',
  'excerpt',
  'author',
  'featured_media',
  'comment_status',
  'ping_status',
  'sticky',
  'template',
  'format',
  'meta',
  'categories',
  'tags',
  'liveblog_likes',
];
// The reference shows status in view context, and has class_list, permalink_template and generated_slug.
const EDIT = [...VIEW, 'status', 'password'];
const EMBED = ['id', 'date', 'slug', 'type', 'link', 'title', 'excerpt', 'author', 'featured_media', 'liveblog_likes'];

const post = (saveAs: string, body: object, as = 'admin'): Line => [
  `POST /posts as ${as}`,
  201,
  { body: { status: 'publish', ...body }, saveAs },
];

describe('reading', () => {
  const { behaviour, saved } = world({
    actors: ['editor', 'author', 'ann:author', 'contributor', 'subscriber', 'peeker'],
    roles: { peeker: ['read', 'read_private_posts'] },
    seed: [
      ['POST /categories as admin', 201, { body: { name: 'News' }, saveAs: 'news' }],
      ['POST /categories as admin', 201, { body: { name: 'Local', parent: '{news}' }, saveAs: 'local' }],
      ['POST /tags as admin', 201, { body: { name: 'red' }, saveAs: 'red' }],
      ['POST /tags as admin', 201, { body: { name: 'blue' }, saveAs: 'blue' }],
      [
        'POST /media as admin',
        201,
        {
          raw: PNG,
          headers: { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="grey.png"' },
          saveAs: 'media',
        },
      ],
      post('apple', {
        title: 'Apple pie',
        content: 'One',
        date: '2020-01-01T10:00:00',
        categories: ['{news}'],
        tags: ['{red}'],
        featured_media: '{media}',
      }),
      post(
        'berry',
        {
          title: 'Berry jam',
          content: 'Two',
          date: '2021-01-01T10:00:00',
          categories: ['{news}'],
          tags: ['{red}', '{blue}'],
        },
        'author',
      ),
      post('cherry', { title: 'Cherry tart', content: 'Three', date: '2022-01-01T10:00:00', sticky: true }, 'ann'),
      post('date', {
        title: 'Date cake',
        content: 'Four',
        date: '2023-01-01T10:00:00',
        tags: ['{blue}'],
        sticky: true,
      }),
      post('elder', { title: 'Elder wine', content: 'Five', date: '2024-01-01T10:00:00', slug: 'zz-elder' }),
      post('locked', {
        title: 'Fig',
        content: 'Secret words.',
        excerpt: 'Secret in short.',
        password: 'sesame',
        date: '2019-01-01T10:00:00',
      }),
      post('draft', { title: 'Grape', status: 'draft' }, 'author'),
      post('pending', { title: 'Hazel', status: 'pending' }, 'editor'),
      post('private', { title: 'Iris', status: 'private' }, 'editor'),
      ['POST /posts/{elder} as admin', 200, { body: { content: 'Five, again' } }],
      ['GET /posts/{elder}/revisions as admin', 200, { check: (body) => void (saved['revision'] = body[0].id) }],
    ],
  });
  const ALL = ['elder', 'date', 'cherry', 'berry', 'apple', 'locked'];
  const invalid = (...params: string[]) => ({ code: 'rest_invalid_param', params });

  behaviour('P-01 two endpoints on the collection, three on the item', [
    [
      'OPTIONS /posts',
      200,
      { has: { methods: ['GET', 'POST'], endpoints: [{ methods: ['GET'] }, { methods: ['POST'] }] } },
    ],
    [
      'OPTIONS /posts/{apple}',
      200,
      {
        has: {
          methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
          endpoints: [{ methods: ['GET'] }, { methods: ['POST', 'PUT', 'PATCH'] }, { methods: ['DELETE'] }],
        },
      },
    ],
  ]);

  behaviour(
    'P-02 context: view by default; view, embed, edit',
    ['/posts', '/posts/{apple}'].map((path) => [
      `OPTIONS ${path}`,
      200,
      {
        check: (body) =>
          expect(argsOf(body, 'GET').context).toMatchObject({ default: 'view', enum: ['view', 'embed', 'edit'] }),
      },
    ]),
  );

  behaviour('P-03 the list takes the parameters of the specification', [
    // The reference also has format, modified_after, modified_before, search_columns, tax_relation, and no filter.
    [
      'OPTIONS /posts',
      200,
      {
        check: (body) =>
          expect(Object.keys(argsOf(body, 'GET')).sort()).toEqual([
            'after',
            'author',
            'author_exclude',
            'before',
            'categories',
            'categories_exclude',
            'context',
            'exclude',
            'filter',
            'include',
            'offset',
            'order',
            'orderby',
            'page',
            'per_page',
            'search',
            'slug',
            'status',
            'sticky',
            'tags',
            'tags_exclude',
          ]),
      },
    ],
  ]);

  behaviour('P-04 one post takes context, id and password', [
    [
      'OPTIONS /posts/{apple}',
      200,
      { check: (body) => expect(Object.keys(argsOf(body, 'GET')).sort()).toEqual(['context', 'id', 'password']) },
    ],
  ]);

  behaviour('P-05 Allow on OPTIONS depends on the caller', [
    ['OPTIONS /posts/{apple}', 200, { sends: { Allow: 'GET' } }],
    ['OPTIONS /posts/{apple} as editor', 200, { sends: { Allow: 'GET, POST, PUT, PATCH, DELETE' } }],
    ['OPTIONS /posts/{apple} as subscriber', 200, { sends: { Allow: 'GET' } }],
    ['OPTIONS /posts', 200, { sends: { Allow: 'GET' } }],
    ['OPTIONS /posts as contributor', 200, { sends: { Allow: 'GET, POST' } }],
  ]);

  behaviour('P-10 the plain list holds view items', [
    [
      'GET /posts',
      200,
      {
        items: ALL,
        check: (body) =>
          body.forEach((item: object) => expect(Object.keys(item).sort()).toEqual([...VIEW, '_links'].sort())),
      },
    ],
  ]);

  behaviour('P-11 an author nobody has gives an empty list', [
    ['GET /posts?author=987654', 200, { items: [] }],
    ['GET /posts?author=-1', 200, { items: [] }],
  ]);

  behaviour('P-12 author one and many; author_exclude; no integers: 400', [
    ['GET /posts?author={author}', 200, { items: ['berry'] }],
    ['GET /posts?author={author},{ann}', 200, { items: ['cherry', 'berry'] }],
    ['GET /posts?author[]={author}&author[]={ann}', 200, { items: ['cherry', 'berry'] }],
    ['GET /posts?author_exclude={author}', 200, { items: ALL.filter((name) => name !== 'berry') }],
    ['GET /posts?author_exclude={author},{admin}', 200, { items: ['cherry'] }],
    ['GET /posts?author_exclude=ann', 400, invalid('author_exclude')],
    ['GET /posts?author={author},ann', 400, { ...invalid('author'), details: { author: 'rest_invalid_type' } }],
  ]);

  behaviour('P-13 include', [
    ['GET /posts?include={apple},{elder},{berry}', 200, { items: ['elder', 'berry', 'apple'] }],
    ['GET /posts?include={apple},{elder},{berry}&orderby=include', 200, { items: ['apple', 'elder', 'berry'] }],
    ['GET /posts?include={apple},{elder}&orderby=include&order=asc', 200, { items: ['apple', 'elder'] }],
    ['GET /posts?include=invalid', 400, invalid('include')],
  ]);

  behaviour('P-14 exclude', [
    ['GET /posts?exclude[]={apple}&exclude[]={locked}', 200, { items: ['elder', 'date', 'cherry', 'berry'] }],
    ['GET /posts?exclude={apple}', 200, { lacks: ['apple'], holds: ['berry'] }],
    ['GET /posts?exclude=invalid', 400, invalid('exclude')],
  ]);

  behaviour('P-15 search by title', [
    ['GET /posts?search=berry', 200, { items: ['berry'] }],
    ['GET /posts?search=PIE%20apple', 200, { items: ['apple'] }],
    ['GET /posts?search=nowhere', 200, { items: [] }],
  ]);

  behaviour('P-16 slug: one, list, CSV', [
    ['GET /posts?slug=apple-pie', 200, { items: ['apple'] }],
    ['GET /posts?slug[]=apple-pie&slug[]=berry-jam', 200, { items: ['berry', 'apple'] }],
    ['GET /posts?slug=apple-pie,berry-jam', 200, { items: ['berry', 'apple'] }],
    ['GET /posts?slug=Apple%20Pie', 200, { check: (body) => expect(body).toEqual([]) }],
  ]);

  behaviour('P-17 status for editors', [
    ['GET /posts?status=draft as editor', 200, { items: ['draft'] }],
    ['GET /posts?status=invalid as editor', 400, invalid('status')],
    ['GET /posts?status=draft,pending as editor', 200, { only: ['draft', 'pending'] }],
    ['GET /posts?status[]=draft&status[]=private as editor', 200, { only: ['draft', 'private'] }],
    ['GET /posts?status=any as editor', 200, { only: [...ALL, 'draft', 'pending', 'private'] }],
    ['POST /posts as editor', 201, { body: { title: 'Gone' }, saveAs: 'gone' }],
    ['DELETE /posts/{gone} as editor', 200],
    ['GET /posts?status=any,trash as editor', 200, { only: [...ALL, 'draft', 'pending', 'private', 'gone'] }],
    ['DELETE /posts/{gone}?force=true as editor', 200],
    ['GET /posts?status[]=draft&status[]=nonsense&context=edit as editor', 400, invalid('status')],
    ['GET /posts?status[]=draft&status[]=publish&context=edit as editor', 200, { only: [...ALL, 'draft'] }],
  ]);

  behaviour('P-18 status for those who may not', [
    [
      'GET /posts?status=draft',
      400,
      {
        ...invalid('status'),
        details: { status: 'rest_forbidden_status' },
        has: { data: { details: { status: { data: { status: 401 } } } } },
      },
    ],
    [
      'GET /posts?status=draft as subscriber',
      400,
      { ...invalid('status'), has: { data: { details: { status: { data: { status: 403 } } } } } },
    ],
    ['GET /posts?status=private as peeker', 200, { items: ['private'] }],
    ['GET /posts?status=draft as peeker', 400, invalid('status')],
  ]);

  behaviour(
    'P-19 no drafts in the default list',
    [undefined, 'author', 'editor', 'admin'].map((as) => [`GET /posts${as ? ` as ${as}` : ''}`, 200, { items: ALL }]),
  );

  behaviour('P-20 order', [
    ['GET /posts?orderby=title&order=asc', 200, { items: ['apple', 'berry', 'cherry', 'date', 'elder', 'locked'] }],
    ['GET /posts?orderby=title&order=desc', 200, { items: ['locked', 'elder', 'date', 'cherry', 'berry', 'apple'] }],
    ['GET /posts?orderby=title', 200, { items: ['locked', 'elder', 'date', 'cherry', 'berry', 'apple'] }],
    ['GET /posts?orderby=nonsense', 400, { ...invalid('orderby'), details: { orderby: 'rest_not_in_enum' } }],
    ['GET /posts?order=nonsense', 400, { ...invalid('order'), details: { order: 'rest_not_in_enum' } }],
  ]);

  behaviour('P-21 orderby=include without include', [
    ['GET /posts?orderby=include', 400, 'rest_orderby_include_missing_include'],
  ]);

  behaviour('P-22 orderby id and slug', [
    ['GET /posts?orderby=id&order=asc', 200, { items: ['apple', 'berry', 'cherry', 'date', 'elder', 'locked'] }],
    ['GET /posts?orderby=slug&order=desc', 200, { items: ['elder', 'locked', 'date', 'cherry', 'berry', 'apple'] }],
  ]);

  // The reference orders by all of them.
  behaviour(
    'P-23 orderby outside the five',
    ['relevance', 'author', 'modified', 'parent', 'include_slugs'].map((orderby) => [
      `GET /posts?orderby=${orderby}&search=a&slug=a`,
      400,
      invalid('orderby'),
    ]),
  );

  behaviour('P-24 relevance without search', [
    // The reference: rest_no_search_term_defined.
    ['GET /posts?orderby=relevance', 400, invalid('orderby')],
    ['GET /media?orderby=relevance', 400, 'rest_no_search_term_defined'],
    ['GET /pages?orderby=relevance', 400, 'rest_no_search_term_defined'],
  ]);

  behaviour('P-25 offset', [
    ['GET /posts?offset=1', 200, { items: ALL.slice(1) }],
    ['GET /posts?offset=1&per_page=2', 200, { items: ['date', 'cherry'] }],
    ['GET /posts?offset=4&page=2&per_page=2', 200, { items: ['apple', 'locked'] }],
    ['GET /posts?offset=moreplease', 400, invalid('offset')],
  ]);

  behaviour('P-26 categories and tags', [
    ['GET /posts?tags={red}', 200, { items: ['berry', 'apple'] }],
    ['GET /posts?tags={red},{blue}', 200, { items: ['date', 'berry', 'apple'] }],
    ['GET /posts?tags_exclude={red}', 200, { items: ['elder', 'date', 'cherry', 'locked'] }],
    ['GET /posts?categories={news}&tags={blue}', 200, { items: ['berry'] }],
    ['GET /posts?categories_exclude={news}&tags={blue}', 200, { items: ['date'] }],
    ['GET /posts?tags={blue}&tags_exclude={red}', 200, { items: ['date'] }],
    // An id of the other taxonomy is no tag: both are rows of one table.
    ...['?tags={news}', '?categories={red}', '?tags={news}&per_page=1&page=2'].map((query): Line => [
      `GET /posts${query}`,
      200,
      { items: [], sends: { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' } },
    ]),
    ['GET /posts?tags=red', 400, invalid('tags')],
    ['GET /posts?categories[some]=red', 400, invalid('categories')],
    ['GET /posts?categories[terms]={news}', 400, invalid('categories')],
  ]);

  behaviour('P-28 sticky', [
    ['GET /posts?sticky=true', 200, { items: ['date', 'cherry'] }],
    ['GET /posts?sticky=true&include={date},{elder}', 200, { items: ['date'] }],
    ['GET /posts?sticky=true&include={elder}', 200, { items: [] }],
    ['GET /posts?sticky=false', 200, { items: ['elder', 'berry', 'apple', 'locked'] }],
    ['GET /posts?sticky=false&exclude={elder}', 200, { items: ['berry', 'apple', 'locked'] }],
    ['GET /posts?sticky=true&author={author}', 200, { items: [] }],
    ['GET /posts?sticky=nothanks', 400, invalid('sticky')],
  ]);

  behaviour('P-29 filter[ignore_sticky_posts]=false floats', [
    // The reference floats only with the filter plugin.
    [
      'GET /posts?filter[ignore_sticky_posts]=false',
      200,
      { items: ['date', 'cherry', 'elder', 'berry', 'apple', 'locked'] },
    ],
    ['GET /posts?filter[ignore_sticky_posts]=true', 200, { items: ALL }],
  ]);

  behaviour('P-30 filter[post_status] needs the right', [
    ['GET /posts?filter[post_status]=draft', 200, { items: ALL }],
    ['GET /posts?filter[post_status]=draft as subscriber', 200, { items: ALL }],
    ['GET /posts?filter[post_status]=draft as editor', 200, { items: ['draft'] }],
  ]);

  behaviour('P-31 filter[posts_per_page] loses to per_page', [
    ['GET /posts?filter[posts_per_page]=-1&per_page=2', 200, { items: ['elder', 'date'] }],
    ['GET /posts?filter[posts_per_page]=-1', 200, { sends: { 'X-WP-TotalPages': '1' } }],
    ['GET /posts?filter[posts_per_page]=1&per_page=3', 200, { items: ['elder', 'date', 'cherry'] }],
    // The links to other pages have their page in `page` alone, as the reference's do.
    [
      'GET /posts?filter[posts_per_page]=1&filter[order]=asc&per_page=2',
      200,
      { sends: { Link: /\?filter%5Border%5D=asc&per_page=2&page=2>; rel="next"$/ } },
    ],
    ['GET /posts?filter[paged]=1&per_page=2', 200, { sends: { Link: /\?per_page=2&page=2>; rel="next"$/ } }],
    [
      'GET /posts?filter[paged]=2&per_page=2&page=7',
      200,
      { sends: { Link: /\?per_page=2&page=1>; rel="prev", \S*\?per_page=2&page=3>; rel="next"$/ } },
    ],
  ]);

  behaviour('P-32 filter[year]', [
    ['GET /posts?filter[year]=2021', 200, { items: ['berry'] }],
    ['GET /posts?filter[year]=1999', 200, { items: [] }],
  ]);

  behaviour('P-32 filter[orderby]=comment_count: by the comments that the caller may read (11.40)', async (world) => {
    const post = (name: string, more: object = {}): Line => [
      'POST /posts as editor',
      201,
      { body: { title: name, status: 'publish', ...more }, saveAs: name },
    ];
    const comment = (on: string, more: object = {}): Line => [
      'POST /comments as admin',
      201,
      { body: { post: `{${on}}`, content: `On ${on} ${JSON.stringify(more)}`, ...more } },
    ];
    const listed = (more: string, items: string[]): Line => [
      `GET /posts?include={quiet},{busy},{hushed}&filter[orderby]=comment_count${more}`,
      200,
      { items },
    ];
    await world.run([post('quiet'), post('busy'), post('hushed', { password: 'pw' })]);
    await world.run([
      comment('busy'),
      comment('hushed'),
      comment('hushed', { date: '2020-01-01T00:00:00' }),
      ...[1, 2, 3].map((day) => comment('quiet', { status: 'hold', date: `2020-01-0${day}T00:00:00` })),
      listed('', ['busy', 'hushed', 'quiet']),
      listed('&filter[order]=asc', ['quiet', 'hushed', 'busy']),
      listed(' as editor', ['hushed', 'busy', 'quiet']),
      listed('&per_page=1&page=2 as editor', ['busy']),
      comment('quiet'),
      comment('quiet', { date: '2020-01-04T00:00:00' }),
      listed('', ['quiet', 'busy', 'hushed']),
      ...['quiet', 'busy', 'hushed'].map((name): Line => [`DELETE /posts/{${name}}?force=true as editor`, 200]),
    ]);
  });

  behaviour('P-33 pagination headers', [
    [
      'GET /posts?per_page=2&order=desc',
      200,
      {
        sends: {
          'X-WP-Total': '6',
          'X-WP-TotalPages': '3',
          Link: /, <http:\/\/api\.test\/cms\/v2\/posts\?per_page=2&order=desc&page=2>; rel="next"$/,
        },
      },
    ],
    [
      'GET /posts?per_page=2&page=2&exclude=99999',
      200,
      {
        sends: {
          'X-WP-Total': '6',
          Link: /posts\?per_page=2&exclude=99999&page=1>; rel="prev".*exclude=99999&page=3>; rel="next"|posts\?per_page=2&page=1&exclude=99999>; rel="prev".*page=3&exclude=99999>; rel="next"/,
        },
      },
    ],
    ['GET /posts?per_page=2&page=3', 200, { items: ['apple', 'locked'], sends: { Link: /page=2>; rel="prev"$/ } }],
    ['GET /posts?per_page=2&page=4', 400, 'rest_post_invalid_page_number'],
  ]);

  behaviour('P-34 per_page=-1 and pages far beyond', [
    ['GET /posts?per_page=-1', 400, { ...invalid('per_page'), details: { per_page: 'rest_out_of_bounds' } }],
    ['GET /posts?per_page=0', 400, invalid('per_page')],
    ['GET /posts?per_page=101', 400, invalid('per_page')],
    ['GET /posts?page=100000', 400, 'rest_post_invalid_page_number'],
  ]);

  behaviour('P-35 an unknown context', [
    ['GET /posts?context=banana', 400, invalid('context')],
    ['GET /posts/{apple}?context=banana', 400, invalid('context')],
  ]);

  behaviour('P-36 after and before', [
    ['GET /posts?after=2022-01-01T09:59:59', 200, { items: ['elder', 'date', 'cherry'] }],
    ['GET /posts?after=2022-01-01T10:00:00&before=2024-01-01T10:00:00', 200, { items: ['date'] }],
    ['GET /posts?after=yesterday', 400, { ...invalid('after'), details: { after: 'rest_invalid_date' } }],
    ['GET /posts?before=2022-01-01', 400, { ...invalid('before'), details: { before: 'rest_invalid_date' } }],
  ]);

  behaviour('P-37 the list in edit context', [
    [
      'GET /posts?context=edit as editor',
      200,
      {
        items: ALL,
        check: (body) => expect(body[0]).toMatchObject({ status: 'publish', content: { raw: 'Five, again' } }),
      },
    ],
    ['GET /posts?context=edit', 401, 'rest_forbidden_context'],
    ['GET /posts?context=edit as subscriber', 403, 'rest_forbidden_context'],
  ]);

  behaviour('P-40 one post in view context', [
    [
      'GET /posts/{apple}',
      200,
      {
        members: VIEW,
        has: {
          id: '{apple}',
          title: { rendered: 'Apple pie' },
          content: { rendered: '<p>One</p>\n', protected: false },
          date: '2020-01-01T10:00:00',
          slug: 'apple-pie',
        },
        hasNot: ['title.raw', 'status'],
      },
    ],
  ]);

  behaviour('P-41 links of a post', [
    [
      'GET /posts/{apple}',
      200,
      {
        check: ({ _links: links }) => {
          const at = (path: string) => `http://api.test/cms/v2/${path}`;
          const id = saved['apple'];
          expect(links).toMatchObject({
            self: [{ href: at(`posts/${id}`), targetHints: { allow: ['GET'] } }],
            collection: [{ href: at('posts') }],
            about: [{ href: at('types/post') }],
            author: [{ embeddable: true, href: at(`users/${saved['admin']}`) }],
            replies: [{ embeddable: true, href: at(`comments?post=${id}`) }],
            'version-history': [{ count: 0, href: at(`posts/${id}/revisions`) }],
            'wp:featuredmedia': [{ embeddable: true, href: at(`media/${saved['media']}`) }],
            'wp:attachment': [{ href: at(`media?parent=${id}`) }],
            'wp:term': [
              { taxonomy: 'category', embeddable: true, href: at(`categories?post=${id}`) },
              { taxonomy: 'post_tag', embeddable: true, href: at(`tags?post=${id}`) },
            ],
            curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
          });
          expect(Object.keys(links)).not.toContain('predecessor-version');
        },
      },
    ],
    [
      'GET /posts/{elder}',
      200,
      {
        has: {
          _links: {
            'version-history': [{ count: 1 }],
            'predecessor-version': [
              { id: '{revision}', href: 'http://api.test/cms/v2/posts/{elder}/revisions/{revision}' },
            ],
          },
        },
        hasNot: ['_links.wp:featuredmedia'],
      },
    ],
  ]);

  behaviour('P-42 drafts', [
    ['GET /posts/{draft}', 401, 'rest_forbidden'],
    ['GET /posts/{draft} as subscriber', 403, 'rest_forbidden'],
    ['GET /posts/{draft}?context=edit as editor', 200, { has: { status: 'draft', slug: '' } }],
    ['GET /posts/{draft} as author', 200],
    ['GET /posts/{draft} as ann', 403, 'rest_forbidden'],
  ]);

  behaviour(
    'P-43 an unknown id',
    ['987654', '0'].map((id) => [`GET /posts/${id}`, 404, 'rest_post_invalid_id']),
  );

  behaviour('P-44 one post in edit context', [
    ['GET /posts/{apple}?context=edit', 401, 'rest_forbidden_context'],
    ['GET /posts/{apple}?context=edit as author', 403, 'rest_forbidden_context'],
  ]);

  behaviour('P-45 the password', [
    [
      'GET /posts/{locked}?password=sesame',
      200,
      {
        has: {
          content: { rendered: '<p>Secret words.</p>\n', protected: true },
          excerpt: { rendered: '<p>Secret in short.</p>\n', protected: true },
        },
      },
    ],
    ['GET /posts/{locked}?password=wrong', 403, 'rest_post_incorrect_password'],
    ['GET /posts/{locked}?password=wrong as editor', 403, 'rest_post_incorrect_password'],
    ['GET /posts/{apple}?password=any', 403, 'rest_post_incorrect_password'],
    [
      'GET /posts/{locked}',
      200,
      {
        has: {
          content: { rendered: '', protected: true },
          excerpt: { rendered: '', protected: true },
          title: { rendered: 'Fig' },
        },
      },
    ],
    ['GET /posts/{locked} as editor', 200, { has: { content: { rendered: '', protected: true } } }],
    [
      'GET /posts/{locked}?context=edit as editor',
      200,
      { has: { content: { raw: 'Secret words.', rendered: '<p>Secret words.</p>\n' }, password: 'sesame' } },
    ],
    [
      'GET /posts?include={locked}',
      200,
      {
        check: ([item]) =>
          expect(item).toMatchObject({ content: { rendered: '', protected: true }, excerpt: { rendered: '' } }),
      },
    ],
  ]);

  behaviour('P-47 _fields', [
    [
      'GET /posts/{apple}?_fields=id,slug',
      200,
      { check: (body) => expect(body).toEqual({ id: saved['apple'], slug: 'apple-pie' }) },
    ],
    [
      'GET /posts?_fields[]=id&_fields[]=slug&include={apple}',
      200,
      { check: (body) => expect(body).toEqual([{ id: saved['apple'], slug: 'apple-pie' }]) },
    ],
  ]);

  behaviour('P-48 content only where it is asked for', [
    [
      'GET /posts/{apple}?_fields=title',
      200,
      { check: (body) => expect(body).toEqual({ title: { rendered: 'Apple pie' } }) },
    ],
    [
      'GET /posts?include={apple}&_fields=title',
      200,
      { check: (body) => expect(body).toEqual([{ title: { rendered: 'Apple pie' } }]) },
    ],
    [
      'GET /posts/{apple}?_fields=content.rendered',
      200,
      { check: (body) => expect(body).toEqual({ content: { rendered: expect.stringMatching(/^<p>/) } }) },
    ],
    ['GET /posts/{apple}?_fields=content.raw', 200, { check: (body) => expect(body.content?.raw).toBeUndefined() }],
    [
      'GET /posts/{apple}?_fields=content.raw&context=edit as editor',
      200,
      { check: (body) => expect(body).toEqual({ content: { raw: expect.stringMatching(/./) } }) },
    ],
    [
      'GET /posts/{apple}?_fields=content.protected',
      200,
      { check: (body) => expect(body).toEqual({ content: { protected: false } }) },
    ],
    [
      'GET /posts/{locked}?_fields=excerpt',
      200,
      { check: (body) => expect(body).toEqual({ excerpt: { rendered: '', protected: true } }) },
    ],
  ]);

  behaviour('P-50 members per context', [
    ['GET /posts/{apple}', 200, { members: VIEW }],
    [
      'GET /posts/{apple}?context=edit as editor',
      200,
      {
        members: EDIT,
        check: ({ content, title, excerpt, guid }) =>
          expect([content, title, excerpt, guid].map((each) => Object.keys(each).sort())).toEqual([
            ['block_version', 'protected', 'raw', 'rendered'],
            ['raw', 'rendered'],
            ['protected', 'raw', 'rendered'],
            ['raw', 'rendered'],
          ]),
      },
    ],
    [
      'GET /posts/{apple}?context=embed',
      200,
      {
        members: EMBED,
        check: ({ title, excerpt }) =>
          expect([title, excerpt].map((each) => Object.keys(each).sort())).toEqual([
            ['rendered'],
            ['protected', 'rendered'],
          ]),
      },
    ],
  ]);

  behaviour('P-95 properties of the schema', [
    [
      'OPTIONS /posts',
      200,
      {
        check: (body) => {
          expect(schemaOf(body).title).toBe('post');
          expect(Object.keys(schemaOf(body).properties).sort()).toEqual([...EDIT].sort());
          expect(schemaOf(body).properties.status.context).toEqual(['edit']);
        },
      },
    ],
  ]);

  // The reference: edit context has both.
  behaviour('P-97 no permalink_template, no generated_slug', [
    [
      'GET /posts/{apple}?context=edit as editor',
      200,
      { hasNot: ['permalink_template', 'generated_slug', 'class_list'] },
    ],
  ]);

  behaviour('P-49 a declared further field is read', [['GET /posts/{apple}', 200, { has: { liveblog_likes: 0 } }]]);
});

describe('writing', () => {
  const templates = changedSchemas(SCHEMAS, (name, schema) => {
    if (name === 'post') {
      schema.fields.template.enum = ['', 'wide.php', 'old.php'];
      schema.fields.mood = {
        type: 'string',
        enum: ['good', 'bad'],
        default: 'good',
        contexts: ['view', 'edit'],
        description: 'Declared besides.',
      };
    }
  });
  const site: World = world({
    schemas: templates,
    actors: ['editor', 'author', 'contributor', 'subscriber', 'sorter'],
    // Writes posts, and has none of the rights that assigning terms needs.
    seed: [
      ['POST /categories as admin', 201, { body: { name: 'News' }, saveAs: 'news' }],
      ['POST /categories as admin', 201, { body: { name: 'Local' }, saveAs: 'local' }],
      [
        'POST /media as admin',
        201,
        {
          raw: PNG,
          headers: { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="grey.png"' },
          saveAs: 'media',
        },
      ],
      ['POST /pages as admin', 201, { body: { title: 'Page', status: 'publish' }, saveAs: 'page' }],
      post('owned', { title: 'Owned', content: 'Text', excerpt: 'Short', date: '2020-05-05T05:05:05' }, 'author'),
      post('edited', { title: 'Edited', content: 'Text', excerpt: 'Short', date: '2020-05-05T05:05:05' }, 'editor'),
      post('locked', { title: 'Locked', content: 'Text', password: 'sesame' }, 'editor'),
      post('stuck', { title: 'Stuck', content: 'Text', sticky: true }, 'editor'),
    ],
    roles: { sorter: ['read', 'edit_posts', 'publish_posts', 'edit_published_posts'] },
  });
  const { behaviour, saved } = site;
  const create = (body: object, status: number, more: Line[2] = {}, as = 'editor'): Line => [
    `POST /posts as ${as}`,
    status,
    { body: { title: 'New', ...body }, ...(typeof more === 'string' ? { code: more } : more) },
  ];
  const update = (id: string, body: object, status = 200, more: Line[2] = {}, as = 'editor'): Line => [
    `POST /posts/{${id}} as ${as}`,
    status,
    { body, ...(typeof more === 'string' ? { code: more } : more) },
  ];
  const invalid = (...params: string[]) => ({ code: 'rest_invalid_param', params });

  behaviour('P-49 a declared further field: create, update, schema, refusal', [
    create({ mood: 'bad' }, 201, { has: { mood: 'bad' }, saveAs: 'moody' }),
    update('moody', { mood: 'good' }, 200, { has: { mood: 'good' } }),
    update('moody', { mood: 'awful' }, 400, invalid('mood')),
    ['GET /posts/{moody} as editor', 200, { has: { mood: 'good' } }],
    [
      'OPTIONS /posts',
      200,
      {
        check: (body) =>
          expect(schemaOf(body).properties.mood).toMatchObject({ enum: ['good', 'bad'], context: ['view', 'edit'] }),
      },
    ],
  ]);

  behaviour('P-60 creating', [
    create({ title: 'Made', content: 'Text', excerpt: 'Short', status: 'publish', slug: 'made' }, 201, {
      members: [...EDIT, 'mood'],
      has: { title: { raw: 'Made' }, content: { raw: 'Text' }, status: 'publish', author: '{editor}', slug: 'made' },
      saveAs: 'made',
      sends: { Allow: 'GET, POST' },
      check: ({ id }, { headers }) => expect(headers['location']).toBe(`http://api.test/cms/v2/posts/${id}`),
    }),
  ]);

  behaviour('P-62 template', [
    create({ template: 'wide.php' }, 201, { has: { template: 'wide.php' } }),
    create({ template: 'none.php' }, 400, { ...invalid('template') }),
    create({ template: '' }, 201, { has: { template: '' } }),
  ]);

  behaviour('P-63 a sent id', [
    create({ id: 3 }, 400, 'rest_post_exists'),
    ['POST /posts', 400, { body: { id: 3 }, code: 'rest_post_exists' }],
    // Clients with a number for an id send one for a new item too.
    create({ id: 0 }, 201, { has: { id: expect.any(Number), status: 'draft' } }),
    create({ id: '' }, 201),
    ['POST /posts as editor', 201, { form: 'title=x&id=0' }],
    ['POST /pages as editor', 201, { body: { title: 'x', id: 0 } }],
  ]);

  behaviour('P-64 contributors write drafts', [
    create({ status: 'draft' }, 201, { has: { status: 'draft', author: '{contributor}' } }, 'contributor'),
    create({ status: 'pending' }, 201, { has: { status: 'pending', slug: '' } }, 'contributor'),
  ]);

  behaviour('P-65 sticky', [
    create({ sticky: true, status: 'publish' }, 201, { has: { sticky: true } }),
    create({ sticky: true }, 403, 'rest_cannot_assign_sticky', 'contributor'),
    create({}, 201, { has: { sticky: false } }),
  ]);

  behaviour('P-66 another author', [
    create({ author: '{author}' }, 201, { has: { author: '{author}' } }),
    create({ author: '{editor}' }, 403, 'rest_cannot_edit_others', 'author'),
    create({ author: 987654 }, 400, 'rest_invalid_author'),
    create({ author: 987654 }, 403, 'rest_cannot_edit_others', 'author'),
    create({ author: -1 }, 400, 'rest_invalid_author'),
  ]);

  behaviour('P-67 anonymous callers', [
    ['POST /posts', 401, { body: { title: 'x', status: 'draft' }, code: 'rest_cannot_create' }],
    ['POST /posts', 401, { body: {}, code: 'rest_cannot_create' }],
    ['POST /posts as subscriber', 403, { body: { title: 'x', status: 'draft' }, code: 'rest_cannot_create' }],
  ]);

  behaviour('P-68 statuses and dates', [
    create({ status: 'draft' }, 201, { has: { status: 'draft', slug: '' } }),
    create({ status: 'private', slug: 'mine' }, 201, {
      has: {
        status: 'private',
        slug: 'mine',
        date: expect.stringMatching(/^20/),
        date_gmt: expect.stringMatching(/^20/),
      },
    }),
    create({ status: 'future', date: '2099-01-01T10:00:00' }, 201, {
      has: { status: 'future', date: '2099-01-01T10:00:00' },
    }),
    create({ status: 'publish', date: '2099-01-01T10:00:00' }, 201, { has: { status: 'future' } }),
    create({ status: 'future', date: '2001-01-01T10:00:00' }, 201, { has: { status: 'publish' } }),
    create({}, 201, {
      has: {
        status: 'draft',
        comment_status: 'open',
        ping_status: 'open',
        format: 'standard',
        categories: [1],
        tags: [],
      },
    }),
  ]);

  behaviour(
    'P-69 what contributors may not publish',
    ['private', 'publish', 'future'].map((status) =>
      create({ status, date: '2099-01-01T10:00:00' }, 403, 'rest_cannot_publish', 'contributor'),
    ),
  );

  behaviour(
    'P-70 unknown statuses',
    ['teststatus', 'trash', 'inherit', 'auto-draft', ''].map((status) =>
      create({ status }, 400, { ...invalid('status'), details: { status: 'rest_not_in_enum' } }),
    ),
  );

  behaviour('P-71 formats', [
    create({ format: 'gallery' }, 201, { has: { format: 'gallery' } }),
    create({ format: 'standard' }, 201, { has: { format: 'standard' } }),
    create({ format: 'testformat' }, 400, invalid('format')),
    // A theme may lack a format; it is stored all the same.
    create({ format: 'chat' }, 201, { has: { format: 'chat' } }),
  ]);

  behaviour('P-72 featured_media', [
    create({ featured_media: '{media}' }, 201, { has: { featured_media: '{media}' }, saveAs: 'illustrated' }),
    update('illustrated', { featured_media: 0 }, 200, { has: { featured_media: 0 } }),
    // The reference drops an unknown id silently.
    update('illustrated', { featured_media: 987654 }, 400, 'rest_invalid_featured_media'),
  ]);

  behaviour('P-73 password', [
    create({ password: 'testing' }, 201, { has: { password: 'testing', content: { protected: true } } }),
    create({ password: '0' }, 201, { has: { password: '0', content: { protected: true } } }),
    create({ password: '', sticky: true }, 201, { has: { password: '', sticky: true } }),
    create({ password: 'testing', sticky: true }, 400, 'rest_invalid_field'),
    create({ password: '0', sticky: true }, 400, 'rest_invalid_field'),
    // A private post loses its password, but what was sent still contradicts itself.
    create({ password: 'testing', sticky: true, status: 'private' }, 400, 'rest_invalid_field'),
  ]);

  behaviour('P-74 a failing storage', async () => {
    await withBrokenTable(site.site, 'contents', 'INSERT', () =>
      site.run([create({ title: 'Lost' }, 500, 'db_insert_error')]),
    );
    await withBrokenTable(site.site, 'contents', 'UPDATE', () =>
      site.run([update('owned', { title: 'Lost' }, 500, 'db_update_error')]),
    );
    await site.run([['GET /posts?search=Lost&status=any as admin', 200, { items: [] }]]);
  });

  behaviour(
    'P-75 invalid dates',
    ['date', 'date_gmt'].flatMap((name) => [
      create({ [name]: '2010-60-01T02:00:00Z' }, 400),
      create({ [name]: 'tomorrow' }, 400, { ...invalid(name), details: { [name]: 'rest_invalid_date' } }),
      create({ [name]: '2010-01-01' }, 400, invalid(name)),
      create({ [name]: '2010-13-01T10:00:00' }, 400),
    ]),
  );

  behaviour('P-76 quotes in titles', [
    create({ title: 'Rob O\'Rourke\'s "Diary"' }, 201, { has: { title: { raw: 'Rob O\'Rourke\'s "Diary"' } } }),
    create({ title: String.raw`\"quoted\"` }, 201, { has: { title: { raw: String.raw`\"quoted\"` } } }),
  ]);

  behaviour('P-77 categories', [
    create({ categories: ['{news}', '{local}'] }, 201, {
      has: { categories: [expect.any(Number), expect.any(Number)] },
    }),
    create({ categories: '{news},{local}' }, 201, {
      check: ({ categories }) => expect([...categories].sort()).toEqual([saved['news'], saved['local']].sort()),
    }),
    create({ categories: [987654] }, 201, { has: { categories: [] } }),
    create({ categories: ['news'] }, 400, invalid('categories')),
    ['POST /posts as subscriber', 403, { body: { title: 'x', categories: ['{news}'] }, code: 'rest_cannot_create' }],
    ['POST /posts', 401, { body: { title: 'x', categories: ['{news}'] }, code: 'rest_cannot_create' }],
  ]);

  behaviour('P-78 a taken slug', [
    create({ slug: 'taken', status: 'publish' }, 201, { has: { slug: 'taken' } }),
    create({ slug: 'taken', status: 'draft' }, 201, { has: { slug: 'taken-2' }, saveAs: 'third' }),
    update('third', { status: 'publish' }, 200, { has: { slug: 'taken-2' } }),
    create({ slug: 'taken', status: 'draft' }, 201, { has: { slug: 'taken-3' } }),
  ]);

  const WILD = '<div>div</div> <strong>strong</strong> <script>oh noes</script>';
  const LINK = '<a href="#" target="_blank" unfiltered=true>link</a>';
  const texts = (text: string) => ({ title: text, content: text, excerpt: text });
  const raw = (title: string, wide = title) => ({
    title: { raw: title },
    content: { raw: wide },
    excerpt: { raw: wide },
  });
  behaviour('P-79 HTML by author and editor', [
    create(
      texts(WILD),
      201,
      { has: raw('div <strong>strong</strong> oh noes', '<div>div</div> <strong>strong</strong> oh noes') },
      'author',
    ),
    create(texts(WILD), 201, { has: raw(WILD) }),
    create(
      texts(LINK),
      201,
      {
        has: {
          title: { raw: '<a href="#">link</a>' },
          content: { raw: expect.stringMatching(/^<a href="#" target="_blank"(?: rel="noopener")?>link<\/a>$/) },
        },
      },
      'author',
    ),
    create(texts(LINK), 201, { has: raw(LINK) }),
    ...['author', 'editor'].map((as) =>
      create(texts(String.raw`\o/ ¯\_(ツ)_/¯`), 201, { has: raw(String.raw`\o/ ¯\_(ツ)_/¯`) }, as),
    ),
    create(
      texts(String.raw`\\\&\\\ & &amp; < &lt;`),
      201,
      { has: raw(String.raw`\\\&amp;\\\ &amp; &amp; &lt; &lt;`) },
      'author',
    ),
    create(texts(String.raw`\\\&\\\ &amp; &invalid; < &lt; &amp;lt;`), 201, {
      has: raw(String.raw`\\\&\\\ &amp; &invalid; < &lt; &amp;lt;`),
    }),
  ]);

  behaviour('P-80 updates keep what is not sent', [
    update('owned', { title: 'Changed' }, 200, {
      has: {
        title: { raw: 'Changed' },
        content: { raw: 'Text' },
        excerpt: { raw: 'Short' },
        status: 'publish',
        author: '{author}',
        date: '2020-05-05T05:05:05',
      },
    }),
    ...(['PUT', 'PATCH'] as const).map((verb): Line => [
      `${verb} /posts/{owned} as editor`,
      200,
      { body: { title: verb }, has: { title: { raw: verb }, content: { raw: 'Text' } } },
    ]),
    ['POST /posts/{owned} as editor', 200, { form: 'title=By+form&content=Text', has: { title: { raw: 'By form' } } }],
    update('owned', {}, 200, { has: { title: { raw: 'By form' } } }),
    update('owned', { title: 'By form', content: 'Text' }, 200),
    update('owned', { title: { raw: 'As object' } }, 200, { has: { title: { raw: 'As object' } } }),
  ]);

  behaviour('P-81 refused updates', [
    update('edited', { title: 'x' }, 403, 'rest_cannot_edit', 'author'),
    ['POST /posts/{edited}', 401, { body: { title: 'x' }, code: 'rest_cannot_edit' }],
    ['POST /posts/987654 as editor', 404, { body: { title: 'x' }, code: 'rest_post_invalid_id' }],
    update('page', { title: 'x' }, 404, 'rest_post_invalid_id'),
    update('owned', { author: '{editor}' }, 403, 'rest_cannot_edit_others', 'author'),
  ]);

  behaviour('P-82 read-only members', [
    update(
      'owned',
      { modified: '1999-01-01T00:00:00', modified_gmt: '1999-01-01T00:00:00', type: 'page', link: 'http://x.test' },
      200,
      {
        has: {
          type: 'post',
          modified: expect.not.stringMatching(/^1999/),
          modified_gmt: expect.not.stringMatching(/^1999/),
        },
      },
    ),
  ]);

  behaviour('P-83 floating dates', async () => {
    const draft = await site.line(create({ status: 'draft' }, 201, { saveAs: 'floating' }));
    const shown = draft.body.date;
    await site.run([
      update('floating', { date: shown, title: 'Same date' }, 200, {
        has: { status: 'draft', date: expect.stringMatching(/^20/) },
      }),
      update('floating', { date: '2016-12-12T14:00:00' }, 200, {
        has: { date: '2016-12-12T14:00:00', date_gmt: '2016-12-12T14:00:00' },
      }),
      update('floating', { title: 'Pinned' }, 200, { has: { date: '2016-12-12T14:00:00' } }),
      update('floating', { date: null }, 200, { check: (body) => expect(since(body.date)).toBeLessThan(60_000) }),
      update('floating', { date_gmt: '2016-12-12T15:00:00' }, 200, { has: { date: '2016-12-12T15:00:00' } }),
      update('floating', { date_gmt: null }, 200, {
        check: (body) => {
          expect(since(body.date)).toBeLessThan(60_000);
          expect(body.date_gmt).toBe(body.date);
        },
      }),
      update('floating', { status: 'publish' }, 200, {
        check: (body) => {
          expect(since(body.date)).toBeLessThan(60_000);
          saved['published'] = body.date;
        },
      }),
      update('floating', { title: 'Later' }, 200, { check: (body) => expect(body.date).toBe(saved['published']) }),
      // Of a published post null gives the present moment.
      update('edited', { date: null }, 200, { check: (body) => expect(since(body.date)).toBeLessThan(60_000) }),
    ]);
  });

  behaviour('P-84 the slug', [
    update('owned', { slug: 'sample-slug' }, 200, { has: { slug: 'sample-slug' } }),
    update('owned', { slug: 'tęst-acceńted-chäræcters' }, 200, { has: { slug: 'test-accented-charaecters' } }),
    update('owned', { slug: ' A Slug / with.dots ' }, 200, { has: { slug: 'a-slug-with-dots' } }),
    update('owned', { title: 'Other title' }, 200, { has: { slug: 'a-slug-with-dots' } }),
    update('owned', { slug: '' }, 200, { has: { slug: 'other-title' } }),
    ['GET /posts?slug=other-title', 200, { items: ['owned'] }],
  ]);

  behaviour('P-85 sticky, texts, password', [
    update('owned', { sticky: true }, 200, { has: { sticky: true } }),
    update('owned', { title: 'Stays' }, 200, { has: { sticky: true } }),
    update('owned', { sticky: false }, 200, { has: { sticky: false } }),
    update('owned', { excerpt: 'An excerpt' }, 200, { has: { excerpt: { raw: 'An excerpt' } } }),
    update('owned', { excerpt: '' }, 200, { has: { excerpt: { raw: '' } } }),
    update('owned', { content: '' }, 200, { has: { content: { raw: '' } } }),
    update('owned', { content: { raw: 'Back' } }, 200, { has: { content: { raw: 'Back' } } }),
    update('owned', { password: 'open' }, 200, { has: { password: 'open' } }),
    update('owned', { password: '' }, 200, { has: { password: '', content: { protected: false } } }),
  ]);

  behaviour('P-86 password against sticky', [
    update('stuck', { password: 'no' }, 400, 'rest_invalid_field'),
    update('locked', { sticky: true }, 400, 'rest_invalid_field'),
    update('stuck', { password: 'no', sticky: false }, 400, 'rest_invalid_field'),
    update('stuck', { password: 'no', status: 'private' }, 400, 'rest_invalid_field'),
    update('stuck', { sticky: false }, 200),
    update('stuck', { password: 'no' }, 200, { has: { password: 'no', sticky: false } }),
    update('stuck', { password: '', sticky: true }, 200, { has: { password: '', sticky: true } }),
  ]);

  behaviour('P-87 categories', [
    update('owned', { categories: ['{news}'] }, 200, { has: { categories: ['{news}'] } }),
    update('owned', { categories: ['{local}'] }, 200, { has: { categories: ['{local}'] } }),
    update('owned', { title: 'Same terms' }, 200, { has: { categories: ['{local}'] } }),
    update('owned', { categories: [] }, 200, { has: { categories: [] } }),
  ]);

  behaviour('P-88 template', [
    update('owned', { template: 'wide.php' }, 200, { has: { template: 'wide.php' } }),
    update('owned', { template: 'none.php' }, 400, invalid('template')),
    update('owned', { template: '' }, 200, { has: { template: '' } }),
    [
      'GET /posts/{owned}?context=edit as editor',
      200,
      {
        check: async () => {
          // A template of a theme that was taken away.
          await site.site.site.writer.batch(({ update: write }) =>
            write('post', Number(saved['owned']), { template: 'gone.php' }),
          );
          await site.run([
            update('owned', { template: 'gone.php', title: 'Kept' }, 200, {
              has: { template: 'gone.php', title: { raw: 'Kept' } },
            }),
            update('owned', { template: 'gone2.php' }, 400, invalid('template')),
          ]);
        },
      },
    ],
  ]);

  behaviour('P-90 deleting', [
    create({ title: 'Bin', status: 'publish' }, 201, { saveAs: 'bin' }),
    ['DELETE /posts/{bin} as subscriber', 403, 'rest_cannot_delete'],
    ['DELETE /posts/{bin}', 401, 'rest_cannot_delete'],
    ['DELETE /posts/{bin} as editor', 200, { has: { title: { raw: 'Bin' }, status: 'trash', slug: 'bin__trashed' } }],
    ['DELETE /posts/{bin} as editor', 410, 'rest_already_trashed'],
    [
      'DELETE /posts/{bin}?force=true as editor',
      200,
      {
        has: { deleted: true, previous: { id: '{bin}', title: { raw: 'Bin' }, status: 'trash' } },
        hasNot: ['previous._links'],
      },
    ],
    ['GET /posts/{bin} as editor', 404, 'rest_post_invalid_id'],
    ['DELETE /posts/987654 as editor', 404, 'rest_post_invalid_id'],
    ['DELETE /posts/{page} as editor', 404, 'rest_post_invalid_id'],
    create({ title: 'Body' }, 201, { saveAs: 'bin' }),
    ['DELETE /posts/{bin} as editor', 200, { body: { force: true }, has: { deleted: true } }],
  ]);
});

describe('in New York', () => {
  const { behaviour } = world({ actors: ['editor'], environment: { SITE_TIMEZONE: 'America/New_York' } });
  const forms = [
    { date: '2016-12-12T14:00:00' },
    { date_gmt: '2016-12-12T19:00:00' },
    { date: '2016-12-12T18:00:00-01:00' },
    { date_gmt: '2016-12-12T18:00:00-01:00' },
  ];
  behaviour(
    'P-61 dates in four forms and five statuses',
    ['draft', 'publish', 'future', 'pending', 'private'].flatMap((status) =>
      forms.map((form): Line => [
        'POST /posts as editor',
        201,
        {
          body: { title: 'Dated', status, ...form },
          has: { date: '2016-12-12T14:00:00', date_gmt: '2016-12-12T19:00:00' },
        },
      ]),
    ),
  );

  behaviour('P-83 dates of an update follow the zone', [
    [
      'POST /posts as editor',
      201,
      {
        body: { title: 'Moves', date: '2016-07-01T12:00:00' },
        has: { date_gmt: '2016-07-01T16:00:00' },
        saveAs: 'moves',
      },
    ],
    ...forms.map((form): Line => [
      'POST /posts/{moves} as editor',
      200,
      { body: form, has: { date: '2016-12-12T14:00:00', date_gmt: '2016-12-12T19:00:00' } },
    ]),
    [
      'POST /posts/{moves} as editor',
      200,
      {
        body: { date: '2017-01-01T00:00:00', date_gmt: '2000-01-01T00:00:00' },
        has: { date_gmt: '2017-01-01T05:00:00' },
      },
    ],
  ]);
});

/** Milliseconds since a moment written as UTC without offset. */
function since(date: string): number {
  return Math.abs(Date.now() - Date.parse(`${date}Z`));
}
