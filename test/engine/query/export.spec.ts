// Exports of lists: every item, as lines of JSON and of CSV.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeActor } from '../../support/actors.js';
import type { Method } from '../../support/send.js';
import { openDepot, type Depot } from './stage.js';

let depot: Depot;

beforeAll(async () => {
  depot = await openDepot();
  await depot.site.site.writer.batch(async ({ create }) => {
    for (let at = 0; at < 450; at++) await create('country', { name: `Land ${at}`, code: 'XX' });
  });
});

afterAll(async () => {
  await depot?.site.close();
});

const NDJSON = 'application/x-ndjson';
const exportAs = (path: string, accept: string, as = depot.actors.boss.headers) =>
  depot.site.send('GET', path, { as, headers: { Accept: accept } });
const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Sends a change as the administrator. */
const asBoss = (method: Method, path: string, body?: object) =>
  depot.site.send(method, path, { as: depot.actors.boss.headers, body, status: 200 });

/** Has the next response wait after its first piece, as for a slow client, until something is done. */
function beforeSecondPiece(work: () => Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    depot.site.server.prependOnceListener('request', (_request, response) => {
      const { write } = response;
      response.write = (...piece: any[]) => {
        response.write = write;
        Reflect.apply(write, response, piece);
        work()
          .then(resolve, reject)
          .finally(() => response.emit('drain'));
        return false;
      };
    });
  });
}

describe('JSON lines', () => {
  test('contain every item of the list in its order, for any requested page', async () => {
    const response = await exportAs('/countries?per_page=3&page=2', NDJSON);
    expect([response.status, response.headers['content-type'], response.headers['etag']]).toEqual([
      200,
      NDJSON,
      undefined,
    ]);
    expect(response.headers['vary']).toContain('Accept');
    const ids = lines(response.text).map(({ id }) => id);
    expect(ids.length).toBe(452);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(lines(response.text)[0]).not.toHaveProperty('_links');
  });

  test('contain what the caller may read and the query selects', async () => {
    const query = '/products?stock[gte]=2&orderby=-price,id&expand=maker&_fields=id,price,maker.name,discount';
    for (const actor of [depot.actors.clerk, depot.actors.boss]) {
      const list = await depot.site.send('GET', `${query}&per_page=100`, { as: actor.headers });
      expect(lines((await exportAs(query, NDJSON, actor.headers)).text)).toEqual(list.body);
    }
  });

  test('are refused like the list', async () => {
    expect((await exportAs('/products?price[like]=1', NDJSON)).status).toBe(400);
    expect((await exportAs('/products?orderby=relevance&search=bolt', NDJSON)).status).toBe(400);
    expect((await exportAs('/orders', NDJSON, {})).text).toBe('');
  });

  test('of a summary contain its groups', async () => {
    const list = await depot.site.send('GET', '/products?aggregate=count&group=kind');
    expect(lines((await exportAs('/products?aggregate=count&group=kind', NDJSON, {})).text)).toEqual(list.body);
  });

  test('are not sent in responses to HEAD', async () => {
    const response = await depot.site.send('HEAD', '/countries', { headers: { Accept: NDJSON } });
    expect([response.status, response.text, response.headers['content-type']]).toEqual([200, '', NDJSON]);
  });

  test('are sent as fast as the client reads', async () => {
    const { port } = depot.site.server.address() as AddressInfo;
    const response = await new Promise<IncomingMessage>((resolve) => {
      const headers = { ...depot.actors.boss.headers, accept: NDJSON };
      httpGet({ host: '127.0.0.1', port, path: `${depot.site.base}/countries`, headers }, resolve);
    });
    response.pause();
    await sleep(50);
    let text = '';
    for await (const piece of response) text += piece;
    expect(lines(text).length).toBe(452);
  });

  test.each<[string, (id: number) => Promise<unknown>, number | undefined]>([
    ['end with the rights of the caller', (id) => asBoss('PATCH', `/people/${id}`, { roles: ['guest'] }), undefined],
    ['end with a new password', (id) => asBoss('PATCH', `/people/${id}`, { password: 'a better one' }), undefined],
    ['end with the account', (id) => asBoss('DELETE', `/people/${id}`), undefined],
    [
      'go on when other things of the account change',
      (id) => asBoss('PATCH', `/people/${id}`, { email: 'x@y.org' }),
      452,
    ],
  ])('%s', async (name, change, count) => {
    const { id, headers } = await makeActor(depot.site, 'clerk', name);
    const changed = beforeSecondPiece(() => change(id));
    const read = depot.site.send('GET', '/countries', { as: headers, headers: { Accept: NDJSON } });
    const found = await read.then(
      ({ text }) => lines(text).length,
      () => undefined,
    );
    expect(found).toBe(count);
    await changed;
  });

  test.each([
    ['', 'handling=strict'],
    ['', 'handling=lenient'],
    ['?nmae=x', 'handling=lenient'],
    ['?constructor=x', 'handling=lenient'],
    ['?nmae=x', 'handling=strict'],
  ])('of %j with Prefer: %s have the preference headers of the list', async (query, Prefer) => {
    const told = async (Accept: string) => {
      const { status, headers } = await depot.site.send('GET', `/countries${query}`, { headers: { Accept, Prefer } });
      return [status, headers['preference-applied'], headers['vary']];
    };
    expect(await told(NDJSON)).toEqual(await told('application/json'));
  });

  test('are sent on request only', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/csv;q=0.5', 'text/csv;q=0', 'text/html'])
      expect((await exportAs('/countries', accept)).headers['content-type']).toMatch(/json;|html/);
    expect((await exportAs('/countries', 'text/csv, */*;q=0.1')).headers['content-type']).toMatch(/^text\/csv/);
  });
});

describe('CSV', () => {
  test('has a column for each field and member that the caller may see', async () => {
    const { text, headers } = await exportAs('/products?orderby=id&order=asc', 'text/csv', depot.actors.clerk.headers);
    expect(headers['content-disposition']).toBe('attachment; filename="products.csv"');
    const [head, first] = text.split('\r\n');
    expect(head).toBe(
      'id,name,kind,price,stock,weight,added,season,checked,opens,active,maker,suppliers,tags,note,discount,details.size,details.colour,about.rendered',
    );
    expect(first).toBe(`${depot.products[0]!.id},Anvil,tool,0.00,0,,,,,,true,${depot.makers[0]!.id},[],[],Note 0,,,,`);
    expect(text.split('\r\n').length).toBe(depot.products.filter(({ active }) => active).length + 2);
  });

  test('quotes values, and escapes formulas', async () => {
    const names = ['=1+1', '+a', '-b', '@c', '-5', 'a,b', 'say "x"', 'two\nlines', '=HYPERLINK("x"),1'];
    const ids: number[] = [];
    await depot.site.site.writer.batch(async ({ create }) => {
      for (const name of names) ids.push(await create('country', { name, code: 'ZZ' }));
    });
    const { text } = await exportAs('/countries?code[eq]=ZZ&orderby=id&order=asc&_fields=name', 'text/csv');
    expect(text).toBe(
      `name\r\n'=1+1\r\n'+a\r\n'-b\r\n'@c\r\n-5\r\n"a,b"\r\n"say ""x"""\r\n"two\nlines"\r\n"'=HYPERLINK(""x""),1"\r\n`,
    );
  });

  test('of a summary contains its groups', async () => {
    const { text } = await exportAs('/products?aggregate=count,sum.stock&group=kind', 'text/csv');
    expect(text).toMatch(/^group\.kind,count,sum\.stock\r\nbook,10,\d+\r\ntool,10,\d+\r\ntoy,10,\d+\r\n$/);
  });

  test('respects _fields', async () => {
    const { text } = await exportAs('/products?_fields=id,about.rendered,details.size', 'text/csv');
    expect(text.split('\r\n')[0]).toBe('id,details.size,about.rendered');
  });

  test.each([
    ['a reference', 'maker'],
    ['a set of references', 'suppliers'],
  ])('has what _fields selects of %s that is expanded', async (_, name) => {
    const { id } = depot.products.find(({ suppliers }) => suppliers.length > 0)!;
    const path = `/products?id[eq]=${id}&expand=${name}&_fields=id,${name}.name`;
    const [item] = (await asBoss('GET', path)).body;
    expect(Object.keys([item[name]].flat()[0])).toEqual(['name']);
    const { text } = await exportAs(path, 'text/csv');
    expect(text).toBe(`id,${name}\r\n${id},"${JSON.stringify(item[name]).replaceAll('"', '""')}"\r\n`);
  });
});

test.each([NDJSON, 'text/csv'])(
  'are written in pieces, not in batches, that hold no other request: %s',
  async (accept) => {
    const name = '"'.repeat(250);
    await depot.site.site.writer.batch(async ({ create }) => {
      for (let at = 0; at < 200; at++) await create('country', { name, code: 'QQ' });
    });
    const sizes: number[] = [];
    depot.site.server.prependOnceListener('request', (_request, response) => {
      const { write } = response;
      response.write = (...piece: any[]) => {
        sizes.push(String(piece[0]).length);
        return Reflect.apply(write, response, piece) as boolean;
      };
    });
    const { text } = await exportAs('/countries?code[eq]=QQ', accept);
    expect(text.length).toBeGreaterThan(100_000);
    expect(Math.max(...sizes)).toBeLessThan(70_000);
  },
);
