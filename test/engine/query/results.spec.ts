// What the query language makes of a list: orders by several keys, items in place of ids, summaries, pages by cursor.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDepot, type Depot, type Product } from './stage.js';
import type { HttpResponse } from '../../support/send.js';

let depot: Depot;

beforeAll(async () => {
  depot = await openDepot();
});

afterAll(async () => {
  await depot?.site.close();
});

const get = (path: string, as = depot.actors.boss.headers): Promise<HttpResponse> =>
  depot.site.send('GET', path, { as, status: 200 });
const idsOf = ({ body }: HttpResponse): number[] => body.map(({ id }: Product) => id);

type Compare = (a: Product, b: Product) => number;
const by =
  (value: (product: Product) => string | number | null, sign = 1): Compare =>
  (a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === right) return 0;
    // Nothing comes first.
    if (left === null || right === null) return left === null ? -sign : sign;
    return left < right ? -sign : sign;
  };
const sorted = (...compares: Compare[]) =>
  [...depot.products]
    .sort((a, b) => compares.map((compare) => compare(a, b)).find((order) => order !== 0) ?? 0)
    .map(({ id }) => id);

const ORDERS: [orderby: string, compares: Compare[]][] = [
  ['-price,stock', [by(({ price }) => Number(price), -1), by(({ stock }) => stock), by(({ id }) => id)]],
  ['stock,-id', [by(({ stock }) => stock), by(({ id }) => id, -1)]],
  ['-id,stock', [by(({ id }) => id, -1)]],
  ['stock,id,-price', [by(({ stock }) => stock), by(({ id }) => id)]],
  ['-season,stock', [by(({ season }) => season, -1), by(({ stock }) => stock), by(({ id }) => id)]],
  ['season,-weight', [by(({ season }) => season), by(({ weight }) => weight, -1), by(({ id }) => id, -1)]],
  ['weight,season', [by(({ weight }) => weight), by(({ season }) => season), by(({ id }) => id)]],
  ['-weight', [by(({ weight }) => weight, -1), by(({ id }) => id, -1)]],
  ['+stock,price', [by(({ stock }) => stock), by(({ price }) => Number(price)), by(({ id }) => id)]],
  ['-cost', [by(({ cost }) => cost, -1)]],
];

describe('orders', () => {
  test.each(ORDERS)('%s', async (orderby, compares) => {
    const response = await get(`/products?per_page=100&orderby=${encodeURIComponent(orderby)}`);
    expect(idsOf(response)).toEqual(sorted(...compares));
  });

  test('work with one key without a sign as before', async () => {
    expect(idsOf(await get('/products?per_page=100&orderby=cost&order=desc'))).toEqual(
      sorted(by(({ cost }) => cost, -1)),
    );
    await depot.site.send('GET', '/products?orderby=nothing', { status: 400 });
  });
});

describe('pages by cursor', () => {
  async function walk(
    query: string,
    as?: Record<string, string>,
    between?: () => Promise<unknown>,
  ): Promise<number[][]> {
    const pages: number[][] = [];
    let target = `/products?${query}&cursor=`;
    while (target) {
      const response = await get(target, as);
      pages.push(idsOf(response));
      const [, next] = /<[^>]*\/cms\/v2([^>]*)>; rel="next"/.exec(String(response.headers['link'])) ?? [];
      expect(String(response.headers['link'])).not.toMatch(/rel="prev"|[?&]page=/);
      target = next ?? '';
      if (next) await between?.();
      expect(pages.length).toBeLessThan(40);
    }
    return pages;
  }

  test.each(ORDERS)('return all items once: %s', async (orderby, compares) => {
    for (const size of [1, 4, 30]) {
      const pages = await walk(`per_page=${size}&orderby=${encodeURIComponent(orderby)}`);
      expect(pages.flat()).toEqual(sorted(...compares));
      expect(pages.length).toBe(Math.ceil(30 / size));
    }
  });

  test('keep totals, and the other parameters', async () => {
    const response = await get('/products?cursor=&per_page=2&stock[gt]=2&_fields=id,stock');
    const rest = depot.products.filter(({ stock }) => stock > 2).length;
    expect([response.headers['x-wp-total'], response.headers['x-wp-totalpages']]).toEqual([
      String(rest),
      String(Math.ceil(rest / 2)),
    ]);
    expect(Object.keys(response.body[0])).toEqual(['id', 'stock']);
    const pages = await walk('per_page=2&stock[gt]=2&_fields=id,stock');
    expect(pages.flat().sort((a, b) => a - b)).toEqual(
      depot.products.filter(({ stock }) => stock > 2).map(({ id }) => id),
    );
  });

  test('neither skip nor repeat an item when others are created and deleted', async () => {
    const { writer } = depot.site.site;
    const added: number[] = [];
    const pages = await walk('per_page=3&orderby=-stock,name', undefined, async () => {
      added.push(await writer.batch(({ create }) => create('product', { name: 'Aaa', stock: 6, price: '1' })));
    });
    const seen = pages.flat();
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => !added.includes(id))).toEqual(
      sorted(
        by(({ stock }) => stock, -1),
        by(({ name }) =>
          name
            .normalize('NFD')
            .replace(/\p{Mn}/gu, '')
            .toLowerCase(),
        ),
        by(({ id }) => id),
      ),
    );
    for (const id of added)
      await depot.site.send('DELETE', `/products/${id}`, { as: depot.actors.boss.headers, status: 200 });
  });

  test('are valid for their order and resource only', async () => {
    const { headers } = await get('/products?cursor=&per_page=2&orderby=-stock,name');
    const [, cursor] = /cursor=([^>&]*)/.exec(String(headers['link']))!;
    await get(`/products?cursor=${cursor}&per_page=5&orderby=-stock,name&price[gt]=1`);
    const refused = ['/products?orderby=stock,name', '/products?orderby=-stock', '/products', '/makers'];
    for (const path of refused)
      await depot.site.send('GET', `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`, {
        as: depot.actors.boss.headers,
        status: 400,
      });
    for (const forged of [`${cursor}A`, `B${cursor}`, cursor!.slice(1), cursor!.split('.')[0]!, `${cursor}.${cursor}`])
      await depot.site.send('GET', `/products?cursor=${forged}&orderby=-stock,name`, {
        as: depot.actors.boss.headers,
        status: 400,
      });
  });
});

describe('expansion', () => {
  const find = async (query: string, as?: Record<string, string>) =>
    (await get(`/products?per_page=100&orderby=id&order=asc&${query}`, as)).body;

  test('replaces ids by items', async () => {
    for (const [at, product] of (await find('expand=maker,suppliers')).entries()) {
      const { maker, suppliers } = depot.products[at]!;
      if (maker === 0) expect(product.maker).toBe(0);
      else expect(product.maker).toMatchObject({ id: maker, name: depot.makers.find(({ id }) => id === maker)!.name });
      expect(product.suppliers.map(({ id }: { id: number }) => id).sort()).toEqual([...suppliers].sort());
      expect(product.maker._links).toBeUndefined();
    }
  });

  test('follows two references', async () => {
    const [first] = await find('expand=maker.country');
    expect(first.maker.country).toMatchObject({ name: 'Estonia', code: 'EE' });
    const { body } = await get(`/products/${depot.products[0]!.id}?expand=maker,maker.country`);
    expect(body.maker.country.name).toBe('Estonia');
  });

  test('keeps the ids of items that the caller may not read, and omits their fields', async () => {
    for (const product of await find('expand=maker,suppliers', depot.actors.clerk.headers)) {
      for (const shown of [product.maker, ...product.suppliers]) {
        const id = typeof shown === 'object' ? shown.id : shown;
        const { listed } = depot.makers.find((maker) => maker.id === id) ?? { listed: false };
        expect(typeof shown).toBe(listed ? 'object' : 'number');
        if (listed) expect(shown).not.toHaveProperty('margin');
      }
    }
    const [, second] = await find('expand=maker');
    expect(second.maker).toHaveProperty('margin');
  });

  test('respects _fields', async () => {
    const [first, second] = await find('expand=maker,suppliers&_fields=id,maker.name,suppliers.rating');
    expect(first).toEqual({ id: depot.products[0]!.id, maker: { name: 'Maker A' }, suppliers: [] });
    expect(second.suppliers).toEqual([{ rating: expect.any(Number) }]);
    const [, whole] = await find('expand=maker&_fields=maker,suppliers');
    expect(Object.keys(whole)).toEqual(['maker', 'suppliers']);
    expect(whole.maker.name).toBe('Maker B');
    expect(whole.suppliers).toEqual([expect.any(Number)]);
  });

  test('needs as many statements for a hundred items as for two', async () => {
    const { store } = depot.site.site;
    const count = async (size: number): Promise<number> => {
      let statements = 0;
      const reader = store.reader as unknown as { db: { rows(sql: string, params: unknown[]): unknown } };
      const { rows } = reader.db;
      reader.db.rows = (sql, params) => {
        statements += 1;
        return rows.call(reader.db, sql, params);
      };
      try {
        await get(`/products?per_page=${size}&orderby=id&order=asc&expand=maker.country,suppliers`);
      } finally {
        reader.db.rows = rows;
      }
      return statements;
    };
    await count(3);
    expect(await count(100)).toBeLessThanOrEqual((await count(3)) + 1);
  });

  test('works with cursors', async () => {
    const { body } = await get('/products?cursor=&per_page=1&expand=maker');
    expect(typeof body[0].maker).toBe('object');
  });
});

describe('summaries', () => {
  const clerks = () => depot.actors.clerk.headers;
  const visible = () => depot.products.filter(({ active }) => active);

  test('contain counts', async () => {
    expect((await get('/products?aggregate=count')).body).toEqual([{ count: 30 }]);
    expect((await get('/products?aggregate=count', clerks())).body).toEqual([{ count: visible().length }]);
    expect((await get('/products?aggregate=count&kind=toy&stock[gt]=2')).body).toEqual([
      { count: depot.products.filter(({ kind, stock }) => kind === 'toy' && stock > 2).length },
    ]);
  });

  test('can be grouped', async () => {
    const { body } = await get(
      '/products?aggregate=count,sum.price,min.stock,max.season,avg.stock&group=kind',
      clerks(),
    );
    const kinds = ['book', 'tool', 'toy'].map((kind) => {
      const items = visible().filter((product) => product.kind === kind);
      const sum = items.reduce((total, { price }) => total + Math.round(Number(price) * 100), 0);
      return {
        group: { kind },
        count: items.length,
        sum: { price: (sum / 100).toFixed(2) },
        min: { stock: Math.min(...items.map(({ stock }) => stock)) },
        max: {
          season: items
            .map(({ season }) => season ?? '')
            .sort()
            .at(-1),
        },
        avg: { stock: expect.closeTo(items.reduce((total, { stock }) => total + stock, 0) / items.length, 9) },
      };
    });
    expect(body).toEqual(kinds);
  });

  test('can be grouped by several fields, with values as in items', async () => {
    const { body } = await get('/products?aggregate=count&group=active,maker');
    expect(body.reduce((total: number, { count }: { count: number }) => total + count, 0)).toBe(30);
    expect(typeof body[0].group.active).toBe('boolean');
    expect(Object.keys(body[0].group)).toEqual(['active', 'maker']);
  });

  test('include only rows in which the caller may read the field', async () => {
    const toys = visible().filter(({ kind }) => kind === 'toy');
    const sum = toys.reduce((total, { discount }) => total + discount, 0);
    expect((await get('/products?aggregate=count,sum.discount', clerks())).body).toEqual([
      { count: toys.length, sum: { discount: sum } },
    ]);
  });

  test('ignore missing dates, which are stored as empty texts', async () => {
    const dates = depot.products.map(({ checked }) => checked).filter((checked) => checked !== '');
    expect((await get('/products?aggregate=min.checked,max.checked')).body).toEqual([
      { min: { checked: dates.sort()[0] }, max: { checked: dates.at(-1) } },
    ]);
  });

  test('of no items', async () => {
    expect((await get('/products?aggregate=count,sum.price,avg.price,max.added&price[gt]=1000')).body).toEqual([
      { count: 0, sum: { price: '0.00' }, avg: { price: null }, max: { added: null } },
    ]);
    expect((await get('/products?aggregate=count&group=kind&price[gt]=1000')).body).toEqual([]);
  });
});
