// Traits that are added to resources with items: the columns that they maintain are computed, or the start reports what
// to do.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { EvolvingSite, OPEN, type Served } from './evolving-site.js';

const text = (more: object = {}) => ({ type: 'string', maxLength: 60, ...more });
const ref = (to: string, more: object = {}) => ({ type: 'reference', to, ...more });

let site: EvolvingSite;
beforeEach(async () => {
  site = await EvolvingSite.make();
});
afterEach(() => site.close());

async function fill(served: Served, path: string, ...items: object[]): Promise<void> {
  for (const item of items) await served.post(path, item);
}

it('new traits compute names, dates, keys and counts for existing items', async () => {
  const page = { title: text(), parent: ref('page') };
  const genre = { name: text() };
  const essay = { title: text(), genres: { type: 'references', to: 'genre' }, status: text({ default: 'publish' }) };
  const person = {
    username: text(),
    email: text(),
    nick: text(),
    password: { type: 'password' },
    roles: { type: 'strings' },
  };
  const list = (name: string) => ({ list: { orderby: ['id', name] } });
  site.write({
    page: { ...OPEN, fields: page },
    genre: { ...OPEN, fields: genre },
    essay: { ...OPEN, fields: essay },
    person: { ...OPEN, path: 'people', fields: person },
    member: { ...OPEN, fields: { ...person, username: text({ contexts: ['edit'] }) }, traits: { account: {} } },
  });
  await site.serving(async (served) => {
    await fill(served, '/pages', { title: 'Été à Paris' }, { title: 'Été à Paris', parent: 1 }, { title: '' });
    for (let n = 4; n < 130; n += 1) await served.post('/pages', { title: 'Many', parent: 2 });
    await fill(served, '/genres', { name: 'Crime' }, { name: 'crimé' });
    await fill(
      served,
      '/essays',
      { title: 'a', genres: [1] },
      { title: 'b', genres: [1, 2] },
      { title: 'c', genres: [2], status: 'x' },
    );
  });
  const traits = {
    page: {
      sluggable: { from: 'title' },
      nested: { path: true },
      dated: {},
      trashable: {},
      authored: {},
      filled: { fields: ['title'] },
    },
    genre: { sluggable: { from: 'name' }, term: {} },
    essay: { classified: { fields: ['genres'] } },
  };
  site.write({
    page: {
      ...OPEN,
      fields: {
        ...page,
        status: text({ default: 'x' }),
        author: ref('member'),
        link: { type: 'computed', function: 'path-link' },
      },
      traits: traits.page,
      ...list('slug'),
    },
    genre: { ...OPEN, fields: genre, traits: traits.genre },
    essay: { ...OPEN, fields: essay, traits: traits.essay },
  });
  expect(await site.startFailure('check')).toMatch(/pages/);
  await site.serving(async (served) => {
    const pages = (await served.get('/pages?per_page=100&orderby=id&order=asc')) as Record<string, any>[];
    expect(pages.slice(0, 4)).toMatchObject([
      { slug: 'ete-a-paris' },
      { slug: 'ete-a-paris-2' },
      { slug: '3' },
      { slug: 'many' },
    ]);
    expect(pages.every((each) => /^\d{4}-.*T/.test(each['date']) && each['date_gmt'] && each['modified'])).toBe(true);
    expect(new Set(pages.map((each) => each['slug'])).size).toBe(pages.length);
    expect(await served.get('/pages?orderby=slug&order=asc&per_page=1')).toMatchObject([{ slug: '3' }]);
    const genres = await served.all('/genres');
    expect(genres).toMatchObject([
      { slug: 'crime', count: 2 },
      { slug: 'crime-2', count: 1 },
    ]);
    // Names of terms are unique, on update too.
    const { send } = served.site;
    expect((await send('POST', '/genres', { body: { name: 'CRIME' } })).body.code).toBe('term_exists');
    expect((await send('POST', '/genres', { body: { name: 'Novel' } })).status).toBe(201);
    expect((await send('PATCH', '/genres/3', { body: { name: 'Crime' } })).body.code).toBe('term_exists');
    expect((await send('PATCH', '/genres/3', { body: { name: 'NOVEL' } })).status).toBe(200);
    expect((await send('PATCH', '/pages/5', { body: { slug: 'many' } })).body.slug).toMatch(/^many-\d+$/);
  });
  const stored = await site.sql('SELECT id, path FROM pages ORDER BY id');
  expect(stored.slice(0, 4).map((row) => row['path'])).toEqual([
    'ete-a-paris',
    'ete-a-paris/ete-a-paris-2',
    '3',
    'ete-a-paris/ete-a-paris-2/many',
  ]);
  // Once: what was emptied by hand since stays so.
  await site.sql("UPDATE pages SET slug = '' WHERE id = 3");
  await site.serving(async (served) => expect(await served.get('/pages/3')).toMatchObject({ slug: '' }));
  expect(await site.cli('diff')).toMatchObject({ code: 0 });
});

it('what is computed from columns that a new trait fills is computed again', async () => {
  const before = {
    ...OPEN,
    fields: { title: text(), slug: text({ filterable: 'contains' }) },
    list: { orderby: ['id', 'slug'] },
    search: { fields: ['slug'] },
  };
  site.write({ page: before });
  await site.serving((served) => fill(served, '/pages', { title: 'Walnut' }, { title: 'Birch' }));
  site.write({ page: { ...before, traits: { sluggable: { from: 'title' } } } });
  await site.serving(async (served) => {
    expect(await served.get('/pages?orderby=slug&order=asc')).toMatchObject([{ slug: 'birch' }, { slug: 'walnut' }]);
    expect(await served.get('/pages?slug[contains]=wal')).toMatchObject([{ slug: 'walnut' }]);
    expect(await served.get('/pages?search=birch')).toMatchObject([{ slug: 'birch' }]);
  });
  expect(await site.cli('check', '--data')).toMatchObject({ code: 0 });
});

it('new traits with states, files, accounts and trees that cannot be computed stop the start', async () => {
  const paper = { title: text() };
  const reply = { text: { type: 'rendered' }, paper: ref('paper') };
  const member = {
    username: text({ contexts: ['edit'] }),
    email: text({ contexts: ['edit'] }),
    password: { type: 'password' },
    roles: { type: 'strings', contexts: ['edit'] },
  };
  const tree = { title: text(), parent: ref('branch') };
  site.write({
    paper: { ...OPEN, fields: paper },
    reply: { ...OPEN, path: 'replies', fields: reply },
    photo: { ...OPEN, fields: paper },
    branch: { ...OPEN, path: 'branches', fields: tree },
    member: { ...OPEN, fields: member },
  });
  await site.serving(async (served) => {
    await fill(served, '/papers', { title: 'first' }, { title: 'second' });
    await fill(served, '/photos', { title: 'first' });
    await fill(served, '/branches', { title: 'a' }, { title: 'b', parent: 1 });
    await served.post('/branches/1', { parent: 2 });
    await fill(
      served,
      '/members',
      { username: 'Ann', email: 'ann@example.org' },
      { username: 'ann', email: 'b@example.org' },
    );
  });
  const published = { trashable: {}, dated: {}, published: { capabilities: 'posts' } };
  const withOwner = { ...paper, author: ref('member') };
  site.write({
    paper: { ...OPEN, fields: withOwner, traits: published },
    photo: { ...OPEN, fields: paper, traits: { uploaded: {} } },
    branch: { ...OPEN, path: 'branches', fields: tree, traits: { nested: {} } },
    member: { ...OPEN, fields: member, traits: { account: {} } },
  });
  const tables = await Promise.all(['papers', 'photos', 'branches'].map((name) => site.sql(`SELECT * FROM ${name}`)));
  const said = await site.startFailure();
  expect(said).toMatch(/paper\.traits\.published: nothing says which status the items have.*"backfill": "publish"/);
  expect(said).toMatch(/photo\.traits\.uploaded: items have no file: ids 1/);
  expect(said).toMatch(/branch\.traits\.nested: items are above themselves: ids 1, 2/);
  expect(said).toMatch(/member\.traits\.account: items have the username or the e-mail address of another one: ids 2/);
  expect(await site.cli('migrate')).toMatchObject({ code: 1, err: expect.stringMatching(/paper\.traits\.published/) });
  // Nothing is changed before that is decided: the former schemas can serve on.
  for (const [at, name] of ['papers', 'photos', 'branches'].entries())
    expect(await site.sql(`SELECT * FROM ${name}`)).toEqual(tables[at]);
  await site.sql("UPDATE members SET username = 'bob' WHERE id = 2");
  await site.sql('UPDATE branches SET parent = 0 WHERE id = 1');
  const state = { type: 'string', backfill: 'publish' };
  site.write({
    paper: { ...OPEN, fields: { ...withOwner, status: state }, traits: published },
    photo: { ...OPEN, fields: paper },
  });
  await site.serving(async (served) => {
    const response = await served.site.send('GET', '/papers');
    expect(response.headers['x-wp-total']).toBe('2');
    expect(response.body).toMatchObject([{ title: 'second' }, { title: 'first' }]);
    const taken = await served.site.send('POST', '/members', {
      body: { username: 'ANN', email: 'c@example.org', password: 'a long enough one' },
    });
    expect(taken.body.code).toBe('existing_user_login');
  });
});
