import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { nestedTrait } from '../../../src/traits/nested/nested.trait.js';
import { byId, draftOf, invent, type Invented } from './invented.js';

let site: Invented;
const ids: Record<string, number> = {};
beforeAll(async () => {
  site = await invent({
    name: 'place',
    path: 'places',
    fields: { title: { type: 'string' }, above: { type: 'reference', to: 'place' } },
    traits: {
      sluggable: { from: 'title' },
      nested: { field: 'above', path: true, loops: 'detach' },
      'force-delete': {},
    },
  });
  const put = async (slug: string, above: string, path: string) =>
    (ids[slug] = await site.put('place', { slug, above: ids[above] ?? 0, path, title: slug }));
  await put('earth', '', 'earth');
  await put('asia', 'earth', 'earth/asia');
  await put('japan', 'asia', 'earth/asia/japan');
  await put('mars', '', 'mars');
});
afterAll(() => site.close());

const hooks = () => site.hooks(nestedTrait, 'place');
const pathOf = async (slug: string) => (await site.row('place', ids[slug]!))['path'];

it.each([
  ['asia', 'japan', 0],
  ['earth', 'earth', 0],
  ['japan', 'mars', 'mars'],
])('%s below %s', async (moved, to, wanted) => {
  const current = await site.row('place', ids[moved]!);
  const above = wanted === 0 ? 0 : ids[wanted];
  const draft = draftOf({ above: ids[to] });
  await hooks().input!(draft, site.op('place', { id: ids[moved]! }), current);
  expect(draft.row['above']).toBe(above);
  const op = site.op('place', { id: ids[moved]!, values: { above: ids[to] } });
  await hooks().authorize!(op, current);
  expect(op.values['above']).toBe(above);
});

it('cycles are refused at any depth', async () => {
  const top = await site.put('place', { slug: 'level-0', title: 'x' });
  let lowest = top;
  for (let level = 1; level < 120; level++)
    lowest = await site.put('place', { slug: `level-${level}`, title: 'x', above: lowest });
  const draft = draftOf({ above: lowest });
  await hooks().input!(draft, site.op('place', { id: top }), await site.row('place', top));
  expect(draft.row['above']).toBe(0);
  await site.write('place', {}, (op) => op.tx!.delete('places', { op: 'ge', column: 'id', value: top }));
});

it('stored values can be sent back at any depth', async () => {
  const rows = 1_005;
  const deep: number[] = [];
  await site.write('place', {}, async ({ tx }) => {
    for (let level = 0; level < rows; level++) {
      const row = { slug: `deep-${level}`, title: 'x', path: '', above: deep.at(-1) ?? 0 };
      deep.push(await tx!.insert('places', row));
    }
  });
  const [above, id] = deep.slice(-2) as [number, number];
  const current = await site.row('place', id);
  const draft = draftOf({ above });
  await hooks().input!(draft, site.op('place', { id }), current);
  expect(draft.row['above']).toBe(above);
  const op = site.op('place', { id, values: { above } });
  await hooks().authorize!(op, current);
  expect(op.values['above']).toBe(above);
  await site.write('place', {}, (op) => op.tx!.delete('places', { op: 'ge', column: 'id', value: deep[0]! }));
});

it('a move changes the paths of all descendants', async () => {
  await site.write('place', {}, async (op) => {
    const before = await op.tx!.first('places', site.model('place').allColumns, {
      op: 'eq',
      column: 'id',
      value: ids['asia']!,
    });
    await op.tx!.update('places', { above: ids['mars']! }, byId(ids['asia']!));
    await hooks().saved!({ ...before, above: ids['mars'] }, op, before);
  });
  expect([await pathOf('asia'), await pathOf('japan')]).toEqual(['mars/asia', 'mars/asia/japan']);
});

it('a deletion moves the children up', async () => {
  const id = ids['asia']!;
  await site.write('place', { kind: 'delete' }, async ({ tx }) => {
    const settle = await site.model('place').faces.tree!.moveChildrenUp([id], tx!, {});
    await tx!.delete('places', byId(id));
    await settle();
  });
  expect(await site.row('place', ids['japan']!)).toMatchObject({ above: ids['mars'], path: 'mars/japan' });
});

it('children of several deleted items move to the nearest remaining ancestor', async () => {
  const put = (slug: string, above: number) => site.put('place', { slug, above, path: slug, title: slug });
  const upper = await put('upper', ids['mars']!);
  const lower = await put('lower', upper);
  const leaf = await put('leaf', lower);
  await site.write('place', { kind: 'delete' }, async ({ tx }) => {
    const settle = await site.model('place').faces.tree!.moveChildrenUp([lower, upper], tx!, {});
    await tx!.delete('places', { op: 'in', column: 'id', values: [lower, upper] });
    await settle();
  });
  expect(await site.row('place', leaf)).toMatchObject({ above: ids['mars'], path: 'mars/leaf' });
});

it('the audit finds a wrong path and repairs it', async () => {
  const audit = nestedTrait.audit!(site.model('place'), { field: 'above', path: true });
  expect(await audit(site.store.reader)).toEqual([]);
  await site.store.transaction((tx) => tx.update('places', { path: 'x' }, byId(ids['japan']!)));
  const [finding] = await audit(site.store.reader);
  expect(finding!.message).toMatch(/its path is "x" and should be "mars\/japan"/);
  await site.store.transaction((tx) => finding!.fix!(tx));
  expect(await pathOf('japan')).toBe('mars/japan');
});

it('the audit follows a branch of any depth, and a cycle once', async () => {
  const audit = nestedTrait.audit!(site.model('place'), { field: 'above', path: true });
  let above = 0;
  let path = '';
  for (let level = 0; level < 1_100; level++) {
    path = level === 0 ? 'l0' : `${path}/l${level}`;
    above = await site.put('place', { slug: `l${level}`, title: 'x', above, path });
  }
  expect(await audit(site.store.reader)).toEqual([]);
  // A rename at the top reaches the lowest.
  const [top] = await site.store.reader.select({
    table: 'places',
    columns: site.model('place').allColumns,
    where: { op: 'eq', column: 'slug', value: 'l0' },
    order: [],
  });
  await site.write('place', {}, async (op) => {
    await op.tx!.update('places', { slug: 'first' }, byId(top!['id']));
    await hooks().saved!({ ...top!, slug: 'first' }, op, top!);
  });
  expect((await site.row('place', above))['path']).toBe(path.replace('l0/', 'first/'));
  expect(await audit(site.store.reader)).toEqual([]);

  const one = await site.put('place', { slug: 'one', title: 'x', path: 'two/one' });
  const two = await site.put('place', { slug: 'two', title: 'x', above: one, path: 'one/two' });
  await site.store.transaction((tx) => tx.update('places', { above: two }, byId(one)));
  const cycle = {
    message: `place: items are above themselves: ids ${one}, ${two}: Set "above" of one of them to 0 first.`,
  };
  expect(await audit(site.store.reader)).toEqual([cycle]);
  await site.store.transaction((tx) => tx.update('places', { path: 'x' }, byId(two)));
  const [, finding] = await audit(site.store.reader);
  await site.store.transaction((tx) => finding!.fix!(tx));
  expect(await audit(site.store.reader)).toEqual([cycle]);
});
