// Responses of a site with replicas: callers see their own writes, and cached responses are never older than the
// version they are cached under.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { administrator, makeActor, type TestActor } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { availableEngines, type FreshDatabase, freshDatabase } from '../../support/fresh-database.js';
import { catchUp } from './catch-up.js';

const servers = availableEngines().filter((engine) => engine !== 'sqlite');
const each = servers.length > 0 ? describe.each(servers) : describe.skip.each(['mysql', 'postgres'] as const);

each('a site with replicas on %s', (engine) => {
  let databases: FreshDatabase[];
  let site: TestSite;
  let other: TestSite;
  let admin: TestActor;
  let author: TestActor;

  beforeAll(async () => {
    databases = await Promise.all([1, 2, 3].map(() => freshDatabase(engine)));
    const [primary, ...replicas] = databases.map(({ url }) => url);
    // Each startup makes the tables of what will be an unchanging replica.
    for (const url of replicas) await (await startTestSite('schemas', { DATABASE_URL: url })).close();
    const settings = {
      DATABASE_URL: primary!,
      DATABASE_REPLICA_URLS: replicas.join(','),
      SITE_ALLOW_ANONYMOUS_COMMENTS: 'on',
      SITE_COMMENT_PREVIOUSLY_APPROVED: 'off',
      TRUST_PROXY: '1',
    };
    site = await startTestSite('schemas', settings);
    admin = administrator(site);
    author = await makeActor(site, 'author');
    other = await startTestSite('schemas', settings);
    await catchUpAll();
  });

  afterAll(async () => {
    await other?.close();
    await site?.close();
    for (const database of databases ?? []) await database.drop();
  });

  async function catchUpAll(): Promise<void> {
    for (const replica of databases.slice(1)) await catchUp(databases[0]!.url, replica.url);
  }

  const post = async (at: TestSite, by: TestActor, title: string): Promise<number> => {
    const response = await at.send('POST', '/posts', {
      as: by.headers,
      body: { title, status: 'publish', content: 'x' },
    });
    expect(response.status).toBe(201);
    return response.body.id;
  };
  const titles = async (at: TestSite, by?: TestActor): Promise<{ total: number; titles: string[] }> => {
    const { body, headers } = await at.send('GET', '/posts?per_page=100', { as: by?.headers ?? {} });
    return { total: Number(headers['x-wp-total']), titles: body.map((item: any) => item.title.rendered) };
  };

  it('show every write to its author at once, in lists, totals and items, through any process', async () => {
    for (let round = 0; round < 8; round++) {
      const [writing, reading] = round % 2 ? [site, other] : [other, site];
      const before = await titles(reading, author);
      const id = await post(writing, author, `round ${round}`);
      const after = await titles(reading, author);
      expect(after.total).toBe(before.total + 1);
      expect(after.titles).toContain(`round ${round}`);
      expect((await reading.send('GET', `/posts/${id}`, { as: author.headers })).status).toBe(200);
      const { body: me } = await reading.send('GET', '/users/me', { as: author.headers });
      expect(me.id).toBe(author.id);
      if (round % 3 === 0) await catchUpAll();
    }
  });

  it('serve anonymous callers from replicas, with the cache version of the server that was read', async () => {
    await catchUpAll();
    const before = await titles(site);
    const id = await post(site, admin, 'news');
    for (let ask = 0; ask < 4; ask++) expect(await titles(site)).toEqual(before);
    expect((await site.send('GET', `/posts/${id}`)).status).toBe(404);
    // One replica is ahead of the other: their responses take turns, and none is given for the other's.
    await catchUp(databases[0]!.url, databases[1]!.url);
    const seen = [];
    for (let ask = 0; ask < 6; ask++) seen.push(await titles(site));
    const fresh = { total: before.total + 1, titles: ['news', ...before.titles] };
    expect(seen.filter(({ total }) => total === before.total)).toEqual([before, before, before]);
    expect(seen.filter(({ total }) => total !== before.total)).toEqual([fresh, fresh, fresh]);
    await catchUpAll();
    for (let ask = 0; ask < 4; ask++) expect(await titles(site)).toEqual(fresh);
  });

  it('show anonymous callers their own comments, and others the state of the replica', async () => {
    const id = await post(site, admin, 'discussed');
    await catchUpAll();
    const remark = { post: id, author_name: 'Ann', author_email: 'ann@example.org', content: 'mine' };
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const made = await site.send('POST', '/comments', { headers: from('192.0.2.1'), body: remark });
    expect(made.status).toBe(201);
    const seen = async (address: string): Promise<number> => {
      const { headers } = await site.send('GET', `/comments?post=${id}`, { headers: from(address) });
      return Number(headers['x-wp-total']);
    };
    expect([await seen('192.0.2.1'), await seen('192.0.2.2'), await seen('192.0.2.1')]).toEqual([1, 0, 1]);
    await catchUpAll();
    expect(await seen('192.0.2.2')).toBe(1);
  });

  it('check unique values against the primary', async () => {
    const values = { name: 'Twice', slug: 'twice' };
    expect((await site.send('POST', '/tags', { as: admin.headers, body: values })).status).toBe(201);
    const again = await other.send('POST', '/tags', { as: admin.headers, body: values });
    expect({ status: again.status, code: again.body.code }).toEqual({ status: 400, code: 'term_exists' });
  });
});
