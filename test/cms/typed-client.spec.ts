// The client that the command `types` makes, against a running site: the server understands its requests, and its types
// match the responses.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { administrator } from '../support/actors.js';
import { ADMINISTRATOR, type TestSite } from '../support/start-test-site.js';
import { ROOT } from '../support/built-program.js';
import { evaluate, typedModule } from '../support/typed-client.js';
import { openCms, PNG, SCHEMAS } from './stage.js';

let site: TestSite;
let url: string;
let example: any;
let module: any;
let cms: any;
let visitor: any;
beforeAll(async () => {
  site = await openCms();
  url = `http://127.0.0.1:${(site.server.address() as AddressInfo).port}`;
  const main = readFileSync(join(ROOT, 'examples/typed-client/main.ts'), 'utf8');
  ({ main: example, cms: module } = await evaluate({ main, cms: typedModule(SCHEMAS) }));
  cms = module.createClient({ url: `${url}/`, credentials: ADMINISTRATOR });
  visitor = module.createClient({ url });
});
afterAll(() => site?.close());

/** The error of a call. */
const refusal = (call: PromiseLike<unknown>): Promise<any> =>
  Promise.resolve(call).then(
    (value) => {
      throw new Error(`not refused: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
const collected = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};
const publish = (title: string, more: object = {}) => cms.post.create({ title, status: 'publish', ...more });

it('the typed client runs the documented example', async () => {
  expect(await example.tour(cms)).toEqual([
    'made: Roses',
    'renamed: Red roses',
    expect.stringMatching(/^listed: roses/),
  ]);
});

it('the typed client creates items, and lists pages with totals, or all items', async () => {
  const tag = await cms.tag.create({ name: 'Paged' });
  for (const title of ['one', 'two', 'three', 'four', 'five']) await publish(title, { tags: [tag.id] });
  const query = { tags: [tag.id], orderby: 'title', order: 'asc', per_page: 2 };
  const page = await visitor.post.list({ ...query, page: 2, _fields: ['title.rendered'] });
  expect(page).toEqual({
    items: [{ title: { rendered: 'one' } }, { title: { rendered: 'three' } }],
    total: 5,
    pages: 3,
  });
  const all = await collected<any>(visitor.post.all(query));
  expect(all.map(({ title }) => title.rendered)).toEqual(['five', 'four', 'one', 'three', 'two']);
  expect(await collected(visitor.post.all({ tags: [tag.id], context: 'embed' }))).toHaveLength(5);
  expect(await collected(visitor.post.all({ tags: [tag.id], search: 'nothing at all' }))).toEqual([]);
});

it('the typed client serializes lists, objects and texts', async () => {
  const comma = await cms.tag.create({ name: 'Salt, pepper & co. = 100 %', slug: 'salt' });
  const other = await cms.tag.create({ name: 'Ümläut + plus', slug: 'umlaut' });
  const slugs = async (query: object) => (await visitor.tag.list(query)).items.map(({ slug }: any) => slug).sort();
  expect(await slugs({ slug: ['salt', 'umlaut'] })).toEqual(['salt', 'umlaut']);
  expect(await slugs({ search: 'Salt, pepper' })).toEqual(['salt']);
  expect(await slugs({ search: 'Ümläut + plus' })).toEqual(['umlaut']);
  expect(await slugs({ include: [comma.id, other.id], exclude: [comma.id] })).toEqual(['umlaut']);
  expect(await slugs({ include: undefined, slug: ['salt'] })).toEqual(['salt']);
  expect(visitor.tag.list({ search: 'a&b=c?#%', include: [] }).request.path).toBe(
    '/cms/v2/tags?search=a%26b%3Dc%3F%23%25&include=',
  );
});

it('the typed client follows cursors', async () => {
  const tag = await cms.tag.create({ name: 'By cursor' });
  for (const title of ['one', 'two', 'three', 'four', 'five']) await publish(title, { tags: [tag.id] });
  const first = await visitor.post.list({ tags: [tag.id], cursor: '', per_page: 2 });
  const second = await visitor.post.list({ tags: [tag.id], cursor: first.cursor, per_page: 2 });
  const last = await visitor.post.list({ tags: [tag.id], cursor: second.cursor, per_page: 2 });
  const titles = [first, second, last].map(({ items }) => items.map(({ title }: any) => title.rendered));
  expect(titles).toEqual([['five', 'four'], ['three', 'two'], ['one']]);
  expect(last).toMatchObject({ total: 5, pages: 3 });
  expect(last.cursor).toBeUndefined();

  // Two more while the list is read: one in front of it, and one that it has passed is deleted.
  const read: string[] = [];
  for await (const post of visitor.post.all({ tags: [tag.id], per_page: 2 })) {
    read.push(post.title.rendered);
    if (read.length !== 2) continue;
    await publish('six', { tags: [tag.id] });
    await cms.post.remove(first.items[0].id, { force: true });
  }
  expect(read).toEqual(['five', 'four', 'three', 'two', 'one']);
  const several = await visitor.post.list({ tags: [tag.id], orderby: ['title', '-id'], _fields: ['title.rendered'] });
  expect(several.items.map(({ title }: any) => title.rendered)).toEqual(['four', 'one', 'six', 'three', 'two']);
});

it('the typed client counts pages in an order without cursors', async () => {
  const tag = await cms.tag.create({ name: 'Without cursors' });
  const include: number[] = [];
  for (const title of ['one', 'two', 'three']) include.push((await publish(title, { tags: [tag.id] })).id);
  const titles = async (query: object) => {
    const found = await collected<any>(visitor.post.all({ tags: [tag.id], per_page: 2, ...query }));
    return found.map(({ title }) => title.rendered).sort();
  };
  const all = ['one', 'three', 'two'];
  expect(await titles({ orderby: 'include', include })).toEqual(all);
  expect(await titles({ filter: { orderby: 'rand' } })).toHaveLength(3);
  expect(await titles({ filter: { orderby: 'rand' }, per_page: 100 })).toEqual(all);
  expect(await titles({ filter: { posts_per_page: -1 }, per_page: undefined })).toEqual(all);
  expect(await refusal(collected(visitor.post.all({ orderby: 'colour' })))).toMatchObject({ status: 400 });
});

it('the typed client returns expanded references, and summaries', async () => {
  const tag = await cms.tag.create({ name: 'Expanded' });
  const other = await cms.tag.create({ name: 'Other' });
  const { id } = await publish('Expanded', { tags: [tag.id, other.id] });
  const post = await visitor.post.retrieve(id, { expand: ['author', 'tags'], _fields: ['author.name', 'tags.name'] });
  expect(post).toEqual({ author: { name: 'admin' }, tags: [{ name: 'Expanded' }, { name: 'Other' }] });
  const { items } = await visitor.post.list({ tags: [tag.id], expand: ['author'] });
  expect(items.map(({ author, tags }: any) => [author.slug, tags])).toEqual([['admin', [tag.id, other.id]]]);

  await publish('Another', { tags: [tag.id], sticky: true });
  const bySticky = { tags: [tag.id], aggregate: ['count', 'sum.liveblog_likes'], group: ['sticky'] };
  expect(await visitor.post.aggregate(bySticky)).toEqual([
    { group: { sticky: false }, count: 1, sum: { liveblog_likes: 0 } },
    { group: { sticky: true }, count: 1, sum: { liveblog_likes: 0 } },
  ]);
  expect(await visitor.post.aggregate({ tags: [tag.id], aggregate: ['count'] })).toEqual([{ count: 2 }]);
});

it('the typed client embeds linked items', async () => {
  const post = await publish('With an author');
  const { _embedded } = await visitor.post.retrieve(post.id, { _embed: ['author'] });
  expect(_embedded).toMatchObject({ author: [{ id: administrator(site).id }] });
  expect((await visitor.post.list({ include: [post.id], _embed: true })).items[0]._embedded.author).toHaveLength(1);
});

it('the typed client returns resources listed by name as objects, and reads them by key', async () => {
  const { items, total, pages } = await visitor.type.list();
  expect({ ...items, total, pages }).toMatchObject({ post: { slug: 'post' }, pages: 1 });
  expect(total).toBe(Object.keys(items).length);
  expect((await visitor.type.retrieve('post')).slug).toBe('post');
  expect((await collected<any>(visitor.type.all())).map(({ slug }) => slug)).toContain('post');
});

it('the typed client updates only the version that was read', async () => {
  const post = await cms.post.retrieve((await publish('First')).id, { context: 'edit' });
  const ifMatch = module.etagOf(post);
  const changed = await cms.post.update(post.id, { title: 'Second' }, { ifMatch });
  const late = await refusal(cms.post.update(post.id, { title: 'Third' }, { ifMatch }));
  expect(late).toBeInstanceOf(module.ApiError);
  expect(late).toMatchObject({ name: 'ApiError', code: 'rest_precondition_failed', status: 412, params: {} });
  await cms.post.update(post.id, { title: 'Fourth' }, { ifMatch: module.etagOf(changed) });
  expect(await refusal(cms.post.remove(post.id, { force: true }, { ifMatch }))).toMatchObject({ status: 412 });
  expect((await visitor.post.retrieve(post.id)).title.rendered).toBe('Fourth');
  const [listed] = (await visitor.post.list()).items;
  expect(() => module.etagOf(listed)).toThrow('retrieve the item with this client first');
});

it('the typed client repeats a creation with its key without a second item', async () => {
  const create = (idempotencyKey: string) => cms.post.create({ title: 'Once' }, { idempotencyKey });
  const { id } = await create('typed-client-1');
  expect((await create('typed-client-1')).id).toBe(id);
  expect((await create('typed-client-2')).id).not.toBe(id);
});

it('the typed client sends a call once, and none that is not awaited', async () => {
  const call = publish('Lazy');
  const unsent = publish('Never sent');
  expect((await call).id).toBe((await call).id);
  let ended = 0;
  expect((await call.finally(() => (ended += 1))).id).toBe((await call).id);
  expect(ended).toBe(1);
  expect(await visitor.post.retrieve(0).catch(({ status }: any) => status)).toBe(404);
  expect((await visitor.post.list({ search: 'Never sent' })).total).toBe(0);
  expect(String(unsent)).toBe('[object Call]');
});

it('the typed client reads and updates singletons without a key', async () => {
  const before = await cms.settings.retrieve();
  const changed = await cms.settings.update({ start_of_week: 3 }, { ifMatch: module.etagOf(before) });
  expect(changed).toMatchObject({ start_of_week: 3, time_format: before.time_format });
  expect((await cms.settings.retrieve({ _fields: ['start_of_week'] })).start_of_week).toBe(3);
});

it('the typed client uploads files with their fields', async () => {
  const created = await cms.attachment.upload(new File([PNG], 'grey.png', { type: 'image/png' }), {
    title: 'Grey, and a comma',
    alt_text: 'A square & more',
    description: undefined,
  });
  expect(created).toMatchObject({
    title: { raw: 'Grey, and a comma' },
    alt_text: 'A square & more',
    mime_type: 'image/png',
  });
  expect(created.source_url).toMatch(/grey\.png$/);
  const named = await cms.attachment.upload(new Blob([PNG]), {}, { filename: 'other.png' });
  expect(named.source_url).toMatch(/other\.png$/);
  expect(await refusal(visitor.attachment.upload(new Blob([PNG])))).toMatchObject({ status: 401 });
});

it('the typed client restores a revision', async () => {
  const { id } = await publish('First title');
  for (const title of ['Old title', 'New title']) await cms.post.update(id, { title });
  const revisions = await collected<any>(cms.postRevision(id).all());
  const old = revisions.find(({ title }) => title === 'Old title');
  expect(await cms.postRevision(id).act(old.id, 'restore')).toMatchObject({ id, title: { raw: 'Old title' } });
});

it('the typed client distinguishes a deletion from a move to the trash', async () => {
  const { id } = await publish('Gone');
  expect(await cms.post.remove(id)).toMatchObject({ id, status: 'trash' });
  expect(await cms.post.remove(id, { force: true })).toMatchObject({ deleted: true, previous: { id } });
});

it('the typed client runs batches of independent requests', async () => {
  const first = await cms.tag.create({ name: 'Here already' });
  const calls = [
    cms.tag.create({ name: 'In a batch' }),
    cms.tag.create({ name: 'Here already' }),
    cms.tag.remove(first.id, { force: true }),
  ];
  const [made, refused, removed] = await cms.batch(calls);
  expect(made).toMatchObject({ ok: true, status: 201, value: { name: 'In a batch' } });
  expect(refused).toMatchObject({ ok: false, error: { code: 'term_exists', status: 400, at: 1 } });
  expect(removed).toMatchObject({ ok: true, value: { deleted: true } });
  expect(module.etagOf(made.value)).toMatch(/^"/);
  const invalid = await cms.batch([cms.tag.create({ name: 'Not made' }), cms.tag.create({})], {
    validation: 'require-all-validate',
  });
  expect(invalid).toMatchObject([{ ok: false, error: undefined }, { error: { code: 'rest_missing_callback_param' } }]);
  expect((await visitor.tag.list({ search: 'Not made' })).total).toBe(0);
});

it('the typed client runs batches as one transaction, with values of earlier responses', async () => {
  const { ref } = module;
  const [tag, post, found, list] = await cms.atomic([
    cms.tag.create({ name: 'Made first' }),
    cms.post.create({ title: 'Made second', tags: [ref(0)], excerpt: ref(0, '/body/slug') }),
    cms.post.retrieve(ref(1), { context: 'edit' }),
    cms.tag.list({ slug: ['made-first'] }),
  ]);
  expect(post).toMatchObject({ tags: [tag.id], excerpt: { raw: 'made-first' } });
  expect(found.id).toBe(post.id);
  expect(list).toMatchObject({ total: 1, pages: 1, items: [{ id: tag.id }] });
  const failed = await refusal(
    cms.atomic([cms.tag.create({ name: 'Undone' }), cms.post.update(post.id, { status: 'nonsense' })]),
  );
  expect(failed).toMatchObject({ code: 'rest_invalid_param', status: 400, at: 1 });
  expect(failed.params.status).toContain('status must be one of');
  expect((await visitor.tag.list({ search: 'Undone' })).total).toBe(0);
});

it('the typed client signs in with tokens, requested for each call', async () => {
  const { body } = await site.send('POST', '//auth/token', { body: ADMINISTRATOR });
  let asked = 0;
  const token = async () => ((asked += 1), body.access_token as string);
  const known = module.createClient({ url, credentials: { token } });
  expect((await known.user.retrieve('me')).id).toBe(administrator(site).id);
  expect((await known.user.retrieve('me', { context: 'edit' })).username).toBe(ADMINISTRATOR.username);
  expect(asked).toBe(2);
  const wrong = module.createClient({ url, credentials: { token: 'nonsense' } });
  expect(await refusal(wrong.post.list())).toMatchObject({ code: 'rest_invalid_token', status: 401 });
});

it('the typed client reports the refused parameters with reasons', async () => {
  const both = await refusal(cms.comment.create({ author_email: 'nobody' }));
  expect(both).toMatchObject({ status: 400 });
  expect(both.params.author_email).toContain('e-mail');
  const missing = await refusal(cms.tag.create({}));
  expect(missing).toMatchObject({ code: 'rest_missing_callback_param', params: { name: expect.stringMatching(/./) } });
  expect(missing.message).toBe(missing.params.name);
  expect(await refusal(visitor.post.create({ title: 'x' }))).toMatchObject({ code: 'rest_cannot_create', status: 401 });
});

it('the typed client detects responses of another server, and reports Retry-After', async () => {
  const returning = (status: number, body: string, headers: Record<string, string> = {}) =>
    module.createClient({ url, fetch: async () => new Response(body, { status, headers }) });
  for (const status of [200, 502])
    expect(await refusal(returning(status, '<html>').post.list())).toMatchObject({ code: 'unexpected_answer', status });
  const busy = returning(503, '{"code":"rest_unavailable","message":"Busy.","data":{"status":503}}', {
    'Retry-After': '7',
  });
  expect(await refusal(busy.post.list())).toMatchObject({ code: 'rest_unavailable', retryAfter: 7, message: 'Busy.' });
});

it('the typed client passes abort signals, and encodes keys in paths', async () => {
  expect(await refusal(visitor.post.list({}, { signal: AbortSignal.abort() }))).toMatchObject({ name: 'AbortError' });
  for (const key of ['..', 'a/b', 'a?b', '', '.'])
    expect(() => visitor.type.retrieve(key)).toThrow('Not a key of an item');
  expect(() => visitor.postRevision('../users')).toThrow('Not a key of an item');
});
