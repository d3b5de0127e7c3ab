// Live updates: what a stream shows to whom, how it resumes after an interruption, and what ends it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { administrator, basic, makeActor, type TestActor } from '../support/actors.js';
import { ADMINISTRATOR, startTestSchemas, startTestSite, type TestSite } from '../support/start-test-site.js';
import { openStream, type Sent, type Stream } from '../support/stream.js';

let site: TestSite;
let admin: TestActor;
let author: TestActor;
let subscriber: TestActor;
const open: Stream[] = [];

beforeAll(async () => {
  site = await startTestSite('schemas', { LIVE_UPDATES: 'on', LIVE_CONNECTIONS: '40', RATE_LIMIT: 'off' });
  admin = administrator(site);
  author = await makeActor(site, 'author');
  subscriber = await makeActor(site, 'subscriber');
});
afterAll(() => site.close());
afterEach(() => open.splice(0).forEach((stream) => stream.close()));

async function follow(as?: TestActor, query = '', headers: Record<string, string> = {}): Promise<Stream> {
  const { port } = site.server.address() as AddressInfo;
  const stream = await openStream(port, `/events${query}`, { ...as?.headers, ...headers });
  open.push(stream);
  return stream;
}

/** Creates a tag and waits until a stream has received it: all earlier events have arrived by then. */
let marks = 0;
async function settled(...streams: Stream[]): Promise<void> {
  const body = { name: `Mark ${(marks += 1)}` };
  const { id } = (await site.send('POST', '/tags', { as: admin.headers, body, status: 201 })).body;
  const isThere = ({ data }: Sent) => data.resource === 'tag' && data.id === id;
  for (let tries = 0; tries < 100; tries += 1) {
    if (streams.every((stream) => stream.ended || stream.updates.some(isThere))) return;
    await sleep(20);
  }
  throw new Error('The stream does not go on.');
}

const marksAside = (stream: Stream) => stream.updates.filter(({ data }) => data.resource === 'post');
const seen = (stream: Stream) => marksAside(stream).map(({ type }) => type);
const post = async (values: object, as = admin): Promise<number> =>
  (await site.send('POST', '/posts', { as: as.headers, body: { title: 'A post', ...values }, status: 201 })).body.id;
const change = (id: number, body: object, as = admin) =>
  site.send('PATCH', `/posts/${id}`, { as: as.headers, body, status: 200 });

test('the endpoint is a stream of events with the names of the fields, and no values', async () => {
  const stream = await follow();
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=UTF-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  expect(stream.events[0]).toMatchObject({ type: 'ready', id: expect.stringMatching(/^[0-9a-f]{32}$/) });
  const id = await post({ status: 'publish' });
  await change(id, { title: 'Another' });
  await settled(stream);
  const [created, published, updated] = marksAside(stream);
  expect([created, published].map((event) => event!.type)).toEqual(['post.created', 'post.published']);
  expect(updated!.data).toEqual({
    type: 'post.updated',
    resource: 'post',
    id,
    action: 'updated',
    fields: ['title'],
    date: expect.stringMatching(/Z$/),
  });
});

describe('an anonymous client', () => {
  test('receives no events of drafts, private items and their later changes', async () => {
    const stream = await follow();
    const draft = await post({ status: 'draft' });
    await change(draft, { title: 'Still a draft' });
    await site.send('DELETE', `/posts/${draft}`, { as: admin.headers, status: 200 });
    const secret = await post({ status: 'private' });
    await site.send('DELETE', `/posts/${secret}?force=true`, { as: admin.headers, status: 200 });
    await settled(stream);
    expect(seen(stream)).toEqual([]);
  });

  test('receives an event when a draft is published, and when it is removed, but none of its time as a draft', async () => {
    const draft = await post({ status: 'draft' });
    const stream = await follow();
    const { id: before } = stream.events[0]!;
    await change(draft, { title: 'Soon' });
    await change(draft, { status: 'publish' });
    await settled(stream);
    expect(seen(stream)).toEqual(['post.updated', 'post.published']);
    // Streams opened later do not see more.
    const later = await follow(undefined, '', { 'Last-Event-ID': before });
    await settled(later);
    expect(seen(later)).toEqual(['post.updated', 'post.published']);
    await change(draft, { status: 'private' });
    await settled(stream);
    expect(seen(stream).at(-1)).toBe('post.deleted');
    await change(draft, { title: 'Behind the curtain' });
    await settled(stream);
    expect(seen(stream)).toHaveLength(3);
  });

  test('receives no event of changes that it cannot see', async () => {
    const id = await post({ status: 'publish' });
    const stream = await follow();
    await change(id, { password: 'hidden words' });
    await settled(stream);
    expect(seen(stream)).toEqual([]);
    const body = { email: 'other@example.org' };
    await site.send('PATCH', `/users/${admin.id}`, { as: admin.headers, body, status: 200 });
    await site.send('POST', '//auth/token', {
      body: { username: admin.username, password: admin.password },
      status: 200,
    });
    await settled(stream);
    expect(seen(stream)).toEqual([]);
  });
});

describe('events of items that are read through others', () => {
  test('are sent for comments to their readers, without their time in moderation or behind a private post', async () => {
    const on = await post({ status: 'publish' });
    const stream = await follow();
    const { id: before } = stream.events[0]!;
    const told = (of: Stream) => of.updates.filter(({ data }) => data.resource === 'comment').map(({ type }) => type);
    const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, status = 200) =>
      site.send(method, path, { as: admin.headers, ...(body ? { body } : {}), status });
    const { id } = (await send('POST', '/comments', { post: on, content: 'Seen by all' }, 201)).body;
    await settled(stream);
    expect(told(stream)).toEqual(['comment.created']);
    await send('PATCH', `/comments/${id}`, { status: 'hold' });
    await send('PATCH', `/comments/${id}`, { content: 'Written on hold' });
    await change(on, { status: 'private' });
    await send('PATCH', `/comments/${id}`, { status: 'approve' });
    await send('PATCH', `/comments/${id}`, { content: 'Written behind a private post' });
    await settled(stream);
    expect(told(stream)).toEqual(['comment.created']);
    await change(on, { status: 'publish', password: 'open sesame' });
    await send('PATCH', `/comments/${id}`, { content: 'Written below a protected post' });
    await change(on, { password: '' });
    await send('PATCH', `/comments/${id}`, { content: 'Seen again' });
    await settled(stream);
    expect(told(stream)).toEqual(['comment.created', 'comment.updated']);
    // Streams opened later also get the event that put it on hold: everybody could read it before.
    const later = await follow(undefined, '?resource=comment,tag', { 'Last-Event-ID': before });
    await settled(later);
    expect(told(later)).toEqual(['comment.created', 'comment.updated', 'comment.updated']);
    await send('DELETE', `/comments/${id}?force=true`);
    await settled(stream);
    expect(told(stream)).toHaveLength(2);
  });

  test('are sent for nested items to their readers, without their time below a hidden parent', async () => {
    const all = { read: true, edit: 'manage_options', create: 'manage_options', delete: 'manage_options' };
    const folder = { type: 'reference', to: 'folder', onDelete: 'cascade' };
    const schemas = [
      {
        name: 'folder',
        path: 'folders',
        fields: { open: { type: 'boolean', default: true } },
        permissions: {
          rules: { ...all, read: { any: ['manage_options', { is: { open: true } }] } },
          retrieve: [{ needs: { rule: 'read' }, error: 'rest_forbidden' }],
        },
      },
      {
        name: 'sheet',
        path: 'sheets',
        parent: { resource: 'folder', field: 'folder' },
        fields: { title: { type: 'string' }, folder },
        permissions: { rules: all },
      },
    ];
    const below = await startTestSchemas(schemas, { LIVE_UPDATES: 'on' });
    try {
      const as = administrator(below).headers;
      const send = async (method: 'POST' | 'PATCH', path: string, body: object): Promise<number> =>
        (await below.send(method, path, { as, body })).body.id;
      const stream = await openStream((below.server.address() as AddressInfo).port, '/events');
      open.push(stream);
      const until = async (id: number) => {
        const isTold = () => stream.updates.some(({ data }) => data.resource === 'folder' && data.id === id);
        for (let tries = 0; tries < 200 && !isTold(); tries += 1) await sleep(20);
        expect(isTold()).toBe(true);
      };
      const [shown, hidden] = [await send('POST', '/folders', {}), await send('POST', '/folders', { open: false })];
      const sheet = await send('POST', `/folders/${shown}/sheets`, { title: 'Seen' });
      await send('POST', `/folders/${hidden}/sheets`, { title: 'Hidden' });
      await send('PATCH', `/folders/${shown}/sheets/${sheet}`, { title: 'Still seen' });
      await until(await send('POST', '/folders', {}));
      await send('PATCH', `/folders/${shown}`, { open: false });
      await send('PATCH', `/folders/${shown}/sheets/${sheet}`, { title: 'Not seen' });
      await send('PATCH', `/folders/${shown}`, { open: true });
      await until(await send('POST', '/folders', {}));
      expect(stream.updates.filter(({ data }) => data.resource === 'sheet').map(({ type }) => type)).toEqual([
        'sheet.created',
        'sheet.updated',
      ]);
    } finally {
      await below.close();
    }
  });
});

test('each caller receives events of the items that they may read', async () => {
  const [mine, others, all] = [await follow(author), await follow(subscriber), await follow(admin)];
  await post({ status: 'draft' }, author);
  const published = await post({ status: 'publish' }, author);
  await settled(mine, others, all);
  await site.send('DELETE', `/posts/${published}`, { as: admin.headers, status: 200 });
  await settled(mine, others, all);
  expect(seen(mine)).toEqual(['post.created', 'post.created', 'post.published', 'post.trashed']);
  expect(seen(others)).toEqual(['post.created', 'post.published', 'post.deleted']);
  expect(seen(all)).toEqual(['post.created', 'post.created', 'post.published', 'post.trashed']);
});

test('granted and revoked rights apply from the next event on', async () => {
  const changing = await makeActor(site, 'editor', 'changing');
  const stream = await follow(changing);
  const draft = await post({ status: 'draft' });
  await settled(stream);
  expect(seen(stream)).toEqual(['post.created']);
  const roles = (names: string[]) =>
    site.send('PATCH', `/users/${changing.id}`, { as: admin.headers, body: { roles: names }, status: 200 });
  await roles(['subscriber']);
  await change(draft, { title: 'Not for a subscriber' });
  await settled(stream);
  expect(seen(stream)).toEqual(['post.created']);
  await roles(['editor']);
  await change(draft, { title: 'For an editor' });
  await settled(stream);
  expect(seen(stream)).toEqual(['post.created', 'post.updated']);
  const body = { password: 'another long password' };
  await site.send('PATCH', `/users/${changing.id}`, { as: admin.headers, body, status: 200 });
  await settled(stream);
  expect(stream.ended).toBe(true);
});

test('a stream continues after too many failed logins from other addresses', async () => {
  const guessed = await makeActor(site, 'author', 'guessed');
  const stream = await follow(guessed);
  const signIn = (headers: Record<string, string>) => site.send('GET', '/users/me', { as: headers });
  for (let guesses = 0; guesses < 10; guesses += 1) await signIn(basic('guessed', `wrong ${guesses}`));
  expect(await signIn(guessed.headers)).toMatchObject({ status: 429 });
  await settled(stream);
  expect(stream.ended).toBe(false);
});

test('a stream resumes after the last event that was received', async () => {
  const first = await follow();
  const id = await post({ status: 'publish' });
  await settled(first);
  first.close();
  await change(id, { title: 'Meanwhile' });
  await change(id, { excerpt: 'Twice' });
  const second = await follow(undefined, '', { 'Last-Event-ID': first.updates.at(-1)!.id });
  await settled(second);
  expect(second.events[0]!.type).toBe('ready');
  expect(marksAside(second).map(({ data }) => data.fields)).toEqual([['title'], ['excerpt']]);
});

test.each(['nonsense', '0'.repeat(32), 'f'.repeat(32), '1'])(
  '%s is not a valid position: the client starts again',
  async (position) => {
    const stream = await follow(undefined, '', { 'Last-Event-ID': position });
    expect(stream.events[0]!.type).toBe('reset');
    await settled(stream);
  },
);

test('a stream can be filtered by resource and id', async () => {
  const [one, other] = [await post({ status: 'publish' }), await post({ status: 'publish' })];
  const posts = await follow(undefined, `?resource=post,tag&ids=${one}`);
  const all = await follow();
  await change(one, { title: 'x' });
  await change(other, { title: 'x' });
  await settled(all);
  expect(seen(posts)).toEqual(['post.updated']);
  expect(marksAside(posts)[0]!.data.id).toBe(one);
});

test('an application password with a scope receives less than its account', async () => {
  const made = { name: 'Tags', scope: { resources: ['tags'] } };
  const { body } = await site.send('POST', '/users/me/application-passwords', { as: admin.headers, body: made });
  const headers = {
    Authorization: `Basic ${Buffer.from(`${ADMINISTRATOR.username}:${body.password}`).toString('base64')}`,
  };
  const narrow = { ...admin, headers };
  for (const order of [
    [narrow, admin],
    [admin, narrow],
  ]) {
    const streams = [await follow(order[0]), await follow(order[1])];
    const id = await post({ status: 'draft' });
    await settled(...streams);
    await site.send('DELETE', `/posts/${id}?force=true`, { as: admin.headers, status: 200 });
    await post({ status: 'publish' });
    await settled(...streams);
    const told = Object.fromEntries(
      streams.map((stream, at) => [order[at] === narrow ? 'narrow' : 'wide', seen(stream)]),
    );
    expect(told).toEqual({ narrow: [], wide: ['post.created', 'post.deleted', 'post.created', 'post.published'] });
  }
});

test.each([
  '?resource=pots',
  '?resource[a]=post',
  '?ids=x',
  '?ids=-1',
  '?ids[0][a]=1',
  `?ids=${Array.from({ length: 101 }, (_, at) => at + 1).join()}`,
])('%s is refused', async (query) => {
  expect(await follow(undefined, query)).toMatchObject({ status: 400 });
});

test('wrong credentials and too many streams are refused', async () => {
  expect(await follow({ ...admin, headers: { Authorization: 'Basic eDp5' } })).toMatchObject({ status: 401 });
  const streams = await Promise.all(Array.from({ length: 40 }, () => follow()));
  const refused = streams.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThanOrEqual(8);
  expect(refused[0]!.headers['retry-after']).toBe('10');
  // Streams are reserved for accounts.
  expect(await follow(subscriber)).toMatchObject({ status: 200 });
});

test('the endpoint is described in the document', async () => {
  const { routes } = (await site.send('GET', '//')).body;
  expect(Object.keys(routes['/events'].endpoints[0].args)).toEqual(['resource', 'ids']);
  expect((await site.send('OPTIONS', '//events')).headers['allow']).toBe('GET');
  const { paths } = (await site.send('GET', '//docs-json')).body;
  expect(paths['/events'].get.responses['200'].content).toHaveProperty('text/event-stream');
  expect((await site.send('HEAD', '//events')).status).toBe(200);
});

test('the endpoint does not exist without the setting', async () => {
  const plain = await startTestSite('schemas');
  try {
    expect((await plain.send('GET', '//events')).status).toBe(404);
  } finally {
    await plain.close();
  }
});
