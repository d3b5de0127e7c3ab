// The resource `search`: what is found of posts, pages and terms, for whom, and in which order.
import { afterEach, expect, jest } from '@jest/globals';
import { SqlReader } from '../../src/storage/reads/reader.js';
import { argsOf, schemaOf, world, type Line, type More } from './behaviours/harness.js';

const post = (
  title: string,
  day: number,
  more: object = {},
  saveAs = title.toLowerCase().replaceAll(' ', '_'),
): Line => [
  'POST /posts as author',
  201,
  { body: { title, status: 'publish', date: `2024-01-${10 + day}T00:00:00`, ...more }, saveAs },
];

const { behaviour, saved } = world({
  actors: ['editor', 'author', 'contributor'],
  seed: [
    post('Garden party', 1),
    post('Compost', 9, { content: 'Heaps for the party in the garden.' }),
    post('Garden draft', 2, { status: 'draft' }),
    ['POST /posts as admin', 201, { body: { title: 'Garden private', status: 'private' }, saveAs: 'private' }],
    ['POST /posts as admin', 201, { body: { title: 'Garden future', date: '2099-01-01T00:00:00', status: 'publish' } }],
    post('Garden bin', 3),
    ['DELETE /posts/{garden_bin} as author', 200],
    post('Garden locked', 4, { password: 'sesame', content: 'party' }),
    [
      'POST /pages as admin',
      201,
      { body: { title: 'Gärden <em>plan</em>', status: 'publish', date: '2024-01-15T00:00:00' }, saveAs: 'plan' },
    ],
    ['POST /pages as admin', 201, { body: { title: 'Garden study', status: 'private' } }],
    ['POST /comments as admin', 201, { body: { post: '{garden_party}', content: 'garden' } }],
    ['POST /tags as admin', 201, { body: { name: 'Party garden', slug: 'green' }, saveAs: 'tag' }],
    ['POST /categories as admin', 201, { body: { name: 'Herbs', slug: 'garden-herbs' }, saveAs: 'herbs' }],
    ['POST /categories as admin', 201, { body: { name: 'Aviary', description: 'garden' } }],
  ],
});

afterEach(() => void jest.restoreAllMocks());

const MEMBERS = ['id', 'subtype', 'title', 'type', 'url'];
const found = (items: string[], more: More = {}): More => ({
  items,
  sends: { 'X-WP-Total': String(items.length) },
  ...more,
});

behaviour('posts and pages are found together, those with the word in the title first, then the newest', [
  ['GET /search?search=garden', 200, found(['plan', 'garden_party', 'compost'])],
  ['GET /search?search=garden%20party', 200, found(['garden_party', 'compost'])],
  ['GET /search?search=%22garden%20party%22', 200, found(['garden_party'])],
  ['GET /search?search=garden%20-heaps', 200, found(['plan', 'garden_party'])],
  ['GET /search?search=GARDEN&type=post', 200, found(['plan', 'garden_party', 'compost'])],
  ['GET /search?search=nothingofthesort', 200, found([], { sends: { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' } })],
]);

behaviour('without a text everything that the lists show is there, the newest first', [
  ['GET /search', 200, found(['compost', 'plan', 'garden_locked', 'garden_party'])],
  ['GET /search?search=', 200, found(['compost', 'plan', 'garden_locked', 'garden_party'])],
  ['GET /search?subtype=page', 200, found(['plan'])],
]);

behaviour('a result has five members and its links', [
  [
    'GET /search?search=party&per_page=1',
    200,
    {
      check: ([first]) => {
        expect(Object.keys(first).sort()).toEqual([...MEMBERS, '_links'].sort());
        expect(first).toMatchObject({
          id: saved['garden_party'],
          title: 'Garden party',
          url: 'http://site.test/2024/01/11/garden-party/',
          type: 'post',
          subtype: 'post',
        });
        expect(first._links).toEqual({
          self: [{ embeddable: true, href: `http://api.test/cms/v2/posts/${saved['garden_party']}` }],
          about: [{ href: 'http://api.test/cms/v2/types/post' }],
          collection: [{ href: 'http://api.test/cms/v2/search' }],
        });
      },
    },
  ],
  [
    'GET /search?search=plan',
    200,
    { has: [{ id: '{plan}', title: 'Gärden <em>plan</em>', type: 'post', subtype: 'page' }] },
  ],
]);

behaviour('terms are found by name and slug, named by their taxonomy', [
  ['GET /search?type=term&search=garden', 200, found(['herbs', 'tag'])],
  [
    'GET /search?type=term&search=herbs',
    200,
    {
      check: ([herbs]) => {
        expect(herbs).toMatchObject({ id: saved['herbs'], title: 'Herbs', type: 'category' });
        expect(herbs).not.toHaveProperty('subtype');
        expect(herbs.url).toBe('http://site.test/category/garden-herbs/');
        expect(herbs._links.about).toEqual([{ href: 'http://api.test/cms/v2/taxonomies/category' }]);
        expect(herbs._links.self[0].href).toBe(`http://api.test/cms/v2/categories/${saved['herbs']}`);
      },
    },
  ],
  ['GET /search?type=term&subtype=post_tag&search=garden', 200, found(['tag'])],
  ['GET /search?type=term&subtype=post_tag,category&search=garden', 200, found(['herbs', 'tag'])],
  ['GET /search?type=post-format&search=garden', 200, found([])],
]);

behaviour('subtypes', [
  ['GET /search?search=garden&subtype=post', 200, found(['garden_party', 'compost'])],
  ['GET /search?search=garden&subtype=page', 200, found(['plan'])],
  ['GET /search?search=garden&subtype=page,post', 200, found(['plan', 'garden_party', 'compost'])],
  ['GET /search?search=garden&subtype[]=page&subtype[]=post', 200, found(['plan', 'garden_party', 'compost'])],
  ['GET /search?search=garden&subtype=any', 200, found(['plan', 'garden_party', 'compost'])],
  ['GET /search?search=garden&subtype=', 200, found(['plan', 'garden_party', 'compost'])],
  ['GET /search?subtype=category', 400, { code: 'rest_invalid_param', params: ['subtype'] }],
  ['GET /search?type=term&subtype=page', 400, { code: 'rest_invalid_param', params: ['subtype'] }],
  ['GET /search?type=post-format&subtype=post', 400, { code: 'rest_invalid_param', params: ['subtype'] }],
]);

behaviour('pages of results', [
  [
    'GET /search?search=garden&per_page=2',
    200,
    {
      items: ['plan', 'garden_party'],
      sends: { 'X-WP-Total': '3', 'X-WP-TotalPages': '2', Link: /<[^>]*search=garden[^>]*page=2>; rel="next"$/ },
    },
  ],
  [
    'GET /search?search=garden&per_page=2&page=2',
    200,
    { items: ['compost'], sends: { 'X-WP-Total': '3', 'X-WP-TotalPages': '2', Link: /page=1>; rel="prev"$/ } },
  ],
  ['GET /search?search=garden&per_page=2&page=3', 400, 'rest_search_invalid_page_number'],
  ['GET /search?search=nothingofthesort&page=3', 200, found([])],
  ['GET /search?type=term&search=garden&per_page=1&page=2', 200, { items: ['tag'], sends: { 'X-WP-Total': '2' } }],
]);

behaviour('what the caller may not read is neither found nor counted', [
  ...['', ' as contributor', ' as author', ' as editor', ' as admin'].flatMap((caller): Line[] => [
    [`GET /search?search=draft${caller}`, 200, found([])],
    [`GET /search?search=private${caller}`, 200, found([])],
    [`GET /search?search=future${caller}`, 200, found([])],
    [`GET /search?search=study&subtype=page${caller}`, 200, found([])],
    [`GET /search?search=bin${caller}`, 200, found([])],
    [`GET /search?search=garden&status=draft,private,any${caller}`, 200, { lacks: ['garden_draft', 'private'] }],
  ]),
  ['GET /search?search=locked', 200, found([])],
  ['GET /search?search=locked&password=sesame', 200, found([])],
  ['GET /search?search=locked as contributor', 200, found([])],
  ['GET /search?search=locked as author', 200, found(['garden_locked'])],
  ['GET /search?search=locked as editor', 200, found(['garden_locked'])],
  ['GET /search?search=party as editor', 200, found(['garden_party', 'compost', 'garden_locked'])],
]);

behaviour('fields, embedding and envelopes', [
  [
    'GET /search?search=plan&_fields=id,title',
    200,
    { check: ([plan]) => expect(Object.keys(plan)).toEqual(['id', 'title']) },
  ],
  [
    'GET /search?search=plan&_fields=_links.self',
    200,
    { check: ([plan]) => expect(Object.keys(plan._links)).toEqual(['self']) },
  ],
  [
    'GET /search?search=garden&_embed=self',
    200,
    {
      check: (items: any[]) => {
        expect(items.map(({ _embedded }) => _embedded.self[0].id)).toEqual(items.map(({ id }) => id));
        expect(items[0]._embedded.self[0]).toMatchObject({ slug: 'garden-plan', type: 'page' });
        expect(items[0]._embedded.self[0]).not.toHaveProperty('content');
      },
    },
  ],
  ['GET /search?search=herbs&type=term&_embed', 200, { has: [{ _embedded: { self: [{ slug: 'garden-herbs' }] } }] }],
  [
    'GET /search?search=plan&_envelope',
    200,
    { has: { status: 200, body: [{ id: '{plan}' }], headers: { 'X-WP-Total': 1 } } },
  ],
  ['GET /search?search=plan&context=embed', 200, { has: [{ id: '{plan}', subtype: 'page' }] }],
]);

behaviour('parameters that are refused', [
  ['GET /search?context=edit as admin', 400, { code: 'rest_invalid_param', params: ['context'] }],
  ['GET /search?type=comment', 400, { code: 'rest_invalid_param', params: ['type'] }],
  ['GET /search?type=term&subtype=nothing', 400, { code: 'rest_invalid_param', params: ['subtype'] }],
  ['GET /search?per_page=101', 400, { code: 'rest_invalid_param', params: ['per_page'] }],
  ['GET /search?page=0', 400, { code: 'rest_invalid_param', params: ['page'] }],
  [`GET /search?search=${'a'.repeat(201)}`, 400, { code: 'rest_invalid_param', params: ['search'] }],
  ['GET /search?search[]=a&search[]=b', 400, { code: 'rest_invalid_param', params: ['search'] }],
  ['GET /search?include={plan}&offset=1&orderby=title&search=plan', 200, found(['plan'])],
]);

behaviour('methods', [
  ['HEAD /search?search=garden&per_page=2', 200, { sends: { 'X-WP-Total': '3', 'X-WP-TotalPages': '2' } }],
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method): Line => [`${method} /search as admin`, 404, 'rest_no_route']),
  ['GET /search/{plan} as admin', 404, 'rest_no_route'],
  [
    'OPTIONS /search',
    200,
    {
      sends: { Allow: 'GET' },
      check: (body) => {
        expect(Object.keys(argsOf(body, 'GET'))).toEqual(['context', 'page', 'per_page', 'search', 'type', 'subtype']);
        expect(argsOf(body, 'GET')['type']).toMatchObject({ enum: ['post', 'term', 'post-format'], default: 'post' });
        expect(Object.keys(schemaOf(body).properties).sort()).toEqual(MEMBERS);
      },
    },
  ],
]);

behaviour('a response that has not changed is 304, and another one once something more is found', async (site) => {
  const first = await site.sendRequest('GET /search?search=pergola');
  const tag = { 'If-None-Match': String(first.headers['etag']) };
  expect((await site.sendRequest('GET /search?search=pergola', { headers: tag })).status).toBe(304);
  await site.sendRequest('POST /pages as admin', { body: { title: 'Pergola', status: 'publish' } });
  const second = await site.sendRequest('GET /search?search=pergola', { headers: tag });
  expect(second).toMatchObject({ status: 200, body: [{ title: 'Pergola' }] });
});

behaviour('a page of results takes as many statements as one result', async (site) => {
  const reads = jest.spyOn(SqlReader.prototype, 'select');
  const once = async (path: string) => {
    reads.mockClear();
    expect((await site.sendRequest(`GET ${path} as admin`)).status).toBe(200);
    return reads.mock.calls.length;
  };
  // The least of three: the first one reads accounts and counts, which are then cached until the next commit.
  const cost = async (path: string) => Math.min(await once(path), await once(path), await once(path));
  const one = await cost('/search?search=plan&_embed=self');
  expect(one).toBeGreaterThan(0);
  // The second resource has a statement for its rows and one for what is embedded.
  expect(await cost('/search?search=garden&per_page=50&_embed=self')).toBeLessThanOrEqual(2 * one);
});
