// Values that traits write by themselves: the status and slug of the trash, slugs made of ids, revisions. Search, filters,
// orders and unique values follow them.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auditData } from '../../../src/maintenance/check-data.js';
import { administrator, type Headers } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const text = (more: object = {}) => ({ type: 'string', maxLength: 60, ...more });
const reference = (to: string) => ({ type: 'reference', to });
const kind = text({ hidden: true });

const SCHEMAS = [
  {
    name: 'job',
    path: 'jobs',
    fields: {
      code: text(),
      status: text({ default: 'open', filterable: ['in', 'contains'] }),
      slug: { type: 'slug', filterable: 'contains' },
    },
    search: { fields: ['code', 'status'] },
    list: { orderby: ['id', 'status'] },
    unique: [['code', 'status']],
    traits: { trashable: {}, sluggable: { from: 'code' } },
  },
  {
    name: 'note',
    path: 'notes',
    fields: { title: text(), room: text(), slug: { type: 'slug', filterable: 'contains' } },
    unique: [['slug', 'room']],
    traits: { sluggable: { from: 'title' } },
  },
  { name: 'box', path: 'boxes', fields: { title: text() }, traits: withSheets() },
  {
    name: 'sheet',
    path: 'sheets',
    fields: {
      box: reference('box'),
      code: text(),
      status: text({ default: 'open', filterable: 'contains' }),
      marked_status: text({ hidden: true }),
    },
    unique: [['code', 'status']],
  },
  {
    name: 'paper',
    path: 'papers',
    storage: { table: 'papers', where: { kind: 'paper' } },
    fields: {
      kind,
      title: text(),
      author: reference('account'),
      parent: reference('paper'),
      status: text({ default: 'open' }),
    },
    traits: {
      trashable: {},
      dated: {},
      sluggable: { from: 'title' },
      revisioned: { into: 'version', fields: ['title'] },
    },
  },
  {
    name: 'version',
    path: 'versions',
    storage: { table: 'papers', where: { kind: 'version' } },
    parent: { resource: 'paper', field: 'parent' },
    fields: { kind, title: text(), author: reference('account'), status: text() },
    search: { fields: ['title'] },
    list: { orderby: ['title', 'id'] },
    traits: { revision: { fields: ['title'] } },
  },
];

function withSheets(): object {
  return { trashable: { hidden: true, with: [{ resource: 'sheet', field: 'box', mark: 'away' }] } };
}

let site: TestSite;
let as: Headers;
beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
  as = administrator(site).headers;
});
afterAll(() => site.close());

const add = async (path: string, body: object): Promise<number> =>
  (await site.send('POST', path, { as, body, status: 201 })).body.id;
const ids = async (path: string): Promise<number[]> =>
  (await site.send('GET', path, { as, status: 200 })).body.map((item: { id: number }) => item.id);

it('trashed items are found, filtered and ordered by their current status and slug', async () => {
  const [first, second] = [await add('/jobs', { code: 'Alpha', status: 'zoo' }), await add('/jobs', { code: 'Beta' })];
  await site.send('DELETE', `/jobs/${first}`, { as, status: 200 });
  const all = 'status[]=trash&status[]=open&status[]=zoo&status[]=uvw';
  expect(await ids(`/jobs?${all}&status_contains=tras`)).toEqual([first]);
  expect(await ids(`/jobs?${all}&status_contains=zoo`)).toEqual([]);
  expect(await ids(`/jobs?${all}&slug_contains=trashed`)).toEqual([first]);
  expect(await ids(`/jobs?${all}&search=trash`)).toEqual([first]);
  expect(await ids(`/jobs?${all}&search=alpha`)).toEqual([first]);
  const last = await add('/jobs', { code: 'Gamma', status: 'uvw' });
  expect(await ids(`/jobs?${all}&orderby=status&order=asc`)).toEqual([second, first, last]);
  await site.send('PATCH', `/jobs/${first}`, { as, body: { status: 'zoo' }, status: 200 });
  expect(await ids(`/jobs?${all}&status_contains=zoo`)).toEqual([first]);
  expect(await ids(`/jobs?${all}&slug_contains=trashed`)).toEqual([]);
});

it('a trashed item does not count for uniqueness together with its status', async () => {
  const first = await add('/jobs', { code: 'Same' });
  await site.send('DELETE', `/jobs/${first}`, { as, status: 200 });
  const second = await add('/jobs', { code: 'Same' });
  await site.send('DELETE', `/jobs/${second}`, { as, status: 200 });
  await site.send('PATCH', `/jobs/${first}`, { as, body: { code: 'same' }, status: 200 });
  await site.send('PATCH', `/jobs/${first}`, { as, body: { code: 'Same' }, status: 200 });
  await site.send('PATCH', `/jobs/${first}`, { as, body: { status: 'open' }, status: 200 });
  const { status, body } = await site.send('PATCH', `/jobs/${second}`, { as, body: { status: 'open' } });
  expect([status, body.data.details.status.code]).toEqual([400, 'rest_not_unique']);
  await site.send('PATCH', `/jobs/${second}`, { as, body: { status: 'done' }, status: 200 });
});

it('slugs made of ids are found, and count for uniqueness together with other values', async () => {
  const [first, second] = [await add('/notes', { room: 'A' }), await add('/notes', { room: 'A' })];
  expect(await ids(`/notes?slug_contains=${second}`)).toEqual([second]);
  expect(await ids(`/notes?slug_contains=${first}`)).toEqual([first]);
});

it('items that are hidden with another one are filtered by their current status', async () => {
  const [one, two] = [await add('/boxes', {}), await add('/boxes', {})];
  const first = await add('/sheets', { box: one, code: 'x' });
  await site.send('DELETE', `/boxes/${one}`, { as, status: 200 });
  expect(await ids('/sheets?status_contains=awa')).toEqual([first]);
  const second = await add('/sheets', { box: two, code: 'x' });
  await site.send('DELETE', `/boxes/${two}`, { as, status: 200 });
  expect(await ids('/sheets?status_contains=open')).toEqual([]);
  await site.send('POST', `/boxes/${one}/restore`, { as, status: 200 });
  expect(await ids('/sheets?status_contains=open')).toEqual([first]);
  const refused = await site.send('POST', `/boxes/${two}/restore`, { as });
  expect([refused.status, refused.body.code]).toEqual([409, 'rest_item_in_use']);
  expect(await ids('/sheets?status_contains=awa')).toEqual([second]);
});

it('revisions are found and ordered by their texts', async () => {
  const paper = await add('/papers', { title: 'One' });
  for (const title of ['Zwei', 'Ärger', 'Drei'])
    await site.send('PATCH', `/papers/${paper}`, { as, body: { title }, status: 200 });
  const titles = async (query: string) =>
    (await site.send('GET', `/papers/${paper}/versions?${query}`, { as, status: 200 })).body.map(
      (item: { title: string }) => item.title,
    );
  expect(await titles('search=arger')).toEqual(['Ärger']);
  expect(await titles('orderby=title&order=asc')).toEqual(['Ärger', 'Drei', 'Zwei']);
});

it('terms count no items that another one takes into the trash, and count them again with it', async () => {
  const permissions = { rules: { read: true, create: true, edit: true } };
  const schemas = [
    {
      name: 'art',
      path: 'arts',
      fields: { title: text(), status: text({ default: 'publish' }) },
      traits: { trashable: { with: [{ resource: 'remark', field: 'art', mark: 'along' }] } },
      permissions,
    },
    {
      name: 'remark',
      path: 'remarks',
      fields: {
        art: reference('art'),
        status: text({ default: 'publish' }),
        marked_status: kind,
        labels: { type: 'references', to: 'label' },
      },
      traits: { classified: { fields: ['labels'] } },
      permissions,
    },
    {
      name: 'label',
      path: 'labels',
      fields: { name: text() },
      traits: { sluggable: { from: 'name' }, term: {} },
      permissions,
    },
  ];
  const own = await startTestSchemas(schemas);
  try {
    const { headers: as } = administrator(own);
    const counts = async () =>
      (await own.send('GET', '/labels?orderby=id&order=asc', { status: 200 })).body.map(
        ({ count }: { count: number }) => count,
      );
    for (const name of ['One', 'Two', 'Three']) await own.send('POST', '/labels', { as, body: { name }, status: 201 });
    for (const title of ['a', 'b']) await own.send('POST', '/arts', { as, body: { title }, status: 201 });
    for (const body of [
      { art: 1, labels: [1] },
      { art: 1, labels: [1, 2] },
      { art: 1, labels: [3], status: 'other' },
      { art: 2, labels: [2] },
    ])
      await own.send('POST', '/remarks', { as, body, status: 201 });
    expect(await counts()).toEqual([2, 2, 0]);
    await own.send('DELETE', '/arts/1', { as, status: 200 });
    expect(await counts()).toEqual([0, 1, 0]);
    expect(await auditData(own.site.models, own.site.store, own.site.site)).toEqual([]);
    await own.send('PATCH', '/arts/1', { as, body: { status: 'publish' }, status: 200 });
    expect(await counts()).toEqual([2, 2, 0]);
    expect(await auditData(own.site.models, own.site.store, own.site.site)).toEqual([]);
  } finally {
    await own.close();
  }
});
