import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { trashableTrait } from '../../../src/traits/trashable/trashable.trait.js';
import { codeOf, draftOf, emptyPlan, invent, NOW, type Invented } from './invented.js';

let site: Invented;
const ids: Record<string, number> = {};
beforeAll(async () => {
  const status = { type: 'string', enum: ['publish', 'draft'], default: 'publish' } as const;
  site = await invent(
    {
      name: 'photo',
      path: 'photos',
      fields: {
        title: { type: 'string' },
        status: { ...status, enum: [...status.enum] },
        starred: { type: 'boolean' },
      },
      traits: {
        trashable: { with: [{ resource: 'caption', field: 'photo', mark: 'shelved' }], resets: { starred: false } },
        sluggable: { from: 'title' },
      },
    },
    {
      name: 'caption',
      path: 'captions',
      fields: {
        photo: { type: 'reference', to: 'photo' },
        status: { type: 'string' },
        marked_status: { type: 'string', hidden: true },
      },
    },
  );
  ids['photo'] = await site.put('photo', { title: 'Sea', slug: 'sea', status: 'publish', starred: 1 });
  ids['seen'] = await site.put('caption', { photo: ids['photo'], status: 'seen' });
  ids['held'] = await site.put('caption', { photo: ids['photo'], status: 'held' });
});
afterAll(() => site.close());
const hooks = () => site.hooks(trashableTrait, 'photo');
const photo = () => site.row('photo', ids['photo']!);

describe('deletions and restorations', () => {
  it('with force delete permanently', async () => {
    const op = site.op('photo', { kind: 'delete', params: { force: true } });
    expect(await hooks().remove!(await photo(), op)).toBe(false);
  });

  it('without a trash require force', async () => {
    const op = site.op('photo', { kind: 'delete', settings: { trash: false } });
    const row = await photo();
    expect(await codeOf(() => hooks().remove!(row, op))).toBe('rest_trash_not_supported');
  });

  it('move an item and its dependent items to the trash', async () => {
    const row = await photo();
    await site.write('photo', { kind: 'delete' }, async (op) => {
      expect(await hooks().remove!(row, op)).toBe(true);
      expect(op.state.trash).toBe('entered');
    });
    expect(await photo()).toMatchObject({
      status: 'trash',
      trashed_status: 'publish',
      slug: 'sea__trashed',
      trashed_slug: 'sea',
      trashed_at: NOW,
      starred: 0,
      row_version: row['row_version'] + 1,
    });
    expect(await site.row('caption', ids['held']!)).toMatchObject({ status: 'shelved', marked_status: 'held' });
  });

  it('are refused the second time', async () => {
    const row = await photo();
    expect(await codeOf(() => hooks().remove!(row, site.op('photo', { kind: 'delete' })))).toBe('rest_already_trashed');
  });

  it.each([
    ['another title leaves it there', { title: 'Lake' }, {}],
    ['the status trash leaves it there', { status: 'trash' }, {}],
    ['another status takes it out', { status: 'draft' }, { slug: 'sea', trashed_status: '', trashed_at: null }],
  ])('%s', async (_name, row, wanted) => {
    const draft = draftOf(row);
    const op = site.op('photo');
    void hooks().input!(draft, op, await photo());
    expect(draft.row).toMatchObject({ ...row, ...wanted });
    expect(op.state.trash).toBe(Object.keys(wanted).length > 0 ? 'left' : undefined);
  });

  it('use the slug that is sent in place of the former one', async () => {
    const draft = draftOf({ status: 'draft', slug: 'lake' });
    void hooks().input!(draft, site.op('photo'), await photo());
    expect(draft.row['slug']).toBe('lake');
  });

  it('restore the dependent items too', async () => {
    const row = await photo();
    await site.write('photo', { state: { trash: 'left' } }, (op) => hooks().saved!(row, op, row));
    const captions = await Promise.all(['seen', 'held'].map((name) => site.row('caption', ids[name]!)));
    expect(captions.map(({ status, marked_status: marked }) => [status, marked])).toEqual([
      ['seen', ''],
      ['held', ''],
    ]);
  });
});

it('lists omit the trash', () => {
  const plan = emptyPlan();
  void hooks().scope!(plan, site.op('photo', { kind: 'list' }));
  expect(plan.where).toHaveLength(1);
});
