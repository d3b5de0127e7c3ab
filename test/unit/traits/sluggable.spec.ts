import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sluggableTrait } from '../../../src/traits/sluggable/sluggable.trait.js';
import { codeOf, draftOf, invent, type Invented } from './invented.js';

let site: Invented;
const ids: Record<string, number> = {};
beforeAll(async () => {
  site = await invent(
    {
      name: 'dish',
      path: 'dishes',
      fields: { title: { type: 'string' }, status: { type: 'string', enum: ['draft', 'publish'], default: 'publish' } },
      traits: { sluggable: { from: 'title', blank: ['draft'], reserved: ['menu', '#'], maxLength: 20 } },
    },
    {
      name: 'room',
      path: 'rooms',
      fields: { title: { type: 'string' }, house: { type: 'reference', to: 'room' } },
      traits: { sluggable: { from: 'title', parent: 'house', scope: [{ house: '$house' }], taken: 'room_taken' } },
    },
  );
  for (const slug of ['soup', 'soup-2', 'bread']) ids[slug] = await site.put('dish', { slug, title: slug });
  ids['house'] = await site.put('room', { slug: 'house', house: 0 });
  ids['hall'] = await site.put('room', { slug: 'hall', house: ids['house'] });
  ids['attic'] = await site.put('room', { slug: 'attic', house: ids['house'] });
});
afterAll(() => site.close());

async function slugOf(resource: string, row: object, current?: Record<string, unknown>, values: object = row) {
  const draft = draftOf({ ...row }, { ...values });
  await site.hooks(sluggableTrait, resource).input!(draft, site.op(resource), current);
  return draft.row['slug'];
}

describe('a new item', () => {
  it.each([
    ['takes its slug from the title', { title: 'Fish & Chips' }, 'fish-chips'],
    ['keeps the one that is sent', { title: 'Fish', slug: 'cod' }, 'cod'],
    ['gets a number where it is taken', { title: 'Bread' }, 'bread-2'],
    ['gets the next number', { title: 'Soup' }, 'soup-3'],
    ['gets none as a draft', { title: 'Fish', status: 'draft' }, ''],
    ['gets one as a draft where it is sent', { slug: 'cod', status: 'draft' }, 'cod'],
    ['gets a number after a reserved word', { title: 'Menu' }, 'menu-2'],
    ['gets a number after a number', { title: '2030' }, '2030-2'],
    ['gets no longer one than allowed', { title: 'a'.repeat(40) }, 'a'.repeat(20)],
  ])('%s', async (_name, row, wanted) => {
    expect(await slugOf('dish', { status: 'publish', ...row })).toBe(wanted);
  });

  it('without a usable title gets its id as the slug when it is published', async () => {
    const id = await site.put('dish', { slug: '', title: '' });
    const row = await site.row('dish', id);
    await site.write('dish', {}, (op) => site.hooks(sluggableTrait, 'dish').saved!(row, op));
    expect((await site.row('dish', id))['slug']).toBe(String(id));
  });
});

describe('a change', () => {
  const bread = () => ({ id: ids['bread'], slug: 'bread', title: 'bread', status: 'publish' });

  it.each([
    ['of the title leaves the slug', { title: 'Toast' }, undefined],
    ['to the same slug leaves it', { slug: 'bread' }, undefined],
    ['to a free slug takes it', { slug: 'toast' }, 'toast'],
    ['to a taken slug gets a number', { slug: 'soup' }, 'soup-3'],
  ])('%s', async (_name, row, wanted) => {
    const slug = await slugOf('dish', row, bread());
    expect(slug === 'bread' ? undefined : slug).toBe(wanted);
  });

  it('is refused where the slug is in use', async () => {
    const attic = await site.row('room', ids['attic']!);
    expect(await codeOf(() => slugOf('room', { slug: 'hall' }, attic))).toBe('room_taken');
    expect(await codeOf(() => slugOf('room', { slug: 'roof' }, attic))).toBeUndefined();
  });
});

it('slugs are unique among siblings, and get the slug of the parent as a suffix', async () => {
  expect(await slugOf('room', { title: 'Hall', house: 0 })).toBe('hall');
  expect(await slugOf('room', { title: 'Hall', house: ids['house'] })).toBe('hall-house');
});
