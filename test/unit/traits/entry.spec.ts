import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { and } from '../../../src/model/query.js';
import { entryTrait } from '../../../src/traits/entry.trait.js';
import { codeOf, draftOf, emptyPlan, invent, type Invented } from './invented.js';

let site: Invented;
beforeAll(async () => {
  site = await invent(
    { name: 'book', path: 'books', fields: { title: { type: 'string' } } },
    {
      name: 'detail',
      path: 'details',
      fields: { book: { type: 'reference', to: 'book' }, key: { type: 'string' }, value: { type: 'text' } },
      parent: { resource: 'book', field: 'book' },
      traits: { entry: {} },
    },
  );
});
afterAll(() => site.close());
const hooks = () => site.hooks(entryTrait, 'detail');

it.each([
  ['a new entry', { key: 'pages', value: '1' }, undefined, undefined],
  ['a new one with a hidden key', { key: '_pages' }, undefined, 'rest_meta_protected'],
  ['a new one with a blank key', { key: ' ' }, undefined, 'rest_meta_invalid_key'],
  ['a new value', { value: '2' }, { key: 'pages', structured: 0 }, undefined],
  ['a change of nothing', {}, { key: 'pages', structured: 0 }, 'rest_meta_data_invalid'],
  ['a change of a hidden entry', { value: '2' }, { key: '_pages', structured: 0 }, 'rest_meta_protected'],
  ['a change of a structured entry', { value: '2' }, { key: 'pages', structured: 1 }, 'rest_post_invalid_action'],
  ['a change to a hidden key', { key: '_x' }, { key: 'pages', structured: 0 }, 'rest_meta_protected'],
])('%s', async (_name, row, current, code) => {
  expect(await codeOf(() => hooks().input!(draftOf(row), site.op('detail'), current))).toBe(code);
});

it.each([
  [{ key: 'pages', structured: 0 }, undefined],
  [{ key: '_pages', structured: 0 }, 'rest_meta_protected'],
  [{ key: 'pages', structured: 1 }, 'rest_meta_protected'],
])('%j is both shown and deleted, or neither', async (row, code) => {
  expect(await codeOf(() => hooks().remove!(row, site.op('detail', { kind: 'delete' })))).toBe(code);
  expect(await codeOf(() => hooks().present!([{}], [row], site.op('detail', { kind: 'retrieve' })))).toBe(code);
});

it('lists omit hidden and structured entries', async () => {
  const rows = ['pages', '_pages', '`x', 'Aa'].map((key) => ({ key, value: '', structured: 0 }));
  for (const row of [...rows, { key: 'tree', value: '', structured: 1 }]) await site.put('detail', row);
  const plan = emptyPlan();
  void hooks().scope!(plan, site.op('detail', { kind: 'list' }));
  const where = and(...plan.where);
  const found = await site.store.reader.select({ table: 'details', columns: ['key'], where, order: [] });
  expect(found.map(({ key }) => key).sort()).toEqual(['Aa', '`x', 'pages']);
});

it('imported entries may have any key', async () => {
  const { input } = hooks();
  expect(await codeOf(() => input!(draftOf({ key: '_x' }), site.op('detail', { trusted: {} })))).toBeUndefined();
});
