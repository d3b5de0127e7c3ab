// Which way the rows of a page are found: in the order of the list, or by reading all that match.
import { expect, it } from '@jest/globals';
import { isDense } from '../../../src/engine/list-plan.js';
import type { Operation } from '../../../src/model/operation.js';
import { equals, type Predicate, withoutOtherTables } from '../../../src/model/query.js';

const list = { params: {} } as unknown as Operation;
const search = { params: { search: 'word' } } as unknown as Operation;
const FIRST = { limit: 10, offset: 0, page: 1 };

/** Queries of a list whose first rows match. */
const near = (all?: number) => ({ walked: () => all, finds: () => true, passedPerMatch: 2 });

it.each<[string, Operation, { limit?: number; offset: number; page: number }, number, number | undefined, boolean]>([
  ['many matches', list, FIRST, 2_001, 1_000_000, true],
  ['many matches, far down', list, { ...FIRST, offset: 1_991 }, 2_001, 1_000_000, false],
  ['many matches close together, far down', list, { ...FIRST, offset: 2_000 }, 50_000, 1_000_000, true],
  [
    'many matches far down, among rows that nobody has counted',
    list,
    { ...FIRST, offset: 2_000 },
    50_000,
    undefined,
    false,
  ],
  ['few matches', list, FIRST, 200, 201, false],
  ['matches that lie close together', list, FIRST, 1_000, 100_000, true],
  ['matches that lie far apart', list, FIRST, 1_000, 1_000_000, false],
  ['matches among uncounted rows', list, FIRST, 1_000, undefined, false],
  ['a page with all matches', list, { ...FIRST, limit: 1_000 }, 1_000, 1_001, false],
  ['a list without pages', list, { offset: 0, page: 1 }, 1_000, 1_001, false],
  ['a search with many matches', search, FIRST, 2_001, undefined, true],
  ['a search with some matches', search, FIRST, 1_000, 1_001, false],
])('%s', async (_name, op, page, total, all, expected) => {
  expect(await isDense(op, page, total, near(all))).toBe(expected);
});

it.each<[string, Operation, typeof FIRST, number, [rows: number, passed: number]]>([
  ['many matches', list, FIRST, 50_000, [10, 65_696]],
  ['some matches', list, FIRST, 1_000, [10, 2_000]],
  ['a page far down', list, { ...FIRST, offset: 1_000 }, 50_000, [1_010, 81_696]],
  ['a search', search, FIRST, 50_000, [10, 8_352]],
])('%s at the end of the order are not found by a walk', async (_name, op, page, total, expected) => {
  const asked: number[][] = [];
  const finds = (...limits: number[]) => asked.push(limits) < 0;
  expect(await isDense(op, page, total, { walked: () => 60_000, finds, passedPerMatch: 2 })).toBe(false);
  expect(asked).toEqual([expected]);
});

it('estimates rows only where the plan depends on them', async () => {
  const refuse = () => {
    throw new Error('asked');
  };
  for (const total of [0, 200]) await isDense(list, FIRST, total, { walked: refuse, finds: refuse, passedPerMatch: 2 });
  await isDense(list, FIRST, 2_001, { walked: refuse, finds: () => true, passedPerMatch: 2 });
  await isDense(list, FIRST, 1_000, { walked: () => 1_000_000, finds: refuse, passedPerMatch: 2 });
  expect(() => isDense(list, FIRST, 1_000, { walked: refuse, finds: () => true, passedPerMatch: 2 })).toThrow('asked');
});

const exists: Predicate = {
  op: 'exists',
  table: 'pairs',
  inner: 'owner_id',
  outer: 'id',
  where: equals('target_id', 1),
};
const kind = equals('kind', 'map');

it.each<[string, Predicate, Predicate]>([
  ['a question beside others', { op: 'and', of: [kind, exists] }, kind],
  ['nothing but a question', exists, { op: 'true' }],
  ['no question', kind, kind],
])('walks over the rows of %s', (_name, where, walked) => expect(withoutOtherTables(where)).toEqual(walked));
