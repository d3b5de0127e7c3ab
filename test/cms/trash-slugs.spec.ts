// Slugs, paths and URLs on the way into the trash and back: items without a title or slug, numeric slugs, long ones,
// parents and children. After each step the data must be what `check --data` calls right.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditData } from '../../src/maintenance/check-data.js';
import { equals } from '../../src/model/query.js';
import { administrator } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import type { Method } from '../support/send.js';

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite('schemas');
});
afterAll(() => site.close());

async function send(method: Method, path: string, body?: object): Promise<any> {
  const response = await site.send(method, path, { as: administrator(site).headers, body });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`);
  const { models, store } = site.site;
  expect(await auditData(models, store)).toEqual([]);
  return response.body;
}

const make = (kind: string, body: object): Promise<any> => send('POST', `/${kind}`, { content: 'x', ...body });
const trash = (kind: string, id: number): Promise<any> => send('DELETE', `/${kind}/${id}`);
const restore = (kind: string, id: number, status: string): Promise<any> => send('POST', `/${kind}/${id}`, { status });
const edit = (kind: string, id: number): Promise<any> => send('GET', `/${kind}/${id}?context=edit`);
const pathOf = async (id: number) =>
  (await site.site.store.reader.first('contents', ['path'], equals('id', id)))!['path'];

const KINDS = [
  ['posts', 'p'],
  ['pages', 'page_id'],
] as const;

test.each(KINDS)(
  '%s without a title have no slug in the trash, and none when they are drafts again',
  async (kind, query) => {
    for (const body of [{}, { title: '' }, { title: 'Named' }, { title: '…' }, { status: 'pending' }]) {
      const { id, slug, status } = await make(kind, body);
      expect(slug).toBe('');
      const link = `http://site.test/?${query}=${id}`;
      expect(await trash(kind, id)).toMatchObject({ status: 'trash', slug: '', link });
      expect(await edit(kind, id)).toMatchObject({ status: 'trash', slug: '', link });
      expect(await restore(kind, id, status)).toMatchObject({ status, slug: '', link });
      expect(await pathOf(id)).toBe('');
    }
  },
);

test.each(KINDS.map(([kind]) => kind))(
  '%s without a slug get one when they are restored as published',
  async (kind) => {
    const untitled = await make(kind, {});
    const titled = await make(kind, { title: `Back ${kind}` });
    for (const { id } of [untitled, titled]) await trash(kind, id);
    expect(await restore(kind, untitled.id, 'publish')).toMatchObject({ slug: String(untitled.id) });
    expect(await restore(kind, titled.id, 'publish')).toMatchObject({ slug: `back-${kind}` });
  },
);

test.each(KINDS.map(([kind]) => kind))('%s that are edited in the trash get no slug there', async (kind) => {
  const { id } = await make(kind, {});
  await trash(kind, id);
  expect(await send('POST', `/${kind}/${id}`, { content: 'more' })).toMatchObject({ status: 'trash', slug: '' });
  expect(await send('POST', `/${kind}/${id}`, { title: `Later ${kind}` })).toMatchObject({ status: 'trash', slug: '' });
  expect(await restore(kind, id, 'draft')).toMatchObject({ slug: '' });
  expect(await restore(kind, id, 'publish')).toMatchObject({ slug: `later-${kind}` });
});

test.each(KINDS.map(([kind]) => kind))('%s get their former slug back, repeatedly', async (kind) => {
  const numeric = await make(kind, { status: 'publish' });
  expect(numeric.slug).toBe(String(numeric.id));
  const written = await make(kind, { status: 'publish', title: `Written ${kind}` });
  for (const { id, slug, link } of [numeric, written]) {
    for (const status of ['draft', 'publish']) {
      expect(await trash(kind, id)).toMatchObject({ slug: `${slug}__trashed` });
      expect(await restore(kind, id, status)).toMatchObject({ slug });
    }
    expect(await edit(kind, id)).toMatchObject({ link });
  }
});

test('a slug that another item has taken since is restored with a suffix', async () => {
  const first = await make('pages', { status: 'publish', slug: 'taken' });
  await trash('pages', first.id);
  expect(await make('pages', { status: 'publish', slug: 'taken' })).toMatchObject({ slug: 'taken' });
  expect(await restore('pages', first.id, 'publish')).toMatchObject({ slug: 'taken-2' });
});

test('a long slug of encoded letters is truncated between letters', async () => {
  const { id, slug } = await make('posts', { status: 'publish', slug: 'ж'.repeat(33) });
  expect(slug).toHaveLength(198);
  const trashed = await trash('posts', id);
  expect(trashed.slug).toBe(`${encodeURIComponent('ж'.repeat(31)).toLowerCase()}__trashed`);
  expect(await restore('posts', id, 'publish')).toMatchObject({ slug });
});

let page: Record<'parent' | 'child' | 'grandchild', any>;
beforeEach(async () => {
  const parent = await make('pages', { title: 'Top', status: 'publish' });
  const child = await make('pages', { parent: parent.id });
  const grandchild = await make('pages', { title: 'Leaf', status: 'publish', parent: child.id });
  page = { parent, child, grandchild };
});

test('a draft without a slug between two pages is left out of the paths, in and out of the trash', async () => {
  const { parent, child, grandchild } = page;
  const { slug } = parent;
  const paths = async () => [await pathOf(parent.id), await pathOf(child.id), await pathOf(grandchild.id)];
  const before = [slug, slug, `${slug}/leaf`];
  expect(await paths()).toEqual(before);
  await trash('pages', child.id);
  expect(await paths()).toEqual(before);
  await restore('pages', child.id, 'draft');
  expect(await paths()).toEqual(before);
  const published = await restore('pages', child.id, 'publish');
  expect(published.link).toBe(`http://site.test/${slug}/${child.id}/`);
  expect(await edit('pages', grandchild.id)).toMatchObject({ link: `http://site.test/${slug}/${child.id}/leaf/` });
  await trash('pages', child.id);
  expect(await pathOf(grandchild.id)).toBe(`${slug}/${child.id}__trashed/leaf`);
  await restore('pages', child.id, 'publish');
  expect(await edit('pages', grandchild.id)).toMatchObject({ link: `http://site.test/${slug}/${child.id}/leaf/` });
});

test('the URLs of children follow their parent into the trash and back', async () => {
  const { parent, child, grandchild } = page;
  await restore('pages', child.id, 'publish');
  const { link } = await edit('pages', grandchild.id);
  await trash('pages', parent.id);
  expect(await pathOf(grandchild.id)).toBe(`${parent.slug}__trashed/${child.id}/leaf`);
  expect((await edit('pages', grandchild.id)).link).not.toContain('__trashed');
  await trash('pages', grandchild.id);
  await restore('pages', parent.id, 'publish');
  expect(await pathOf(grandchild.id)).toBe(`${parent.slug}/${child.id}/leaf__trashed`);
  expect(await restore('pages', grandchild.id, 'publish')).toMatchObject({ link });
});

test('a page whose slug is its id keeps it when it moves', async () => {
  const { parent } = page;
  const { id } = await make('pages', { status: 'publish' });
  const moved = await send('POST', `/pages/${id}`, { parent: parent.id });
  expect(moved).toMatchObject({ slug: String(id), link: `http://site.test/${parent.slug}/${id}/` });
});
