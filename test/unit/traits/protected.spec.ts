import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { protectedTrait } from '../../../src/traits/protected.trait.js';
import { codeOf, draftOf, emptyPlan, invent, type Call, type Invented } from './invented.js';

let site: Invented;
beforeAll(async () => {
  site = await invent({
    name: 'letter',
    path: 'letters',
    fields: {
      text: { type: 'rendered' },
      pinned: { type: 'boolean', default: false },
      status: { type: 'string', enum: ['publish', 'private'], default: 'publish' },
    },
    traits: { protected: { fields: ['text'], excludes: 'pinned' } },
    permissions: { rules: { edit: 'edit_letters' } },
  });
});
afterAll(() => site.close());
const hooks = () => site.hooks(protectedTrait, 'letter');

it.each([
  ['a pinned letter takes no password', { password: 'x' }, { pinned: 1, password: '' }, 'rest_invalid_field'],
  ['a letter with a password cannot be pinned', { pinned: 1 }, { pinned: 0, password: 'x' }, 'rest_invalid_field'],
  ['a letter may have one', { password: 'x' }, { pinned: 0, password: '' }, undefined],
])('%s', async (_name, row, current, code) => {
  expect(await codeOf(() => hooks().input!(draftOf(row), site.op('letter'), current))).toBe(code);
});

it('a private letter has no password', () => {
  const draft = draftOf({ status: 'private' });
  void hooks().input!(draft, site.op('letter'), { status: 'publish', password: 'x', pinned: 0 });
  expect(draft.row).toEqual({ status: 'private', password: '' });
});

it.each([
  [{}, 0],
  [{ search: 'x' }, 1],
])('a search omits protected texts (%j)', (params, conditions) => {
  const plan = emptyPlan();
  void hooks().scope!(plan, site.op('letter', { kind: 'list', params }));
  expect(plan.where).toHaveLength(conditions);
});

describe('responses', () => {
  const LOCKED = { id: 1, password: 'sesame' };
  const shown = async (row: object, call: Call) => {
    const views = [{ text: { raw: 'a', rendered: 'a' } }];
    await hooks().present!(views, [row], site.op('letter', call));
    return views[0]!.text;
  };

  it.each([
    ['without a password', { id: 1, password: '' }, { kind: 'list' }, { rendered: 'a' }],
    ['with one', LOCKED, { kind: 'list' }, { rendered: '', protected: true }],
    ['with one, alone', LOCKED, { kind: 'retrieve' }, { rendered: '', protected: true }],
    ['with one, to its writer', LOCKED, { kind: 'retrieve', context: 'edit' }, { rendered: 'a', protected: true }],
    [
      'with one, to a writer who gives it',
      LOCKED,
      { kind: 'retrieve', params: { password: 'sesame' }, ruleResults: { edit: true } },
      { rendered: 'a', protected: true },
    ],
  ] as const)('of a letter %s', async (_name, row, call, wanted) => {
    expect(await shown(row, call as Call)).toEqual({ raw: 'a', ...wanted });
  });

  it('a wrong password is refused, and a right one makes the response confidential', async () => {
    const op = (password: string) =>
      site.op('letter', { kind: 'retrieve', params: { password }, ruleResults: { edit: true } });
    expect(await codeOf(() => hooks().present!([{}], [LOCKED], op('wrong')))).toBe('rest_post_incorrect_password');
    const right = op('sesame');
    await hooks().present!([{ text: { rendered: 'a' } }], [LOCKED], right);
    expect(right.state.confidential).toBe(true);
  });
});
