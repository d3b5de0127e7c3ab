// The operators of the query language, against a model of them that shares no code with the engine.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { administrator } from '../../support/actors.js';
import { startTestSchemas } from '../../support/start-test-site.js';
import { openDepot, type Depot, type Maker, type Product } from './stage.js';

let depot: Depot;

beforeAll(async () => {
  depot = await openDepot();
});

afterAll(async () => {
  await depot?.site.close();
});

const maker = (id: number): Maker | undefined => depot.makers.find((each) => each.id === id);
const listed = (id: number): Maker | undefined => (maker(id)?.listed ? maker(id) : undefined);
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

async function idsOf(query: string, as = depot.actors.boss.headers): Promise<number[]> {
  const response = await depot.site.send('GET', `/products?per_page=100&orderby=id&order=asc&${query}`, {
    as,
    status: 200,
  });
  expect(Number(response.headers['x-wp-total'])).toBe(response.body.length);
  return response.body.map(({ id }: Product) => id);
}

const CASES: [query: string, holds: (product: Product) => boolean][] = [
  ['price[eq]=5.00', ({ price }) => Number(price) === 5],
  ['price[eq]=5', ({ price }) => Number(price) === 5],
  ['price[ne]=5', ({ price }) => Number(price) !== 5],
  ['price[gt]=5', ({ price }) => Number(price) > 5],
  ['price[gte]=5&price[lt]=8.25', ({ price }) => Number(price) >= 5 && Number(price) < 8.25],
  ['price[lte]=2.5', ({ price }) => Number(price) <= 2.5],
  ['price[between]=2.25,7', ({ price }) => Number(price) >= 2.25 && Number(price) <= 7],
  ['price[in]=5,10.50', ({ price }) => [5, 10.5].includes(Number(price))],
  ['price[nin]=5,10.50', ({ price }) => ![5, 10.5].includes(Number(price))],
  ['stock[eq]=3', ({ stock }) => stock === 3],
  ['stock[ne]=3', ({ stock }) => stock !== 3],
  ['stock[in]=1,2', ({ stock }) => [1, 2].includes(stock)],
  ['stock[in][]=1&stock[in][]=2', ({ stock }) => [1, 2].includes(stock)],
  ['stock[gt]=9007199254740991', () => false],
  ['weight[null]=true', ({ weight }) => weight === null],
  ['weight[null]=false', ({ weight }) => weight !== null],
  ['weight[gt]=3.5', ({ weight }) => weight !== null && weight > 3.5],
  ['weight[lt]=3.5', ({ weight }) => weight !== null && weight < 3.5],
  ['weight[ne]=0.5', ({ weight }) => weight !== 0.5],
  ['weight[nin]=0.5,1', ({ weight }) => weight === null || ![0.5, 1].includes(weight)],
  ['season[null]=true', ({ season }) => season === null],
  ['season[lt]=2024-04-01', ({ season }) => season !== null && season < '2024-04-01'],
  [
    'season[between]=2024-02-01,2024-05-01',
    ({ season }) => season !== null && season >= '2024-02-01' && season <= '2024-05-01',
  ],
  ['added[gte]=2024-05-15T10:00:00Z', ({ added }) => added !== null && added >= '2024-05-15T10:00:00'],
  ['added[lte]=2024-05-15T12:00:00%2B02:00', ({ added }) => added !== null && added <= '2024-05-15T10:00:00'],
  ['active[eq]=false', ({ active }) => !active],
  ['active[ne]=false', ({ active }) => active],
  ['kind[in]=toy,book', ({ kind }) => kind !== 'tool'],
  ['kind[eq]=toy', ({ kind }) => kind === 'toy'],
  ['name[contains]=bolt', ({ name }) => plain(name).includes('bolt')],
  ['name[contains]=AMB', ({ name }) => plain(name).includes('amb')],
  ['name[contains]=0%25', ({ name }) => name.includes('0%')],
  ['name[contains]=r_2', ({ name }) => name.includes('r_2')],
  ['name[startswith]=bo', ({ name }) => plain(name).startsWith('bo')],
  ['name[startswith]=%C3%A9', ({ name }) => plain(name).startsWith('e')],
  ['name[endswith]=1', ({ name }) => name.endsWith('1')],
  ['name[endswith]=MOULD', ({ name }) => plain(name).endsWith('mould')],
  ['name[eq]=Bolt', ({ name }) => name === 'Bolt'],
  ['name[eq]=bolt', ({ name }) => name === 'bolt'],
  ['tags[eq]=red', ({ tags }) => tags.includes('red')],
  ['tags[in]=blue,green', ({ tags }) => tags.includes('blue')],
  ['tags[nin]=blue,green', ({ tags }) => !tags.includes('blue')],
  ['tags[null]=true', ({ tags }) => tags.length === 0],
  ['maker[null]=true', (product) => product.maker === 0],
  ['maker[name][contains]=maker%20a', (product) => maker(product.maker)?.name === 'Maker A'],
  ['maker[rating][gte]=1', (product) => (maker(product.maker)?.rating ?? 0) >= 1],
  ['maker[rating][ne]=1', (product) => maker(product.maker) !== undefined && maker(product.maker)!.rating !== 1],
  ['maker[rating][gte]=1&maker[listed][eq]=true', (product) => (listed(product.maker)?.rating ?? 0) >= 1],
  [
    'maker[country][code][eq]=EE',
    (product) => [0, 2].includes(depot.makers.findIndex(({ id }) => id === product.maker)),
  ],
  ['suppliers[rating][eq]=2', ({ suppliers }) => suppliers.some((id) => maker(id)!.rating === 2)],
  ['suppliers[null]=false', ({ suppliers }) => suppliers.length > 0],
  ['or[0][kind][eq]=toy&or[1][price][gt]=9', ({ kind, price }) => kind === 'toy' || Number(price) > 9],
  [
    'or[0][kind]=toy&or[0][price][gt]=5&or[1][stock]=0',
    ({ kind, price, stock }) => (kind === 'toy' && Number(price) > 5) || stock === 0,
  ],
  [
    'or[0][and][0][stock]=1&or[0][and][1][kind]=toy&or[1][stock]=2',
    ({ stock, kind }) => (stock === 1 && kind === 'toy') || stock === 2,
  ],
  [
    'and[0][or][0][stock]=1&and[0][or][1][stock]=2&and[1][kind][ne]=toy',
    ({ stock, kind }) => [1, 2].includes(stock) && kind !== 'toy',
  ],
  [
    'or[0][maker][rating][gt]=1&or[1][tags][eq]=green',
    (product) => (maker(product.maker)?.rating ?? 0) > 1 || product.tags.includes('green'),
  ],
  ['kind=toy&stock[gt]=3', ({ kind, stock }) => kind === 'toy' && stock > 3],
  ['discount[gte]=3', ({ discount }) => discount >= 3],
  ['cost[gt]=30', ({ cost }) => cost > 30],
];

describe('conditions', () => {
  test.each(CASES)('%s', async (query, holds) => {
    const wanted = depot.products.filter(holds).map(({ id }) => id);
    expect(await idsOf(query)).toEqual(wanted);
  });

  test.each([
    ['kind[eq]=toy', ({ kind, active }: Product) => kind === 'toy' && active],
    // Only of toys may a clerk read the discount.
    ['discount[gte]=0', ({ kind, active }: Product) => kind === 'toy' && active],
    ['discount[ne]=1', ({ kind, active, discount }: Product) => kind === 'toy' && active && discount !== 1],
    [
      'or[0][discount][ne]=1&or[1][stock]=0',
      ({ kind, active, discount, stock }: Product) => active && ((kind === 'toy' && discount !== 1) || stock === 0),
    ],
    ['maker[rating][gte]=0', ({ maker: id, active }: Product) => active && listed(id) !== undefined],
    ['suppliers[rating][gte]=0', ({ suppliers, active }: Product) => active && suppliers.some((id) => listed(id))],
  ])('for a clerk: %s', async (query, holds) => {
    const wanted = depot.products.filter(holds).map(({ id }) => id);
    expect(await idsOf(query, depot.actors.clerk.headers)).toEqual(wanted);
  });
});

describe('refused conditions', () => {
  test.each([
    ['price[gte]=cheap', 'price[gte]'],
    ['price[between]=1', 'price[between]'],
    ['price[like]=1', 'price[like]'],
    ['price[eq][x]=1', 'price[eq]'],
    ['stock[contains]=1', 'stock[contains]'],
    ['colour[eq]=red', 'colour'],
    ['details[eq]=red', 'details'],
    ['maker[shoe][eq]=1', 'maker[shoe]'],
    ['maker[country][code][name][eq]=1', 'maker[country][code][name]'],
    ['or[0]=1', 'or'],
    ['or[0][or][0][or][0][or][0][stock]=1', 'or[0][or][0][or][0][or]'],
    ['or[0][and][0][or][0][maker][name][eq]=x', 'or[0][and][0][or][0][maker][name]'],
    ['or[0][and][0][or][0][maker][rating][]=1', 'or[0][and][0][or][0][maker][rating]'],
    ['or[0][and][0][or][0][stock][in][]=1', 'or[0][and][0][or][0][stock][in]'],
    ['or[0][and][0][or][0][maker][country][code]=x', 'or[0][and][0][or][0][maker][country]'],
    ['note[contains]=x', 'note[contains]'],
    ['season[eq]=2024-13-01', 'season[eq]'],
    ['stock[in]=', 'stock[in]'],
    [Array.from({ length: 21 }, (_, at) => `or[${at}][stock]=${at}`).join('&'), 'or[20][stock]'],
    [`name[contains]=${'x'.repeat(201)}`, 'name[contains]'],
    ['orderby=-colour', 'orderby'],
    ['orderby=name,relevance', 'orderby'],
    ['orderby=name,-name', 'orderby'],
    ['aggregate=total', 'aggregate'],
    ['aggregate=sum.name', 'aggregate'],
    ['group=kind', 'group'],
    ['aggregate=count&group=tags', 'group'],
    ['expand=colour', 'expand'],
    ['expand=maker.name', 'expand'],
    ['expand=maker.country.code', 'expand'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=WzEsMV0.AAAAAAAAAAAAAAAAAAAAAA', 'cursor'],
    ['cursor=&orderby=relevance&search=bolt', 'cursor'],
  ])('%s', async (query, param) => {
    const { status, body } = await depot.site.send('GET', `/products?${query}`, { as: depot.actors.boss.headers });
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [param]]);
  });

  test('are reported when they are too deep', async () => {
    const groups = 'or[0][and][0][or][0]';
    for (const rest of ['[maker][name][eq]=x', '[maker][rating][]=1', '[stock][in][]=1', '[maker][country][code]=x']) {
      const { body } = await depot.site.send('GET', `/products?${groups}${rest}`);
      expect(Object.values(body.data.params)).toEqual([expect.stringMatching(/ is nested too deeply\.$/)]);
    }
  });

  test('are reported with the allowed values', async () => {
    const { body } = await depot.site.send('GET', '/products?price[like]=1');
    expect(body.data.params['price[like]']).toMatch(/Allowed: eq, ne, in, nin, gt, gte, lt, lte, between\.$/);
    const unknown = await depot.site.send('GET', '/products?colour[eq]=1');
    expect(unknown.body.data.params.colour).toContain('Allowed: id, name, kind, price,');
  });

  test.each(['cost', 'draft'])('include fields that the caller may not read, like unknown ones: %s', async (name) => {
    const idsFor = async (field: string, as = depot.actors.clerk.headers) => {
      const found = await Promise.all(
        [
          `${field}[eq]=1`,
          `or[0][${field}][gt]=1`,
          `orderby=-${field}`,
          `aggregate=sum.${field}`,
          `aggregate=count&group=${field}`,
          `expand=${field}`,
        ].map((query) => depot.site.send('GET', `/products?${query}`, { as })),
      );
      return found.map(({ status, text }) => [status, text.replaceAll(field, '…')]);
    };
    expect(await idsFor(name)).toEqual(await idsFor('nothing'));
    expect((await idsFor(name))[0]![1]).not.toContain('cost');
  });

  test('are not parsed where a schema disables the query language', async () => {
    const response = await depot.site.send('GET', '/quiet?rank[gt]=1&expand=x&aggregate=count&cursor=');
    expect([response.status, response.body]).toEqual([200, []]);
  });

  test('do not include other parameters, which are ignored', async () => {
    await depot.site.send('GET', '/products?foo[bar]=1&foo[]=1&expandx=1', { status: 200 });
  });

  test('are supported by strict handling', async () => {
    const headers = { Prefer: 'handling=strict' };
    await depot.site.send('GET', '/products?stock[gt]=1&or[0][stock]=1&expand=maker&cursor=', { headers, status: 200 });
    await depot.site.send('GET', '/products?stock[gt]=1&sto=1', { headers, status: 400 });
  });
});

describe('texts of which no copy of their own is kept', () => {
  const long = `Élan ${'a'.repeat(186)} Walnut`;
  const NOTES = [
    { title: 'Hello World', note: long, both: long },
    { title: 'Élan vital', note: `${long} tree`, both: `${long} tree` },
    { title: 'Other', note: `${long.slice(0, 191)} oak`, both: `${long.slice(0, 191)} oak` },
  ];

  test('are compared with the text of the search, or with what they are', async () => {
    const field = { type: 'string', maxLength: 1000 };
    const schema = {
      name: 'note',
      path: 'notes',
      fields: { title: field, note: field, both: { ...field, filterable: 'contains' } },
      search: { fields: ['title'] },
      list: { orderby: ['id', 'note', 'both'] },
      permissions: 'public-read',
    };
    const site = await startTestSchemas([schema]);
    try {
      const { headers: as } = administrator(site);
      for (const body of NOTES) await site.send('POST', '/notes', { as, body, status: 201 });
      const found = async (field: string, operator: string, text: string) => {
        const path = `/notes?orderby=id&order=asc&${field}[${operator}]=${encodeURIComponent(text)}`;
        return (await site.send('GET', path, { status: 200 })).body.map(({ id }: { id: number }) => id);
      };
      expect(await found('title', 'endswith', 'world')).toEqual([1]);
      expect(await found('title', 'endswith', 'VITAL')).toEqual([2]);
      expect(await found('title', 'startswith', 'hello')).toEqual([1]);
      expect(await found('title', 'startswith', 'elan')).toEqual([2]);
      expect(await found('note', 'startswith', long.slice(0, 191).toUpperCase())).toEqual([1, 2, 3]);
      expect(await found('note', 'startswith', long)).toEqual([1, 2]);
      expect(await found('both', 'startswith', long.toUpperCase())).toEqual([1, 2]);
    } finally {
      await site.close();
    }
  });
});
