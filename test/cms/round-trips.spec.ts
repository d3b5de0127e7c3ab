// How many messages to a database server common requests take: each costs both sides processor time, and one that waits for
// another as much time as the server is away.
import { mkdtempSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMINISTRATOR, startTestSite, type TestSite } from '../support/start-test-site.js';
import { freshDatabase, testEngine, type FreshDatabase } from '../support/fresh-database.js';
import type { HttpResponse } from '../support/send.js';
import { Proxy, serverOf, through } from '../unit/storage/proxy.js';

/** Tries of each request; the server sometimes sends other queries, and each new connection prepares statements. */
const TRIES = 15;

const as = {
  authorization: `Basic ${Buffer.from(`${ADMINISTRATOR.username}:${ADMINISTRATOR.password}`).toString('base64')}`,
};
let n = 0;
const fresh = (what: string) => `${what} ${(n += 1)}`;

/** What is written, the path and body, and the messages to MySQL and to PostgreSQL, that for the caller included. */
const WRITES: [string, (of: Items) => [path: string, body: object], mysql: number, postgres: number][] = [
  ['a post', () => ['/posts', { title: fresh('Post'), status: 'publish' }], 4, 4],
  ['a post of several categories', ({ terms }) => ['/posts', { title: fresh('Post'), categories: terms }], 4, 4],
  ['a page', () => ['/pages', { title: fresh('Page'), status: 'publish' }], 4, 4],
  ['another title', ({ post }) => [`/posts/${post}`, { title: fresh('Title') }], 4, 4],
  ["another title of someone else's post", ({ anothers }) => [`/posts/${anothers}`, { title: fresh('Title') }], 4, 4],
  ['another status', ({ post }) => [`/posts/${post}`, { status: n++ % 2 ? 'draft' : 'publish' }], 4, 4],
  ['other categories', ({ post, terms }) => [`/posts/${post}`, { categories: [terms[n++ % 2]] }], 4, 4],
  ['a category', () => ['/categories', { name: fresh('Category') }], 5, 5],
];

interface Items {
  post: number;
  /** A post of another author than the caller. */
  anothers: number;
  terms: number[];
}

/** A site whose messages to its database are counted. */
class CountedSite {
  private sent = 0;

  private constructor(
    readonly site: TestSite,
    private readonly proxy: Proxy,
    private readonly database: FreshDatabase,
    private readonly folder: string,
  ) {
    proxy.rewritten = (data) => {
      this.sent += 1;
      return data;
    };
  }

  static async start(variables: Record<string, string> = {}): Promise<CountedSite> {
    const database = await freshDatabase();
    const proxy = await Proxy.before(serverOf(database.url));
    const folder = mkdtempSync(join(tmpdir(), 'typecase-trips-'));
    const site = await startTestSite('schemas', {
      DATABASE_URL: through(database.url, proxy.port),
      // Few connections: each prepares its statements when it needs them first.
      DATABASE_POOL: '2',
      MEDIA_DIR: join(folder, 'media'),
      ...variables,
    });
    return new CountedSite(site, proxy, database, folder);
  }

  /** The messages of the try with the fewest: the server sometimes sends other queries. */
  async fewest(request: () => Promise<HttpResponse>): Promise<number> {
    const counts: number[] = [];
    for (let tries = 0; tries < TRIES; tries += 1) {
      const before = this.sent;
      const { status } = await request();
      counts.push(this.sent - before);
      expect([200, 201]).toContain(status);
    }
    return Math.min(...counts);
  }

  async close(): Promise<void> {
    await this.site.close();
    await this.proxy.close();
    await this.database.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const onServers = testEngine() !== 'sqlite' ? describe : describe.skip;

onServers('writes on a database server', () => {
  let counted: CountedSite;
  const items: Items = { post: 0, anothers: 0, terms: [] };
  const post = (path: string, body: object): Promise<HttpResponse> => counted.site.send('POST', path, { as, body });

  beforeAll(async () => {
    counted = await CountedSite.start();
    items.post = (await post('/posts', { title: 'One', status: 'publish' })).body.id;
    const writer = { username: 'writer', email: 'writer@example.com', password: 'a long password', roles: ['author'] };
    const author = (await post('/users', writer)).body.id;
    items.anothers = (await post('/posts', { title: 'Two', author, status: 'publish' })).body.id;
    for (const name of ['A', 'B']) items.terms.push((await post('/categories', { name })).body.id);
  });
  afterAll(() => counted.close());

  it.each(WRITES)('%s', async (_what, write, mysql, postgres) => {
    const most = testEngine() === 'mysql' ? mysql : postgres;
    expect(await counted.fewest(() => post(...write(items)))).toBeLessThanOrEqual(most);
  });
});

onServers('an item read from a database server', () => {
  let counted: CountedSite;
  let item = '';

  beforeAll(async () => {
    // Verified passwords are throttled too, which reads a counter.
    counted = await CountedSite.start({ RATE_LIMIT: 'on' });
    const { body } = await counted.site.send('POST', '/posts', { as, body: { title: 'One', status: 'publish' } });
    item = `/posts/${body.id}`;
  });
  afterAll(() => counted.close());

  const password = async () => as.authorization;
  const applicationPassword = async ({ site }: CountedSite) => {
    const { body } = await site.send('POST', '/users/me/application-passwords', { as, body: { name: 'one' } });
    return `Basic ${Buffer.from(`${ADMINISTRATOR.username}:${body.password}`).toString('base64')}`;
  };
  const token = async ({ site }: CountedSite) => {
    const { body } = await site.send('POST', '//auth/token', { body: ADMINISTRATOR });
    return `Bearer ${body.access_token}`;
  };

  it.each([
    ['a password', password, 3, 4],
    ['an application password', applicationPassword, 3, 4],
    ['an access token', token, 3, 4],
  ])('by a caller with %s', async (_what, credentials, mysql, postgres) => {
    const authorization = await credentials(counted);
    const most = testEngine() === 'mysql' ? mysql : postgres;
    const read = () => counted.site.send('GET', `${item}?_=${(n += 1)}`, { as: { authorization } });
    expect(await counted.fewest(read)).toBeLessThanOrEqual(most);
  });
});
