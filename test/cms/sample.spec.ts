// The sample content: offered to an empty site, loaded once, and shown like content of one's own.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { startupBanner } from '../../src/server/banner.js';
import { sampleNews, SAMPLE_RESOURCES } from '../../src/transfer/load/sample-content.js';
import { basic } from '../support/actors.js';
import { ADMINISTRATOR, startTestSite, CHEAP_HASHES, type TestSite } from '../support/start-test-site.js';
import { freePort, ROOT, run } from '../support/built-program.js';
import { until } from '../support/server-process.js';

const AS_ADMIN = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite(join(ROOT, 'schemas'));
});
afterAll(() => site.close());

test('sample content is offered by the banner and by the pages of an empty site', async () => {
  const news = await sampleNews(site.site.writer, false);
  expect(news).toEqual({ offered: true });
  expect(startupBanner(site.config, site.site, news)).toContain('Sample npm start -- --sample ');
  const { resources } = (await site.send('GET', '//_page/site.json')).body;
  const named = resources.filter(({ sample }: { sample?: string }) => sample === 'npm start -- --sample');
  expect(named.map(({ name }: { name: string }) => name).sort()).toEqual([...SAMPLE_RESOURCES].sort());
});

test('sample content has items of every kind', async () => {
  const news = await sampleNews(site.site.writer, true);
  const loaded = 'file 1, attachment 1, category 3, comment 3, page 2, post 6, tag 3, user 2';
  expect(news).toEqual({ loaded });
  expect(startupBanner(site.config, site.site, news)).toContain(`  Sample loaded: ${loaded}\n`);
  const total = async (path: string, as = {}) =>
    Number((await site.send('GET', path, { as, status: 200 })).headers['x-wp-total']);
  expect([await total('/posts'), await total('/posts?status=any', AS_ADMIN)]).toEqual([4, 6]);
  expect([await total('/comments'), await total('/comments?status=hold', AS_ADMIN)]).toEqual([2, 1]);
  expect(await total('/pages?parent=21')).toBe(1);
  const [newest] = (await site.send('GET', '/posts?_embed=1&sticky=true', { status: 200 })).body;
  expect(newest).toMatchObject({ title: { rendered: 'The light is lit again' }, slug: 'the-light-is-lit-again' });
  expect(newest._embedded.author).toMatchObject([{ name: 'Mara Lindqvist' }]);
});

test('sample content has an image whose file is served', async () => {
  const { body } = await site.send('GET', '/media/31', { status: 200 });
  expect(body).toMatchObject({ media_type: 'image', media_details: { width: 960, height: 640 } });
  const path = new URL(body.source_url).pathname;
  const { headers } = await site.send('GET', `/${path}`, { status: 200 });
  expect(headers['content-type']).toBe('image/jpeg');
});

test('sample content has accounts that cannot sign in', async () => {
  for (const password of ['', 'mara', 'password'])
    expect((await site.send('GET', '/users/me', { as: basic('mara', password) })).status).toBe(401);
});

test('sample content has correct counts and passes check --data', async () => {
  const { body } = await site.send('GET', '/categories?include=11,12,13&orderby=id');
  expect(body.map(({ count }: { count: number }) => count)).toEqual([3, 0, 1]);
  const { auditData } = await import('../../src/maintenance/check-data.js');
  expect(await auditData(site.site.models, site.site.store, site.site.site)).toEqual([]);
});

test('sample content is not loaded into a site with content, or without its resources', async () => {
  expect(await sampleNews(site.site.writer, true)).toEqual({
    refused: expect.stringMatching(/^the site has content already \(/),
  });
  expect(await sampleNews(site.site.writer, false)).toBeUndefined();
  const library = await startTestSite(join(ROOT, 'examples/library'), {
    ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
    SITE_DEFAULT_ROLE: 'reader',
  });
  try {
    const news = await sampleNews(library.site.writer, true);
    expect(news).toEqual({ refused: expect.stringMatching(/^the schemas have no attachment, category, /) });
    expect(startupBanner(library.config, library.site, news)).toContain('  Sample not loaded: the schemas have no ');
    expect(await sampleNews(library.site.writer, false)).toBeUndefined();
  } finally {
    await library.close();
  }
});

test('sample content is loaded by `serve --sample` once, also by several processes', async () => {
  const { folder } = site;
  const port = await freePort();
  const environment = {
    PORT: String(port),
    WORKERS: '2',
    SCHEMAS_DIR: join(ROOT, 'schemas'),
    ROLES_FILE: join(ROOT, 'roles.json'),
    DATABASE_URL: `sqlite:${join(folder, 'workers.sqlite')}?synchronous=normal`,
    MEDIA_DIR: join(folder, 'workers-media'),
    ADMIN_PASSWORD: ADMINISTRATOR.password,
    LOG_LEVEL: 'error',
    ...CHEAP_HASHES,
  };
  const server = run('dist/cli.js', ['serve', '--sample'], environment, folder);
  await until(
    () => server.output(),
    (text) => text.includes('Try '),
  );
  expect(server.output()).toMatch(/\n {2}Sample loaded: .*post 6/);
  const response = await fetch(`http://127.0.0.1:${port}/cms/v2/posts`);
  expect(response.headers.get('x-wp-total')).toBe('4');
  expect((await server.kill('SIGTERM')).code).toBe(0);
});
