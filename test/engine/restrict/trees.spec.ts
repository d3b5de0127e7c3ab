// Trees whose items move up: their slugs stay unique among siblings, and so do the URLs that are made of them.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auditData } from '../../../src/maintenance/check-data.js';
import { administrator, type Headers } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const text = { type: 'string', maxLength: 60 };
const reference = (to: string, more: object = {}) => ({ type: 'reference', to, ...more });
const node = (name: string, onDelete?: string) => ({
  name,
  path: `${name}s`,
  fields: { title: text, parent: reference(name, onDelete ? { onDelete } : {}) },
  traits: { nested: {} },
});
const AMONG_SIBLINGS = { sluggable: { from: 'title', scope: [{ parent: '$parent' }] } };

const SCHEMAS = [
  { name: 'section', path: 'sections', fields: { title: text } },
  {
    name: 'page',
    path: 'pages',
    fields: {
      title: text,
      parent: reference('page'),
      section: reference('section', { onDelete: 'cascade' }),
      slug: { type: 'slug', filterable: 'contains' },
      link: { function: 'path-link', options: { column: 'path' } },
    },
    search: { fields: ['title', 'slug'] },
    list: { orderby: ['id', 'place'], orderings: { place: 'path' } },
    permissions: { list: [{ param: 'orderby', in: ['place'], needs: true, error: 'rest_forbidden_orderby' }] },
    traits: { ...AMONG_SIBLINGS, nested: { path: true }, trashable: { hidden: true } },
  },
  node('branch', 'cascade'),
  node('loose', 'setNull'),
];

let site: TestSite;
let as: Headers;
beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
  as = administrator(site).headers;
});
afterAll(() => site.close());

const add = async (path: string, body: object): Promise<number> =>
  (await site.send('POST', path, { as, body, status: 201 })).body.id;
const drop = (path: string) => site.send('DELETE', path, { as, status: 200 });
const list = async (path: string): Promise<Record<string, any>[]> =>
  (await site.send('GET', path, { as, status: 200 })).body;
const linkOf = async (id: number): Promise<string> =>
  (await site.send('GET', `/pages/${id}`, { as, status: 200 })).body.link.replace('http://site.test', '');

it('children that move up get unique slugs among their new siblings', async () => {
  const top = await add('/pages', { title: 'Top' });
  const sibling = await add('/pages', { title: 'Twin' });
  const twin = await add('/pages', { title: 'Twin', parent: top });
  const [below, same] = [
    await add('/pages', { title: 'Leaf', parent: twin }),
    await add('/pages', { title: 'Top', parent: top }),
  ];
  expect(await linkOf(below)).toBe('/top/twin/leaf/');
  await drop(`/pages/${top}?force=true`);
  expect(await Promise.all([sibling, twin, below, same].map(linkOf))).toEqual([
    '/twin/',
    '/twin-2/',
    '/twin-2/leaf/',
    '/top/',
  ]);
  for (const wanted of ['slug_contains', 'search'])
    expect((await list(`/pages?${wanted}=twin-2`)).map(({ id }) => id)).toEqual([twin]);
  expect(await auditData(site.site.models, site.site.store, site.site.site)).toEqual([]);
});

it('the children of a cascaded deletion stay in the tree', async () => {
  const section = await add('/sections', { title: 'Gone' });
  const above = await add('/pages', { title: 'Above' });
  const first = await add('/pages', { title: 'First', section, parent: above });
  const second = await add('/pages', { title: 'Second', section, parent: first });
  const [child, leaf] = [
    await add('/pages', { title: 'Child', parent: second }),
    await add('/pages', { title: 'Leaf', parent: first }),
  ];
  await drop(`/sections/${section}`);
  expect((await list(`/pages?include=${child},${leaf}&orderby=id&order=asc`)).map(({ parent }) => parent)).toEqual([
    above,
    above,
  ]);
  expect(await Promise.all([child, leaf].map(linkOf))).toEqual(['/above/child/', '/above/leaf/']);
});

it('lists ordered by the tree path follow renames and moves', async () => {
  const [zoo, moved] = [await add('/pages', { title: 'Zoo' }), await add('/pages', { title: 'Mouse' })];
  const ape = await add('/pages', { title: 'Ape', parent: zoo });
  const order = async () =>
    (await list(`/pages?include=${zoo},${moved},${ape}&orderby=place&order=asc`)).map(({ id }) => id);
  expect(await order()).toEqual([moved, zoo, ape]);
  await site.send('PATCH', `/pages/${zoo}`, { as, body: { slug: 'aviary' }, status: 200 });
  expect(await order()).toEqual([zoo, ape, moved]);
});

it('a tree whose reference has onDelete follows it', async () => {
  for (const path of ['/branchs', '/looses']) {
    const top = await add(path, { title: 'Top' });
    const middle = await add(path, { title: 'Middle', parent: top });
    await add(path, { title: 'Leaf', parent: middle });
    await drop(`${path}/${middle}`);
  }
  expect((await list('/branchs?order=asc')).map(({ title }) => title)).toEqual(['Top']);
  expect((await list('/looses?order=asc')).map(({ title, parent }) => [title, parent])).toEqual([
    ['Top', 0],
    ['Leaf', 0],
  ]);
});
