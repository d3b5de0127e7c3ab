// Four independent servers on one database, started at once while it was empty: everything is made once, and what one of them changes
// or counts is so for all of them at once.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/config.js';
import { auditData } from '../../src/maintenance/check-data.js';
import { openSite } from '../../src/server/open-site.js';
import { basic, type Headers } from '../support/actors.js';
import { runSql, type FreshDatabase, freshDatabase, testEngine } from '../support/fresh-database.js';
import { serverProcesses, until, type ServerProcess, type ServerProcesses } from '../support/server-process.js';

let database: FreshDatabase;
let servers: ServerProcesses;
let all: ServerProcess[];
let admin: Headers;

beforeAll(async () => {
  database = await freshDatabase();
  // The first startup makes password and secret.
  servers = serverProcesses(database.url, { ADMIN_PASSWORD: '', TOKEN_SECRET: '' });
  all = await Promise.all([1, 2, 3, 4].map(() => servers.start()));
  await Promise.all(all.map((server) => server.ready()));
});

afterAll(async () => {
  await servers.close();
  await database.drop();
});

const each = <T>(work: (server: ServerProcess) => Promise<T>): Promise<T[]> => Promise.all(all.map(work));
const statuses = (path: string, headers: Headers): Promise<number[]> =>
  each(async (server) => (await server.send('GET', path, { as: headers })).status);

/** A server that could not get a lock on a busy machine says 503, and that the client may try again. */
async function create(path: string, body: object, server = all[0]!): Promise<any> {
  const made = await until(
    () => server.send('POST', path, { as: admin, body }),
    ({ status }) => status !== 503,
  );
  expect({ status: made.status, body: made.body }).toMatchObject({ status: 201 });
  return made.body;
}

async function makeAccount(username: string, roles: string[]): Promise<{ id: number; headers: Headers }> {
  const password = `the password of ${username}`;
  const { id } = await create('/users', { username, email: `${username}@example.org`, password, roles });
  const headers = basic(username, password);
  // Every process has seen the right password.
  expect(await statuses('/users/me', headers)).toEqual([200, 200, 200, 200]);
  return { id, headers };
}

describe('the first start of four servers at once', () => {
  test('creates one administrator, and one server prints the password', async () => {
    await until(() => all.every((server) => server.output().includes('  Try ')), Boolean);
    const logins = all.flatMap((server) => [...server.output().matchAll(/^ {2}Login {2}(\S+) \/ (\S+)/gm)]);
    expect(logins).toHaveLength(1);
    admin = basic(logins[0]![1]!, logins[0]![2]!);
    expect(await statuses('/users/me', admin)).toEqual([200, 200, 200, 200]);
    const found = await all[1]!.send('GET', '/users?context=edit', { as: admin });
    expect(found.body).toHaveLength(1);
  });

  test('creates the seeds once, without an error', async () => {
    expect((await all[2]!.send('GET', '/categories')).body.map(({ slug }: any) => slug)).toEqual(['uncategorized']);
    for (const server of all) expect(server.output()).not.toMatch(/"level":[56]0|Error/);
  });

  test('creates one secret: tokens are valid at all servers', async () => {
    const [, username, password] = /^Basic (.+)$/
      .exec(admin['Authorization']!)!
      .slice(1)
      .flatMap((text) => {
        const [name, ...rest] = Buffer.from(text, 'base64').toString().split(':');
        return ['', name, rest.join(':')];
      });
    const { status, body } = await all[3]!.send('POST', '//auth/token', { body: { username, password } });
    expect(status).toBe(200);
    expect(await statuses('/users/me', { Authorization: `Bearer ${body.access_token}` })).toEqual([200, 200, 200, 200]);
  });
});

describe('changes at one server', () => {
  test('are seen at once by the others: items, totals, deletions', async () => {
    const { id } = await create('/posts', { title: 'Before', status: 'publish' });
    const seen = (path: string) => each(async (server) => (await server.send('GET', path)).body.title?.rendered);
    const total = () => each(async (server) => (await server.send('GET', '/posts')).headers['x-wp-total']);
    for (let i = 0; i < 2; i++) expect(await seen(`/posts/${id}`)).toEqual(Array(4).fill('Before'));
    const before = Number((await total())[0]);
    await all[1]!.send('PUT', `/posts/${id}`, { as: admin, body: { title: 'After' } });
    expect(await seen(`/posts/${id}`)).toEqual(Array(4).fill('After'));
    await create('/posts', { title: 'Another', status: 'publish' }, all[2]);
    expect(await total()).toEqual(Array(4).fill(String(before + 1)));
    await all[3]!.send('DELETE', `/posts/${id}?force=true`, { as: admin });
    expect(await statuses(`/posts/${id}`, {})).toEqual([404, 404, 404, 404]);
    expect(await total()).toEqual(Array(4).fill(String(before)));
  });

  test('of an account apply at once: roles, password, deletion', async () => {
    const { id, headers } = await makeAccount('ada', ['editor']);
    const writes = () =>
      each(async (server) => (await server.send('POST', '/posts', { as: headers, body: { title: 'Ada' } })).status);
    const change = (body: object) => all[1]!.send('PUT', `/users/${id}`, { as: admin, body });
    expect(await writes()).toEqual([201, 201, 201, 201]);
    expect((await change({ roles: ['subscriber'] })).status).toBe(200);
    expect(await writes()).toEqual([403, 403, 403, 403]);
    expect((await change({ password: 'quite another password' })).status).toBe(200);
    expect(await statuses('/users/me', headers)).toEqual([401, 401, 401, 401]);
    const renewed = basic('ada', 'quite another password');
    expect(await statuses('/users/me', renewed)).toEqual([200, 200, 200, 200]);
    const gone = await all[2]!.send('DELETE', `/users/${id}?force=true&reassign=1`, { as: admin });
    expect(gone.status).toBe(200);
    expect(await statuses('/users/me', renewed)).toEqual([401, 401, 401, 401]);
  });

  test('that revoke tokens and application passwords apply everywhere', async () => {
    const { id } = await makeAccount('bert', ['author']);
    const body = { username: 'bert', password: 'the password of bert' };
    const bearer = async () => {
      const { body: pair } = await all[0]!.send('POST', '//auth/token', { body });
      return { Authorization: `Bearer ${pair.access_token}` };
    };
    const [first, second] = [await bearer(), await bearer()];
    const made = await create(`/users/${id}/application-passwords`, { name: 'phone' }, all[3]);
    const phone = basic('bert', made.password);
    for (const headers of [first, second, phone])
      expect(await statuses('/users/me', headers)).toEqual([200, 200, 200, 200]);
    const token = first.Authorization.slice('Bearer '.length);
    await all[1]!.send('POST', '//auth/revoke', { body: { token } });
    expect(await statuses('/users/me', first)).toEqual([401, 401, 401, 401]);
    await all[2]!.send('DELETE', `/users/${id}/application-passwords/${made.uuid}`, { as: admin });
    expect(await statuses('/users/me', phone)).toEqual([401, 401, 401, 401]);
    await all[2]!.send('DELETE', `/users/${id}?force=true&reassign=1`, { as: admin });
    expect(await statuses('/users/me', second)).toEqual([401, 401, 401, 401]);
  });
});

describe('concurrent writes at all servers', () => {
  test('give fifty items of one title different slugs', async () => {
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        create('/posts', { title: 'Same', status: 'publish', tags: [] }, all[i % 4]),
      ),
    );
    const slugs = made.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(50);
    expect(slugs).toContain('same');
  });

  test('create one item per idempotency key', async () => {
    const headers = { ...admin, 'Idempotency-Key': 'only-once' };
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        all[i % 4]!.send('POST', '/posts', { as: headers, body: { title: 'Once' } }),
      ),
    );
    const made = responses.filter(({ status }) => status === 201);
    expect(responses.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
  });

  test('publish scheduled items once', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19);
    const made: any[] = [];
    for (let i = 0; i < 12; i++)
      made.push(await create('/posts', { title: `Soon ${i}`, status: 'publish', date_gmt: tomorrow }));
    expect(made.map(({ status }) => status)).toEqual(Array(12).fill('future'));
    const which = `id IN (${made.map(({ id }) => id).join(', ')})`;
    const rows = async () => {
      const found = await runSql(database.url, `SELECT row_version, status FROM contents WHERE ${which} ORDER BY id`);
      return found.map((row) => ({ version: Number(row['row_version']), status: row['status'] }));
    };
    const before = await rows();
    // All four find them due at their next look.
    await runSql(database.url, `UPDATE contents SET date_gmt = '2026-01-01T00:00:00' WHERE ${which}`);
    for (const { id } of made)
      await until(
        () => statuses(`/posts/${id}`, {}),
        (found) => found.every((status) => status === 200),
      );
    expect(await rows()).toEqual(before.map(({ version }) => ({ version: version + 1, status: 'publish' })));
  });

  test('leave consistent data', async () => {
    const config = readConfig(
      { DATABASE_URL: database.url, LOG_LEVEL: 'silent', TOKEN_SECRET: 'for the audit alone' },
      false,
    );
    const site = await openSite(config, { warn: () => undefined }, { bare: true });
    try {
      expect(await auditData(site.models, site.store)).toEqual([]);
    } finally {
      await site.close();
    }
  });
});

describe('failed logins', () => {
  const signIn = async (server: ServerProcess, name: string, password: string) =>
    (await server.send('GET', '/users/me', { as: basic(name, password) })).status;

  /** Twelve wrong ones in turn, over these servers. */
  async function refusesTheEleventh(servers: ServerProcess[], name: string): Promise<void> {
    const found: number[] = [];
    for (let i = 0; i < 12; i++) found.push(await signIn(servers[i % servers.length]!, name, `wrong ${i}`));
    expect(found).toEqual([...Array(10).fill(401), 429, 429]);
    for (const server of servers) expect(await signIn(server, name, `the password of ${name}`)).toBe(429);
  }

  async function forgetsThemAtTheRightOne(servers: ServerProcess[], name: string): Promise<void> {
    for (let i = 0; i < 9; i++) expect(await signIn(servers[i % servers.length]!, name, `wrong ${i}`)).toBe(401);
    expect(await signIn(servers[1]!, name, `the password of ${name}`)).toBe(200);
    for (let i = 0; i < 4; i++) expect(await signIn(servers[i % servers.length]!, name, `wrong again ${i}`)).toBe(401);
  }

  const shared = testEngine() !== 'sqlite';
  (shared ? test : test.skip)(
    'are counted by all together (on SQLite: with WORKERS, see workers.spec.ts)',
    async () => {
      await create('/users', { username: 'cleo', email: 'c@example.org', password: 'the password of cleo', roles: [] });
      await create('/users', { username: 'dora', email: 'd@example.org', password: 'the password of dora', roles: [] });
      await refusesTheEleventh(all, 'cleo');
      await forgetsThemAtTheRightOne(all, 'dora');
    },
  );

  /** The account that is refused: Redis may take too long for a busy machine, and the servers then count by themselves. */
  async function refusedOnce(servers: ServerProcess[], names = ['eve', 'emma', 'emil']): Promise<string> {
    const [name = '', ...others] = names;
    await create('/users', {
      username: name,
      email: `${name}@example.org`,
      password: `the password of ${name}`,
      roles: [],
    });
    try {
      await refusesTheEleventh(servers, name);
      return name;
    } catch (error) {
      if (others.length === 0) throw error;
      return refusedOnce(servers, others);
    }
  }

  const redis = process.env['TEST_REDIS_URL'] ?? '';
  (redis ? test : test.skip)('are counted in Redis, when there is one at TEST_REDIS_URL', async () => {
    await create('/users', { username: 'finn', email: 'f@example.org', password: 'the password of finn', roles: [] });
    const counting = await Promise.all([1, 2].map(() => servers.start({ REDIS_URL: redis })));
    await Promise.all(counting.map((server) => server.ready()));
    const name = await refusedOnce(counting);
    await forgetsThemAtTheRightOne(counting, 'finn');
    await Promise.all(counting.map((server) => server.end()));
    // Those who do not know of Redis have not counted.
    expect(await signIn(all[0]!, name, `the password of ${name}`)).toBe(200);
  });
});
