// The traits term and classified, which belong together.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { removeRows } from '../../../src/engine/remove-rows.js';
import { classifiedTrait } from '../../../src/traits/classified/classified.trait.js';
import { termTrait } from '../../../src/traits/term/term.trait.js';
import { equals } from '../../../src/model/query.js';
import { staleDerived } from '../../../src/maintenance/check-derived.js';
import { fixFindings } from '../../../src/maintenance/fix-findings.js';
import { byId, codeOf, draftOf, invent, type Invented } from './invented.js';

let site: Invented;
const ids: Record<string, number> = {};
beforeAll(async () => {
  site = await invent(
    {
      name: 'shelf',
      path: 'shelves',
      fields: { name: { type: 'string' }, parent: { type: 'reference', to: 'shelf' } },
      traits: {
        sluggable: { from: 'name' },
        term: { parent: 'parent', fallback: 'defaultCategory' },
        'force-delete': {},
      },
    },
    {
      name: 'label',
      path: 'labels',
      fields: { name: { type: 'string' } },
      traits: { sluggable: { from: 'name' }, term: {} },
    },
    {
      name: 'item',
      path: 'items',
      fields: {
        status: { type: 'string', enum: ['publish', 'draft'], default: 'publish' },
        shelves: { type: 'references', to: 'shelf' },
      },
      traits: { classified: { fields: ['shelves'], defaults: { shelves: 'defaultCategory' } } },
    },
  );
  ids['default'] = await site.put('shelf', { name: 'Default', slug: 'default', name_key: 'default' });
  ids['tools'] = await site.put('shelf', { name: 'Tools', slug: 'tools', name_key: 'tools' });
});
afterAll(() => site.close());
const terms = (resource = 'shelf') => site.hooks(termTrait, resource);
const items = () => site.hooks(classifiedTrait, 'item');
const countOf = async (name: string) => (await site.row('shelf', ids[name]!))['count'];

it.each([
  ['a name', { name: 'Nails' }, {}, undefined],
  ['no name', { name: '' }, {}, 'empty_term_name'],
  ['a long name', { name: 'é'.repeat(101) }, {}, 'invalid_term_name'],
  ['the name of a sibling', { name: 'TOOLS' }, {}, 'term_exists'],
  ['that name below another', { name: 'Tools', parent: 2 }, {}, undefined],
  ['that name with a slug of its own', { name: 'Tools', slug: 'more-tools' }, { slug: 'more-tools' }, undefined],
  ['that name with the same slug', { name: 'Tools', slug: 'tools' }, { slug: 'tools' }, 'term_exists'],
])('a new term with %s', async (_name, row, values, code) => {
  const draft = draftOf(row, { ...row, ...values });
  expect(await codeOf(() => terms().input!(draft, site.op('shelf', { kind: 'create' })))).toBe(code);
});

it('a term cannot move beside one with the same name, unless its slug is sent', async () => {
  const [upper, other] = [ids['default']!, ids['tools']!];
  const below = await site.put('shelf', { name: 'Tools', slug: 'more-tools', name_key: 'tools', parent: upper });
  const current = await site.row('shelf', below);
  const moved = (row: object, values: object = row) =>
    codeOf(() => terms().input!(draftOf({ ...row }, { ...values }), site.op('shelf', { id: below }), current));
  expect(await moved({ parent: 0 })).toBe('term_exists');
  expect(await moved({ name: 'Tools', parent: 0 })).toBe('term_exists');
  expect(await moved({ parent: 0, slug: 'more-tools' })).toBeUndefined();
  expect(await moved({ parent: other })).toBeUndefined();
  expect(await moved({ parent: upper })).toBeUndefined();
  expect(await moved({ description: 'x' })).toBeUndefined();
  await site.write('shelf', {}, (op) => op.tx!.delete('shelves', byId(below)));
});

it.each([
  ['label', { parent: 1 }, 'rest_taxonomy_not_hierarchical'],
  ['label', { parent: null }, undefined],
  ['shelf', { parent: 1 }, undefined],
])('a %s with %j', async (resource, raw, code) => {
  expect(await codeOf(() => terms(resource).authorize!(site.op(resource, { kind: 'create', raw })))).toBe(code);
});

it('the default term cannot be deleted', async () => {
  const op = site.op('shelf', { kind: 'delete', settings: { defaultCategory: ids['default'] } });
  const row = await site.row('shelf', ids['default']!);
  expect(await codeOf(() => terms().remove!(row, op))).toBe('rest_cannot_delete');
});

it('new items get the default term unless a term is sent', async () => {
  const settings = { defaultCategory: ids['default'] };
  const given = draftOf({}, { shelves: [] });
  await items().input!(given, site.op('item', { kind: 'create', settings }));
  expect(given.many).toEqual({});
  const draft = draftOf({});
  await items().input!(draft, site.op('item', { kind: 'create', settings }));
  expect(draft.many).toEqual({ shelves: [ids['default']] });
});

it('terms count the published items, and the default term replaces a deleted one', async () => {
  const id = (ids['item'] = await site.put('item', { status: 'publish' }));
  const { table } = site.model('item').fields.get('shelves')!.many!;
  const saved = (from: string | undefined, to: string, sets?: object) =>
    site.write('item', { state: sets ? { sets: new Map(Object.entries(sets)) } : {} }, (op) =>
      items().saved!({ id, status: to }, op, from === undefined ? undefined : { id, status: from }),
    );
  await site.store.transaction((tx) => tx.insertMany(table, [{ owner_id: id, target_id: ids['tools']! }]));
  await saved(undefined, 'publish', { shelves: { before: [], after: [ids['tools']] } });
  expect(await countOf('tools')).toBe(1);
  await saved('publish', 'draft');
  expect(await countOf('tools')).toBe(0);
  await saved('draft', 'publish');
  expect(await countOf('tools')).toBe(1);
  const settings = { defaultCategory: ids['default'] };
  const row = await site.row('shelf', ids['tools']!);
  await site.write('shelf', { kind: 'delete', params: { force: true }, settings }, (op) => terms().remove!(row, op));
  expect(await countOf('default')).toBe(1);
  await site.store.transaction((tx) => removeRows(tx, site.model('item'), [id], { compensations: [] }));
  expect(await countOf('default')).toBe(0);
});

it('a default term that does not exist replaces nothing', async () => {
  const id = await site.put('item', { status: 'publish' });
  const shelf = await site.put('shelf', { name: 'Left', slug: 'left', name_key: 'left' });
  const { table } = site.model('item').fields.get('shelves')!.many!;
  await site.store.transaction((tx) => tx.insertMany(table, [{ owner_id: id, target_id: shelf }]));
  const call = { kind: 'delete', params: { force: true }, settings: { defaultCategory: 999 } } as const;
  const row = await site.row('shelf', shelf);
  await site.write('shelf', call, (op) => terms().remove!(row, op));
  const pairs = await site.store.reader.select({
    table,
    columns: ['target_id'],
    where: equals('owner_id', id),
    order: [],
  });
  expect(pairs).toEqual([{ target_id: shelf }]);
});

it('the audit finds a wrong count and repairs it', async () => {
  const audit = classifiedTrait.audit!(site.model('item'), { fields: ['shelves'] });
  await site.store.transaction((tx) => tx.update('shelves', { count: 9 }, byId(ids['tools']!)));
  const found = (await audit(site.store.reader)).filter(({ message }) => message.includes(`shelf ${ids['tools']}`));
  expect(found.map(({ message }) => message)).toEqual([expect.stringMatching(/count is 9 and should be 0/)]);
  await site.store.transaction((tx) => found[0]!.fix!(tx));
  expect(await countOf('tools')).toBe(0);
});

it('repairing wrong counts together gives the same result as one by one', async () => {
  const audit = classifiedTrait.audit!(site.model('item'), { fields: ['shelves'] });
  const [one, other] = [await site.put('item', {}), await site.put('item', { status: 'draft' })];
  const { table } = site.model('item').fields.get('shelves')!.many!;
  const [tools, unused] = [ids['tools']!, ids['default']!];
  await site.store.transaction(async (tx) => {
    await tx.delete(table, { op: 'true' });
    await tx.insertMany(
      table,
      [one, other].map((owner_id) => ({ owner_id, target_id: tools })),
    );
    await tx.update('shelves', { count: 5 }, { op: 'true' });
  });
  const findings = await audit(site.store.reader);
  expect(findings.length).toBeGreaterThan(1);
  await fixFindings(findings, site.store);
  const count = async (shelf: number) => (await site.row('shelf', shelf))['count'];
  expect([await count(tools), await count(unused)]).toEqual([1, 0]);
  expect(await audit(site.store.reader)).toEqual([]);
});

it('check --data finds a name key that does not match the name and repairs it', async () => {
  const wrong = () => staleDerived(site.model('shelf'), site.store.reader, site.store);
  await fixFindings(await wrong(), site.store);
  const long = await site.put('shelf', { name: `${'a'.repeat(199)}\u{20000}`, slug: 'long' });
  await site.store.transaction((tx) => tx.update('shelves', { name: 'Pliers' }, byId(ids['tools']!)));
  const found = await wrong();
  expect(found.map(({ message }) => message)).toEqual(
    [ids['tools'], long].map((id) => expect.stringMatching(new RegExp(`^shelf ${id}: .*name_key`))),
  );
  await fixFindings(found, site.store);
  expect((await site.row('shelf', ids['tools']!))['name_key']).toBe('pliers');
  expect(await wrong()).toEqual([]);
});
