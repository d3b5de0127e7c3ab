// What is cached between requests is never older than the last write: responses, totals, accounts and their rights.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditData, fixData } from '../../src/maintenance/check-data.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import { administrator, makeActor, type Headers } from '../support/actors.js';

let site: TestSite;
let headers: Headers;

beforeAll(async () => {
  site = await startTestSite('schemas');
  ({ headers } = administrator(site));
});

afterAll(() => site.close());

async function must(method: 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}): Promise<any> {
  const response = await site.send(method, path, { as: headers, body });
  if (response.status >= 300) throw new Error(`${path}: ${response.status} ${response.text}`);
  return response.body;
}

const get = (path: string, as: Headers = {}) => site.send('GET', path, { as });

test('the default term cannot be deleted, even when its read is cached', async () => {
  const other = await must('POST', '/categories', { name: 'Kept default' });
  const methods = async (id: number) => (await get(`/categories/${id}?context=edit`, headers)).headers['allow'];
  for (let time = 0; time < 5; time += 1) {
    expect(await methods(other.id)).toBe('GET, POST, PUT, PATCH, DELETE');
    expect(await methods(1)).toBe('GET, POST, PUT, PATCH');
  }
  await must('POST', '/settings', { default_category: other.id });
  expect([await methods(1), await methods(other.id)]).toEqual([
    'GET, POST, PUT, PATCH, DELETE',
    'GET, POST, PUT, PATCH',
  ]);
  await must('POST', '/settings', { default_category: 1 });
});

test('terms are in the order of their names, also after one was renamed', async () => {
  const [first, second] = [
    await must('POST', '/categories', { name: 'Kept apples' }),
    await must('POST', '/categories', { name: 'Kept pears' }),
  ];
  const values = { title: 'Two terms', status: 'publish', categories: [first.id, second.id] };
  const post = await must('POST', '/posts', values);
  const shown = async () => [
    (await get(`/posts/${post.id}`)).body.categories,
    (await get(`/posts?include=${post.id}`)).body[0].categories,
    (await get(`/posts/${post.id}`, headers)).body.categories,
  ];
  for (let time = 0; time < 2; time += 1)
    for (const categories of await shown()) expect(categories).toEqual([first.id, second.id]);
  await must('POST', `/categories/${first.id}`, { name: 'Kept quinces' });
  for (let time = 0; time < 2; time += 1)
    for (const categories of await shown()) expect(categories).toEqual([second.id, first.id]);
});

test('a list filtered by a term follows changes of its items', async () => {
  const term = await must('POST', '/categories', { name: 'Kept lists' });
  const listed = async () => {
    const response = await get(`/posts?categories=${term.id}`);
    return [response.headers['x-wp-total'], response.body.map(({ id }: { id: number }) => id)];
  };
  expect(await listed()).toEqual(['0', []]);
  const post = await must('POST', '/posts', { title: 'In it', status: 'publish', categories: [term.id] });
  expect(await listed()).toEqual(['1', [post.id]]);
  await must('POST', `/posts/${post.id}`, { categories: [] });
  expect(await listed()).toEqual(['0', []]);
});

test('changed roles of an account apply to its next request', async () => {
  const actor = await makeActor(site, 'editor', 'changing');
  const drafts = () => get('/posts?status=draft&context=edit', actor.headers);
  for (let time = 0; time < 2; time += 1) expect((await drafts()).status).toBe(200);
  await must('POST', `/users/${actor.id}`, { roles: ['subscriber'] });
  for (let time = 0; time < 2; time += 1) expect((await drafts()).status).toBeGreaterThanOrEqual(400);
  await must('POST', `/users/${actor.id}`, { roles: ['editor'] });
  expect((await drafts()).status).toBe(200);
});

test('callers with different rights get different links of one item', async () => {
  const post = await must('POST', '/posts', { title: 'Links', status: 'publish' });
  const [editor, author] = [await makeActor(site, 'editor'), await makeActor(site, 'author')];
  const rels = async (as: Headers) =>
    Object.keys((await get(`/posts/${post.id}`, as)).body._links).filter((rel) => rel.startsWith('wp:action'));
  const allow = async (as: Headers) => (await get(`/posts/${post.id}`, as)).headers['allow'];
  for (let time = 0; time < 2; time += 1) {
    expect(await allow(editor.headers)).toBe('GET, POST, PUT, PATCH, DELETE');
    expect(await allow(author.headers)).toBe('GET');
    expect(await allow({})).toBe('GET');
    expect(await rels({})).toEqual([]);
    expect(await rels(author.headers)).toEqual([]);
  }
});

test('totals that check --data has repaired are used at once', async () => {
  const { models, store } = site.site;
  await must('POST', '/posts', { title: 'Counted', status: 'publish' });
  const total = async (page = 1) => Number((await get(`/posts?per_page=${page}`)).headers['x-wp-total']);
  const right = await total(2);
  const kept = { op: 'affix', at: 'start', column: 'scope', value: 'contents:["post","publish"]' } as const;
  await store.transaction((tx) => tx.update('typecase_counts', { n: { increment: 7 } }, kept));
  // Cached at the second request.
  for (let time = 0; time < 3; time += 1) expect(await total()).not.toBe(right);
  expect(await fixData(await auditData(models, store), store)).toBeGreaterThan(0);
  expect(await total()).toBe(right);
});
