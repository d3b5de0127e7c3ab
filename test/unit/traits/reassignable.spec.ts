import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSociety, type Society } from './society.js';

let society: Society;
let keeper: number;
let leaver: number;

beforeEach(async () => {
  society = await openSociety();
  keeper = await society.make('member', { username: 'keeper', email: 'k@example.org', roles: ['head'] });
  leaver = await society.make('member', { username: 'leaver', email: 'l@example.org' });
});
afterEach(() => society.close());

const remove = (reassign: unknown, force = true) =>
  society.outcome('delete', 'member', { id: leaver, params: { force, reassign } });
const owner = async (resource: string, id: number) => (await society.row(resource, id))!['owner'];

describe('the parameter', () => {
  const param = () => society.models.byName.get('member')!.deleteParams.get('reassign')!;

  it('is required', () => expect(param().schema.required).toBe(true));

  it.each([
    [5, 5],
    ['5', 5],
    [0, 0],
    ['0', 0],
    [-1, -1],
    [false, false],
    ['false', 'false'],
    ['', ''],
  ])('reads %j as %j', (given, read) => {
    expect(param().rule(given, 'reassign')).toEqual({ value: read });
  });

  it.each(['someone', true, 'true', [], {}, 1.5])('refuses %j', (given) => {
    expect(param().rule(given, 'reassign')).toHaveProperty('issue');
  });
});

describe('a successor', () => {
  it('receives every item, including trashed ones and other types in the table', async () => {
    const book = await society.make('book', { title: 'One', owner: leaver, status: 'publish' });
    const gone = await society.make('book', { title: 'Two', owner: leaver });
    await society.outcome('delete', 'book', { id: gone, params: {} });
    const talk = await society.make('talk', { title: 'Three', owner: leaver });
    const edition = await society.make('edition', { owner: leaver, book });
    const other = await society.make('talk', { title: 'Four', owner: 0 });
    expect(await remove(keeper)).toMatchObject({
      status: 200,
      body: { deleted: true, previous: { id: leaver, username: 'leaver' } },
    });
    expect(
      await Promise.all([owner('book', book), owner('book', gone), owner('talk', talk), owner('edition', edition)]),
    ).toEqual([keeper, keeper, keeper, keeper]);
    expect(await owner('talk', other)).toBe(0);
    expect((await society.row('book', book))!['status']).toBe('publish');
    expect(await society.row('member', leaver)).toBeUndefined();
  });

  it('may be false', async () => {
    const book = await society.make('book', { title: 'One', owner: leaver, status: 'publish' });
    expect(await remove(0)).toMatchObject({ status: 200 });
    expect(await society.row('book', book)).toMatchObject({ owner: 0, status: 'publish', row_version: 2 });
  });

  it('must be another existing account, which is checked after force', async () => {
    for (const id of [leaver, 999, -keeper]) {
      expect(await remove(id)).toBe('rest_user_invalid_reassign');
      expect(await remove(id, false)).toBe('rest_trash_not_supported');
    }
    expect(await society.row('member', leaver)).toBeDefined();
  });
});

describe('without a successor', () => {
  it.each([false, 'false', ''])('items are moved to the trash without an owner (%j)', async (reassign) => {
    const book = await society.make('book', { title: 'One', owner: leaver, status: 'publish' });
    const talk = await society.make('talk', { title: 'Two', owner: leaver });
    const kept = await society.make('talk', { title: 'Three', owner: keeper, status: 'publish' });
    await remove(reassign);
    expect(await society.row('book', book)).toMatchObject({
      owner: 0,
      status: 'trash',
      trashed_status: 'publish',
      trashed_slug: 'one',
      slug: 'one__trashed',
    });
    expect(await society.row('talk', talk)).toMatchObject({ owner: 0, status: 'trash', trashed_status: 'draft' });
    expect(await society.row('talk', kept)).toMatchObject({ owner: keeper, status: 'publish' });
  });

  it('items that cannot be trashed remain, with the copied values', async () => {
    const remark = await society.make('remark', { by: leaver, signed: 'leaver' });
    await remove(false);
    expect(await society.row('remark', remark)).toMatchObject({ by: 0, signed: 'leaver' });
  });

  it('the maintained counts stay correct for many items', async () => {
    for (let n = 0; n < 205; n += 1)
      await society.make('book', { title: `Book ${n}`, owner: leaver, status: 'publish' });
    await remove(false);
    const count = (status: string) =>
      society.store.reader.count('works', {
        op: 'and',
        of: [
          { op: 'eq', column: 'kind', value: 'book' },
          { op: 'eq', column: 'status', value: status },
        ],
      });
    expect(await Promise.all([count('publish'), count('trash')])).toEqual([0, 205]);
  });
});
