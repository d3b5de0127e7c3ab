// Public URLs of what refers to an item, or lies below it: they contain its slug only for callers who may read it.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeActors, type TestActor } from '../../support/actors.js';
import { startTestSchemas, SITE_URL, type TestSite } from '../../support/start-test-site.js';

const published = { published: { capabilities: 'posts' }, trashable: {}, dated: {}, sluggable: { from: 'title' } };
const author = { type: 'reference', to: 'account', default: '$me', readOnly: true };
const club = { type: 'boolean', default: false };
const permissions = {
  rules: {
    read: {
      any: [{ is: { status: 'publish', club: false } }, { is: { author: '$me' } }, { role: 'editor' }],
    },
  },
};

const SCHEMAS = [
  {
    name: 'article',
    path: 'articles',
    fields: {
      title: { type: 'string' },
      author,
      club,
      slug: { read: { any: [{ is: { title: 'open' } }, { is: { author: '$me' } }, { role: 'editor' }] } },
      link: { function: 'permalink' },
    },
    traits: published,
    permissions,
  },
  {
    name: 'page',
    path: 'pages',
    fields: {
      title: { type: 'string' },
      author,
      club,
      parent: { type: 'reference', to: 'page' },
      link: { function: 'permalink', options: { style: 'tree', query: 'page_id' } },
    },
    traits: { ...published, nested: { path: true } },
    permissions,
  },
  {
    name: 'note',
    path: 'notes',
    fields: {
      article: { type: 'reference', to: 'article' },
      page: { type: 'reference', to: 'page' },
      on_article: { function: 'anchor-link', options: { through: 'article', anchor: 'n-' } },
      on_page: { function: 'anchor-link', options: { through: 'page', anchor: 'n-' } },
    },
    permissions: { rules: { read: true, create: { signedIn: true }, edit: false } },
  },
];

let site: TestSite;
let actors: Record<string, TestActor>;

beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
  actors = await makeActors(site, 'editor', 'author', 'subscriber');
});
afterAll(() => site?.close());

async function create(as: string, path: string, body: object): Promise<number> {
  return (await site.send('POST', path, { as: actors[as]!.headers, body, status: 201 })).body.id;
}

/** The URL as a caller sees it, alone and in a list. */
async function urlFor(as: string, path: string, id: number, field: string): Promise<string> {
  const sent = { as: actors[as]?.headers ?? {}, status: 200 };
  const { body: item } = await site.send('GET', `${path}/${id}`, sent);
  const { body: list } = await site.send('GET', `${path}?include=${id}`, sent);
  expect(list[0][field]).toBe(item[field]);
  return item[field].replace(SITE_URL, '').replace(/\/\d{4}\/\d\d\/\d\d/, '');
}

test('an anchor in the permalink of an item is its slug for readers of the item', async () => {
  const ids = {
    open: await create('author', '/articles', { title: 'open', status: 'publish' }),
    club: await create('author', '/articles', { title: 'secret club', status: 'publish', club: true }),
    private: await create('author', '/articles', { title: 'my diary', status: 'private' }),
    slug: await create('author', '/articles', { title: 'hidden slug', status: 'publish' }),
  };
  const seen: Record<string, string[]> = {};
  for (const [name, article] of Object.entries(ids)) {
    const note = await create('subscriber', '/notes', { article });
    for (const as of ['', 'subscriber', 'author', 'editor'])
      (seen[name] ??= []).push((await urlFor(as, '/notes', note, 'on_article')).replace(/#.*/, ''));
  }
  const plain = (id: number) => `/?p=${id}`;
  expect(seen).toEqual({
    open: ['/open/', '/open/', '/open/', '/open/'],
    club: [plain(ids.club), plain(ids.club), '/secret-club/', '/secret-club/'],
    private: [plain(ids.private), plain(ids.private), '/my-diary/', '/my-diary/'],
    slug: [plain(ids.slug), plain(ids.slug), '/hidden-slug/', '/hidden-slug/'],
  });
});

test('a page below a hidden one has a plain URL for callers who may not read the hidden one', async () => {
  const above = await create('editor', '/pages', { title: 'board room', status: 'publish', club: true });
  const below = await create('editor', '/pages', { title: 'minutes', status: 'publish', parent: above });
  const note = await create('subscriber', '/notes', { page: below });
  for (const as of ['', 'subscriber']) {
    expect(await urlFor(as, '/pages', below, 'link')).toBe(`/?page_id=${below}`);
    expect(await urlFor(as, '/notes', note, 'on_page')).toBe(`/?page_id=${below}#n-${note}`);
  }
  expect(await urlFor('editor', '/pages', below, 'link')).toBe('/board-room/minutes/');
  expect(await urlFor('editor', '/notes', note, 'on_page')).toBe(`/board-room/minutes/#n-${note}`);
});
