// Members that an update does not change because its sender cannot see or may not set them.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { mergeProtected, type MemberAccess } from '../../../src/engine/rights/protected-members.js';
import type { RightModel } from '../../../src/model/permissions.js';
import { runs } from '../../support/runs.js';

const member = (name: string, members?: Record<string, RightModel>): RightModel => ({
  path: ['field', name],
  name,
  ...(members ? { members: new Map(Object.entries(members)) } : {}),
});
const field = (...names: string[]): RightModel => ({
  path: ['field'],
  name: 'field',
  members: new Map(names.map((name) => [name, member(name)])),
});
function access(hidden: string[], fixed: string[] = hidden): MemberAccess {
  return {
    sees: ({ name }) => !hidden.includes(name),
    sets: ({ name }) => !fixed.includes(name),
    refuse: (name) => {
      throw new Error(name);
    },
  };
}

describe('objects', () => {
  const right = field('a');
  it.each<[string, unknown, unknown, MemberAccess, unknown]>([
    ['what is not sent stays', { b: 2 }, { a: 1, b: 1 }, access(['a']), { b: 2, a: 1 }],
    ['what is not there stays away', { b: 2 }, { b: 1 }, access(['a']), { b: 2 }],
    ['null keeps it', null, { a: 1, b: 1 }, access(['a']), { a: 1 }],
    ['null clears the rest', null, { b: 1 }, access(['a']), null],
    ['what may be set and not seen is replaced', { a: 9 }, { a: 1 }, access(['a'], []), { a: 9 }],
    ['or stays', {}, { a: 1 }, access(['a'], []), { a: 1 }],
    ['the same value is no change', { a: 1 }, { a: 1 }, access([], ['a']), { a: 1 }],
    ['without restrictions everything is replaced', { b: 2 }, { a: 1 }, access([]), { b: 2 }],
  ])('%s', (_about, sent, stored, may, expected) => {
    expect(mergeProtected(right, sent, stored, may)).toEqual(expected);
  });

  it.each<[string, unknown, unknown, MemberAccess]>([
    ['another value', { a: 2 }, { a: 1 }, access([], ['a'])],
    ['a new value', { a: 2 }, {}, access([], ['a'])],
    ['a guessed value', { a: 1 }, { a: 1 }, access(['a'])],
  ])('%s is refused', (_about, sent, stored, may) => {
    expect(() => mergeProtected(right, sent, stored, may)).toThrow('a');
  });

  it('nested protected members are kept when their object is left out', () => {
    const deep: RightModel = {
      path: ['field'],
      name: 'field',
      members: new Map([['in', member('in', { a: member('a') })]]),
    };
    expect(mergeProtected(deep, { b: 1 }, { in: { a: 1, c: 2 } }, access(['a']))).toEqual({ b: 1, in: { a: 1 } });
  });
});

it('only members that the sender may set change, and all of them that the sender sees do', () => {
  const names = ['a', 'b', 'c'];
  const some = fc.subarray(names);
  const value = fc.record({ a: fc.nat(2), b: fc.nat(2), c: fc.nat(2) }, { requiredKeys: [] });
  fc.assert(
    fc.property(value, value, some, some, (sent, stored, hidden, fixed) => {
      const may = access(hidden, fixed);
      let result: Record<string, unknown>;
      try {
        result = mergeProtected(field(...names), sent, stored, may) as Record<string, unknown>;
      } catch {
        const differs = (name: string) => hidden.includes(name) || !same(sent, stored, name);
        expect(fixed.some((name) => name in sent && differs(name))).toBe(true);
        return;
      }
      for (const name of names) {
        const isFree = !fixed.includes(name) && (!hidden.includes(name) || name in sent);
        expect(same(result, isFree ? sent : stored, name)).toBe(true);
      }
    }),
    { numRuns: runs(2000) },
  );
});

function same(left: object, right: object, name: string): boolean {
  return (left as Record<string, unknown>)[name] === (right as Record<string, unknown>)[name];
}

describe('lists', () => {
  const right = field('cost');
  const stored = [
    { item: 'bolt', cost: 1 },
    { item: 'nut', cost: 2 },
    { item: 'pin', cost: 3 },
  ];
  it.each<[string, object[], object[]]>([
    [
      'an item at another place',
      [{ item: 'pin' }, { item: 'bolt' }],
      [
        { item: 'pin', cost: 3 },
        { item: 'bolt', cost: 1 },
      ],
    ],
    [
      'a changed item',
      [{ item: 'bolt' }, { item: 'screw' }, { item: 'pin' }],
      [
        { item: 'bolt', cost: 1 },
        { item: 'screw', cost: 2 },
        { item: 'pin', cost: 3 },
      ],
    ],
    ['one more', [...stored.map(({ item }) => ({ item })), { item: 'nail' }], [...stored, { item: 'nail' }]],
  ])('%s', (_about, sent, expected) => {
    expect(mergeProtected(right, sent, stored, access(['cost']))).toEqual(expected);
  });

  it('equal items stay in order', () => {
    const twins = [{ cost: 1 }, { cost: 2 }, { cost: 3 }];
    expect(mergeProtected(right, [{}, {}], twins, access(['cost']))).toEqual([{ cost: 1 }, { cost: 2 }]);
  });

  it('a long list takes linear time', () => {
    const long = Array.from({ length: 50_000 }, (_, index) => ({ item: index % 3, cost: index }));
    const sent = long.map(({ item }) => ({ item })).toReversed();
    expect(mergeProtected(right, sent, long, access(['cost']))).toHaveLength(long.length);
  });
});
