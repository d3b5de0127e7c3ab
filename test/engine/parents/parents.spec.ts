// Items below others, whose reference to the parent may be written: the parent is the one in the URL.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { administrator, makeActor, type Headers } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const reference = { type: 'reference', to: 'folder', onDelete: 'cascade' };
const below = (name: string, field: object, more: object = {}) => ({
  name,
  path: `${name}s`,
  parent: { resource: 'folder', field: 'folder', ...more },
  fields: { title: { type: 'string' }, folder: { ...reference, ...field } },
  permissions: { rules: { read: true, edit: true, create: true, delete: true } },
});
const SCHEMAS = [
  {
    name: 'folder',
    path: 'folders',
    fields: { title: { type: 'string' }, open: { type: 'boolean', default: true } },
    permissions: {
      rules: { read: { any: ['manage_options', { is: { open: true } }] }, edit: true, create: true },
      retrieve: [{ needs: { rule: 'read' }, error: 'rest_forbidden' }],
    },
  },
  below('sheet', {}),
  below('needed', { required: true }),
  below('both', { required: true, readOnly: true }),
];

let site: TestSite;
let as: Headers;
let reader: Headers;
let [open, other, closed] = [0, 0, 0];
beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
  as = administrator(site).headers;
  reader = (await makeActor(site, 'subscriber')).headers;
  const add = async (body: object): Promise<number> =>
    (await site.send('POST', '/folders', { as, body, status: 201 })).body.id;
  [open, other, closed] = [await add({}), await add({}), await add({ open: false })];
});
afterAll(() => site.close());
const titles = async (path: string) => (await site.send('GET', path, { as })).body.map((item: any) => item.title);

it('a new item belongs to the parent in its URL, whatever its body contains', async () => {
  const sent = { as: reader, body: { title: 'Smuggled', folder: closed } };
  expect((await site.send('POST', `/folders/${closed}/sheets`, sent)).status).toBe(403);
  const { body } = await site.send('POST', `/folders/${open}/sheets`, { ...sent, status: 201 });
  expect(body.folder).toBe(open);
  expect(await titles(`/folders/${closed}/sheets`)).toEqual([]);
});

it('an item can be moved only below a parent that the caller may read', async () => {
  const { id } = (await site.send('POST', `/folders/${open}/sheets`, { as, body: { title: 'Moved' }, status: 201 }))
    .body;
  const move = (to: number, from = open) =>
    site.send('PATCH', `/folders/${from}/sheets/${id}`, { as: reader, body: { folder: to } });
  expect((await move(closed)).status).toBe(403);
  expect((await move(999)).status).toBe(400);
  expect((await move(0)).status).toBe(400);
  expect(await move(other)).toMatchObject({ status: 200, body: { folder: other } });
  expect((await move(open)).status).toBe(404);
  expect((await move(open, other)).status).toBe(200);
});

it.each(['needed', 'both'])('%s: a required parent need not be sent in the body', async (name) => {
  const path = `/folders/${open}/${name}s`;
  const { body } = await site.send('POST', path, { as, body: { title: 'Short' }, status: 201 });
  expect(body.folder).toBe(open);
  const { endpoints } = (await site.send('OPTIONS', path)).body;
  const create = endpoints.find(({ methods }: { methods: string[] }) => methods.includes('POST'));
  expect(create.args.folder?.required ?? false).toBe(false);
  const nested = { title: 'With one below', [`${name}s`]: [{ title: 'Nested' }] };
  const created = (await site.send('POST', '/folders', { as, body: nested, status: 201 })).body;
  expect(created[`${name}s`]).toMatchObject([{ title: 'Nested', folder: created.id }]);
});
