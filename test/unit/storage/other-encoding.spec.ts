// PostgreSQL databases with an encoding that does not hold every text.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { basic } from '../../support/actors.js';
import { availableEngines, freshDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { ADMINISTRATOR, startTestSite, type TestSite } from '../../support/start-test-site.js';

(availableEngines().includes('postgres') ? describe : describe.skip)('a database in LATIN1', () => {
  const REFUSED = {
    status: 400,
    body: { code: 'rest_invalid_param', message: expect.stringContaining('cannot hold') },
  };
  const as = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
  let database: FreshDatabase;
  let name: string;
  let site: TestSite;

  beforeAll(async () => {
    database = await freshDatabase('postgres');
    const url = new URL(database.url);
    name = `${url.pathname.slice(1)}_l`.slice(0, 60);
    url.pathname = `/${name}`;
    await database.run(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`);
    site = await startTestSite('schemas', { DATABASE_URL: url.href });
  });
  afterAll(async () => {
    await site.close();
    await database.run(`DROP DATABASE ${name}`);
    await database.drop();
  });

  it('stores the letters of its encoding', async () => {
    const created = await site.send('POST', '/tags', { as, body: { name: 'Café' } });
    expect(created).toMatchObject({ status: 201, body: { name: 'Café', slug: 'cafe' } });
  });

  it.each([
    ['a value', 'POST', '/tags', { name: '日本' }],
    ['a long text', 'POST', '/posts', { title: 'x', content: `${'word '.repeat(20_000)} 日本` }],
    ['a setting', 'POST', '/settings', { title: '日本' }],
    ['a search', 'GET', '/posts?search=日本', undefined],
    ['a condition', 'GET', '/tags?name[contains]=日本', undefined],
  ] as const)('refuses other letters: %s', async (_what, method, path, body) => {
    const response = await site.send(method, encodeURI(path), { as, ...(body && { body }) });
    expect(response).toMatchObject(REFUSED);
    expect((await site.send('GET', '/tags', { as })).body).toHaveLength(1);
    expect((await site.send('GET', '/posts', { as })).body).toEqual([]);
  });

  it('refuses other letters in a login', async () => {
    const response = await site.send('GET', '/posts', { as: basic('日本', 'correct horse battery') });
    expect(response).toMatchObject(REFUSED);
  });
});
