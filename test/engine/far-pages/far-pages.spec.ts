// Pages of a long list, also those that are looked for from its end: what they show, in every order, with filters.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

/** So many items that pages in the second half are looked for from the end, the last of which is not full. */
const COUNT = 2_530;
const PER_PAGE = 100;
const AT_ONCE = 500;

const SCHEMAS = [
  {
    name: 'label',
    path: 'labels',
    fields: { name: { type: 'string' } },
    permissions: { rules: { read: true } },
  },
  {
    name: 'parcel',
    path: 'parcels',
    fields: {
      weight: { type: 'integer', index: true },
      due: { type: 'datetime', nullable: true, index: true },
      labels: { type: 'references', to: 'label', filterable: { in: 'Only parcels with these labels.' } },
    },
    list: { orderby: ['id', 'weight', 'due'] },
    permissions: { rules: { read: true } },
  },
];

describe('far pages of a list', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSchemas(SCHEMAS);
    await site.site.writer.batch(async ({ create }) => {
      for (const name of ['Heavy', 'Late']) await create('label', { name });
    });
    const rows = Array.from({ length: COUNT }, (_, at) => ({ weight: at % 7, due: dueOf(at + 1) }));
    const marks = rows.flatMap((_, at) => (at % 5 === 0 ? [] : [{ owner_id: at + 1, target_id: 1 }]));
    await site.site.store.transaction(async (tx) => {
      for (let at = 0; at < COUNT; at += AT_ONCE) await tx.insertMany('parcels', rows.slice(at, at + AT_ONCE));
      for (let at = 0; at < marks.length; at += AT_ONCE)
        await tx.insertMany('parcels_labels', marks.slice(at, at + AT_ONCE));
    });
  });
  afterAll(() => site?.close());

  /** Ids of all pages, the last ones first: by then, how they are read has been compiled. */
  async function idsOf(query: string, total: number): Promise<number[]> {
    const ids: number[] = [];
    for (let page = Math.ceil(total / PER_PAGE); page > 0; page -= 1) {
      const path = `/parcels?${query}&per_page=${PER_PAGE}&page=${page}&_fields=id`;
      const { headers, body } = await site.send('GET', path, { status: 200 });
      expect(headers['x-wp-total']).toBe(String(total));
      ids.unshift(...body.map(({ id }: { id: number }) => id));
    }
    return ids;
  }

  const all = Array.from({ length: COUNT }, (_, at) => at + 1);
  const LISTS: [query: string, ids: number[]][] = [
    ['orderby=id', all],
    ['orderby=weight', inOrder(all, weightOf)],
    ['orderby=due', inOrder(all, (id) => dueOf(id) ?? '')],
    ['orderby=id&labels=1', all.filter((id) => id % 5 !== 1)],
    [
      'orderby=weight&labels=1',
      inOrder(
        all.filter((id) => id % 5 !== 1),
        weightOf,
      ),
    ],
  ];

  it.each(LISTS)('%s', async (query, ids) => {
    expect(await idsOf(`${query}&order=asc`, ids.length)).toEqual(ids);
    expect(await idsOf(`${query}&order=desc`, ids.length)).toEqual(ids.toReversed());
  });

  it('include a page at any offset', async () => {
    for (const offset of [999, 1_000, 1_300, 2_000, COUNT - 11, COUNT - 10, COUNT - 1, COUNT]) {
      for (let time = 0; time < 3; time += 1) {
        const path = `/parcels?orderby=id&order=asc&per_page=10&offset=${offset}&_fields=id`;
        const { body } = await site.send('GET', path, { status: 200 });
        expect(body.map(({ id }: { id: number }) => id)).toEqual(all.slice(offset, offset + 10));
      }
    }
  });

  it('include a page after a deletion', async () => {
    const path = `/parcels?orderby=id&order=asc&per_page=10&offset=2000&_fields=id`;
    const first = async () => (await site.send('GET', path, { status: 200 })).body[0].id;
    for (let time = 0; time < 3; time += 1) expect(await first()).toBe(2_001);
    await site.site.store.transaction((tx) => tx.delete('parcels', { op: 'eq', column: 'id', value: 2_400 }));
    expect(await first()).toBe(2_001);
    await site.site.store.transaction((tx) => tx.delete('parcels', { op: 'eq', column: 'id', value: 3 }));
    expect(await first()).toBe(2_002);
  });
});

function weightOf(id: number): number {
  return (id - 1) % 7;
}

/** Every ninth parcel has no date, and many have the same. */
function dueOf(id: number): string | null {
  return id % 9 === 0 ? null : `2024-0${(id % 4) + 1}-01 00:00:00`;
}

/** Sorted by a value, then by id. */
function inOrder(ids: readonly number[], value: (id: number) => number | string): number[] {
  return ids.toSorted((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a - b));
}
