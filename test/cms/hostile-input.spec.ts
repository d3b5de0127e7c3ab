// No input breaks the server, reveals internals, widens a response, or stores anything when it is refused.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { administrator, makeActor, type Headers } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import { query, type HttpResponse } from '../support/send.js';
import { DatabaseWatch } from './database-watch.js';
import { NUMBERS, OTHER_TYPES, PATH_IDS, SHAPES, TEXTS, USERNAMES } from './hostile-values.js';
import { WireClient, type Request } from './wire-client.js';
import { runs } from '../support/runs.js';
import { anyText } from '../support/any-text.js';

interface Endpoint {
  methods: string[];
  args: Record<string, { type?: string | string[] }>;
}

interface Route {
  pattern: string;
  /** With ids of what is there. */
  path: string;
  endpoints: Endpoint[];
}

let site: TestSite;
let client: WireClient;
let watch: DatabaseWatch;
let admin: Headers;
let subscriber: Headers;
let routes: Route[];
let ids: Record<string, number>;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const INSIDE =
  /SQLITE|SqliteError|no such (column|table)|": syntax error|node:internal|node_modules|\.(ts|js):\d+|\/tmp\/|\/work\/|\bat (async |Object\.|new )|QueryFailed|ER_[A-Z_]+|relation "|TypeError|RangeError/;
const UNKNOWN = 987_654_321;

beforeAll(async () => {
  site = await startTestSite('schemas');
  client = new WireClient(site);
  watch = await DatabaseWatch.of(site);
  admin = administrator(site).headers;
  subscriber = (await makeActor(site, 'subscriber')).headers;
  ids = await furnish();
  routes = await readRoutes();
});

afterAll(async () => {
  // Whatever was done, the server is there and nothing has got into every object.
  expect((await client.send('GET', '/posts')).status).toBe(200);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  await watch?.close();
  client?.close();
  await site?.close();
});

async function make(path: string, body: object): Promise<number> {
  const response = await client.send('POST', path, { as: admin, body });
  if (response.status >= 300) throw new Error(`${path}: ${response.status} ${response.text}`);
  return response.body.id;
}

async function furnish(): Promise<Record<string, number>> {
  const posts = await make('/posts', { title: 'Open', content: 'Words', status: 'publish' });
  for (const title of ['Second', 'Third']) await make('/posts', { title, status: 'publish' });
  await make('/posts', { title: 'Hidden', content: 'Words' });
  await make(`/posts/${posts}`, { content: 'Other words' });
  const pages = await make('/pages', { title: 'Page', status: 'publish' });
  await make(`/pages/${pages}`, { content: 'Other words' });
  const headers = { ...admin, 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="a.txt"' };
  const media = await client.send('POST', '/media', { as: headers, body: 'text' });
  const [revision] = (await client.send('GET', `/posts/${posts}/revisions`, { as: admin })).body;
  const [other] = (await client.send('GET', `/pages/${pages}/revisions`, { as: admin })).body;
  return {
    posts,
    pages,
    media: media.body.id,
    comments: await make('/comments', { post: posts, content: 'Said' }),
    tags: await make('/tags', { name: 'Tag' }),
    categories: await make('/categories', { name: 'Category' }),
    users: await make('/users', {
      username: 'somebody',
      email: 'somebody@hostile.test',
      password: 'long enough for it',
    }),
    meta: await make(`/posts/${posts}/meta`, { key: 'k', value: 'v' }),
    'posts/revisions': revision.id,
    'pages/revisions': other.id,
  };
}

async function readRoutes(): Promise<Route[]> {
  const index = (await client.send('GET', '//')).body;
  return Object.entries(index.routes as Record<string, { endpoints: Endpoint[] }>).map(([pattern, { endpoints }]) => ({
    pattern,
    path: concrete(pattern),
    endpoints,
  }));
}

/** A pattern with ids in place of its groups. */
function concrete(pattern: string, last?: string): string {
  const groups = pattern.match(/\(\?P<\w+>[^)]*\)/g) ?? [];
  let path = pattern;
  for (const [index, group] of groups.entries()) {
    const before = path.slice(0, path.indexOf(group)).replace(/\/$/, '').split('/');
    const collection = before.at(-1)!;
    const nested = before.at(-3) && collection === 'revisions' ? `${before.at(-3)}/revisions` : collection;
    const slug = { types: 'post', taxonomies: 'category', statuses: 'publish' }[collection];
    const value =
      index === groups.length - 1 && last !== undefined ? last : String(slug ?? ids[nested] ?? ids[collection] ?? 1);
    path = path.replace(group, () => value);
  }
  return path;
}

/** Sends something and says all that is wrong with what happened. */
async function attack(request: Request, faults: string[]): Promise<HttpResponse> {
  const before = await watch.version();
  const about = `${request.method ?? 'GET'} ${request.path.slice(0, 200)} ${String(request.body ?? '').slice(0, 160)}`;
  const response = await client.wire(request).catch((error: Error) => {
    throw new Error(`${about}: ${error.message}`);
  });
  const fault = (text: string) => faults.push(`${about}: ${text}`);
  if (response.status >= 400) {
    if ((await watch.version()) !== before) fault(`${response.status}, and something was written`);
    if (request.method !== 'HEAD') {
      const { code, message, data } = response.body ?? {};
      if (typeof code !== 'string' || typeof message !== 'string' || data?.status !== response.status) {
        fault(`${response.status} in another shape: ${response.text.slice(0, 200)}`);
      }
    }
    const allowed = response.status === 501 && response.body?.code === 'rest_trash_not_supported';
    if (response.status >= 500 && !allowed) fault(`${response.status} ${response.text.slice(0, 200)}`);
    if (INSIDE.test(response.text)) fault(`tells of the inside: ${response.text.slice(0, 300)}`);
  }
  if (response.headers['x-injected'] !== undefined) fault('another header got in');
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? 'GET') && (await watch.version()) !== before)
    fault('reading wrote something');
  return response;
}

function expectNone(faults: string[]): void {
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.slice(0, 25).join('\n')}`);
}

const text = (value: unknown) => JSON.stringify(value);
const json = (headers: Headers = {}): Headers => ({ ...headers, 'Content-Type': 'application/json' });

describe('ids', () => {
  test('that are invalid find nothing on any item route with any method', async () => {
    const faults: string[] = [];
    const dump = await watch.dump();
    for (const { pattern } of routes.filter(({ pattern }) => pattern.includes('(?P<'))) {
      for (const id of PATH_IDS) {
        for (const method of METHODS) {
          const path = concrete(pattern, id);
          const body = ['POST', 'PUT', 'PATCH'].includes(method)
            ? { headers: json(admin), body: '{"title":"x"}' }
            : { headers: admin };
          const response = await attack(
            { method, path: `${path}${method === 'DELETE' ? '?force=true&reassign=false' : ''}`, ...body },
            faults,
          );
          if (response.status < 400 && method !== 'OPTIONS') faults.push(`${method} ${path}: ${response.status}`);
        }
      }
    }
    expectNone(faults);
    expect(await watch.dump()).toEqual(dump);
  });

  test('in a body or a query never replace the one in the path', async () => {
    const faults: string[] = [];
    const [first, second] = [await make('/tags', { name: 'Path one' }), await make('/tags', { name: 'Path two' })];
    const other = (await client.send('GET', `/tags/${second}`)).text;
    for (const sent of [second, String(second), [second], { id: second }, `${second}abc`, null]) {
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const response = await attack(
          {
            method,
            path: `${site.base}/tags/${first}?id=${second}&parent_id=${second}`,
            headers: json(admin),
            body: text({ id: sent, description: 'changed' }),
          },
          faults,
        );
        if (response.status === 200 && response.body.id !== first) faults.push(`changed ${response.body.id}`);
      }
    }
    const removed = await attack(
      {
        method: 'DELETE',
        path: `${site.base}/tags/${first}?force=true&id=${second}`,
        headers: json(admin),
        body: text({ id: second }),
      },
      faults,
    );
    expect(removed.body.previous?.id).toBe(first);
    expect((await client.send('GET', `/tags/${second}`)).text).toBe(other);
    expectNone(faults);
  });
});

describe('parameters', () => {
  test('of every list accept any value and never widen the response', async () => {
    const faults: string[] = [];
    const dump = await watch.dump();
    for (const { path, endpoints } of routes) {
      const [get] = endpoints.filter(({ methods }) => methods.includes('GET'));
      if (!get) continue;
      const base = await client.send('GET', `/${path}`);
      const most = Number(base.headers['x-wp-total'] ?? Infinity);
      const names = [
        ...Object.keys(get.args),
        '_fields',
        '_embed',
        '_envelope',
        'cursor',
        '__proto__',
        'constructor',
        'id',
        '_method',
      ];
      for (const name of names) {
        const values = /^(page|per_page|offset|include|exclude|author|parent|post|menu_order)/.test(name)
          ? [...NUMBERS, ...TEXTS.slice(0, 16)]
          : TEXTS;
        // Most names stand on many routes: on each they have their turn with other values.
        const turn = (_: unknown, index: number) => index % 5 === (name.length + path.length) % 5;
        const queries = [
          ...values.filter(turn).map((value) => `${name}=${encoded(value)}`),
          ...SHAPES.filter(turn).map((shape) => `${name}${shape.replaceAll('{name}', name)}`),
        ];
        for (const asked of queries) {
          const response = await attack({ path: `${path}?${asked}` }, faults);
          const total = Number(response.headers['x-wp-total'] ?? 0);
          if (response.status === 200 && total > most)
            faults.push(`${path}?${asked}: ${total} instead of at most ${most}`);
        }
        const some = queries.filter((_, index) => index % 4 === path.length % 4);
        for (const asked of some) await attack({ path: `${path}?${asked}`, headers: admin }, faults);
      }
    }
    expectNone(faults);
    expect(await watch.dump()).toEqual(dump);
  });

  test('that are not numbers are refused instead of ignored', async () => {
    const faults: string[] = [];
    const numbers = ['include', 'exclude', 'page', 'per_page', 'offset', 'author', 'author_exclude', 'parent', 'post'];
    const written = [
      '=1abc',
      '=0x1',
      '=1.5',
      '=NaN',
      '=1_000',
      '=%D9%A3',
      '=1%00',
      "=1'",
      '=1%2B1',
      '[$gt]=1',
      '[gte]=1',
      '[a][b]=1',
      '[]=1abc',
      '[0]=1&[a]=2',
    ];
    for (const { path, endpoints, pattern } of routes) {
      const get = endpoints.find(({ methods }) => methods.includes('GET'));
      if (!get || pattern.includes('(?P<')) continue;
      for (const name of numbers.filter((each) => Object.hasOwn(get.args, each))) {
        for (const value of written) {
          for (const headers of [{}, admin]) {
            const response = await attack(
              { path: `${path}?${name}${value.replace('&', `&${name}`)}`, headers },
              faults,
            );
            if (response.status < 400) faults.push(`${path}?${name}${value}: ${response.status}`);
          }
        }
      }
    }
    expectNone(faults);
  });

  test('of deletions are validated in query and body', async () => {
    const faults: string[] = [];
    const tag = await make('/tags', { name: 'To stay' });
    const dump = await watch.dump();
    for (const value of ['yes', 'on', '2', '-1', 'TRUE1', ' true', "true'", 'null', '1e0', '\u0000', 'truе']) {
      await attack(
        { method: 'DELETE', path: `${site.base}/tags/${tag}?force=${encoded(value)}`, headers: admin },
        faults,
      );
      await attack(
        { method: 'DELETE', path: `${site.base}/tags/${tag}`, headers: json(admin), body: text({ force: value }) },
        faults,
      );
    }
    for (const value of [[true], { force: true }, 2, -1, [], {}]) {
      await attack(
        { method: 'DELETE', path: `${site.base}/tags/${tag}`, headers: json(admin), body: text({ force: value }) },
        faults,
      );
    }
    for (const reassign of ['1abc', '0x1', [1], { id: 1 }, -5, 1.5, UNKNOWN, ids['users'], 'x', true]) {
      await attack(
        {
          method: 'DELETE',
          path: `${site.base}/users/${ids['users']}`,
          headers: json(admin),
          body: text({ force: true, reassign }),
        },
        faults,
      );
    }
    expectNone(faults);
    expect(await watch.dump()).toEqual(dump);
  });
});

describe('bodies', () => {
  test('with an invalid value in any field of any resource are refused or stored completely', async () => {
    const faults: string[] = [];
    for (const { path, pattern, endpoints } of routes) {
      const post = endpoints.find(({ methods }) => methods.includes('POST'));
      if (!post) continue;
      const item = pattern.includes('(?P<') && pattern.endsWith(')');
      const needed = pattern.endsWith('/users')
        ? { username: 'x', email: 'x@hostile.test', password: 'long enough for it' }
        : {};
      for (const name of [
        ...Object.keys(post.args),
        '__proto__',
        'constructor',
        'toString',
        'row_version',
        'deleted',
      ]) {
        // His own password is the caller's to change, and then the rest would be refused.
        if (pattern.endsWith('/me') && name === 'password') continue;
        const share = item ? 8 : 5;
        const turn = (_: unknown, index: number) => index % share === (name.length + path.length) % share;
        const values = [...TEXTS.filter(turn), ...OTHER_TYPES.filter(turn)];
        for (const value of values) {
          // Written by hand: an object literal would swallow `__proto__`.
          const others = Object.entries(needed).filter(([key]) => key !== name);
          const members = [...others, [name, value]].map(([key, each]) => `${text(key)}:${text(each)}`);
          const response = await attack(
            { method: 'POST', path, headers: json(admin), body: `{${members.join(',')}}` },
            faults,
          );
          if (response.status < 300 && response.status !== 207 && typeof response.body !== 'object')
            faults.push(`${path} ${name}: ${response.text}`);
        }
      }
    }
    expect((await client.send('GET', '/users/me', { as: admin })).status).toBe(200);
    expectNone(faults);
  });

  test('with SQL in every text are stored as text', async () => {
    const faults: string[] = [];
    const users = (await watch.dump())['users'];
    for (const value of TEXTS.filter((each) => !each.includes('\0') && each.isWellFormed())) {
      const response = await attack(
        {
          method: 'POST',
          path: `${site.base}/posts`,
          headers: json(admin),
          body: text({ title: value, content: value, excerpt: value, password: value.slice(0, 50) }),
        },
        faults,
      );
      if (response.status !== 201) {
        faults.push(`${text(value)}: ${response.status}`);
        continue;
      }
      const { id } = response.body;
      const again = (await client.send('GET', `/posts/${id}?context=edit`, { as: admin })).body;
      if (again.content.raw !== value || again.excerpt.raw !== value)
        faults.push(`${text(value)} became ${text(again.content.raw)}`);
      const found = await client.send('GET', `/posts${query({ status: 'draft', include: [id], search: value })}`, {
        as: admin,
      });
      // Longer texts are not searched for.
      const expected = [...value].length > 200 ? 400 : 200;
      if (found.status !== expected) faults.push(`search ${text(value)}: ${found.status}`);
      await client.send('DELETE', `/posts/${id}?force=true`, { as: admin });
    }
    expect((await watch.dump())['users']).toBe(users);
    expectNone(faults);
  });

  test('with a name similar to that of another user create no user', async () => {
    const faults: string[] = [];
    const dump = await watch.dump();
    for (const username of USERNAMES) {
      const body = { username, email: 'new@hostile.test', password: 'long enough for it' };
      const response = await attack(
        { method: 'POST', path: `${site.base}/users`, headers: json(admin), body: text(body) },
        faults,
      );
      if (response.status !== 400) faults.push(`${text(username)}: ${response.status}`);
    }
    for (const email of [
      'a@b',
      'a@b.c\r\nBcc: x@y.zz',
      'a b@c.de',
      '@c.de',
      'a@@c.de',
      'ADMIN@EXAMPLE.ORG',
      'admin@example.org\u0000',
      'аdmin@exаmple.org',
    ]) {
      const body = { username: 'fresh', email, password: 'long enough for it' };
      const response = await attack(
        { method: 'POST', path: `${site.base}/users`, headers: json(admin), body: text(body) },
        faults,
      );
      if (response.status !== 400) faults.push(`${text(email)}: ${response.status}`);
    }
    expectNone(faults);
    expect(await watch.dump()).toEqual(dump);
  });

  test('do not promote the caller', async () => {
    const faults: string[] = [];
    const me = (await client.send('GET', '/users/me?context=edit', { as: subscriber })).body;
    const bodies = [
      { roles: ['administrator'] },
      { roles: 'administrator' },
      { roles: { 0: 'administrator' } },
      { capabilities: { administrator: true } },
      { extra_capabilities: { promote_users: true } },
      { role: 'administrator', id: 1 },
      { username: 'admin' },
      { meta: { capabilities: 'x', __proto__: { roles: ['administrator'] } } },
      { email: 'admin@example.org' },
    ];
    for (const body of bodies) {
      for (const method of ['POST', 'PUT', 'PATCH']) {
        for (const path of ['/users/me', `/users/${me.id}`]) {
          await attack({ method, path: site.base + path, headers: json(subscriber), body: text(body) }, faults);
          await attack(
            {
              method,
              path: `${site.base}${path}?roles[]=administrator`,
              headers: { ...subscriber, 'Content-Type': 'application/x-www-form-urlencoded' },
              body: 'roles[]=administrator&roles=administrator',
            },
            faults,
          );
        }
      }
    }
    const now = (await client.send('GET', '/users/me?context=edit', { as: subscriber })).body;
    expect([now.roles, now.capabilities, now.extra_capabilities, now.username, now.email]).toEqual([
      me.roles,
      me.capabilities,
      me.extra_capabilities,
      me.username,
      me.email,
    ]);
    expectNone(faults);
  });

  test('with prototype names drop these members in JSON, forms and multipart', async () => {
    const faults: string[] = [];
    const poison =
      '{"title":"Poison","__proto__":{"polluted":1,"status":"publish"},"constructor":{"prototype":{"polluted":1}},"meta":{"__proto__":{"polluted":1}}}';
    const boundary = 'edge';
    const part = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const form = [
      '__proto__[polluted]=1',
      'constructor[prototype][polluted]=1',
      '__proto__.polluted=1',
      'title[__proto__][polluted]=1',
      'meta[__proto__][polluted]=1',
      'title=Poison',
    ].join('&');
    const multipart = `${part('__proto__[polluted]', '1')}${part('constructor[prototype][polluted]', '1')}${part('__proto__', '1')}${part('title', 'Poison')}--${boundary}--\r\n`;
    for (const [type, body] of [
      ['application/json', poison],
      ['application/json', `{"title":"Poison",${'"__proto__":'.repeat(1)}{"__proto__":{"polluted":1}}}`],
      ['application/x-www-form-urlencoded', form],
      [`multipart/form-data; boundary=${boundary}`, multipart],
    ] as const) {
      for (const path of ['/posts', `/posts/${ids['posts']}`, '/tags', '/comments', '/media', '/users']) {
        const response = await attack(
          { method: 'POST', path: site.base + path, headers: { ...admin, 'Content-Type': type }, body },
          faults,
        );
        if (response.text.includes('polluted')) faults.push(`${path}: ${response.text}`);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }
      await attack({ path: `${site.base}/posts?${form}` }, faults);
    }
    expectNone(faults);
  });

  test('of the wrong type are refused', async () => {
    const faults: string[] = [];
    const dump = await watch.dump();
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const keys = `{${Array.from({ length: 10_050 }, (_, index) => `"k${index}":1`).join(',')}}`;
    const cases: [string, string | Buffer][] = [
      ['application/json', '{'],
      ['application/json', '[]'],
      ['application/json', '"x"'],
      ['application/json', '1'],
      ['application/json', 'null'],
      ['application/json', '{"title":"x"'],
      ['application/json', '{"title":"x"}}'],
      ['application/json', "{'title':'x'}"],
      ['application/json', 'NaN'],
      ['application/json', `{"title":${deep}}`],
      ['application/json', `{"meta":${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}}`],
      ['application/json', keys],
      ['application/json', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
      [
        'application/json',
        Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
      ],
      ['application/json; charset=utf-16', '{"title":"x"}'],
      ['application/json; charset=latin1', '{"title":"x"}'],
      ['text/plain', 'title=x'],
      ['application/xml', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
      ['application/octet-stream', 'x'],
      ['multipart/form-data', '--x\r\n'],
      ['multipart/form-data; boundary=', '--\r\n'],
      ['multipart/form-data; boundary=x', '--y\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n--y--'],
      ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nx'],
      ['multipart/form-data; boundary=x', '--x\r\n\r\nx\r\n--x--\r\n'],
      [
        'multipart/form-data; boundary=x',
        Buffer.from(`--x\r\nContent-Disposition: form-data; name="${'n'.repeat(5000)}"\r\n\r\nx\r\n--x--\r\n`),
      ],
      [
        'multipart/form-data; boundary=x',
        `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(2000)}--x--\r\n`,
      ],
      [
        'multipart/form-data; boundary=x',
        `--x\r\nContent-Disposition: form-data; name="title"\r\n\r\n${'y'.repeat(100_000)}\r\n--x--\r\n`,
      ],
      ['application/x-www-form-urlencoded', `${'a=1&'.repeat(20_000)}`],
      ['application/x-www-form-urlencoded', 'title=%00'],
      ['application/x-www-form-urlencoded', Buffer.from('title=\xff\xfe', 'latin1')],
      ['application/json\u00e9', '{"title":"x"}'],
    ];
    for (const [type, body] of cases) {
      for (const path of ['/posts', `/posts/${ids['posts']}`, '/users', '/auth/token']) {
        const response = await attack(
          {
            method: 'POST',
            path: path.startsWith('/auth') ? path : site.base + path,
            headers: { ...admin, 'Content-Type': type },
            body,
          },
          faults,
        );
        if (response.status < 400) faults.push(`${type} ${String(body).slice(0, 60)} on ${path}: ${response.status}`);
      }
    }
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'identity, gzip', 'x']) {
      const headers = { ...json(admin), 'Content-Encoding': encoding };
      await attack({ method: 'POST', path: `${site.base}/posts`, headers, body: 'not compressed at all' }, faults);
    }
    expectNone(faults);
    expect(await watch.dump()).toEqual(dump);
  });

  test('of reads are ignored', async () => {
    const faults: string[] = [];
    const plain = await client.send('GET', '/posts');
    for (const [type, body] of [
      ['application/json', '{"status":"any","per_page":1}'],
      ['application/json', '{broken'],
      ['application/x-www-form-urlencoded', 'per_page=1&search=zzz'],
    ] as const) {
      for (const method of ['GET', 'OPTIONS', 'HEAD']) {
        const response = await attack(
          { method, path: `${site.base}/posts`, headers: { 'Content-Type': type }, body },
          faults,
        );
        if (method === 'GET' && response.text !== plain.text) faults.push(`${body} was read`);
      }
    }
    expectNone(faults);
  });
});

describe('uploads', () => {
  test('with impossible names or types leave no files', async () => {
    const faults: string[] = [];
    const names = [
      '../../evil.txt',
      '..\\..\\evil.txt',
      '/etc/passwd',
      'C:\\evil.txt',
      '.htaccess',
      'a.php',
      'a.php.txt',
      'a.txt\u0000.php',
      'x.svg',
      'x.html',
      'con.txt',
      '...',
      'a'.repeat(3000) + '.txt',
      'é‮txt.exe',
      "a';--.txt",
      '%2e%2e%2fa.txt',
      '',
      ' ',
      'x.exe',
    ];
    for (const name of names) {
      const quoted = Buffer.from(name, 'utf8').toString('latin1').replaceAll('\0', '_');
      const response = await attack(
        {
          method: 'POST',
          path: `${site.base}/media`,
          headers: {
            ...admin,
            'Content-Type': 'text/plain',
            'Content-Disposition': `attachment; filename="${quoted}"`,
          },
          body: `words ${name.slice(0, 50)}`,
        },
        faults,
      );
      if (response.status === 201) {
        const { source_url: url } = response.body as { source_url: string };
        if (!/^http:\/\/api\.test\/uploads\/[\w./-]+$/.test(url) || url.includes('..')) faults.push(`${name}: ${url}`);
        // Pages are for those who may write anything.
        if (/\.(php|svg|exe)(\.|$)/i.test(url)) faults.push(`${name}: ${url}`);
        await client.send('DELETE', `/media/${response.body.id}?force=true`, { as: admin });
      }
      const multipart = Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\nContent-Type: text/html\r\n\r\n<script>1</script>\r\n--x--\r\n`,
      );
      const other = await attack(
        {
          method: 'POST',
          path: `${site.base}/media`,
          headers: { ...admin, 'Content-Type': 'multipart/form-data; boundary=x' },
          body: multipart,
        },
        faults,
      );
      if (other.status === 201) await client.send('DELETE', `/media/${other.body.id}?force=true`, { as: admin });
    }
    for (const disposition of [
      'attachment',
      'filename=',
      'attachment; filename',
      'attachment; filename=""',
      "attachment; filename*=UTF-8''%ff",
      "attachment; filename*=UTF-8''%",
      ';;;',
      '"',
      'attachment; filename="a.txt'.repeat(200),
    ]) {
      await attack(
        {
          method: 'POST',
          path: `${site.base}/media`,
          headers: { ...admin, 'Content-Type': 'text/plain', 'Content-Disposition': disposition },
          body: 'words',
        },
        faults,
      );
    }
    for (const path of [
      '/uploads/../site.sqlite',
      '/uploads/%2e%2e/site.sqlite',
      '/uploads/..%2fsite.sqlite',
      '/uploads/%00',
      '/uploads/....//site.sqlite',
      '/uploads//etc/passwd',
      '/uploads/%',
      '/uploads/..\\site.sqlite',
      '/uploads/.',
      '/uploads/2026',
    ]) {
      const response = await attack({ path }, faults);
      if (response.status === 200) faults.push(`${path}: ${response.text.slice(0, 100)}`);
    }
    expectNone(faults);
  });
});

describe('paths and methods', () => {
  test('in other spellings give the same rights', async () => {
    const faults: string[] = [];
    const hidden = (await client.send('GET', '/posts?status=draft', { as: admin })).body[0].id;
    const base = `${site.base}/posts/${hidden}`;
    const spellings = [
      base,
      `${base}/`,
      `${base}//`,
      `/${base}`,
      base.replace('/posts', '//posts'),
      base.toUpperCase(),
      base.replace('posts', 'Posts'),
      base.replace('posts', 'p%6fsts'),
      base.replace('/posts/', '/posts%2f'),
      base.replace('/posts/', '/./posts/'),
      base.replace('/posts/', '/x/../posts/'),
      `${base}.`,
      `${base}.json`,
      `${base};x=1`,
      `${base}%20`,
      `${base}%00`,
      `${base}?`,
      `${base}?/`,
      `${base}%3fcontext=edit`,
      `http://api.test${base}`,
      `//api.test${base}`,
      base.replace('/', '\\'),
      `${base}/../${hidden}`,
    ];
    for (const path of spellings) {
      for (const method of METHODS) {
        const body = ['POST', 'PUT', 'PATCH'].includes(method) ? { headers: json(), body: '{"title":"x"}' } : {};
        const response = await attack({ method, path, ...body }, faults);
        if (response.status < 400 && method !== 'OPTIONS') faults.push(`${method} ${path}: ${response.status}`);
        if (response.text.includes('Hidden')) faults.push(`${method} ${path} shows it`);
      }
    }
    expectNone(faults);
  });

  test('that are overridden give no other rights', async () => {
    const faults: string[] = [];
    const dump = await watch.dump();
    for (const method of METHODS) {
      for (const override of [
        'DELETE',
        'delete',
        'PUT',
        'GET',
        'OPTIONS',
        'HEAD',
        'TRACE',
        'CONNECT',
        'x'.repeat(300),
        '__proto__',
        '',
        'POST, DELETE',
        'DELETE\u0000',
      ]) {
        for (const path of [`${site.base}/posts/${ids['posts']}`, `${site.base}/posts`]) {
          await attack({ method, path: `${path}?_method=${encodeURIComponent(override)}&force=true` }, faults);
          await attack(
            { method, path, headers: { 'X-HTTP-Method-Override': override.replaceAll('\u0000', '') } },
            faults,
          );
        }
        // Only a POST is taken for something else: reading as the administrator deletes nothing.
        if (method === 'GET' || method === 'HEAD') {
          await attack(
            { method, path: `${site.base}/posts/${ids['posts']}?_method=DELETE&force=true`, headers: admin },
            faults,
          );
        }
      }
      await attack({ method, path: `${site.base}/posts?_method[]=DELETE&_method[x]=1` }, faults);
    }
    for (const method of ['TRACE', 'PROPFIND', 'LINK', 'PURGE', 'QUERY'])
      await attack({ method, path: `${site.base}/posts` }, faults);
    expectNone(faults);
    expect(await watch.dump()).toEqual(dump);
  });

  test('of every route refuse anonymous writes, whatever they send', async () => {
    const faults: string[] = [];
    const dump = await watch.dump();
    for (const { path } of routes) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        for (const headers of [{}, subscriber]) {
          for (const body of [
            '{}',
            '{"id":1,"title":"x","name":"x","content":"x","force":true,"reassign":1,"username":"x","email":"x@hostile.test","password":"long enough for it","key":"k"}',
          ]) {
            const mine =
              path.endsWith('/me') ||
              path.includes('/me/') ||
              path.includes('application-passwords') ||
              path.includes('/auth/') ||
              path.includes('/batch/');
            const commenting = path.endsWith('/comments') && headers === subscriber;
            const response = await attack({ method, path, headers: json(headers), body }, faults);
            if (response.status < 400 && !mine && !commenting) faults.push(`${method} ${path}: ${response.status}`);
          }
        }
      }
    }
    // What the subscriber did to himself is his own business.
    const { users: _users, ...others } = dump;
    expect(await watch.dump()).toMatchObject({
      contents: others['contents'],
      terms: others['terms'],
      comments: others['comments'],
    });
    expectNone(faults);
  });

  test('with reflected values add nothing to headers', async () => {
    const faults: string[] = [];
    for (const value of [
      '\r\nX-Injected: yes',
      '\n X-Injected: yes',
      '>; rel="next", <http://evil.test',
      'é\u2028',
      '\u0085X',
      '"',
      '\\"',
      '%0d%0aX-Injected: yes',
    ]) {
      for (const name of ['search', 'slug', 'x', 'a[b]', value]) {
        const response = await attack(
          { path: `${site.base}/posts?per_page=1&${encodeURIComponent(name)}=${encodeURIComponent(value)}` },
          faults,
        );
        const link = String(response.headers.link ?? '');
        if (!/^[\x20-\x7e]*$/.test(link)) faults.push(`Link ${text(link)}`);
        if (/<http:\/\/evil/.test(link)) faults.push(`Link ${text(link)}`);
      }
      const made = await attack(
        {
          method: 'POST',
          path: `${site.base}/tags`,
          headers: json(admin),
          body: text({ name: `H ${value}`, slug: value }),
        },
        faults,
      );
      if (made.status === 201 && !/\/tags\/\d+$/.test(String(made.headers.location)))
        faults.push(String(made.headers.location));
    }
    for (const [name, value] of [
      ['Host', 'evil.test'],
      ['X-Forwarded-Host', 'evil.test'],
      ['X-Forwarded-Proto', 'javascript'],
      ['X-Original-URL', '/cms/v2/users'],
      ['X-Rewrite-URL', '/cms/v2/users'],
      ['Forwarded', 'host=evil.test'],
      ['Origin', 'http://evil.test'],
      ['If-None-Match', '"'.repeat(5000)],
      ['If-Modified-Since', 'not a date'],
      ['Range', 'bytes=0-18446744073709551615'],
      ['Accept', '\u00ff'],
      ['Accept-Encoding', 'gzip;q=NaN, *;q=-1'],
      ['Expect', '200-ok'],
      ['Idempotency-Key', 'x'.repeat(300)],
      ['Authorization', 'Basic'],
      ['Authorization', 'Basic !!!!'],
      ['Authorization', `Basic ${Buffer.from('nocolon').toString('base64')}`],
      ['Authorization', `Basic ${Buffer.from('a\u0000:b').toString('base64')}`],
      ['Authorization', `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString('base64')}`],
      ['Authorization', `Basic ${Buffer.from(`admin:${'x'.repeat(6000)}`).toString('base64')}`],
      ['Authorization', 'Bearer ..'],
      ['Authorization', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
      ['Authorization', `Bearer ${'x'.repeat(5000)}`],
    ] as const) {
      const response = await attack({ path: `${site.base}/posts`, headers: { [name]: value } }, faults);
      if (response.text.includes('evil.test') || String(response.headers.link).includes('evil.test'))
        faults.push(`${name} is believed`);
    }
    expectNone(faults);
  });
});

describe('bytes that are not a request', () => {
  test('get a response or a closed connection, and the next request is served', async () => {
    const host = 'Host: api.test\r\n';
    const start = (method: string, path = `${site.base}/posts`) => `${method} ${path} HTTP/1.1\r\n${host}`;
    const auth = `Authorization: ${admin['Authorization']}\r\nContent-Type: application/json\r\n`;
    const dump = await watch.dump();
    const streams: (string | Buffer)[] = [
      'garbage\r\n\r\n',
      '\0\0\0\0',
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]),
      `${start('GET')}X: \0\r\n\r\n`,
      `${start('GET', '/cms/v2/posts?x=\u0001')}\r\n`,
      Buffer.from(`${start('GET', '/cms/v2/posts/\xff')}\r\n`, 'latin1'),
      `GET ${site.base}/posts HTTP/1.1\r\n\r\n`,
      `GET ${site.base}/posts HTTP/9.9\r\n${host}\r\n`,
      `${start('GET')}${host}\r\n`,
      `${start('GET')} Folded: x\r\n\r\n`,
      `${start('GET')}${'A: b\r\n'.repeat(3000)}\r\n`,
      `${start('GET')}A: ${'b'.repeat(60_000)}\r\n\r\n`,
      `GET ${site.base}/posts?${'a'.repeat(60_000)} HTTP/1.1\r\n${host}\r\n`,
      `${start('POST')}${auth}Transfer-Encoding: chunked\r\n\r\nzz\r\n{"title":"x"}\r\n0\r\n\r\n`,
      `${start('POST')}${auth}Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n`,
      `${start('POST')}${auth}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx`,
      `${start('POST')}${auth}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n`,
      `${start('POST')}${auth}Transfer-Encoding: xchunked\r\n\r\n{}`,
      `${start('POST')}${auth}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1}`,
      `${start('POST')}${auth}Content-Length: -5\r\n\r\n{}`,
      `${start('POST')}${auth}Content-Length: 1e3\r\n\r\n{}`,
      `${start('POST')}${auth}Content-Length: 99999999999999999999\r\n\r\n{}`,
      `${start('POST')}${auth}Content-Length: 20\r\n\r\n{"title":`,
      `${start('POST')}${auth}Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n`,
      'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\n',
      `${start('GET')}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
      `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
      `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
    ];
    const faults: string[] = [];
    const responses = await Promise.all(streams.map((stream) => client.bytes(stream)));
    for (const [index, response] of responses.entries()) {
      const about = String(streams[index]).slice(0, 80);
      const statuses = [...response.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
      if (statuses.some((status) => status >= 500)) faults.push(`${about}: ${statuses}`);
      if (INSIDE.test(response)) faults.push(`${about}: ${response.slice(0, 300)}`);
      for (const body of response.split('\r\n\r\n').filter((part) => part.startsWith('{'))) {
        const { code, data } = JSON.parse(body.split('\r\n')[0]!) as { code?: string; data?: { status?: number } };
        if (code !== undefined && !statuses.includes(data?.status ?? 0)) faults.push(`${about}: ${body}`);
      }
    }
    expect((await client.send('GET', '/posts')).status).toBe(200);
    expectNone(faults);
    expect(await watch.dump()).toEqual(dump);
  });
});

describe('random input', () => {
  const key = fc.oneof(
    fc.constantFrom(
      'status',
      'include',
      'filter',
      'search',
      'order',
      'orderby',
      'page',
      'per_page',
      'slug',
      'author',
      '_fields',
      'meta',
      'title',
      'content',
      'date',
      'parent',
      'id',
      '__proto__',
      'constructor',
      'length',
    ),
    anyText({ maxLength: 8 }),
  );
  const leaf = fc.oneof(
    fc.constantFrom(...TEXTS.slice(0, 34), ...NUMBERS),
    anyText({ maxLength: 30 }),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  }));

  test('in a query causes no error of a list', async () => {
    const lists = routes.filter(
      ({ pattern, endpoints }) => !pattern.includes('(?P<') && endpoints.some(({ methods }) => methods.includes('GET')),
    );
    const property = fc.asyncProperty(
      fc.nat(),
      fc.dictionary(key, tree, { maxKeys: 5 }),
      fc.boolean(),
      async (at, parameters, known) => {
        const faults: string[] = [];
        const { path } = lists[at % lists.length]!;
        await attack({ path: path + safeQuery(parameters), headers: known ? admin : {} }, faults);
        expectNone(faults);
      },
    );
    await fc.assert(property, { numRuns: runs(600) });
  });

  test('in a body causes no error of a route', async () => {
    const writable = routes.filter(
      ({ pattern, endpoints }) =>
        endpoints.some(({ methods }) => methods.includes('POST')) && !/application-passwords|\/me$/.test(pattern),
    );
    const property = fc.asyncProperty(
      fc.nat(),
      fc.dictionary(key, tree, { maxKeys: 6 }),
      fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'),
      async (at, members, method) => {
        const faults: string[] = [];
        const { path, endpoints } = writable[at % writable.length]!;
        const names = Object.keys(endpoints.find(({ methods }) => methods.includes('POST'))!.args);
        // Half of the values under names that are looked at.
        const entries = Object.entries(members).map(
          ([name, value], index) =>
            [index % 2 === 0 && names.length > 0 ? names[(at + index) % names.length]! : name, value] as const,
        );
        const body = `{${entries.map(([name, value]) => `${text(name)}:${text(value)}`).join(',')}}`;
        await attack(
          {
            method,
            path: method === 'DELETE' ? path.replace(/\d+$/, String(UNKNOWN)) : path,
            headers: json(admin),
            body,
          },
          faults,
        );
        expectNone(faults);
      },
    );
    await fc.assert(property, { numRuns: runs(500) });
  });

  test('in the bytes of a body causes no error of a route', async () => {
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      '',
    ];
    const property = fc.asyncProperty(
      fc.constantFrom('/posts', '/media', '/comments', '/users', '/tags'),
      fc.constantFrom(...types),
      fc.uint8Array({ maxLength: 200 }),
      fc.boolean(),
      async (path, type, bytes, framed) => {
        const faults: string[] = [];
        const body =
          framed && type.startsWith('multipart')
            ? Buffer.concat([
                Buffer.from('--x\r\nContent-Disposition: form-data; name="'),
                bytes,
                Buffer.from('\r\n--x--\r\n'),
              ])
            : Buffer.from(bytes);
        await attack(
          {
            method: 'POST',
            path: site.base + path,
            headers: { ...admin, ...(type ? { 'Content-Type': type } : {}) },
            body,
          },
          faults,
        );
        expectNone(faults);
      },
    );
    await fc.assert(property, { numRuns: runs(300) });
  });
});

/** A query of anything; lone surrogates become the bytes that stand for them in no text. */
function safeQuery(parameters: Record<string, unknown>): string {
  const parts: string[] = [];
  const add = (name: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [member, each] of Object.entries(value)) add(`${name}%5B${encoded(member)}%5D`, each);
    } else parts.push(`${name}=${encoded(String(value))}`);
  };
  for (const [name, value] of Object.entries(parameters)) add(encoded(name), value);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

function encoded(value: string): string {
  return [...value].map((char) => (/^[\ud800-\udfff]$/.test(char) ? '%ED%A0%80' : encodeURIComponent(char))).join('');
}
