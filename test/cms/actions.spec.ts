// What a caller may do and who he is: action links, protected input, filtering on save, tokens, credentials, limits, CORS, headers, logs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMINISTRATOR, startTestSite, PUBLIC_URL, type TestSite } from '../support/start-test-site.js';
import type { HttpResponse, Method } from '../support/send.js';
import { administrator, basic, makeActor, makeActors, type Headers, type TestActor } from '../support/actors.js';
import { bootLoggingSite, type LoggingSite } from './logging-site.js';

let site: TestSite;
let actors: Record<string, TestActor>;
let count = 0;

const text = () => `Words number ${++count}`;

/** Texts are forms. */
function send(
  headers: Headers,
  method: Method,
  path: string,
  body?: object | string,
  at: Pick<TestSite, 'send'> = site,
): Promise<HttpResponse> {
  const form: Headers = typeof body === 'string' ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {};
  return at.send(method, path, { headers: { ...form, ...headers }, body });
}

/** As a named actor. */
const as = (name: string, method: Method, path: string, body?: object | string): Promise<HttpResponse> =>
  send(name === 'anonymous' ? {} : actors[name]!.headers, method, path, body);

/** As a named actor; throws unless it succeeds. */
async function must(name: string, method: Method, path: string, body?: object): Promise<HttpResponse> {
  const response = await as(name, method, path, body);
  if (response.status >= 300) throw new Error(`${method} ${path} as ${name}: ${response.status} ${response.text}`);
  return response;
}

const refusal = ({ status, body }: HttpResponse) => `${status} ${body?.code}`;

async function makePost(owner: string, values: object = {}): Promise<number> {
  const body = { title: text(), content: text(), author: actors[owner]!.id, status: 'publish', ...values };
  return (await must('administrator', 'POST', '/posts', body)).body.id;
}

async function makeMedia(owner: string, query = ''): Promise<number> {
  const created = await site.send('POST', `/media?author=${actors[owner]!.id}${query}`, {
    as: actors['administrator']!.headers,
    file: { name: 'note.txt', type: 'text/plain', content: 'A small text.' },
  });
  if (created.status !== 201) throw new Error(created.text);
  return created.body.id;
}

async function makeUser(roles: string[] = ['subscriber']): Promise<TestActor> {
  const username = `person${++count}`;
  const password = 'a password of its own';
  const body = { username, password, email: `${username}@example.org`, roles };
  const { id } = (await must('administrator', 'POST', '/users', body)).body;
  return { id, username, password, headers: basic(username, password) };
}

beforeAll(async () => {
  site = await startTestSite('schemas');
  actors = {
    administrator: administrator(site),
    ...(await makeActors(site, 'editor', 'author', 'contributor', 'subscriber')),
  };
});
afterAll(() => site?.close());

describe('action links', () => {
  const actionsOf = (item: { _links: object }) =>
    Object.keys(item._links)
      .filter((rel) => rel.startsWith('wp:action-'))
      .map((rel) => rel.slice('wp:action-'.length))
      .sort();

  const ASSIGN = ['assign-categories', 'assign-tags', 'create-tags'];
  const EVERYTHING = [...ASSIGN, 'assign-author', 'create-categories', 'publish', 'sticky', 'unfiltered-html'].sort();

  test.each([
    ['administrator', EVERYTHING],
    ['editor', EVERYTHING],
    ['author', [...ASSIGN, 'publish'].sort()],
    ['contributor', ASSIGN],
  ])('own post: %s', async (name, wanted) => {
    const id = await makePost(name, { status: 'draft' });
    const { body } = await must(name, 'GET', `/posts/${id}?context=edit`);
    expect(actionsOf(body)).toEqual(wanted);
    for (const action of wanted)
      expect(body._links[`wp:action-${action}`]).toEqual([{ href: body._links.self[0].href }]);
    expect(body._links.self[0].href).toBe(`${PUBLIC_URL}/cms/v2/posts/${id}`);
    const list = await must(name, 'GET', `/posts?context=edit&status=draft&include=${id}`);
    expect(actionsOf(list.body[0])).toEqual(wanted);
    const updated = await must(name, 'POST', `/posts/${id}`, { title: text() });
    expect(actionsOf(updated.body)).toEqual(wanted);
    const view = await must(name, 'GET', `/posts/${id}`);
    expect(actionsOf(view.body)).toEqual([]);
  });

  test.each(['administrator', 'editor'])('page: %s', async (name) => {
    const page = await must(name, 'POST', '/pages', { title: text() });
    expect(actionsOf(page.body)).toEqual(['assign-author', 'publish', 'unfiltered-html']);
  });

  test.each([
    ['administrator', ['assign-author', 'unfiltered-html']],
    ['editor', ['assign-author', 'unfiltered-html']],
    ['author', []],
    ['contributor', []],
  ])('own media: %s', async (name, wanted) => {
    const { body } = await must(name, 'GET', `/media/${await makeMedia(name)}?context=edit`);
    expect(actionsOf(body)).toEqual(wanted);
  });

  test('are accompanied by the CURIE of wp:', async () => {
    const { body } = await must('author', 'GET', `/posts/${await makePost('author')}?context=edit`);
    expect(body._links.curies).toEqual([{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }]);
  });

  test.each(['administrator', 'editor', 'author', 'contributor', 'subscriber', 'anonymous'])(
    'have targetHints of self with the methods of Allow: %s',
    async (name) => {
      const post = await makePost('author');
      const tag = (await must('editor', 'POST', '/tags', { name: text() })).body.id;
      const remark = await must('administrator', 'POST', '/comments', { post, content: text() });
      for (const path of [
        `/posts/${post}`,
        `/tags/${tag}`,
        `/comments/${remark.body.id}`,
        `/users/${actors['author']!.id}`,
      ]) {
        const { body, headers } = await as(name, 'GET', path);
        expect({ path, allow: body._links.self[0].targetHints.allow }).toEqual({
          path,
          allow: headers['allow']!.split(', '),
        });
      }
    },
  );
});

describe('protected input', () => {
  test.each<[string, () => Promise<string>, object]>([
    [
      'post',
      async () => `/posts/${await makePost('author')}`,
      {
        guid: 'x',
        link: 'http://evil.test/',
        modified: '2001-01-01T00:00:00',
        modified_gmt: '2001-01-01T00:00:00',
        type: 'page',
        nonsense: 1,
      },
    ],
    [
      'page',
      async () => `/pages/${(await must('editor', 'POST', '/pages', { title: text(), status: 'publish' })).body.id}`,
      { guid: { raw: 'x' }, link: 'x', type: 'post', permalink_template: 'x', generated_slug: 'x' },
    ],
    [
      'media',
      async () => `/media/${await makeMedia('author')}`,
      {
        mime_type: 'text/html',
        media_type: 'image',
        media_details: { file: '../../etc/passwd' },
        source_url: 'x',
        guid: 'x',
        file: 'x',
      },
    ],
    [
      'comment',
      async () =>
        `/comments/${(await must('administrator', 'POST', '/comments', { post: await makePost('author'), content: text() })).body.id}`,
      { link: 'x', author_avatar_urls: { 24: 'x' }, fingerprint: 'x', received_from: 'x' },
    ],
    [
      'user',
      async () => `/users/${(await makeUser()).id}`,
      {
        link: 'x',
        registered_date: '2001-01-01T00:00:00',
        capabilities: { administrator: true },
        extra_capabilities: { edit_posts: true },
        avatar_urls: { 24: 'x' },
      },
    ],
    [
      'tag',
      async () => `/tags/${(await must('editor', 'POST', '/tags', { name: text() })).body.id}`,
      { count: 77, link: 'x', taxonomy: 'category', term_group: 5 },
    ],
  ])('read-only and unknown fields of a %s change nothing', async (_name, make, values) => {
    const path = await make();
    const before = (await must('administrator', 'GET', `${path}?context=edit`)).body;
    const response = await must('administrator', 'POST', path, { ...values, id: 4711, __proto: 1 });
    const after = (await must('administrator', 'GET', `${path}?context=edit`)).body;
    // A save is a save: it may set the time of the last change.
    for (const item of [before, after, response.body])
      for (const name of ['modified', 'modified_gmt', '_links']) delete item[name];
    expect(after).toEqual(before);
    expect(response.body).toEqual(before);
  });

  test('does not include the modification date', async () => {
    const id = await makePost('author');
    const { body } = await must('administrator', 'POST', `/posts/${id}`, { modified: '2001-01-01T00:00:00' });
    expect(body.modified).not.toMatch(/^2001/);
  });

  test.each([
    ['JSON', { body: { roles: ['administrator'] } }],
    ['JSON, one', { body: { roles: 'administrator' } }],
    ['query', { query: '?roles=administrator' }],
    ['query, indexed', { query: '?roles[0]=administrator' }],
    ['form', { body: 'roles[]=administrator' }],
    ['with other fields', { body: { roles: ['administrator'], name: 'Somebody' } }],
    ['as PUT', { method: 'PUT' as const, body: { roles: ['administrator'] } }],
    ['as PATCH', { method: 'PATCH' as const, body: { roles: ['administrator'] } }],
    ['beside the present one', { body: { roles: ['subscriber', 'administrator'] } }],
  ])(
    'does not let a caller promote himself: %s',
    async (
      _name,
      { method = 'POST', query = '', body }: { method?: Method; query?: string; body?: object | string },
    ) => {
      for (const path of [`/users/${actors['subscriber']!.id}`, '/users/me']) {
        expect(refusal(await as('subscriber', method, path + query, body ?? {}))).toBe('403 rest_cannot_edit_roles');
      }
      const me = await must('subscriber', 'GET', '/users/me?context=edit');
      expect(me.body.roles).toEqual(['subscriber']);
    },
  );

  test.each([['capabilities'], ['extra_capabilities']])('does not let callers grant themselves %s', async (field) => {
    const person = await makeUser();
    const response = await send(person.headers, 'POST', '/users/me', {
      [field]: { administrator: true, edit_posts: true },
    });
    expect(response.status).toBe(200);
    const { body } = await send(person.headers, 'GET', '/users/me?context=edit');
    expect(body.capabilities).not.toHaveProperty('edit_posts');
    expect(body.extra_capabilities).toEqual({ subscriber: true });
    expect(refusal(await send(person.headers, 'POST', '/posts', { title: 'x' }))).toBe('403 rest_cannot_create');
  });

  test('does not let an editor create or promote accounts', async () => {
    const body = {
      username: 'crony',
      email: 'crony@example.org',
      password: 'a password of its own',
      roles: ['administrator'],
    };
    expect(refusal(await as('editor', 'POST', '/users', body))).toBe('403 rest_cannot_create_user');
    const { id } = await makeUser();
    expect(refusal(await as('editor', 'POST', `/users/${id}`, { roles: ['administrator'] }))).toBe(
      '403 rest_cannot_edit_roles',
    );
  });

  test('does not let the only administrator be demoted or deleted', async () => {
    const { id } = actors['administrator']!;
    expect(refusal(await as('administrator', 'POST', `/users/${id}`, { roles: ['editor'] }))).toBe(
      '403 rest_user_invalid_role',
    );
    expect(refusal(await as('administrator', 'POST', '/users/me', { roles: [] }))).not.toMatch(/^5/);
    expect((await must('administrator', 'GET', '/users/me?context=edit')).body.roles).toEqual(['administrator']);
    expect(refusal(await as('administrator', 'DELETE', `/users/${id}?force=true&reassign=false`))).toBe(
      '403 rest_user_cannot_delete',
    );
  });

  test.each([
    ['form', 'title=x&author='],
    ['query', '?author='],
  ])('does not include another author by %s', async (door, start) => {
    const id = actors['editor']!.id;
    const response =
      door === 'query'
        ? await as('author', 'POST', `/posts${start}${id}`, { title: 'x' })
        : await as('author', 'POST', '/posts', start + id);
    expect(refusal(response)).toBe('403 rest_cannot_edit_others');
  });

  test('does not include the id: the path determines the item', async () => {
    const [own, foreign] = [await makePost('author'), await makePost('editor')];
    const before = (await must('editor', 'GET', `/posts/${foreign}?context=edit`)).body.title.raw;
    const { body } = await must('author', 'POST', `/posts/${own}?id=${foreign}`, { id: foreign, title: 'Taken over' });
    expect(body.id).toBe(own);
    expect((await must('editor', 'GET', `/posts/${foreign}?context=edit`)).body.title.raw).toBe(before);
    expect(refusal(await as('author', 'POST', `/posts/${foreign}?id=${own}`, { id: own, title: 'x' }))).toBe(
      '403 rest_cannot_edit',
    );
    expect(refusal(await as('author', 'DELETE', `/posts/${foreign}?id=${own}`, { id: own }))).toBe(
      '403 rest_cannot_delete',
    );
  });

  test('does not let a caller who may only edit comments create one for another account', async () => {
    const post = await makePost('author');
    const response = await as('author', 'POST', '/comments', { post, content: text(), author: actors['editor']!.id });
    expect(refusal(response)).toBe('403 rest_comment_invalid_author');
  });
});

describe('a complete fetched item that is sent back', () => {
  const sendBack = async (name: string, path: string) => {
    const { body: fetched } = await must(name, 'GET', `${path}?context=edit`);
    const response = await as(name, 'PUT', path, fetched);
    expect({ path, status: response.status, code: response.body.code }).toEqual({ path, status: 200, code: undefined });
    const { body: after } = await must(name, 'GET', `${path}?context=edit`);
    for (const item of [fetched, after])
      for (const field of ['modified', 'modified_gmt', 'date', 'date_gmt', '_links']) delete item[field];
    expect(after).toEqual(fetched);
  };

  test.each([
    ['author', 'publish'],
    ['author', 'private'],
    ['author', 'draft'],
    ['contributor', 'draft'],
    ['contributor', 'private'],
    ['editor', 'publish'],
    ['administrator', 'pending'],
  ])('own post: %s, %s', async (name, status) => sendBack(name, `/posts/${await makePost(name, { status })}`));

  test('own scheduled post: author', async () =>
    sendBack('author', `/posts/${await makePost('author', { status: 'future', date: '2099-01-01T00:00:00' })}`));

  test('sticky draft of a contributor, made sticky by others', async () => {
    const id = await makePost('contributor', { status: 'draft', sticky: true });
    await sendBack('contributor', `/posts/${id}`);
  });

  test('post of another with terms, password and meta: editor', async () => {
    const tag = (await must('editor', 'POST', '/tags', { name: text() })).body.id;
    await sendBack(
      'editor',
      `/posts/${await makePost('author', { tags: [tag], password: 'secret', excerpt: 'Short' })}`,
    );
  });

  test('trashed post: editor', async () => {
    const id = await makePost('author');
    await must('editor', 'DELETE', `/posts/${id}`);
    await sendBack('editor', `/posts/${id}`);
  });

  test('page: editor', async () => {
    const parent = (await must('editor', 'POST', '/pages', { title: text(), status: 'publish' })).body.id;
    const { body } = await must('editor', 'POST', '/pages', { title: text(), parent, status: 'publish' });
    await sendBack('editor', `/pages/${body.id}`);
  });

  test.each(['author', 'contributor', 'editor'])('own media: %s', async (name) =>
    sendBack(name, `/media/${await makeMedia(name)}`),
  );

  test("own media below others' post: contributor", async () => {
    const post = await makePost('editor');
    await sendBack('contributor', `/media/${await makeMedia('contributor', `&post=${post}`)}`);
  });

  test('comment: editor', async () => {
    const { body } = await must('administrator', 'POST', '/comments', {
      post: await makePost('author'),
      content: text(),
      author_ip: '192.0.2.1',
    });
    await sendBack('editor', `/comments/${body.id}`);
  });

  test.each(['administrator', 'editor', 'author', 'contributor', 'subscriber'])('own account: %s', async (name) =>
    sendBack(name, `/users/${actors[name]!.id}`),
  );

  test('tag and category: editor', async () => {
    for (const kind of ['tags', 'categories']) {
      const { body } = await must('editor', 'POST', `/${kind}`, {
        name: 'Fish & chips' + text(),
        description: 'a <b>b</b>',
      });
      await sendBack('editor', `/${kind}/${body.id}`);
    }
  });
});

describe('HTML of callers without unfiltered_html', () => {
  const BLOCK = '<div>div</div> <strong>strong</strong> <script>oh noes</script>';
  const LINK = '<a href="#" target="_blank" unfiltered=true>link</a>';
  const BACKSLASHES = '\\o/ ¯\\_(ツ)_/¯';

  test.each(['author', 'contributor'])('post by %s', async (name) => {
    const { body } = await must(name, 'POST', '/posts', { title: BLOCK, content: BLOCK, excerpt: BLOCK });
    expect(body.title.raw).toBe('div <strong>strong</strong> oh noes');
    expect(body.content.raw).toBe('<div>div</div> <strong>strong</strong> oh noes');
    expect(body.excerpt.raw).toBe('<div>div</div> <strong>strong</strong> oh noes');
    const updated = await must(name, 'PUT', `/posts/${body.id}`, { title: { raw: LINK }, content: { raw: LINK } });
    expect(updated.body.title.raw).toBe('<a href="#">link</a>');
    expect(updated.body.content.raw).toMatch(/^<a href="#" target="_blank"( rel="noopener")?>link<\/a>$/);
  });

  test.each(['author', 'contributor'])('backslashes by %s', async (name) => {
    const { body } = await must(name, 'POST', '/posts', {
      title: BACKSLASHES,
      content: BACKSLASHES,
      excerpt: BACKSLASHES,
    });
    expect([body.title.raw, body.content.raw, body.excerpt.raw]).toEqual([BACKSLASHES, BACKSLASHES, BACKSLASHES]);
  });

  test.each(['editor', 'administrator'])('post by %s is unchanged', async (name) => {
    for (const html of [BLOCK, LINK, BACKSLASHES]) {
      const { body } = await must(name, 'POST', '/posts', { title: html, content: html, excerpt: html });
      expect([body.title.raw, body.content.raw, body.excerpt.raw]).toEqual([html, html, html]);
    }
  });

  test.each([
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java\nscript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<img src="x" onerror="alert(1)">',
    '<p onclick=alert(1)>x</p>',
    '<iframe src="http://evil.test/"></iframe>',
    '<form action="http://evil.test/"><input name="x"></form>',
    '<object data="x"></object><embed src="x">',
    '<style>body{}</style>',
    '<svg onload="alert(1)"></svg>',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)>',
  ])('harmless after an author saved it: %s', async (html) => {
    const { body } = await must('author', 'POST', '/posts', { title: `t ${html}`, content: html, excerpt: html });
    for (const field of ['title', 'content', 'excerpt']) {
      for (const form of ['raw', 'rendered']) {
        const shown = String(body[field][form]);
        expect(shown).not.toMatch(/<(script|iframe|form|input|object|embed|style|svg|math)/i);
        expect(shown).not.toMatch(/<[^>]*\son\w+\s*=/i);
        expect(shown).not.toMatch(/<[^>]*(javascript|&#106;avascript)\s*:/i);
      }
    }
  });

  test('caption and description of media by an author', async () => {
    const id = await makeMedia('author');
    const { body } = await must('author', 'POST', `/media/${id}`, {
      caption: BLOCK,
      description: BLOCK,
      alt_text: BLOCK,
    });
    expect(body.caption.raw).toBe('<div>div</div> <strong>strong</strong> oh noes');
    expect(body.description.raw).toBe('<div>div</div> <strong>strong</strong> oh noes');
    expect(body.alt_text).not.toContain('<');
  });

  test('comment by a subscriber and by an editor', async () => {
    const post = await makePost('author');
    const words = '<script>x</script><p>p</p><a href="http://e.test/" onclick="y">l</a> <em>e</em>';
    const first = await must('subscriber', 'POST', '/comments', { post, content: words });
    const { body } = await must('editor', 'GET', `/comments/${first.body.id}?context=edit`);
    expect(body.content.raw).not.toMatch(/<script|<p>|onclick/);
    expect(body.content.raw).toContain('<em>e</em>');
    expect(body.content.raw).toMatch(/<a href="http:\/\/e\.test\/" rel="nofollow ugc">l<\/a>/);
    const second = await must('editor', 'POST', '/comments', { post, content: words });
    expect(second.body.content.raw).toBe(words);
  });

  test('about and names of a user', async () => {
    const person = await makeUser();
    const values = { description: '<b>b</b><script>x</script>', name: '<b>Bob</b>', first_name: '<i>B</i>' };
    const { body } = await send(person.headers, 'POST', '/users/me', values);
    expect(body.description).not.toContain('<script');
    expect(body.description).toContain('<b>b</b>');
    expect([body.name, body.first_name]).toEqual(['Bob', 'B']);
  });
});

describe('custom roles of a site', () => {
  const OWN = {
    reader: ['read', 'read_private_posts'],
    reviser: ['read', 'edit_published_posts'],
    moderator: ['read', 'moderate_comments'],
    promoter: ['read', 'promote_users', 'list_users'],
  };
  let own: TestSite;
  let people: Record<string, TestActor>;
  let admin: TestActor;
  const ask = (name: string, method: Method, path: string, body?: object) =>
    send(people[name]!.headers, method, path, body, own);
  const make = async (path: string, body: object) => {
    const response = await send(admin.headers, 'POST', path, body, own);
    if (response.status !== 201) throw new Error(response.text);
    return response.body.id as number;
  };

  beforeAll(async () => {
    const shipped = JSON.parse(readFileSync('roles.json', 'utf8'));
    for (const [name, capabilities] of Object.entries(OWN)) shipped.roles[name] = { label: name, capabilities };
    const folder = mkdtempSync(join(tmpdir(), 'typecase-roles-'));
    const file = join(folder, 'roles.json');
    writeFileSync(file, JSON.stringify(shipped));
    own = await startTestSite('schemas', { ROLES_FILE: file });
    rmSync(folder, { recursive: true });
    admin = administrator(own);
    people = {
      ...(await makeActors(own, ...Object.keys(OWN), 'subscriber')),
      both: await makeActor(own, ['subscriber', 'reader'], 'both'),
    };
  });
  afterAll(() => own?.close());

  test.each(['reader', 'both'])('with the right to read private posts list them, but no drafts: %s', async (name) => {
    const hidden = await make('/posts', { title: text(), status: 'private' });
    const draft = await make('/posts', { title: text(), status: 'draft' });
    const list = await ask(name, 'GET', `/posts?status=private&include=${hidden},${draft}`);
    expect(list.body.map(({ id }: { id: number }) => id)).toEqual([hidden]);
    expect((await ask(name, 'GET', `/posts/${hidden}`)).status).toBe(200);
    expect(refusal(await ask(name, 'GET', '/posts?status=draft'))).toBe('400 rest_invalid_param');
    expect(refusal(await ask(name, 'GET', '/posts?status=private,draft'))).toBe('400 rest_invalid_param');
    expect(refusal(await ask(name, 'GET', `/posts/${draft}`))).toBe('403 rest_forbidden');
    expect(refusal(await ask(name, 'GET', `/posts/${hidden}?context=edit`))).toBe('403 rest_forbidden_context');
    expect(refusal(await ask('subscriber', 'GET', '/posts?status=private'))).toBe('400 rest_invalid_param');
  });

  test('with the right to edit but not to assign terms', async () => {
    const tag = await make('/tags', { name: text() });
    const id = await make('/posts', { title: text(), status: 'publish', author: people['reviser']!.id });
    expect((await ask('reviser', 'POST', `/posts/${id}`, { title: text() })).status).toBe(200);
    for (const field of ['tags', 'categories']) {
      const ids = field === 'tags' ? [tag] : [await make('/categories', { name: text() })];
      expect(refusal(await ask('reviser', 'POST', `/posts/${id}`, { [field]: ids }))).toBe(
        '403 rest_cannot_assign_term',
      );
    }
    expect(refusal(await ask('reviser', 'POST', '/posts', { title: text(), tags: [tag] }))).toBe(
      '403 rest_cannot_create',
    );
    const { body } = await ask('reviser', 'GET', `/posts/${id}?context=edit`);
    expect(Object.keys(body._links).filter((rel) => rel.startsWith('wp:action-'))).toEqual([]);
    expect((await ask('reviser', 'PUT', `/posts/${id}`, body)).status).toBe(200);
  });

  test('with the right to moderate but not to edit posts', async () => {
    const post = await make('/posts', { title: text(), status: 'publish' });
    const id = await make('/comments', { post, content: text(), status: 'hold' });
    expect((await ask('moderator', 'GET', `/comments/${id}?context=edit`)).status).toBe(200);
    expect((await ask('moderator', 'GET', '/comments?context=edit&post=0')).status).toBe(200);
    expect((await ask('moderator', 'POST', `/comments/${id}`, { status: 'approved' })).status).toBe(200);
    expect(refusal(await ask('moderator', 'GET', '/comments?status=hold'))).toBe('403 rest_forbidden_param');
    expect(refusal(await ask('moderator', 'POST', `/posts/${post}`, { title: 'x' }))).toBe('403 rest_cannot_edit');
    expect((await ask('moderator', 'DELETE', `/comments/${id}?force=true`)).status).toBe(200);
  });

  test('with the right to promote but not to edit: may change roles only, and grant none above their own', async () => {
    const { id } = people['subscriber']!;
    const roles = ['subscriber'];
    expect((await ask('promoter', 'POST', `/users/${id}`, { roles })).status).toBe(200);
    expect(refusal(await ask('promoter', 'POST', `/users/${id}`, { roles, name: 'x' }))).toBe('403 rest_cannot_edit');
    expect(refusal(await ask('promoter', 'POST', `/users/${id}`, { name: 'x' }))).toBe('403 rest_cannot_edit');
    for (const person of [id, people['promoter']!.id]) {
      const response = await ask('promoter', 'POST', `/users/${person}`, { roles: ['administrator'] });
      expect(refusal(response)).toBe('403 rest_user_invalid_role');
    }
    expect((await ask('promoter', 'GET', `/users/${id}?context=edit`)).body.roles).toEqual(roles);
  });
});

describe('users/me', () => {
  test.each(['administrator', 'editor', 'author', 'contributor', 'subscriber'])('is the caller: %s', async (name) => {
    const { body } = await must(name, 'GET', '/users/me');
    expect(body.id).toBe(actors[name]!.id);
    expect(body).not.toHaveProperty('email');
    const edit = await must(name, 'GET', '/users/me?context=edit');
    expect(edit.body).toMatchObject({
      username: actors[name]!.username,
      roles: [name],
      capabilities: { [name]: true },
    });
    expect(edit.body).not.toHaveProperty('password');
  });

  test.each<[Method, object | undefined]>([
    ['GET', undefined],
    ['POST', { name: 'x' }],
    ['PUT', { name: 'x' }],
    ['PATCH', { name: 'x' }],
    ['DELETE', { force: true, reassign: 1 }],
  ])('anonymous: %s', async (method, body) => {
    expect(refusal(await as('anonymous', method, '/users/me', body))).toBe('401 rest_not_logged_in');
  });

  test('updates and deletes the caller', async () => {
    const person = await makeUser(['administrator']);
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      const response = await send(person.headers, method, '/users/me', { name: `By ${method}` });
      expect(response.body).toMatchObject({ id: person.id, name: `By ${method}` });
    }
    const gone = await send(person.headers, 'DELETE', '/users/me', {
      force: true,
      reassign: actors['administrator']!.id,
    });
    expect(gone.body).toMatchObject({ deleted: true, previous: { id: person.id } });
    expect(refusal(await send(person.headers, 'GET', '/posts'))).toBe('401 incorrect_password');
  });
});

describe('Bearer', () => {
  const signIn = (who: { username: string; password: string }, more: object = {}) =>
    send({}, 'POST', '//auth/token', { username: who.username, password: who.password, ...more });
  const refresh = (token: string) => send({}, 'POST', '//auth/token', { refresh_token: token });
  const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });
  const me = (token: string) => send(bearer(token), 'GET', '/users/me?context=edit');
  const invalid = (response: HttpResponse) => {
    expect(refusal(response)).toBe('401 rest_invalid_token');
    expect(response.headers['www-authenticate']).toMatch(/^Bearer\b.*error="invalid_token"/);
  };

  test('tokens are issued for the account password, as JSON and as a form', async () => {
    const { username, password } = actors['author']!;
    const json = await signIn(actors['author']!);
    const form = await send(
      {},
      'POST',
      '//auth/token',
      new URLSearchParams({ grant_type: 'password', username, password }).toString(),
    );
    for (const response of [json, form]) {
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: expect.any(String),
      });
      expect(response.headers['cache-control']).toMatch(/no-store/);
      expect((await me(response.body.access_token)).body.id).toBe(actors['author']!.id);
    }
  });

  test('tokens have the rights of their user', async () => {
    const { access_token } = (await signIn(actors['contributor']!)).body;
    expect((await send(bearer(access_token), 'POST', '/posts', { title: text() })).status).toBe(201);
    expect(refusal(await send(bearer(access_token), 'POST', '/posts', { title: text(), status: 'publish' }))).toBe(
      '403 rest_cannot_publish',
    );
    expect((await send({ authorization: `bearer ${access_token}` }, 'GET', '/users/me')).status).toBe(200);
  });

  test.each([
    ['a wrong password', { username: 'author', password: 'not it at all' }],
    ['nobody', { username: 'nobody at all', password: 'not it at all' }],
  ])('tokens are not issued for %s', async (_name, who) => {
    expect(refusal(await signIn(who))).toBe('401 incorrect_password');
  });

  test.each([
    [{}],
    [{ username: 'author' }],
    [{ password: 'x' }],
    [{ username: ['author'], password: { a: 1 } }],
    [{ refresh_token: 5 }],
  ])('a request for tokens without credentials is refused with 400: %j', async (body) => {
    const response = await send({}, 'POST', '//auth/token', body);
    expect(response.body).toMatchObject({ code: expect.stringMatching(/^rest_/), data: { status: 400 } });
    expect(response.status).toBe(400);
  });

  test('all problems of a request for tokens are reported together; null counts as absent', async () => {
    const bad = (await send({}, 'POST', '//auth/token', { username: 5, password: ['x'] })).body;
    expect([bad.code, Object.keys(bad.data.params)]).toEqual(['rest_invalid_param', ['username', 'password']]);
    const none = (await send({}, 'POST', '//auth/token', { username: null, password: null })).body;
    expect([none.code, none.data.params]).toEqual(['rest_missing_callback_param', ['username', 'password']]);
    expect((await signIn(actors['author']!, { refresh_token: null })).status).toBe(200);
  });

  test('refresh tokens are exchanged at each use; using one twice ends the family', async () => {
    const first = (await signIn(actors['author']!)).body;
    const second = (await refresh(first.refresh_token)).body;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await me(second.access_token)).status).toBe(200);
    const other = (await signIn(actors['author']!)).body;
    invalid(await refresh(first.refresh_token));
    invalid(await refresh(second.refresh_token));
    invalid(await me(second.access_token));
    expect((await me(other.access_token)).status).toBe(200);
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  test.each(['access_token', 'refresh_token'] as const)('revoking by %s ends the family of tokens', async (kind) => {
    const tokens = (await signIn(actors['author']!)).body;
    const response = await send({}, 'POST', '//auth/revoke', { token: tokens[kind] });
    expect([response.status, response.body]).toEqual([200, { revoked: true }]);
    invalid(await me(tokens.access_token));
    invalid(await refresh(tokens.refresh_token));
  });

  test('revoking an unknown token is not an error', async () => {
    const response = await send({}, 'POST', '//auth/revoke', { token: 'never seen' });
    expect([response.status, response.body]).toEqual([200, { revoked: true }]);
  });

  test('forged tokens are refused on every route', async () => {
    const { access_token: token, refresh_token: other } = (await signIn(actors['author']!)).body;
    const [head, payload, signature] = token.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    const raised = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: '1', id: 1 }),
    ).toString('base64url');
    const forged = [
      `${token}x`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${head}.${raised}.${signature}`,
      other,
      '',
      'a.b.c',
      'x'.repeat(3000),
    ];
    for (const wrong of forged) {
      for (const path of ['/posts', '/users/me', '/no/such/route']) invalid(await send(bearer(wrong), 'GET', path));
    }
    invalid(await refresh(token));
  });

  test('tokens of a deleted user are invalid', async () => {
    const person = await makeUser(['editor']);
    const tokens = (await signIn(person)).body;
    expect((await me(tokens.access_token)).status).toBe(200);
    await must('administrator', 'DELETE', `/users/${person.id}?force=true&reassign=1`);
    invalid(await me(tokens.access_token));
    invalid(await send(bearer(tokens.access_token), 'GET', '/posts'));
    invalid(await refresh(tokens.refresh_token));
    expect(refusal(await send(person.headers, 'GET', '/posts'))).toBe('401 incorrect_password');
  });

  test('a demotion takes effect at the next request', async () => {
    const person = await makeUser(['editor']);
    const tokens = (await signIn(person)).body;
    const page = () => send(bearer(tokens.access_token), 'POST', '/pages', { title: text() });
    const byPassword = () => send(person.headers, 'POST', '/pages', { title: text() });
    expect([(await page()).status, (await byPassword()).status]).toEqual([201, 201]);
    await must('administrator', 'POST', `/users/${person.id}`, { roles: ['subscriber'] });
    expect([refusal(await page()), refusal(await byPassword())]).toEqual([
      '403 rest_cannot_create',
      '403 rest_cannot_create',
    ]);
    await must('administrator', 'POST', `/users/${person.id}`, { roles: ['editor'] });
    expect((await page()).status).toBe(201);
  });

  test.each(['himself', 'the administrator'])(
    'a password changed by %s ends tokens and the old password, but not application passwords',
    async (who) => {
      const person = await makeUser(['author']);
      const tokens = (await signIn(person)).body;
      const created = await send(person.headers, 'POST', '/users/me/application-passwords', { name: 'script' });
      const script = basic(person.username, created.body.password);
      const changed = { password: 'another password altogether' };
      if (who === 'himself') expect((await send(person.headers, 'POST', '/users/me', changed)).status).toBe(200);
      else await must('administrator', 'POST', `/users/${person.id}`, changed);
      invalid(await me(tokens.access_token));
      invalid(await refresh(tokens.refresh_token));
      expect(refusal(await send(person.headers, 'GET', '/posts'))).toBe('401 incorrect_password');
      expect((await send(basic(person.username, changed.password), 'GET', '/users/me')).status).toBe(200);
      expect((await send(script, 'GET', '/users/me')).body.id).toBe(person.id);
    },
  );
});

describe('a password of an account', () => {
  test('is in no response, whatever is sent', async () => {
    const password = 'shown to nobody at all';
    const name = text();
    const sent = { username: `hidden${Date.now()}`, name, email: `hidden${Date.now()}@example.org`, password };
    const created = await must('administrator', 'POST', '/users', sent);
    const item = `/users/${created.body.id}`;
    const responses = [
      created,
      await must('administrator', 'POST', item, { password }),
      await must('administrator', 'GET', `${item}?context=edit`),
      await must('administrator', 'GET', `${item}?context=edit&_fields=password`),
      await must('administrator', 'GET', `/users?context=edit&include=${created.body.id}`),
      await must('administrator', 'DELETE', `${item}?force=true&reassign=1`),
    ];
    for (const { text: body } of responses) {
      expect(body).not.toContain(password);
      expect(body).not.toContain('$argon2');
    }
    expect(responses[3]!.body).toEqual({});
  });
});

describe('Basic', () => {
  test('accepts the account password, by username and by e-mail', async () => {
    const { id, password } = actors['author']!;
    for (const name of ['author', 'author@example.org']) {
      expect((await send(basic(name, password), 'GET', '/users/me')).body.id).toBe(id);
    }
  });

  test('accepts an application password with and without spaces', async () => {
    const { body } = await must('author', 'POST', '/users/me/application-passwords', { name: 'phone' });
    expect(body.password).toMatch(/ /);
    for (const form of [body.password, body.password.replaceAll(' ', '')]) {
      const response = await send(basic('author', form), 'GET', '/users/me');
      expect(response.body.id).toBe(actors['author']!.id);
    }
    const introspected = await send(
      basic('author', body.password),
      'GET',
      '/users/me/application-passwords/introspect',
    );
    expect(introspected.body).toMatchObject({ uuid: body.uuid, name: 'phone' });
    expect(refusal(await send(basic('editor', body.password), 'GET', '/users/me'))).toBe('401 incorrect_password');
    await must('author', 'DELETE', `/users/me/application-passwords/${body.uuid}`);
    expect(refusal(await send(basic('author', body.password), 'GET', '/posts'))).toBe('401 incorrect_password');
  });

  const encoded = (pair: string) => ({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
  test.each<[string, Headers]>([
    ['a wrong password', basic('editor', 'not it at all')],
    ['nobody', basic('nobody', 'not it at all')],
    ['no colon', encoded('editor')],
    ['no name', encoded(':password')],
    ['no password', encoded('editor:')],
    ['nothing', { Authorization: 'Basic ' }],
    ['no base64', { Authorization: 'Basic %%%' }],
    ['a NUL', encoded('editor\0:x')],
    ['bad UTF-8', { Authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}` }],
  ])('with %s fails every request', async (_name, headers) => {
    const codes = new Set<string>();
    for (const [method, path] of [
      ['GET', '/posts'],
      ['GET', '/posts/999999'],
      ['GET', '/no/such/route'],
      ['GET', '//'],
      ['GET', ''],
      ['POST', '/posts'],
      ['GET', '/types'],
      ['GET', '/users/me'],
    ] as const) {
      codes.add(refusal(await send(headers, method, path)));
    }
    expect([...codes]).toEqual(['401 incorrect_password']);
  });

  test.each(['Digest username="editor"', 'Negotiate abc', 'editor:password', 'Token x'])(
    'any other scheme means an anonymous caller: %s',
    async (value) => {
      expect((await send({ Authorization: value }, 'GET', '/posts')).status).toBe(200);
      expect(refusal(await send({ Authorization: value }, 'GET', '/users/me'))).toBe('401 rest_not_logged_in');
    },
  );

  test('responses to authenticated callers forbid caching, those to anonymous ones allow it', async () => {
    const known = await as('subscriber', 'GET', '/posts');
    expect(known.headers['cache-control']).toBe('no-cache, must-revalidate, max-age=0, no-store, private');
    expect(known.headers['expires']).toBe('Wed, 11 Jan 1984 05:00:00 GMT');
    const refused = await as('subscriber', 'POST', '/posts', { title: 'x' });
    expect(refused.headers['cache-control']).toMatch(/no-store/);
    expect((await as('anonymous', 'GET', '/posts')).headers['cache-control'] ?? '').not.toMatch(/no-store/);
  });

  test('repeated credentials are not hashed each time', async () => {
    const { hasher } = site.site;
    const verify = hasher.verify.bind(hasher);
    let slow = 0;
    hasher.verify = (...given) => {
      slow += 1;
      return verify(...given);
    };
    for (let turn = 0; turn < 50; turn++) await must('editor', 'GET', '/posts?per_page=1');
    hasher.verify = verify;
    expect(slow).toBeLessThanOrEqual(1);
  });

  test('can be disabled for account passwords', async () => {
    const strict = await startTestSite('schemas', { AUTH_BASIC_ACCOUNT_PASSWORD: 'off' });
    try {
      const { username, password } = ADMINISTRATOR;
      expect(refusal(await send(basic(username, password), 'GET', '/posts', undefined, strict))).toBe(
        '401 incorrect_password',
      );
      const created = await strict.site.applicationPasswords.create(administrator(strict).id, 'script');
      expect((await send(basic(username, created.password), 'GET', '/users/me', undefined, strict)).status).toBe(200);
    } finally {
      await strict.close();
    }
  });
});

describe('rate limits', () => {
  const expectTooMany = (response: HttpResponse) => {
    expect(refusal(response)).toBe('429 rest_too_many_requests');
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(Object.keys(response.headers).filter((name) => name.startsWith('ratelimit-'))).not.toEqual([]);
    expect(response.body.data.status).toBe(429);
  };

  test('failed logins are limited by account on every endpoint, without affecting other accounts', async () => {
    const own = await startTestSite('schemas', { RATE_LIMIT: 'off' });
    try {
      const right = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
      const wrong = basic(ADMINISTRATOR.username, 'not it at all');
      const fail = () => send(wrong, 'GET', '/posts', undefined, own);
      for (let turn = 0; turn < 9; turn++) expect(refusal(await fail())).toBe('401 incorrect_password');
      // A success wipes the slate.
      expect((await send(right, 'GET', '/users/me', undefined, own)).status).toBe(200);
      for (let turn = 0; turn < 5; turn++) expect(refusal(await fail())).toBe('401 incorrect_password');
      for (let turn = 0; turn < 5; turn++) {
        const response = await send(
          {},
          'POST',
          '//auth/token',
          { username: ADMINISTRATOR.username, password: 'no' },
          own,
        );
        expect(refusal(response)).toBe('401 incorrect_password');
      }
      expectTooMany(await fail());
      expectTooMany(await send({}, 'POST', '//auth/token', { username: ADMINISTRATOR.username, password: 'no' }, own));
      expect((await send({}, 'GET', '/posts', undefined, own)).status).toBe(200);
      expect(refusal(await send(basic('somebody else', 'no'), 'GET', '/posts', undefined, own))).toBe(
        '401 incorrect_password',
      );
    } finally {
      await own.close();
    }
  });

  test('of five requests a minute apply to each caller', async () => {
    const own = await startTestSite('schemas', { RATE_LIMIT: '5/60' });
    try {
      const right = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
      for (let turn = 0; turn < 5; turn++) expect((await send({}, 'GET', '/posts', undefined, own)).status).toBe(200);
      expectTooMany(await send({}, 'GET', '/posts', undefined, own));
      expectTooMany(await send({}, 'GET', '/no/such/route', undefined, own));
      for (let turn = 0; turn < 5; turn++) {
        expect((await send(right, 'POST', '/posts', { title: `Turn ${turn}` }, own)).status).toBe(201);
      }
      expectTooMany(await send(right, 'POST', '/posts', { title: 'One too many' }, own));
      expectTooMany(await send(right, 'GET', '/posts', undefined, own));
    } finally {
      await own.close();
    }
  });

  test('do not apply when they are off', async () => {
    for (let turn = 0; turn < 30; turn++) expect((await as('anonymous', 'GET', '/posts?per_page=1')).status).toBe(200);
  });
});

describe('CORS', () => {
  const ORIGIN = { Origin: 'https://app.test' };
  const vary = ({ headers }: HttpResponse) => String(headers['vary'] ?? '').toLowerCase();

  test.each<[string, Method, string]>([
    ['list', 'GET', '/posts'],
    ['refusal', 'POST', '/posts'],
    ['no route', 'GET', '/no/such/route'],
    ['index', 'GET', '//'],
    ['OPTIONS', 'OPTIONS', '/posts'],
    ['token', 'POST', '//auth/token'],
  ])('by default, every origin may read without credentials: %s', async (_name, method, path) => {
    for (const headers of [ORIGIN, { Origin: 'null' }, {}]) {
      const response = await send(headers, method, path);
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
      expect(vary(response)).not.toContain('origin');
      expect(response.headers['access-control-expose-headers']).toMatch(
        /X-WP-Total, X-WP-TotalPages, Link.*ETag, Location, Allow, Retry-After/,
      );
    }
  });

  test('preflights need no credentials and list the allowed methods and headers', async () => {
    const headers = {
      ...ORIGIN,
      'Access-Control-Request-Method': 'DELETE',
      'Access-Control-Request-Headers': 'authorization,if-match',
    };
    for (const path of ['/posts/5', '/users', '//auth/token', '/media']) {
      const response = await send(headers, 'OPTIONS', path);
      expect(response.status).toBeLessThan(300);
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.headers['access-control-allow-methods']).toBe('OPTIONS, GET, POST, PUT, PATCH, DELETE');
      for (const name of [
        'Authorization',
        'Content-Type',
        'Content-Disposition',
        'If-Match',
        'If-None-Match',
        'Idempotency-Key',
        'X-HTTP-Method-Override',
      ]) {
        expect(response.headers['access-control-allow-headers']).toContain(name);
      }
    }
  });

  test('with a list of origins, only those are allowed', async () => {
    const own = await startTestSite('schemas', { CORS_ORIGINS: 'https://app.test,https://b.test:8443' });
    try {
      for (const origin of ['https://app.test', 'https://b.test:8443']) {
        for (const [method, path] of [
          ['GET', '/posts'],
          ['POST', '/posts'],
          ['OPTIONS', '/posts'],
        ] as const) {
          const response = await send({ Origin: origin }, method, path, undefined, own);
          expect(response.headers['access-control-allow-origin']).toBe(origin);
          expect(response.headers['access-control-allow-credentials']).toBe('true');
          expect(vary(response)).toContain('origin');
        }
      }
      for (const origin of [
        'https://evil.test',
        'null',
        'http://app.test',
        'https://app.test.evil.test',
        'https://app.test:81',
        '',
      ]) {
        const response = await send(origin === '' ? {} : { Origin: origin }, 'GET', '/posts', undefined, own);
        expect(response.status).toBe(200);
        expect(response.headers).not.toHaveProperty('access-control-allow-origin');
        expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
        expect(vary(response)).toContain('origin');
      }
    } finally {
      await own.close();
    }
  });
});

describe('security headers', () => {
  test.each<[string, string, Method, string]>([
    ['a list', 'anonymous', 'GET', '/posts'],
    ['a refusal', 'anonymous', 'POST', '/posts'],
    ['no route', 'anonymous', 'GET', '/no/such/route'],
    ['no path of ours', 'anonymous', 'GET', '//elsewhere'],
    ['a response to somebody known', 'editor', 'GET', '/users/me'],
    ['the index', 'anonymous', 'GET', '//'],
    ['OPTIONS', 'anonymous', 'OPTIONS', '/posts'],
  ])('on %s', async (_name, who, method, path) => {
    const { headers } = await as(who, method, path);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'x-frame-options': expect.any(String),
      'referrer-policy': expect.any(String),
      'content-security-policy': expect.any(String),
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    expect(headers['content-type']).toBe('application/json; charset=UTF-8');
  });
});

describe('logs', () => {
  const SECRETS = {
    admin: 'the-administrators-own-secret',
    signing: 'the-secret-that-signs-tokens-0123456789',
    member: 'the-members-own-secret',
    changed: 'the-members-later-secret',
    wrong: 'a-wrong-guess-at-a-password',
    post: 'the-password-of-a-post',
    header: 'a-secret-in-a-custom-scheme',
  };
  let logging: LoggingSite;
  beforeAll(async () => {
    logging = await bootLoggingSite(SECRETS.admin, SECRETS.signing);
  });
  afterAll(() => logging?.close());

  test('contain the requests and no secrets', async () => {
    const admin = basic('admin', SECRETS.admin);
    const ask = (headers: Headers, method: Method, path: string, body?: object | string) =>
      send(headers, method, path, body, logging);
    const tokens = (await ask({}, 'POST', '//auth/token', { username: 'admin', password: SECRETS.admin })).body;
    const rotated = (await ask({}, 'POST', '//auth/token', { refresh_token: tokens.refresh_token })).body;
    await ask({ Authorization: `Bearer ${rotated.access_token}` }, 'GET', '/users/me');
    await ask({ Authorization: `Bearer ${rotated.access_token}x` }, 'GET', '/users/me');
    await ask({}, 'GET', `/posts?access_token=${rotated.access_token}&password=${SECRETS.post}`);
    await ask({ Authorization: `Custom ${SECRETS.header}` }, 'GET', '/posts');
    await ask(basic('admin', SECRETS.wrong), 'GET', '/posts');
    await ask({}, 'POST', '//auth/token', { username: 'admin', password: SECRETS.wrong });
    await ask({}, 'POST', '//auth/token', `{"username": "admin", "password": "${SECRETS.wrong}"`);
    const member = { username: 'member', email: 'member@example.org', password: SECRETS.member };
    const created = await ask(admin, 'POST', '/users', member);
    expect(created.status).toBe(201);
    await ask(admin, 'POST', '/users', { ...member, username: ['member'] });
    await ask(admin, 'POST', `/users/${created.body.id}`, { password: SECRETS.changed });
    await ask(admin, 'POST', `/users/${created.body.id}?password=${SECRETS.changed}`, {});
    const key = await ask(admin, 'POST', '/users/me/application-passwords', { name: 'script' });
    await ask(basic('admin', key.body.password), 'GET', '/users/me');
    const post = await ask(admin, 'POST', '/posts', { title: 'x', password: SECRETS.post, status: 'publish' });
    await ask({}, 'GET', `/posts/${post.body.id}?password=${SECRETS.post}`);
    await ask({}, 'GET', `/no/such/route?password=${SECRETS.post}`);
    await ask({ 'Content-Type': 'application/json' }, 'POST', '/posts', `{"password": "${SECRETS.post}"`);
    await ask({}, 'POST', '//auth/revoke', { token: rotated.refresh_token });
    // Request lines may be written a little later.
    await new Promise((done) => setTimeout(done, 50));

    const lines = logging.lines();
    expect(lines.split('\n').length).toBeGreaterThan(10);
    expect(lines).toContain('auth/token');
    const encoded = Object.values(SECRETS).map((secret) => Buffer.from(`admin:${secret}`).toString('base64'));
    const hidden = [
      ...Object.values(SECRETS),
      ...encoded,
      tokens.access_token,
      tokens.refresh_token,
      rotated.access_token,
      rotated.refresh_token,
      key.body.password,
      key.body.password.replaceAll(' ', ''),
      '$argon2',
    ];
    for (const secret of hidden) expect(lines).not.toContain(secret);
  });
});
