// Behaviours S-08 and N-03: `_embed`, what stands in `_embedded`, and what it costs.
import { afterEach, expect, jest } from '@jest/globals';
import { SqlReader } from '../../../src/storage/reads/reader.js';
import { PNG, world, type Line } from './harness.js';

const POSTS = 12;

const { behaviour, saved } = world({
  actors: ['editor', 'author'],
  seed: [
    ['POST /categories as admin', 201, { body: { name: 'Upper' }, saveAs: 'upper' }],
    ['POST /categories as admin', 201, { body: { name: 'Lower', parent: '{upper}' }, saveAs: 'lower' }],
    ['POST /tags as admin', 201, { body: { name: 'Zebra' }, saveAs: 'zebra' }],
    ['POST /tags as admin', 201, { body: { name: 'Apple' }, saveAs: 'apple' }],
    [
      'POST /media as admin',
      201,
      {
        raw: PNG,
        headers: { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename=a.png' },
        saveAs: 'image',
      },
    ],
    [
      'POST /posts as author',
      201,
      {
        body: { title: 'First', status: 'publish', tags: ['{zebra}', '{apple}'], categories: ['{lower}'] },
        saveAs: 'first',
      },
    ],
    ['POST /posts/{first} as admin', 200, { body: { featured_media: '{image}' } }],
    ['POST /posts as editor', 201, { body: { title: 'Second', status: 'publish' }, saveAs: 'second' }],
    [
      'POST /posts as editor',
      201,
      { body: { title: 'Locked', status: 'publish', password: 'secret', tags: ['{apple}'] }, saveAs: 'locked' },
    ],
    ['POST /posts as admin', 201, { body: { title: 'Hidden', status: 'private' }, saveAs: 'hidden' }],
    ['POST /comments as admin', 201, { body: { post: '{first}', content: 'One' }, saveAs: 'one' }],
    ['POST /comments as admin', 201, { body: { post: '{first}', content: 'Two', parent: '{one}' }, saveAs: 'two' }],
    ['POST /comments as admin', 201, { body: { post: '{first}', content: 'Held', status: 'hold' }, saveAs: 'held' }],
    ['POST /pages as admin', 201, { body: { title: 'Above', status: 'publish' }, saveAs: 'above' }],
    ['POST /pages as admin', 201, { body: { title: 'Below', status: 'publish', parent: '{above}' }, saveAs: 'below' }],
    ['POST /pages as admin', 201, { body: { title: 'Secret', status: 'private' }, saveAs: 'secret' }],
    ['POST /pages as admin', 201, { body: { title: 'Child', status: 'publish', parent: '{secret}' }, saveAs: 'child' }],
    ...Array.from({ length: POSTS }, (_, at): Line => [
      'POST /posts as author',
      201,
      { body: { title: `More ${at}`, status: 'publish', tags: at % 2 ? ['{zebra}'] : [] }, saveAs: `more${at}` },
    ]),
    ...Array.from({ length: POSTS }, (_, at): Line => [
      'POST /comments as admin',
      201,
      { body: { post: `{more${at}}`, content: `On ${at}` } },
    ]),
  ],
});

afterEach(() => void jest.restoreAllMocks());

behaviour('S-08 embeds once what embeddable links lead to, in the context embed', [
  [
    'GET /posts/{first}?_embed',
    200,
    {
      check: ({ _embedded: embedded, _links: links }) => {
        expect(Object.keys(embedded)).toEqual(['author', 'replies', 'wp:featuredmedia', 'wp:term']);
        expect(embedded.author).toEqual([expect.objectContaining({ id: saved['author'], slug: 'author' })]);
        expect(embedded.author[0]).not.toHaveProperty('email');
        expect(embedded.author[0]._links.self).toEqual([{ href: links.author[0].href }]);
        expect(embedded.replies).toHaveLength(1);
        expect(embedded.replies[0].map(({ id }: { id: number }) => id)).toEqual([saved['two'], saved['one']]);
        expect(embedded['wp:featuredmedia'][0]).toMatchObject({ id: saved['image'], media_type: 'image' });
        expect(embedded['wp:featuredmedia'][0]).not.toHaveProperty('_embedded');
        const names = embedded['wp:term'].map((terms: { name: string }[]) => terms.map(({ name }) => name));
        expect(names).toEqual([['Lower'], ['Apple', 'Zebra']]);
        expect(embedded['wp:term'][0][0]).not.toHaveProperty('count');
      },
    },
  ],
  ['GET /posts/{second}?_embed=replies', 200, { hasNot: ['_embedded'] }],
  ['GET /posts/{second}?_embed=wp:term', 200, { has: { _embedded: { 'wp:term': [[{ id: 1 }], []] } } }],
]);

behaviour('S-08 embeds what the caller may read, and errors in the place of the rest', [
  [
    'GET /pages/{child}?_embed=up',
    200,
    {
      has: { _embedded: { up: [{ code: 'rest_forbidden', data: { status: 401 } }] } },
      hasNot: ['_embedded.up.0.title'],
    },
  ],
  ['GET /pages/{child}?_embed=up as author', 200, { has: { _embedded: { up: [{ data: { status: 403 } }] } } }],
  ['GET /pages/{child}?_embed=up as editor', 200, { has: { _embedded: { up: [{ id: '{secret}' }] } } }],
  [
    'GET /posts/{first}?_embed=replies as editor',
    200,
    { check: ({ _embedded }) => expect(JSON.stringify(_embedded)).not.toContain('Held') },
  ],
  [
    'GET /posts?include={first},{locked}&orderby=include&_embed=replies',
    200,
    {
      check: ([first, locked]) => {
        expect(first._embedded.replies[0]).toHaveLength(2);
        expect(locked._embedded.replies).toEqual([expect.objectContaining({ code: 'rest_cannot_read_post' })]);
      },
    },
  ],
  ['GET /comments/{two}?_embed=up,in-reply-to', 200, { has: { _embedded: { up: [{ id: '{first}' }] } } }],
  ['GET /comments/{two}?_embed=in-reply-to', 200, { has: { _embedded: { 'in-reply-to': [{ id: '{one}' }] } } }],
  ['GET /comments/{one}?_embed=children', 200, { has: { _embedded: { children: [[{ id: '{two}' }]] } } }],
  ['GET /categories/{lower}?_embed', 200, { has: { _embedded: { up: [{ id: '{upper}' }] } } }],
  ['GET /types?_embed', 200, { hasNot: ['post._embedded'] }],
]);

behaviour('S-08 embeds into writes, lists and envelopes, and as far as _fields leaves links', [
  [
    'POST /posts/{second}?_embed=author as editor',
    200,
    { body: {}, has: { _embedded: { author: [{ id: '{editor}' }] } } },
  ],
  [
    'GET /posts/{first}?_embed=author&_envelope',
    200,
    { has: { body: { _embedded: { author: [{ id: '{author}' }] } } } },
  ],
  ['GET /posts/{first}?_embed&_fields=id', 200, { members: ['id'] }],
  [
    'GET /posts?include={first}&_embed&_fields=id,_links.author,_embedded',
    200,
    { check: ([item]) => expect(Object.keys(item._embedded)).toEqual(['author']) },
  ],
  ['GET /posts/987654?_embed', 404, 'rest_post_invalid_id'],
  ['HEAD /posts/{first}?_embed', 200, { sends: { ETag: /^"/ } }],
]);

behaviour(
  'S-08 an embedded response has a tag of its own and is made again when what it embeds changes',
  async (world) => {
    const before = await world.sendRequest('GET /posts/{first}?_embed=author');
    const again = await world.sendRequest('GET /posts/{first}?_embed=author', {
      headers: { 'If-None-Match': before.headers['etag']! },
    });
    expect(again.status).toBe(304);
    expect((await world.sendRequest('GET /posts/{first}')).headers['etag']).not.toBe(before.headers['etag']);
    await world.line(['POST /users/{author} as admin', 200, { body: { name: 'Renamed' } }]);
    const after = await world.sendRequest('GET /posts/{first}?_embed=author', {
      headers: { 'If-None-Match': before.headers['etag']! },
    });
    expect(after.status).toBe(200);
    expect(after.body._embedded.author[0].name).toBe('Renamed');
  },
);

behaviour('S-08 the number of statements does not depend on the number of items', async (world) => {
  const once = async (path: string) => {
    const spies = (['select', 'first', 'judge', 'firstOfEach', 'count', 'countBy'] as const).map((name) =>
      jest.spyOn(SqlReader.prototype, name),
    );
    const { status, body } = await world.sendRequest(path);
    const calls = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    jest.restoreAllMocks();
    expect(status).toBe(200);
    return { calls, items: body.length as number, body };
  };
  // Background tasks read too: of several tries the one with the fewest statements counts.
  const count = async (path: string) => {
    const tries = [];
    for (const at of [1, 2, 3]) tries.push(await once(path.replace(/\?\S*/, (query) => `${query}&try=${at}`)));
    return tries.sort((a, b) => a.calls - b.calls)[0]!;
  };
  const ids = (n: number) => Array.from({ length: n }, (_, at) => saved[`more${at}`]).join(',');
  for (const as of ['', ' as editor']) {
    const few = await count(`GET /posts?include=${ids(2)}&_embed${as}`);
    const many = await count(`GET /posts?include=${ids(POSTS)}&per_page=100&_embed${as}`);
    expect([few.items, many.items]).toEqual([2, POSTS]);
    // Fewer: on a slow machine background tasks read during each of the tries with few items.
    expect(many.calls).toBeLessThanOrEqual(few.calls);
    for (const post of many.body) expect(post._embedded.replies[0]).toHaveLength(1);
    const comments = await count(`GET /comments?per_page=${POSTS}&_embed${as}`);
    expect(comments.calls).toBeLessThan(POSTS);
  }
});

behaviour('S-08 the archives of a status are a list of posts', [
  [
    'GET /statuses as admin',
    200,
    {
      check: (body) => {
        const archives = (slug: string) => body[slug]._links.archives;
        expect(archives('publish')).toEqual([{ href: 'http://api.test/cms/v2/posts' }]);
        for (const slug of ['future', 'draft', 'pending', 'private', 'trash'])
          expect(archives(slug)).toEqual([{ href: `http://api.test/cms/v2/posts?status=${slug}` }]);
      },
    },
  ],
]);

behaviour('N-03 the forms of _embed', async (world) => {
  const all = ['author', 'replies', 'wp:featuredmedia', 'wp:term'];
  const forms: [string, string[]][] = [
    ['_embed', all],
    ['_embed=', all],
    ['_embed=1', all],
    ['_embed=0', all],
    ['_embed=true', all],
    ['_embed=false', []],
    ['_embed=author', ['author']],
    ['_embed=author,wp:term', ['author', 'wp:term']],
    ['_embed=author%20wp:term', ['author', 'wp:term']],
    ['_embed[]=author&_embed[]=replies', ['author', 'replies']],
    ['_embed=about,nothing', []],
  ];
  for (const [form, relations] of forms) {
    const { body } = await world.sendRequest(`GET /posts/{first}?${form}`);
    expect({ form, relations: Object.keys(body._embedded ?? {}) }).toEqual({ form, relations });
  }
});
