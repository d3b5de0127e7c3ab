// The audit log: every kind of change creates one entry without values, in the transaction of the change; only
// administrators see it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runTasks } from '../../src/maintenance/scheduler.js';
import { equals, TRUE } from '../../src/model/query.js';
import { auditData } from '../../src/maintenance/check-data.js';
import { ADMINISTRATOR, startTestSchemas, startTestSite, type TestSite } from '../support/start-test-site.js';
import { administrator, basic, type Headers } from '../support/actors.js';

const ADMIN = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
const DAY = 24 * 60 * 60 * 1000;

type Entry = Record<string, any>;

let site: TestSite;
let author: Headers;
let authorId: number;

beforeAll(async () => {
  site = await startTestSite('schemas', { TRUST_PROXY: '1' });
  const body = { username: 'ann', email: 'ann@example.org', password: 'the password of ann', roles: ['author'] };
  authorId = (await site.send('POST', '/users', { as: ADMIN, body, status: 201 })).body.id;
  author = basic('ann', 'the password of ann');
});
afterAll(() => site.close());

async function entries(query: Record<string, unknown> = {}): Promise<Entry[]> {
  return (await site.send('GET', '/audit-log', { as: ADMIN, query, status: 200 })).body;
}

/** Entries that the work leaves, oldest first. */
async function left(work: () => Promise<unknown>): Promise<Entry[]> {
  const [last] = await entries({ per_page: 1 });
  await work();
  return (await entries({ per_page: 100 })).filter(({ id }) => id > last!['id']).reverse();
}

const kinds = (found: Entry[]) => found.map(({ action, resource, item, fields }) => [action, resource, item, fields]);
const newPost = async (values: object = {}, as = ADMIN): Promise<number> =>
  (await site.send('POST', '/posts', { as, body: { title: 'A post', status: 'publish', ...values }, status: 201 })).body
    .id;

describe('changes', () => {
  test('of items are recorded with the names of their fields', async () => {
    let id = 0;
    const found = await left(async () => {
      id = await newPost({ password: 'hidden words', excerpt: 'An excerpt' });
      await site.send('PATCH', `/posts/${id}`, { as: ADMIN, body: { title: 'Another', tags: [] }, status: 200 });
      // Nothing changes.
      await site.send('PATCH', `/posts/${id}`, { as: ADMIN, body: { title: 'Another' }, status: 200 });
      await site
        .send('PATCH', `/posts/${id}`, { as: ADMIN, body: { sticky: true }, status: 200 })
        .catch(() => undefined);
      await site.send('DELETE', `/posts/${id}`, { as: ADMIN, status: 200 });
      await site.send('PATCH', `/posts/${id}`, { as: ADMIN, body: { status: 'draft' }, status: 200 });
      await site.send('DELETE', `/posts/${id}`, { as: ADMIN, query: { force: true }, status: 200 });
    });
    expect(kinds(found.filter(({ fields }) => !fields.includes('sticky')))).toEqual([
      ['create', 'post', id, expect.arrayContaining(['title', 'status', 'password', 'excerpt'])],
      ['update', 'post', id, ['title']],
      ['trash', 'post', id, expect.arrayContaining(['status'])],
      ['restore', 'post', id, expect.arrayContaining(['status'])],
      ['delete', 'post', id, []],
    ]);
    expect(JSON.stringify(found)).not.toMatch(/hidden words|An excerpt|Another/);
  });

  test('of relations, roles, passwords and settings too', async () => {
    const tag = (await site.send('POST', '/tags', { as: ADMIN, body: { name: 'One' }, status: 201 })).body.id;
    const post = await newPost();
    const found = await left(async () => {
      await site.send('PATCH', `/posts/${post}`, { as: ADMIN, body: { tags: [tag] }, status: 200 });
      await site.send('PATCH', `/posts/${post}`, { as: ADMIN, body: { tags: [tag] }, status: 200 });
      await site.send('PATCH', `/users/${authorId}`, { as: ADMIN, body: { roles: ['editor'] }, status: 200 });
      await site.send('PATCH', `/users/${authorId}`, { as: ADMIN, body: { roles: ['author'] }, status: 200 });
      await site.send('PATCH', '/settings', { as: ADMIN, body: { posts_per_page: 11 }, status: 200 });
    });
    expect(kinds(found)).toEqual([
      ['update', 'post', post, ['tags']],
      ['update', 'user', authorId, ['roles']],
      ['update', 'user', authorId, ['roles']],
      ['update', 'settings', 1, ['posts_per_page']],
    ]);
  });

  test('are recorded with their author, address and authentication', async () => {
    const created = await site.send('POST', `/users/${authorId}/application-passwords`, {
      as: ADMIN,
      body: { name: 'phone' },
      status: 201,
    });
    const headers = { 'X-Forwarded-For': '203.0.113.7', 'User-Agent': `Phone's "best"`, 'X-Request-Id': 'request-7' };
    const [entry] = await left(() =>
      site.send('POST', '/posts', {
        as: basic('ann', created.body.password),
        headers,
        body: { title: 'From a phone' },
        status: 201,
      }),
    );
    expect(entry).toMatchObject({
      user: authorId,
      via: 'application',
      credential: created.body.uuid,
      ip: '203.0.113.7',
      agent: 'Phone_s _best_',
      request: 'request-7',
    });
    expect(Math.abs(Date.parse(`${entry!['date']}Z`) - Date.now())).toBeLessThan(120_000);
  });

  test('that are refused or rolled back are not recorded', async () => {
    const found = await left(async () => {
      await site.send('POST', '/posts', { as: ADMIN, body: { status: 'no such' }, status: 400 });
      await site.send('POST', '/posts', { body: { title: 'x' }, status: 401 });
      const requests = [
        { method: 'POST', path: '/cms/v2/tags', body: { name: 'Undone' } },
        { method: 'POST', path: '/cms/v2/tags', body: {} },
      ];
      await site.send('POST', '//batch/v1', { as: ADMIN, body: { validation: 'atomic', requests } });
    });
    expect(kinds(found)).toEqual([]);
  });

  test('of a batch are recorded one by one', async () => {
    const requests = ['Two', 'Three'].map((name) => ({ method: 'POST', path: '/cms/v2/tags', body: { name } }));
    const found = await left(() => site.send('POST', '//batch/v1', { as: ADMIN, body: { requests }, status: 207 }));
    expect(found.map(({ action, resource, user }) => [action, resource, user])).toEqual([
      ['create', 'tag', 1],
      ['create', 'tag', 1],
    ]);
  });

  test('by the scheduler are attributed to the server', async () => {
    const id = await newPost({ status: 'future', date_gmt: new Date(Date.now() + DAY).toISOString().slice(0, 19) });
    const { writer } = site.site;
    const { now } = writer.site;
    const found = await left(async () => {
      writer.site.now = () => Date.now() + 2 * DAY;
      try {
        await runTasks(writer, 'due');
      } finally {
        writer.site.now = now;
      }
    });
    expect(found).toMatchObject([
      { action: 'update', resource: 'post', item: id, fields: ['status'], user: 0, via: 'system', ip: '' },
    ]);
  });
});

describe('credentials', () => {
  test('of logins are recorded without their values; wrong passwords are not recorded', async () => {
    const signIn = (username: string, password: string) =>
      site.send('POST', '//auth/token', { body: { username, password } });
    const found = await left(async () => {
      expect((await signIn('ann', 'the password of ann')).status).toBe(200);
      expect((await signIn('ann', 'wrong words')).status).toBe(401);
      expect((await signIn('wrong name', 'wrong words')).status).toBe(401);
      await site.send('GET', '/users/me', { as: basic('ann', 'wrong too'), status: 401 });
    });
    expect(found.map(({ action, item, user }) => [action, item, user])).toEqual([['login', authorId, authorId]]);
    expect(JSON.stringify(found)).not.toContain('wrong');
  });

  test('of application passwords are recorded when they are created, renamed and revoked', async () => {
    const path = `/users/${authorId}/application-passwords`;
    let uuid = '';
    const found = await left(async () => {
      uuid = (await site.send('POST', path, { as: author, body: { name: 'a' }, status: 201 })).body.uuid;
      await site.send('PATCH', `${path}/${uuid}`, { as: author, body: { name: 'b' }, status: 200 });
      await site.send('DELETE', `${path}/${uuid}`, { as: author, status: 200 });
    });
    expect(found.map(({ action, item, user, credential }) => [action, item, user, credential])).toEqual(
      ['password-create', 'password-rename', 'password-revoke'].map((action) => [action, authorId, authorId, uuid]),
    );
  });
});

describe('entries', () => {
  test('can be read by administrators only, totals included', async () => {
    for (const as of [undefined, author]) {
      for (const path of ['/audit-log', '/audit-log/1', '/audit-log?user=1', '/audit-log?_fields=id']) {
        const response = await site.send('GET', path, { ...(as && { as }), status: as ? 403 : 401 });
        expect(response.body.code).toBe('rest_forbidden');
        expect(response.headers['x-wp-total']).toBeUndefined();
        const head = await site.send('HEAD', path, { ...(as && { as }), status: as ? 403 : 401 });
        expect(head.headers['x-wp-total']).toBeUndefined();
      }
    }
  });

  test('cannot be written', async () => {
    for (const [method, path] of [
      ['POST', '/audit-log'],
      ['PATCH', '/audit-log/1'],
      ['PUT', '/audit-log/1'],
      ['DELETE', '/audit-log/1'],
    ] as const)
      await site.send(method, path, { as: ADMIN, body: { user: 7, force: true }, status: 404 });
  });

  test('can be filtered and paged', async () => {
    const id = await newPost();
    expect(kinds(await entries({ resource: 'post', item: id }))).toEqual([['create', 'post', id, ['status', 'title']]]);
    const byAnn = await entries({ user: authorId, action: 'create' });
    expect(byAnn.length).toBeGreaterThan(0);
    expect(byAnn.every(({ user, action }) => user === authorId && action === 'create')).toBe(true);
    expect(await entries({ date_after: '2999-01-01T00:00:00' })).toEqual([]);
    expect(await entries({ date_before: '2000-01-01T00:00:00' })).toEqual([]);
    const page = await site.send('GET', '/audit-log?per_page=2&page=2', { as: ADMIN, status: 200 });
    expect(page.body).toHaveLength(2);
    expect(Number(page.headers['x-wp-total'])).toBeGreaterThan(4);
  });

  test('are deleted when they are older than keepDays', async () => {
    const { writer, store } = site.site;
    const table = 'audit_log';
    const [first] = await entries({ per_page: 1, order: 'asc' });
    const old = new Date(Date.now() - 366 * DAY).toISOString().slice(0, 19);
    await store.transaction((tx) => tx.update(table, { date: old }, equals('id', first!['id'])));
    const before = await store.reader.count(table, TRUE);
    await runTasks(writer, 'sweep');
    expect(await store.reader.count(table, TRUE)).toBe(before - 1);
    expect(await store.reader.first(table, ['id'], equals('id', first!['id']))).toBeUndefined();
  });
});

describe('an audit log with a search and other orderings', () => {
  const NEEDS = [{ needs: 'manage_options', error: 'rest_forbidden' }];
  const permissions = { rules: { read: 'manage_options' }, list: NEEDS, retrieve: NEEDS };

  test('finds and orders its entries', async () => {
    const schemas = [
      {
        name: 'note',
        path: 'notes',
        fields: { title: { type: 'string' } },
        traits: { audited: { into: 'act' } },
        permissions: 'public-read',
      },
      {
        name: 'act',
        path: 'acts',
        fields: {},
        traits: { 'audit-log': {} },
        search: { fields: ['action', 'agent'] },
        list: { orderby: ['id', 'action'] },
        permissions,
      },
    ];
    const own = await startTestSchemas(schemas);
    try {
      const { headers } = administrator(own);
      const found = async (query: object) =>
        (await own.send('GET', '/acts', { as: headers, query: { ...query }, status: 200 })).body.map(
          ({ action, agent }: Entry) => `${action} ${agent}`,
        );
      const note = await own.send('POST', '/notes', {
        as: { ...headers, 'User-Agent': 'Birch' },
        body: { title: 'a' },
      });
      const path = `/notes/${note.body.id}`;
      await own.send('PATCH', path, { as: { ...headers, 'User-Agent': 'Walnut' }, body: { title: 'b' }, status: 200 });
      await own.send('DELETE', path, { as: { ...headers, 'User-Agent': 'Elm' }, query: { force: true }, status: 200 });
      expect(await found({ search: 'walnut' })).toEqual(['update Walnut']);
      expect(await found({ search: 'updat' })).toEqual(['update Walnut']);
      expect(await found({ orderby: 'action', order: 'desc' })).toEqual([
        'update Walnut',
        'delete Elm',
        'create Birch',
      ]);
      expect(await auditData(own.site.models, own.site.store, own.site.site)).toEqual([]);
    } finally {
      await own.close();
    }
  });
});
