// Nothing hidden is revealed: not by an item, a list, a total, an order, a header, an error or a difference between
// responses.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { administrator, makeActor } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import { listPaths } from './leak-urls.js';
import { CALLERS, LeakWorld, type Visitor } from './leak-world.js';
import { questions, RandomWorld, recipes, type Question } from './random-world.js';
import { Scene } from './unseen-changes.js';
import { query, type HttpResponse, type Method } from '../support/send.js';
import { WireClient } from './wire-client.js';
import { runs } from '../support/runs.js';

let site: TestSite;
let client: WireClient;
let world: LeakWorld;

beforeAll(async () => {
  site = await startTestSite('schemas');
  client = new WireClient(site);
  world = await LeakWorld.make(site, client);
});

afterAll(async () => {
  client?.close();
  await site?.close();
});

/** Fails with the first faults and how many there are. */
function expectNone(faults: string[]): void {
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.slice(0, 25).join('\n')}`);
}

/** Everything wrong with a response, as text. */
function faultsOf(response: HttpResponse, caller: Visitor, asked: string, password?: string): string[] {
  const leaked = world.leaked(response, caller, asked, password);
  const faults = leaked.map((word) => `shows ${word}`);
  if (response.status >= 500) faults.push(`status ${response.status}`);
  return faults.map((fault) => `${caller.role} ${asked}: ${fault}`);
}

/** Ids in a list that the model does not let this caller read, and totals that say more than the list. */
function listFaults(response: HttpResponse, caller: Visitor, path: string, asked: string): string[] {
  const enveloped = Array.isArray(response.body?.body) ? response.body.body : response.body;
  if (!Array.isArray(enveloped)) return [];
  const faults: string[] = [];
  for (const { id } of enveloped as { id?: number }[]) {
    if (id !== undefined && !isReadable(caller, path, id, asked)) faults.push(`lists hidden ${id}`);
  }
  const total = Number(response.headers['x-wp-total'] ?? -1);
  if (
    total >= 0 &&
    total <= 100 &&
    !/per_page=\d\b|[?&](page|offset)=|_envelope/.test(asked) &&
    total !== enveloped.length
  ) {
    faults.push(`total ${total} for ${enveloped.length} items`);
  }
  return faults.map((fault) => `${caller.role} ${asked}: ${fault}`);
}

function isReadable(caller: Visitor, path: string, id: number, asked: string): boolean {
  const { model } = world;
  if (path === '/comments') {
    const comment = model.comments.get(id);
    if (!comment) return true;
    const post = model.contents.get(comment.post)!;
    return (
      model.mayReadComment(caller, comment) || (asked.includes(`password=${post.password}`) && post.password !== '')
    );
  }
  if (path === '/users')
    return model.mayListUser(caller, id) || (asked.includes('who=authors') && model.can(caller, 'edit_posts'));
  const item = model.contents.get(id);
  if (!item || !['/posts', '/pages', '/media'].includes(path)) return true;
  return model.mayRead(caller, item) && (!asked.includes('context=edit') || model.mayEdit(caller, item));
}

describe('lists', () => {
  test.each(CALLERS)('show no hidden item to %s for any query', async (name) => {
    const caller = world.visitors[name];
    const faults: string[] = [];
    for (const [path, paths] of Object.entries(listPaths(world))) {
      for (const parameters of paths) {
        const asked = path + query({ per_page: 100, ...parameters });
        const response = await world.get(caller, asked);
        faults.push(
          ...faultsOf(
            response,
            caller,
            asked,
            typeof parameters['password'] === 'string' ? parameters['password'] : undefined,
          ),
        );
        faults.push(...listFaults(response, caller, path, asked));
      }
    }
    expectNone(faults);
  });

  test.each(CALLERS)('have the totals that %s may count', async (name) => {
    const caller = world.visitors[name];
    const { model } = world;
    const faults: string[] = [];
    const expectTotal = async (asked: string, wanted: number) => {
      const response = await world.get(caller, asked);
      const head = await client.send('HEAD', asked, { as: caller.headers });
      for (const { headers } of [response, head]) {
        if (Number(headers['x-wp-total']) !== wanted)
          faults.push(`${asked}: ${headers['x-wp-total']} instead of ${wanted}`);
      }
    };
    for (const [path, kind] of [
      ['/posts', 'post'],
      ['/pages', 'page'],
      ['/media', 'attachment'],
    ] as const) {
      const readable = [...model.contents.values()].filter((item) => item.kind === kind && model.mayRead(caller, item));
      const shown = readable.filter(
        ({ status }) => status === 'publish' || (kind === 'attachment' && status === 'inherit'),
      );
      await expectTotal(path, shown.length);
      const edits = model.can(caller, kind === 'page' ? 'edit_pages' : 'edit_posts');
      if (!edits) continue;
      for (const status of ['draft', 'pending', 'private', 'future', 'trash']) {
        await expectTotal(`${path}?status=${status}`, readable.filter((item) => item.status === status).length);
      }
      const editable = shown.filter((item) => model.mayEdit(caller, item));
      await expectTotal(`${path}?context=edit`, editable.length);
    }
    const comments = [...model.comments.values()].filter(
      (comment) => model.contents.get(comment.post)!.status !== 'trash',
    );
    const readable = comments.filter((comment) => model.mayReadComment(caller, comment));
    await expectTotal('/comments', readable.filter(({ status }) => status === 'approved').length);
    if (model.can(caller, 'edit_posts')) {
      for (const status of ['hold', 'spam', 'trash']) {
        await expectTotal(`/comments?status=${status}`, readable.filter((comment) => comment.status === status).length);
      }
    }
    expectNone(faults);
  });

  test('count for each term the published posts, for every caller', async () => {
    const faults: string[] = [];
    for (const name of CALLERS) {
      const response = await world.get(world.visitors[name], '/tags?per_page=100&_fields=id,count');
      for (const { id, count } of response.body as { id: number; count: number }[]) {
        const item = world.planted.find(({ tag }) => tag === id)!;
        if (count !== (item.status === 'publish' ? 1 : 0))
          faults.push(`${name}: tag of a ${item.status} post has ${count}`);
      }
      const category = await world.get(world.visitors[name], `/categories/${world.category}`);
      const published = world.planted.filter(({ kind, status }) => kind === 'post' && status === 'publish').length;
      if (category.body.count !== published) faults.push(`${name}: category has ${category.body.count}`);
    }
    expectNone(faults);
  });
});

describe('items', () => {
  test.each(CALLERS)('are returned to %s according to the model', async (name) => {
    const caller = world.visitors[name];
    const faults: string[] = [];
    for (const item of [...world.planted, ...world.media]) {
      const readable = world.model.mayRead(caller, item);
      const editable = world.model.mayEdit(caller, item);
      const variants: [string, boolean, string?][] = [
        ['', readable],
        ['?context=embed&_embed', readable],
        ['?context=edit', editable],
        ['?_envelope', readable],
        ['?_fields=id,password,content.raw,title.raw,status,meta', readable],
      ];
      if (item.password) {
        variants.push([`?password=${item.password}`, readable, item.password]);
        variants.push(
          ['?password=wrong', false],
          ['?password[]=wrong', false],
          [`?password[]=${item.password}`, false],
        );
        variants.push([`?password[a]=${item.password}`, false], [`?password[$ne]=x`, false]);
      }
      for (const [variant, wanted, password] of variants) {
        const asked = item.path + variant;
        const response = await world.get(caller, asked);
        faults.push(...faultsOf(response, caller, asked, password));
        const status = response.body?.status && variant === '?_envelope' ? response.body.status : response.status;
        if (wanted !== (status === 200)) faults.push(`${name} ${asked} (${item.status}): ${status}`);
      }
    }
    expectNone(faults);
  });

  test.each(CALLERS)('of comments are returned to %s according to the model', async (name) => {
    const caller = world.visitors[name];
    const faults: string[] = [];
    for (const { id, post } of world.comments) {
      const item = world.model.contents.get(post)!;
      if (item.status === 'trash') continue;
      const comment = world.model.comments.get(id)!;
      const readable = world.model.mayReadComment(caller, comment);
      const variants: [string, boolean, string?][] = [
        ['', readable],
        ['?context=embed&_embed', readable],
        ['?context=edit', readable && world.model.can(caller, 'moderate_comments')],
        ['?_fields=author_email,author_ip,author_user_agent,content.raw', readable],
        ['?password=wrong', readable],
        ['?password[]=wrong', false],
      ];
      if (item.password) {
        const opens = readable || (comment.status === 'approved' && world.model.mayRead(caller, item));
        variants.push([`?password=${item.password}`, opens, item.password]);
        variants.push([
          `?password=${item.password}&context=edit`,
          readable && world.model.can(caller, 'moderate_comments'),
          item.password,
        ]);
      }
      for (const [variant, wanted, password] of variants) {
        const asked = `/comments/${id}${variant}`;
        const response = await world.get(caller, asked);
        faults.push(...faultsOf(response, caller, asked, password));
        if (wanted !== (response.status === 200))
          faults.push(`${name} ${asked} (${comment.status} on ${item.status}): ${response.status}`);
      }
    }
    expectNone(faults);
  });

  test.each(CALLERS)('of users are returned to %s according to the model', async (name) => {
    const caller = world.visitors[name];
    const faults: string[] = [];
    const ids = [...Object.values(world.users), ...Object.values(world.visitors)]
      .map(({ id }) => id)
      .filter((id) => id > 0);
    for (const id of ids) {
      const readable = world.model.mayReadUser(caller, id);
      const full = caller.id === id || world.model.can(caller, 'list_users');
      for (const [variant, wanted] of [
        ['', readable],
        ['?context=edit', full],
        ['?context=embed', readable],
        ['?_fields=id,email,username,roles,capabilities,registered_date,first_name', readable],
      ] as const) {
        const asked = `/users/${id}${variant}`;
        const response = await world.get(caller, asked);
        faults.push(...faultsOf(response, caller, asked));
        if (wanted !== (response.status === 200)) faults.push(`${name} ${asked}: ${response.status}`);
        const emails = response.text.match(/[\w.]+@[\w.]+/g) ?? [];
        if (emails.length > 0 && !(full && variant === '?context=edit'))
          faults.push(`${name} ${asked}: shows ${emails}`);
      }
    }
    expectNone(faults);
  });
});

describe('nested items', () => {
  const refused = [400, 401, 403, 404];

  test.each(CALLERS)('are shown to %s only below their own parent, if the caller may edit it', async (name) => {
    const caller = world.visitors[name];
    const faults: string[] = [];
    const rich = world.planted.filter(({ revisions }) => revisions.length > 0);
    const open = world.planted.filter(({ status, password }) => status === 'publish' && !password);
    const ask = async (asked: string, wanted: boolean) => {
      const response = await world.get(caller, asked);
      faults.push(...faultsOf(response, caller, asked));
      if (wanted !== (response.status === 200)) faults.push(`${name} ${asked}: ${response.status}`);
      if (!wanted && !refused.includes(response.status)) faults.push(`${name} ${asked}: ${response.status}`);
      const total = response.headers['x-wp-total'];
      if (total !== undefined && Number(total) !== response.body.length)
        faults.push(`${name} ${asked}: total ${total}`);
    };
    for (const item of rich) {
      const may = world.model.mayEdit(caller, item);
      const [revision] = item.revisions;
      await ask(`${item.path}/revisions`, may);
      await ask(`${item.path}/revisions?context=edit`, may);
      await ask(`${item.path}/revisions/${revision}`, may);
      await ask(`${item.path}/revisions/${revision}?diff=true`, may);
      await ask(`${item.path}/revisions?_fields=title,content,parent`, may);
      // Not as anything else, and not as a child of anything else.
      for (const wrong of ['/posts', '/pages', '/media']) await ask(`${wrong}/${revision}`, false);
      for (const other of [...open, ...rich.slice(0, 2)].filter(({ id }) => id !== item.id)) {
        await ask(`${other.path}/revisions/${revision}`, false);
      }
      if (item.kind !== 'post') continue;
      await ask(`${item.path}/meta`, may);
      await ask(`${item.path}/meta/${item.meta[0]}`, may);
      await ask(`${item.path}/meta/${item.protectedMeta}`, false);
      for (const other of open.filter(({ kind, id }) => kind === 'post' && id !== item.id)) {
        await ask(`${other.path}/meta/${item.meta[0]}`, false);
        await ask(`${other.path}/meta/${item.protectedMeta}`, false);
      }
      await ask(`/pages/${item.id}/revisions/${revision}`, false);
      await ask(`/pages/${item.id}`, false);
      await ask(`/media/${item.id}`, false);
    }
    expectNone(faults);
  });

  test('below a hidden parent cannot be told from missing ones by callers without the right', async () => {
    const faults: string[] = [];
    const { anonymous, subscriber } = world.visitors;
    const item = world.planted.find(
      ({ kind, status, revisions }) => kind === 'post' && status === 'publish' && revisions.length > 0,
    )!;
    const other = world.planted.find(
      ({ kind, status, revisions }) => kind === 'post' && status === 'draft' && revisions.length > 0,
    )!;
    for (const caller of [anonymous, subscriber]) {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        for (const [path, ids] of [
          [`${item.path}/meta`, [item.meta[0], item.protectedMeta, other.meta[0]]],
          [`${item.path}/revisions`, [item.revisions[0], other.revisions[0]]],
        ] as const) {
          // Nothing to write there but to restore.
          const action = method === 'POST' && path.endsWith('revisions') ? '/restore' : '';
          const send = (id: number) => client.send(method, `${path}/${id}${action}?force=true`, { as: caller.headers });
          const nothing = await send(999_999);
          for (const id of ids) {
            const response = await send(id!);
            const difference = differenceOf(response, nothing, [[String(id), '999999']]);
            if (difference) faults.push(`${caller.role} ${method} ${path}/${id}: ${difference}`);
          }
        }
      }
    }
    expectNone(faults);
  });
});

/** Where two responses begin to differ, ignoring the requested values; undefined when they are indistinguishable. */
function differenceOf(left: HttpResponse, right: HttpResponse, values: [string, string][] = []): string | undefined {
  const plain = (response: HttpResponse, at: 0 | 1) => {
    const {
      date: _date,
      'x-request-id': _id,
      connection: _open,
      'keep-alive': _kept,
      link,
      ...headers
    } = response.headers;
    const rels = String(link ?? '').match(/rel="[^"]*"/g);
    let text = response.text;
    for (const pair of values.filter(([value]) => value.length > 2)) text = text.replaceAll(pair[at], '#');
    return JSON.stringify([response.status, rels, text, headers]);
  };
  const [a, b] = [plain(left, 0), plain(right, 1)];
  if (a === b) return undefined;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return `${around(a)} <> ${around(b)}`;
}

describe('hidden and missing items', () => {
  // [path, parameters with the hidden value, with a value that names nothing]
  type Twin = [path: string, hidden: Record<string, unknown>, nothing: Record<string, unknown>];

  function twins(): Twin[] {
    const draft = world.planted.find(
      ({ kind, status, id }) => kind === 'post' && status === 'draft' && id !== world.planted[0]!.id,
    )!;
    const secret = world.planted.find(({ kind, status }) => kind === 'post' && status === 'private')!;
    const page = world.planted.find(({ kind, status }) => kind === 'page' && status === 'pending')!;
    const file = world.media.find(({ status, parent }) => status === 'private' && parent === 0)!;
    const locked = world.planted.find(({ password }) => password !== '')!;
    const held = world.comments.find(
      ({ status, post }) => status === 'hold' && world.model.contents.get(post)!.status === 'publish',
    )!;
    const ghost = world.users['ghost']!;
    const lurker = world.users['lurker']!;
    const none = 987_654;
    const each = (paths: string[], name: string, value: unknown, nothing: unknown): Twin[] =>
      paths.map((path) => [path, { [name]: value }, { [name]: nothing }]);
    const filter = (name: string, value: unknown, nothing: unknown): Twin => [
      '/posts',
      { filter: { [name]: value } },
      { filter: { [name]: nothing } },
    ];
    return [
      ...each(['/posts'], 'include', draft.id, none),
      ...each(['/posts'], 'exclude', secret.id, none),
      ...each(['/pages'], 'include', page.id, none),
      ...each(['/pages'], 'exclude', page.id, none),
      ...each(['/media'], 'include', file.id, none),
      ...each(['/media'], 'parent', draft.id, none),
      ...each(['/media'], 'parent_exclude', draft.id, none),
      ...each(['/pages'], 'parent', page.id, none),
      ...each(['/posts', '/pages', '/media'], 'author', ghost.id, none),
      ...each(['/posts', '/pages', '/media'], 'author_exclude', ghost.id, none),
      ...each(['/posts'], 'slug', draft.slug, 'nothing-here'),
      ...each(['/media'], 'slug', file.slug, 'nothing-here'),
      ...each(['/posts', '/media', '/pages'], 'search', secret.title, 'nothinghereatall'),
      ...each(['/posts', '/pages'], 'search', locked.text, 'nothinghereatall'),
      ...each(['/posts'], 'search', `-${locked.text}`, '-nothinghereatall'),
      ...each(['/media'], 'search', file.title, 'nothinghereatall'),
      ...each(['/tags'], 'slug', 'tag-0', 'tag-00'),
      filter('p', draft.id, none),
      filter('name', draft.slug, 'nothing-here'),
      filter('title', draft.title, 'nothing here'),
      filter('author_name', ghost.slug, 'nothing-here'),
      filter('author', ghost.id, none),
      filter('author__not_in', ghost.id, none),
      filter('s', locked.text, 'nothinghereatall'),
      filter('post_status', 'private', 'nothing'),
      filter('perm', 'editable', 'nothing'),
      ['/comments', { include: held.id }, { include: none }],
      ['/comments', { exclude: held.id }, { exclude: none }],
      ['/comments', { parent: held.id }, { parent: none }],
      ['/comments', { parent_exclude: held.id }, { parent_exclude: none }],
      ['/comments', { search: held.word }, { search: 'nothinghereatall' }],
      ['/comments', { search: held.email }, { search: 'nothing@here.test' }],
      ['/comments', { search: world.comments[0]!.email }, { search: 'nothing@here.test' }],
      ['/comments', { search: '203.0.113.1' }, { search: '198.51.100.1' }],
      ['/comments', { author_email: world.comments[0]!.email }, { author_email: 'nothing@here.test' }],
      ['/comments', { author: ghost.id }, { author: none }],
      ['/users', { include: ghost.id }, { include: none }],
      ['/users', { exclude: ghost.id }, { exclude: none }],
      ['/users', { slug: ghost.slug }, { slug: 'nothing-here' }],
      ['/users', { search: lurker.username }, { search: 'nothinghereatall' }],
      ['/users', { search: lurker.email }, { search: 'nothing@here.test' }],
      ['/users', { search: ghost.word }, { search: 'nothinghereatall' }],
      ['/users', { search: String(ghost.id) }, { search: String(none) }],
      ['/users', { roles: 'author' }, { roles: 'nothing' }],
    ];
  }

  test.each(['anonymous', 'subscriber'] as const)('give the same responses to %s in every list', async (name) => {
    const caller = world.visitors[name];
    const faults: string[] = [];
    for (const [path, hidden, nothing] of twins()) {
      const values = (parameters: Record<string, unknown>) =>
        Object.values(parameters).map((value) => String(typeof value === 'object' ? Object.values(value!)[0] : value));
      const pairs = values(hidden).map((value, index): [string, string] => [value, values(nothing)[index]!]);
      const difference = differenceOf(
        await world.get(caller, path + query({ per_page: 1, ...hidden })),
        await world.get(caller, path + query({ per_page: 1, ...nothing })),
        pairs,
      );
      if (difference) faults.push(`${name} ${path} ${JSON.stringify(hidden)}: ${difference}`);
    }
    expectNone(faults);
  });

  test('give the same responses to a caller who may not write', async () => {
    const { anonymous, subscriber } = world.visitors;
    const draft = world.planted.find(({ kind, status }) => kind === 'post' && status === 'draft')!;
    const ghost = world.users['ghost']!;
    const faults: string[] = [];
    const pairs: [Method, string, unknown, unknown][] = [
      ['POST', '/posts', { title: 'x', featured_media: world.media[0]!.id }, { title: 'x', featured_media: 987_654 }],
      ['POST', '/posts', { title: 'x', author: ghost.id }, { title: 'x', author: 987_654 }],
      ['POST', '/pages', { title: 'x', parent: draft.id }, { title: 'x', parent: 987_654 }],
      ['POST', '/media', { post: draft.id }, { post: 987_654 }],
      ['POST', '/categories', { name: 'x', parent: world.category }, { name: 'x', parent: 987_654 }],
      ['POST', '/categories', { name: 'Shared' }, { name: 'Not shared' }],
      [
        'POST',
        '/users',
        { username: ghost.username, email: 'new@leak.test', password: 'long enough for it' },
        { username: 'nobodyyet', email: 'new@leak.test', password: 'long enough for it' },
      ],
      [
        'POST',
        '/users',
        { username: 'newcomer', email: ghost.email, password: 'long enough for it' },
        { username: 'newcomer', email: 'new@leak.test', password: 'long enough for it' },
      ],
    ];
    for (const caller of [anonymous, subscriber]) {
      for (const [method, path, hidden, nothing] of pairs) {
        const difference = differenceOf(
          await world.as(caller, method, path, hidden),
          await world.as(caller, method, path, nothing),
        );
        if (difference) faults.push(`${caller.role} ${method} ${path} ${JSON.stringify(hidden)}: ${difference}`);
      }
    }
    expectNone(faults);
  });

  test('of accounts give the same response to a login', async () => {
    const ghost = world.users['ghost']!;
    const attempt = (username: string) =>
      client.send('GET', '/posts', {
        headers: { Authorization: `Basic ${Buffer.from(`${username}:wrong`).toString('base64')}` },
      });
    const known = await attempt(ghost.username);
    const mail = await attempt(ghost.email);
    const unknown = await attempt('nobody-of-that-name');
    expect(known.status).toBe(401);
    expect(differenceOf(known, unknown)).toBeUndefined();
    expect(differenceOf(mail, unknown)).toBeUndefined();
    const token = (username: string) => client.send('POST', '//auth/token', { body: { username, password: 'wrong' } });
    expect(differenceOf(await token(ghost.username), await token('nobody-of-that-name'))).toBeUndefined();
  });
});

describe('metadata of responses', () => {
  test('in OPTIONS, HEAD and the indexes does not reveal hidden items', async () => {
    const faults: string[] = [];
    for (const name of CALLERS) {
      const caller = world.visitors[name];
      const hidden = [...world.planted, ...world.media].filter((item) => !world.model.mayRead(caller, item));
      for (const item of hidden) {
        for (const method of ['OPTIONS', 'HEAD'] as const) {
          const response = await client.send(method, item.path, { as: caller.headers });
          faults.push(...faultsOf(response, caller, `${method} ${item.path}`));
          if (method === 'HEAD' && response.status < 400) faults.push(`${name} HEAD ${item.path}: ${response.status}`);
          const allow = response.headers.allow ?? '';
          if (/GET|POST|DELETE/.test(allow)) faults.push(`${name} ${method} ${item.path}: Allow ${allow}`);
        }
      }
      for (const path of ['/', site.base, '/docs-json', '/metrics', `${site.base}/`]) {
        const response = await client.send('GET', `/${path}`, { as: caller.headers });
        faults.push(...faultsOf(response, caller, path));
      }
    }
    expectNone(faults);
  });

  test('in the ETag of one caller gives nothing to another', async () => {
    const faults: string[] = [];
    const { anonymous, editor, subscriber } = world.visitors;
    for (const item of [...world.planted, ...world.media]
      .filter((each) => !world.model.mayRead(anonymous, each))
      .slice(0, 40)) {
      const seen = await world.get(editor, item.path);
      for (const tag of [String(seen.headers.etag), '*', `W/${String(seen.headers.etag)}`]) {
        for (const caller of [anonymous, subscriber]) {
          const response = await world.get(caller, item.path, { 'If-None-Match': tag });
          if (response.status === 304 || response.status === 200)
            faults.push(`${caller.role} ${item.path} ${tag}: ${response.status}`);
          const change = await client.send('POST', item.path, {
            as: caller.headers,
            headers: { 'If-Match': tag },
            body: { title: 'x' },
          });
          if (![401, 403].includes(change.status))
            faults.push(`${caller.role} If-Match ${item.path} ${tag}: ${change.status}`);
        }
      }
    }
    const locked = world.planted.find(({ password }) => password !== '')!;
    const opened = await world.get(anonymous, `${locked.path}?password=${locked.password}`);
    const closed = await world.get(anonymous, locked.path, { 'If-None-Match': String(opened.headers.etag) });
    expect(closed.status).toBe(200);
    expect(opened.headers['cache-control']).toMatch(/no-store/);
    const comments = await world.get(anonymous, `/comments?post=${locked.id}&password=${locked.password}`);
    expect(comments.headers['cache-control']).toMatch(/no-store/);
    const list = await world.get(editor, '/posts?status=private');
    const other = await world.get(anonymous, '/posts', { 'If-None-Match': String(list.headers.etag) });
    expect(other.status).toBe(200);
    expectNone(faults);
  });

  test('with an idempotency key gives nobody the response of another caller', async () => {
    const { author, contributor } = world.visitors;
    const key = { 'Idempotency-Key': 'shared-key' };
    const body = { title: 'Twice', content: 'Same' };
    const first = await client.send('POST', '/posts', { as: author.headers, headers: key, body });
    const second = await client.send('POST', '/posts', { as: contributor.headers, headers: key, body });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).not.toBe(first.body.id);
    for (const { body: made } of [first, second]) await world.asAdmin('DELETE', `/posts/${made.id}?force=true`);
  });

  test('of refused changes does not reveal their result', async () => {
    const faults: string[] = [];
    for (const name of ['anonymous', 'subscriber', 'contributor', 'author'] as const) {
      const caller = world.visitors[name];
      const others = [...world.planted, ...world.media].filter((item) => !world.model.mayEdit(caller, item));
      for (const item of others) {
        for (const [method, path] of [
          ['POST', item.path],
          ['PUT', `${item.path}?context=edit`],
          ['DELETE', item.path],
          ['DELETE', `${item.path}?force=true`],
        ] as const) {
          const response = await world.as(caller, method, path, method === 'DELETE' ? {} : { title: 'x' });
          faults.push(...faultsOf(response, caller, `${method} ${path}`));
          if (![401, 403].includes(response.status)) faults.push(`${name} ${method} ${path}: ${response.status}`);
        }
      }
    }
    expectNone(faults);
  });

  test('in links contains no hidden slug', async () => {
    const child = world.planted.find(
      ({ kind, status, parent }) => kind === 'page' && status === 'publish' && parent !== 0,
    )!;
    const response = await world.get(world.visitors.anonymous, child.path);
    expect(response.status).toBe(200);
    expect(world.leaked(response, world.visitors.anonymous, child.path)).toEqual([]);
  });
});

describe('random sites', () => {
  test('have lists with exactly the items and totals of the model', async () => {
    const property = fc.asyncProperty(recipes, questions, async (recipe, asked) => {
      const random = await startTestSite('schemas');
      const wire = new WireClient(random);
      try {
        const people = await makePeople(random);
        const categories = [1, ...(await makeCategories(wire, people))];
        const made = await RandomWorld.make(random, people.slice(1), categories, recipe);
        for (const question of asked) for (const caller of people) await expectResponseed(wire, made, question, caller);
      } finally {
        wire.close();
        await random.close();
      }
    });
    await fc.assert(property, { numRuns: runs(5), endOnFailure: true });
  });

  test('have responses to anonymous callers that hidden changes do not affect', async () => {
    const quiet = await startTestSite('schemas');
    const wire = new WireClient(quiet);
    try {
      const scene = await Scene.make(quiet, wire);
      const property = fc.asyncProperty(
        fc.array(fc.nat({ max: 999 }), { minLength: 2, maxLength: 5 }),
        async (choices) => {
          const before = await scene.look();
          const done: string[] = [];
          for (const choice of choices) done.push(await scene.stir(choice));
          const after = await scene.look();
          for (const [asked, response] of after) {
            const difference = differenceOf(response, before.get(asked)!);
            if (difference) throw new Error(`${done.join(', ')} changed ${asked}: ${difference}`);
          }
        },
      );
      await fc.assert(property, { numRuns: runs(12), endOnFailure: true });
    } finally {
      wire.close();
      await quiet.close();
    }
  });
});

async function makePeople(random: TestSite): Promise<Visitor[]> {
  const admin = administrator(random);
  const people: Visitor[] = [
    { id: 0, role: 'anonymous', headers: {} },
    { id: admin.id, role: 'administrator', headers: admin.headers },
  ];
  for (const role of ['subscriber', 'contributor', 'author', 'editor'] as const) {
    const { id, headers } = await makeActor(random, role);
    people.push({ id, role, headers });
  }
  return people;
}

async function makeCategories(wire: WireClient, people: Visitor[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of ['One', 'Two']) {
    ids.push((await wire.send('POST', '/categories', { as: people[1]!.headers, body: { name } })).body.id);
  }
  return ids;
}

async function expectResponseed(wire: WireClient, made: RandomWorld, question: Question, caller: Visitor) {
  const wanted = made.expected(question, caller);
  const parameters = made.asked(question);
  const found: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const asked = question.path + query({ ...parameters, per_page: 3, page });
    const about = `${caller.role} ${caller.id} ${asked}`;
    const { status, body, headers, text } = await wire.send('GET', asked, { as: caller.headers });
    if (!wanted) {
      if (status < 400 || status >= 500) throw new Error(`${about}: ${status} instead of a refusal`);
      return;
    }
    if (status !== 200) throw new Error(`${about}: ${status} ${text}`);
    const total = Number(headers['x-wp-total']);
    if (total !== wanted.size)
      throw new Error(`${about}: total ${total} instead of ${wanted.size} (${[...wanted]}): ${text}`);
    pages = Number(headers['x-wp-totalpages']);
    if (pages !== Math.ceil(total / 3)) throw new Error(`${about}: ${pages} pages of ${total}`);
    for (const item of body as { id: number; count?: number }[]) {
      found.push(item.id);
      if (question.path === '/categories' && item.count !== made.count(item.id))
        throw new Error(`${about}: count ${item.count}`);
    }
  }
  const same = found.length === wanted!.size && found.every((id) => wanted!.has(id));
  if (!same)
    throw new Error(`${caller.role} ${question.path}${query(parameters)}: ${found} instead of ${[...wanted!]}`);
}
