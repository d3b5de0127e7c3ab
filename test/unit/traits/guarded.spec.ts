import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openForum, type Outcome, type Forum } from './forum.js';

let forum: Forum;
const on: Record<string, number> = { none: 0, gone: 999 };
/** One approved and one held remark on each item. */
const ids: Record<string, number> = {};

beforeAll(async () => {
  forum = await openForum();
  const { wim, rita } = forum.ids;
  const make = (name: string, values: object) =>
    forum.put('article', { title: name, status: 'publish', owner: wim, ...values });
  on['open'] = await make('open', {});
  on['locked'] = await make('locked', { password: 'sesame' });
  on['private'] = await make('private', { status: 'private' });
  on['private locked'] = await make('both', { status: 'draft', password: 'sesame' });
  for (const [name, about] of Object.entries(on)) {
    for (const status of ['approved', 'hold'])
      ids[`${name} ${status}`] = await forum.put('remark', { about, status, words: 'x' });
  }
  ids['private own'] = await forum.put('remark', { about: on['private'], status: 'approved', words: 'mine', by: rita });
  ids['open own'] = await forum.put('remark', { about: on['open'], status: 'hold', words: 'mine', by: rita });
});
afterAll(() => forum.close());

const short = ({ status, code }: Outcome) => (code ? `${status} ${code}` : `${status}`);

describe('a single item', () => {
  it.each<[string, string, string, string]>([
    ['C-20', 'open approved', 'anonymous', '200'],
    ['C-21 held', 'open hold', 'anonymous', '401 rest_cannot_read'],
    ['C-21 held', 'open hold', 'rita', '403 rest_cannot_read'],
    ['C-21 held, own', 'open own', 'rita', '200'],
    ['9.6 held, of an own item', 'open hold', 'wim', '200'],
    ['9.6 held, of the item of another', 'open hold', 'wanda', '403 rest_cannot_read'],
    ['C-21 of an item that is gone', 'gone approved', 'hanna', '404 rest_post_invalid_id'],
    ['C-21 of an item that is gone', 'gone approved', 'anonymous', '404 rest_post_invalid_id'],
    ['C-21 of no item', 'none approved', 'hanna', '200'],
    ['C-21 of no item', 'none approved', 'anonymous', '401 rest_cannot_read'],
    ['C-23 of a locked item', 'locked approved', 'anonymous', '401 rest_cannot_read'],
    ['C-23 of an own locked item', 'locked approved', 'wim', '200'],
    ['of a private item', 'private approved', 'rita', '403 rest_cannot_read'],
    ['of a private item, own', 'private own', 'rita', '403 rest_cannot_read_post'],
    ['of a private item', 'private approved', 'hanna', '200'],
    ['of a private item, as moderator', 'private approved', 'stef', '403 rest_cannot_read_post'],
  ])('%s: %s (%s) gives %s', async (_name, id, as, wanted) => {
    expect(short(await forum.outcome('retrieve', 'remark', { id: ids[id]!, as }))).toBe(wanted);
  });

  it.each<[string, string, string, string]>([
    ['locked approved', 'anonymous', 'sesame', '200'],
    ['locked approved', 'rita', 'sesame', '200'],
    ['locked approved', 'anonymous', 'seasam', '401 rest_cannot_read'],
    ['locked approved', 'anonymous', '', '401 rest_cannot_read'],
    ['locked hold', 'anonymous', 'sesame', '401 rest_cannot_read'],
    ['private locked approved', 'anonymous', 'sesame', '401 rest_cannot_read'],
    ['open hold', 'anonymous', 'sesame', '401 rest_cannot_read'],
  ])('C-23 %s (%s) with the password %j gives %s', async (id, as, password, wanted) => {
    const outcome = await forum.outcome('retrieve', 'remark', { id: ids[id]!, as, params: { password } });
    expect([short(outcome), Boolean(outcome.confidential)]).toEqual([wanted, wanted === '200']);
  });

  it.each([
    ['open approved', 'anonymous', '401 rest_forbidden_context'],
    ['open hold', 'anonymous', '401 rest_cannot_read'],
    ['open approved', 'wim', '403 rest_forbidden_context'],
    ['open approved', 'stef', '200'],
    ['gone approved', 'anonymous', '404 rest_post_invalid_id'],
  ])('14.14 in edit context: %s (%s) gives %s', async (id, as, wanted) => {
    expect(short(await forum.outcome('retrieve', 'remark', { id: ids[id]!, as, params: { context: 'edit' } }))).toBe(
      wanted,
    );
  });
});

describe('lists', () => {
  const found = async (as: string, about: string[], more: object = {}): Promise<unknown> => {
    const params = { ...(about.length > 0 ? { about: about.map((name) => on[name]) } : {}), ...more };
    const outcome = await forum.outcome('list', 'remark', { as, params });
    if (outcome.code) return short(outcome);
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    expect(outcome.total).toBe(outcome.body.length);
    return outcome.body.map((item: { id: number }) => names.get(item.id));
  };

  it.each<[string, string, string[], unknown]>([
    ['C-03, C-04 nothing of locked, private or lost items', 'anonymous', [], ['open approved']],
    ['C-04 one’s own is hidden with the item', 'rita', [], ['open approved']],
    ['C-04 what one moderates is hidden with the item', 'stef', [], ['none approved', 'open approved']],
    [
      'C-03 what one may edit',
      'wim',
      [],
      ['open approved', 'locked approved', 'private approved', 'private locked approved', 'private own'],
    ],
    ['C-06 of one item', 'anonymous', ['open'], ['open approved']],
    ['C-06 of two items', 'hanna', ['open', 'locked'], ['open approved', 'locked approved']],
    ['C-04 of an item that is not there', 'anonymous', ['gone', 'open'], ['open approved']],
    ['C-08 of a private item', 'anonymous', ['private'], '401 rest_cannot_read_post'],
    ['C-08 of a private item', 'rita', ['private'], '403 rest_cannot_read_post'],
    ['C-08 of a private item', 'wim', ['private'], ['private approved', 'private own']],
    ['C-03 of a locked item', 'anonymous', ['locked'], '401 rest_cannot_read_post'],
    ['C-04 of none', 'anonymous', ['none'], '401 rest_cannot_read'],
    ['C-04 of none', 'wim', ['none', 'open'], '403 rest_cannot_read'],
    ['C-04 of none', 'hanna', ['none'], ['none approved']],
  ])('%s (%s, %j)', async (_name, as, about, wanted) => {
    expect(await found(as, about)).toEqual(wanted);
  });

  it.each<[string, string[], string, unknown]>([
    ['one locked item', ['locked'], 'sesame', ['locked approved']],
    ['one locked item, wrongly', ['locked'], 'open', '401 rest_cannot_read_post'],
    ['several items', ['locked', 'open'], 'sesame', '401 rest_cannot_read_post'],
    ['no item', [], 'sesame', ['open approved']],
    ['an open item', ['open'], 'sesame', ['open approved']],
    ['an item that is locked and not public', ['private locked'], 'sesame', '401 rest_cannot_read_post'],
  ])('C-03 a password with %s (%j, %s)', async (_name, about, password, wanted) => {
    expect(await found('anonymous', about, { password })).toEqual(wanted);
  });

  it('C-03 a response that a password opened is confidential', async () => {
    const { confidential } = await forum.outcome('list', 'remark', {
      params: { about: [on['locked']], password: 'sesame' },
    });
    expect(confidential).toBe(true);
  });
});
