// How many round trips to a database server common writes take: each costs as much time as the server is away.
import { mkdtempSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMINISTRATOR, bootSite, type TestSite } from '../support/boot-site.js';
import { freshDatabase, testEngine, type FreshDatabase } from '../support/fresh-database.js';
import type { Answer } from '../support/send.js';
import { Proxy, serverOf, through } from '../unit/storage/proxy.js';

/** Tries of each request; the server asks for other things at times, and each new connection prepares statements. */
const TRIES = 15;

const as = {
  authorization: `Basic ${Buffer.from(`${ADMINISTRATOR.username}:${ADMINISTRATOR.password}`).toString('base64')}`,
};
let n = 0;
const fresh = (what: string) => `${what} ${(n += 1)}`;

/** What is written, the path and body, and the round trips of MySQL and of PostgreSQL, that for the caller included. */
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

const onServers = testEngine() !== 'sqlite' ? describe : describe.skip;

onServers('writes on a database server', () => {
  let database: FreshDatabase;
  let proxy: Proxy;
  let site: TestSite;
  let sent = 0;
  const items: Items = { post: 0, anothers: 0, terms: [] };
  const folder = mkdtempSync(join(tmpdir(), 'typecase-trips-'));
  const post = (path: string, body: object): Promise<Answer> => site.send('POST', path, { as, body });

  beforeAll(async () => {
    database = await freshDatabase();
    proxy = await Proxy.before(serverOf(database.url));
    proxy.rewritten = (data) => {
      sent += 1;
      return data;
    };
    // Few connections: each prepares its statements when it needs them first.
    site = await bootSite('schemas', {
      DATABASE_URL: through(database.url, proxy.port),
      DATABASE_POOL: '2',
      MEDIA_DIR: join(folder, 'media'),
    });
    items.post = (await post('/posts', { title: 'One', status: 'publish' })).body.id;
    const writer = { username: 'writer', email: 'writer@example.com', password: 'a long password', roles: ['author'] };
    const author = (await post('/users', writer)).body.id;
    items.anothers = (await post('/posts', { title: 'Two', author, status: 'publish' })).body.id;
    for (const name of ['A', 'B']) items.terms.push((await post('/categories', { name })).body.id);
  });
  afterAll(async () => {
    await site.close();
    await proxy.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(WRITES)('%s', async (_what, write, mysql, postgres) => {
    const counts: number[] = [];
    for (let tries = 0; tries < TRIES; tries += 1) {
      const before = sent;
      const { status } = await post(...write(items));
      counts.push(sent - before);
      expect([200, 201]).toContain(status);
    }
    expect(Math.min(...counts)).toBeLessThanOrEqual(testEngine() === 'mysql' ? mysql : postgres);
  });
});
