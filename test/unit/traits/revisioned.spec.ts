// The traits revisioned and revision, which belong together.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { revisionTrait } from '../../../src/traits/revision.trait.js';
import { revisionedTrait } from '../../../src/traits/revisioned/revisioned.trait.js';
import { fixFindings } from '../../../src/maintenance/fix-findings.js';
import { byId, invent, NOW, type Invented } from './invented.js';

let site: Invented;
let id: number;
beforeAll(async () => {
  const fields = {
    title: { type: 'string' },
    body: { type: 'text' },
    slug: { type: 'slug' },
    status: { type: 'string', maxLength: 20 },
    author: { type: 'integer' },
    parent: { type: 'reference', to: 'page' },
  } as const;
  site = await invent(
    {
      name: 'page',
      path: 'pages',
      storage: { table: 'texts', where: { kind: 'page' } },
      fields: { ...fields },
      traits: { dated: {}, revisioned: { into: 'version', fields: ['title', 'body'] } },
    },
    {
      name: 'version',
      path: 'versions',
      storage: { table: 'texts', where: { kind: 'version' } },
      fields: { ...fields },
      parent: { resource: 'page', field: 'parent' },
      traits: { dated: {}, revision: { fields: ['title', 'body'] } },
    },
  );
  id = await site.put('page', { title: 'One', body: 'a\nb', modified: NOW, modified_gmt: NOW });
});
afterAll(() => site.close());

const versions = () =>
  site.store.reader.select({
    table: 'texts',
    columns: ['id', 'title', 'body', 'parent', 'author', 'status', 'date_gmt'],
    where: site.model('version').rowScope,
    order: [{ column: 'id', direction: 'asc' }],
  });

async function save(changes: Record<string, unknown>, call: object = {}, previous = true): Promise<number> {
  const before = await site.row('page', id);
  await site.store.transaction((tx) => tx.update('texts', changes as never, byId(id)));
  const row = await site.row('page', id);
  await site.write('page', call, (op) =>
    site.hooks(revisionedTrait, 'page').saved!(row, op, previous ? before : undefined),
  );
  return (await versions()).length;
}

it('every change of a revisioned field creates a revision', async () => {
  expect(await save({ title: 'Two' }, {}, false)).toBe(0);
  expect(await save({ title: 'Three' }, { trusted: {} })).toBe(0);
  expect(await save({ title: 'Three' }, { state: { trash: 'entered' } })).toBe(0);
  expect(await save({ title: 'Four' })).toBe(1);
  expect(await save({ status: 'other' })).toBe(1);
  expect(await save({ body: 'a\nc' })).toBe(2);
  const kept = await versions();
  expect(kept[1]).toMatchObject({
    title: 'Four',
    body: 'a\nc',
    parent: id,
    author: 7,
    status: 'inherit',
    date_gmt: NOW,
  });
  expect(await site.row('page', id)).toMatchObject({ revision_count: 2, latest_revision: kept[1]!['id'] });
});

it('a revision includes its difference to the current text on request', async () => {
  const [first] = await versions();
  const view: Record<string, any> = {};
  const call = { kind: 'retrieve', params: { diff: true }, parentId: id } as const;
  await site.hooks(revisionTrait, 'version').present!([view], [first!], site.op('version', call));
  expect(JSON.stringify(view['diff'].body)).toMatch(/b.*c/);
  const plain = {};
  await site.hooks(revisionTrait, 'version').present!([plain], [first!], site.op('version', { kind: 'retrieve' }));
  expect(plain).toEqual({});
});

it('a revision is restored as an update of its parent', async () => {
  const [first] = await versions();
  const { restore } = revisionTrait.actions!(site.model('version'), { fields: ['title', 'body'] });
  expect(restore!.changes).toBe(site.model('page'));
  expect(restore!.target(first!)).toEqual({ id, values: { title: 'Four', body: 'a\nb' } });
});

it('a deleted revision is neither counted nor the latest', async () => {
  const [first, second] = await versions();
  const before = await site.row('page', id);
  await site.write('version', { kind: 'delete' }, async (op) => {
    await op.tx!.delete('texts', byId(second!['id']));
    await site.hooks(revisionTrait, 'version').removed!(second!, op);
  });
  expect(await site.row('page', id)).toMatchObject({
    revision_count: 1,
    latest_revision: first!['id'],
    row_version: before['row_version'] + 1,
  });
});

it('the audit finds wrong numbers and repairs them', async () => {
  const audit = revisionedTrait.audit!(site.model('page'), { into: 'version', fields: [] });
  expect(await audit(site.store.reader)).toEqual([]);
  await site.store.transaction((tx) => tx.update('texts', { revision_count: 5 }, byId(id)));
  const [finding] = await audit(site.store.reader);
  expect(finding!.message).toMatch(/remembers 5 revisions and has 1$/);
  await site.store.transaction((tx) => finding!.fix!(tx));
  expect((await site.row('page', id))['revision_count']).toBe(1);
});

it('repairing findings together gives the same result as one by one', async () => {
  const audit = revisionedTrait.audit!(site.model('page'), { into: 'version', fields: [] });
  const bare = await site.put('page', { title: 'Bare' });
  const many = await site.put('page', { title: 'Many' });
  await site.put('version', { title: 'Old', parent: many, date: '2020-01-01T00:00:00' });
  const newest = await site.put('version', { title: 'New', parent: many, date: '2022-01-01T00:00:00' });
  await site.put('version', { title: 'Between', parent: many, date: '2021-01-01T00:00:00' });
  await site.store.transaction((tx) => tx.update('texts', { revision_count: 4, latest_revision: 99 }, byId(bare)));
  const before = await site.row('page', id);
  await site.store.transaction((tx) => tx.update('texts', { revision_count: 7 }, byId(id)));
  const findings = await audit(site.store.reader);
  expect(findings).toHaveLength(3);
  await fixFindings(findings, site.store);
  expect(await site.row('page', bare)).toMatchObject({ revision_count: 0, latest_revision: 0 });
  expect(await site.row('page', many)).toMatchObject({ revision_count: 3, latest_revision: newest });
  expect(await site.row('page', id)).toEqual(before);
  expect(await audit(site.store.reader)).toEqual([]);
});
