// Rights on fields and members: who sees them, who sets them, and who may filter by them.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { SqlReader } from '../../../src/storage/reads/reader.js';
import { administrator, makeActor } from '../../support/actors.js';
import { startTestSite } from '../../support/start-test-site.js';
import { sendRow, scenario, type SavedIds, type Row, type Stage } from '../../support/scenario.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let stage: Stage;
const saved: SavedIds = {};
const send = (row: Omit<Row, 'name' | 'status'>) => sendRow(stage, { name: '', status: 0, ...row }, saved);

beforeAll(async () => {
  const site = await startTestSite(here('schemas'), { ROLES_FILE: here('roles.json') });
  const actors = {
    boss: administrator(site),
    ann: await makeActor(site, 'clerk', 'ann'),
    bob: await makeActor(site, 'clerk', 'bob'),
    guest: await makeActor(site, 'subscriber', 'guest'),
  };
  saved['ann'] = actors.ann.id;
  stage = { site, actors };
});
afterAll(() => stage.site.close());

const LINES = [
  { item: 'bolt', count: 5, cost: 3 },
  { item: 'nut', count: 9, cost: 2 },
];
const SHOWN = [
  { item: 'bolt', count: 5 },
  { item: 'nut', count: 9 },
];

describe('a new item', () => {
  scenario(
    () => stage,
    [
      {
        name: 'firms',
        as: 'boss',
        method: 'POST',
        path: '/firms',
        body: { name: 'Acme', trusted: true, rank: 7 },
        status: 201,
        has: { rank: 7 },
        saveAs: 'acme',
      },
      {
        name: 'other firm',
        as: 'ann',
        method: 'POST',
        path: '/firms',
        body: { name: 'Zed' },
        status: 201,
        saveAs: 'zed',
        hasNot: ['rank'],
      },
      {
        name: 'refuses a field that the caller may never set',
        as: 'ann',
        method: 'POST',
        path: '/deals',
        body: { title: 'x', code: 'K1' },
        status: 403,
        has: { code: 'rest_forbidden_field', data: { params: ['code'] } },
      },
      {
        name: 'refuses a member that the caller may never set',
        as: 'ann',
        method: 'POST',
        path: '/deals',
        body: { title: 'x', terms: { days: 3, margin: 4 } },
        status: 403,
        has: { code: 'rest_forbidden_field', data: { params: ['terms.margin'] } },
      },
      {
        name: 'refuses a member in a list',
        as: 'ann',
        method: 'POST',
        path: '/deals',
        body: { title: 'x', lines: LINES },
        status: 403,
        has: { data: { params: ['lines.cost'] } },
      },
      {
        name: 'looks at the row to be made: the price is of the owner',
        as: 'ann',
        method: 'POST',
        path: '/deals',
        body: {
          title: 'Bolts',
          price: 40,
          note: 'call at noon',
          firm: '{zed}',
          suppliers: ['{zed}', '{acme}'],
          marks: ['red'],
          terms: { days: 30, bank: { name: 'B', iban: 'EE1' } },
          lines: SHOWN,
        },
        status: 201,
        has: { price: 40, note: 'call at noon', terms: { days: 30, bank: { iban: 'EE1' } } },
        hasNot: ['code', 'hint', 'marks', 'link'],
        saveAs: 'bolts',
      },
      {
        name: 'takes everything from who may set it',
        as: 'boss',
        method: 'POST',
        path: '/deals',
        body: {
          title: 'Nuts',
          state: 'open',
          code: 'K2',
          price: 90,
          note: 'secret word',
          firm: '{acme}',
          suppliers: ['{acme}'],
          marks: ['blue'],
          hint: 'never seen',
          terms: { days: 10, margin: 5, bank: { name: 'C', iban: 'LV1' } },
          lines: LINES,
        },
        status: 201,
        has: { code: 'K2', price: 90, marks: ['blue'], lines: LINES, link: 'http://site.test/deals/K2/' },
        hasNot: ['hint'],
        saveAs: 'nuts',
      },
    ],
    saved,
  );
});

describe('reading', () => {
  scenario(
    () => stage,
    [
      {
        name: 'a visitor sees what is open to everybody',
        path: '/deals/{bolts}',
        status: 200,
        members: ['id', 'title', 'state', 'owner', 'firm', 'terms', 'lines'],
        has: { terms: { days: 30, bank: { name: 'B' } }, lines: SHOWN },
        check: ({ body }) => {
          expect(body.terms).toEqual({ days: 30, bank: { name: 'B' } });
          expect(body._links.priced).toBeUndefined();
        },
      },
      {
        name: 'rows decide: an open deal shows its price, its marks and its costs, a trusted firm the note',
        path: '/deals/{nuts}',
        status: 200,
        members: ['id', 'title', 'state', 'owner', 'firm', 'price', 'note', 'marks', 'terms', 'lines'],
        check: ({ body }) => {
          expect(body.lines).toEqual(LINES);
          expect(body.terms).toEqual({ days: 10, bank: { name: 'C' } });
          expect(body._links.priced).toHaveLength(1);
        },
      },
      {
        name: 'lists show each row by its own rights',
        path: '/deals',
        status: 200,
        items: ['bolts', 'nuts'],
        hasNot: ['0.price', '0.note', '0.marks', '0.suppliers', '1.code', '1.suppliers', '1.link'],
        has: [{ lines: SHOWN }, { price: 90, lines: LINES }],
      },
      {
        name: 'the owner sees his own',
        as: 'ann',
        path: '/deals/{bolts}',
        status: 200,
        has: { price: 40, note: 'call at noon', suppliers: ['{acme}', '{zed}'] },
        hasNot: ['code', 'marks'],
      },
      {
        name: '_fields gives nothing of it',
        path: '/deals/{bolts}?_fields=price,code,terms.margin',
        status: 200,
        check: ({ body }) => expect(body).toEqual({}),
      },
      {
        name: 'in no context',
        as: 'ann',
        path: '/deals?context=edit',
        status: 200,
        hasNot: ['0.code', '1.code', '1.hint'],
        has: [{ price: 40 }, { price: 90 }],
      },
      {
        name: 'computed values go with what they are made of',
        path: '/people',
        status: 200,
        hasNot: ['0.email', '0.avatars'],
      },
      {
        name: 'and come with it',
        as: 'ann',
        path: '/people/{ann}',
        status: 200,
        has: { email: 'ann@example.org', avatars: {} },
      },
    ],
    saved,
  );
});

const FORBIDDEN = { code: 'rest_forbidden_param' };

describe('the use of a protected field in queries', () => {
  scenario(
    () => stage,
    [
      {
        name: 'a filter is refused to who sees the field in no row',
        path: '/deals?code=K2',
        status: 401,
        has: FORBIDDEN,
      },
      { name: 'also to accounts', as: 'ann', path: '/deals?code=K2', status: 403, has: FORBIDDEN },
      { name: 'and taken from others', as: 'boss', path: '/deals?code=K2', status: 200, items: ['nuts'] },
      {
        name: 'an order is refused',
        as: 'ann',
        path: '/deals?orderby=code',
        status: 403,
        has: { code: 'rest_forbidden_orderby' },
      },
      {
        name: 'an order that rows decide leaves out rows',
        path: '/deals?orderby=price',
        status: 200,
        items: ['nuts'],
        sends: { 'X-WP-Total': '1' },
      },
      { name: 'a filter too', path: '/deals?min_price=1', status: 200, items: ['nuts'], sends: { 'X-WP-Total': '1' } },
      {
        name: 'the owner finds his',
        as: 'ann',
        path: '/deals?min_price=1&orderby=price',
        status: 200,
        items: ['bolts', 'nuts'],
      },
      {
        name: 'sets are filtered in readable rows',
        as: 'ann',
        path: '/deals?supplier={acme}',
        status: 200,
        items: ['bolts'],
      },
      {
        name: 'also when they are to be missing',
        as: 'ann',
        path: '/deals?not_supplier={acme}',
        status: 200,
        items: [],
      },
      { name: 'for nobody in no row', path: '/deals?not_supplier={acme}', status: 401, has: FORBIDDEN },
      { name: 'from the other side', as: 'ann', path: '/firms?supplies={bolts}', status: 200, items: ['acme', 'zed'] },
      { name: 'refused where the field is not readable', as: 'ann', path: '/firms?supplies={nuts}', status: 403 },
      { name: 'search passes over what is not readable', path: '/deals?search=noon', status: 200, items: [] },
      { name: 'and looks at it in readable rows', path: '/deals?search=secret', status: 200, items: ['nuts'] },
      { name: 'of the caller', as: 'ann', path: '/deals?search=noon', status: 200, items: ['bolts'] },
      {
        name: 'a word to be absent does not tell either',
        path: '/deals?search=-noon',
        status: 200,
        items: ['bolts', 'nuts'],
      },
      {
        name: 'codes are searched for who sees them',
        as: 'boss',
        path: '/deals?search=k2',
        status: 200,
        items: ['nuts'],
      },
      { name: 'not for others', as: 'ann', path: '/deals?search=k2', status: 200, items: [] },
      { name: 'phrases alike', path: '/people?search=ann@example', status: 200, items: [] },
      { name: 'own address', as: 'ann', path: '/people?search=ann@example', status: 200, items: ['ann'] },
      { name: 'a default order that tells gives way', path: '/firms', status: 200, items: ['acme', 'zed'] },
      { name: 'and orders for others', as: 'boss', path: '/firms', status: 200, items: ['zed', 'acme'] },
    ],
    saved,
  );
});

describe('writes of protected fields', () => {
  const patch = (as: string, path: string, body: unknown, status: number, more: Partial<Row> = {}): Row => ({
    name: `${as} sends ${JSON.stringify(body)}: ${status}`,
    as,
    method: 'PATCH',
    path,
    body,
    status,
    ...more,
  });
  const refused = (...params: string[]) => ({ has: { code: 'rest_forbidden_field', data: { params } } });
  scenario(
    () => stage,
    [
      patch('bob', '/deals/{bolts}', { price: 41 }, 403, refused('price')),
      // He cannot see it: the response must not reveal whether the guess was right.
      patch('bob', '/deals/{bolts}', { price: 40 }, 403, refused('price')),
      patch('bob', '/deals/{nuts}', { price: 90, title: 'Nuts' }, 200, { has: { price: 90 } }),
      patch('bob', '/deals/{nuts}', { price: 91, code: 'Q', title: 'Lost' }, 403, refused('code', 'price')),
      patch('ann', '/deals/{bolts}', { price: 42 }, 200, { has: { price: 42 } }),
      patch('boss', '/deals/{bolts}', { price: 43, code: 'K1' }, 200, { has: { price: 43, code: 'K1' } }),
      patch('ann', '/deals/{nuts}', { hint: 'written, not seen' }, 200, { hasNot: ['hint'] }),
      // Nor may a step about changes reveal it.
      patch('bob', '/deals/{nuts}', { grade: 3 }, 403, { has: { code: 'deal_grade_fixed' } }),
      patch('boss', '/deals/{nuts}', { grade: 4 }, 200, { has: { grade: 4 } }),
      // Members that the sender cannot see stay.
      patch('bob', '/deals/{nuts}', { terms: { days: 11, bank: { name: 'D' } } }, 200),
      patch('bob', '/deals/{nuts}', { terms: { days: 11, margin: 5 } }, 403, refused('terms.margin')),
      patch(
        'bob',
        '/deals/{nuts}',
        {
          lines: [
            { item: 'nut', count: 9, cost: 2 },
            { item: 'bolt', count: 6, cost: 4 },
          ],
        },
        403,
        refused('lines.cost'),
      ),
      patch(
        'bob',
        '/deals/{nuts}',
        { lines: [{ item: 'nut', count: 9 }, { item: 'bolt', count: 6 }, { item: 'new' }] },
        200,
      ),
      {
        name: 'what was kept',
        as: 'boss',
        path: '/deals/{nuts}',
        status: 200,
        has: { title: 'Nuts', terms: { days: 11, margin: 5, bank: { name: 'D', iban: 'LV1' } } },
        check: ({ body }) =>
          expect(body.lines).toEqual([
            { item: 'nut', count: 9, cost: 2 },
            { item: 'bolt', count: 6, cost: 3 },
            { item: 'new' },
          ]),
      },
      patch('bob', '/deals/{bolts}', { state: 'open' }, 403, { has: { code: 'rest_cannot_edit' } }),
      patch('boss', '/deals/{bolts}', { title: 'Bolts!' }, 200),
    ],
    saved,
  );

  test('keep what the sender cannot set when an object is null', async () => {
    expect((await send({ as: 'bob', method: 'PATCH', path: '/deals/{nuts}', body: { terms: {} } })).status).toBe(200);
    const { body } = await send({ as: 'boss', path: '/deals/{nuts}' });
    expect(body.terms).toEqual({ margin: 5, bank: { iban: 'LV1' } });
  });
});

test('a list needs the same number of statements for any number of items', async () => {
  const select = jest.spyOn(SqlReader.prototype, 'select');
  const countOf = async (path: string, expected: number) => {
    select.mockClear();
    expect((await send({ as: 'bob', path })).body).toHaveLength(expected);
    return select.mock.calls.length;
  };
  // The first request looks the account up.
  await countOf('/deals', 2);
  const [one, two] = [await countOf('/deals?per_page=1', 1), await countOf('/deals', 2)];
  select.mockRestore();
  expect(one).toBeGreaterThan(1);
  expect(two).toBe(one);
});

describe('versions', () => {
  const read = (as?: string, path = '/deals/{bolts}') => send({ ...(as ? { as } : {}), path });

  test('in the ETag do not reveal changes that the caller may not see', async () => {
    const [before, own] = [await read('bob'), await read('ann')];
    await send({ as: 'boss', method: 'PATCH', path: '/deals/{bolts}', body: { price: 99 } });
    const [after, ownAfter] = [await read('bob'), await read('ann')];
    expect(after.headers['etag']).toBe(before.headers['etag']);
    expect(after.text).toBe(before.text);
    expect(ownAfter.headers['etag']).not.toBe(own.headers['etag']);
  });

  test('in If-Match protect a change that the caller could see', async () => {
    const etag = (await read('bob')).headers['etag']!;
    const short = (await read('bob', '/deals/{bolts}?_fields=id')).headers['etag']!;
    const write = (match: string, title: string) =>
      send({ as: 'bob', method: 'PATCH', path: '/deals/{bolts}', body: { title }, headers: { 'If-Match': match } });
    const first = await write(etag, 'One');
    expect(first.status).toBe(200);
    expect((await write(etag, 'Two')).status).toBe(412);
    expect((await write(short, 'Two')).status).toBe(412);
    expect((await write(first.headers['etag']!, 'Two')).status).toBe(200);
    expect((await write('"5-0123456789abcdef"', 'Three')).status).toBe(412);
  });

  test('of cached responses for anonymous callers are independent of other callers', async () => {
    await read('boss');
    expect((await read()).body).not.toHaveProperty('price');
    expect((await read('boss')).body).toHaveProperty('price', 99);
    expect((await read()).body).not.toHaveProperty('price');
  });

  test('of a retried write are those of the first one', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const write = () =>
      send({ as: 'ann', method: 'POST', path: '/deals', body: { title: 'Twice', price: 5 }, headers });
    const [first, again] = [await write(), await write()];
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  test('of a deletion show no more than a read', async () => {
    const { body } = await send({ as: 'bob', method: 'DELETE', path: '/deals/{nuts}' });
    expect(body.deleted).toBe(true);
    expect(Object.keys(body.previous)).not.toContain('code');
    expect(body.previous.price).toBe(90);
  });
});

describe('revisions', () => {
  const write = (
    as: string,
    method: 'POST' | 'PATCH',
    path: string,
    body: unknown,
    status: number,
    more: Partial<Row> = {},
  ): Row => ({
    name: `${as} ${method} ${path} ${JSON.stringify(body)}: ${status}`,
    as,
    method,
    path,
    body,
    status,
    ...more,
  });
  const below = '/clauses/{clause}/versions';
  scenario(
    () => stage,
    [
      write('ann', 'POST', '/clauses', { title: 'One', body: 'first words' }, 201, { saveAs: 'clause' }),
      write('boss', 'PATCH', '/clauses/{clause}', { code: 'X1', body: 'second words' }, 200, { has: { code: 'X1' } }),
      {
        name: 'the author sees the texts that he sees in the item',
        as: 'ann',
        path: below,
        status: 200,
        has: [{ body: 'second words' }],
        hasNot: ['0.code', '0.sign'],
        check: ({ body }) => void (saved['version'] = body[0].id),
      },
      {
        name: 'others do not',
        as: 'bob',
        path: `${below}/{version}?diff=true`,
        status: 200,
        hasNot: ['body', 'code', 'sign', 'diff.body', 'diff.code'],
        has: { title: 'One', diff: {} },
      },
      {
        name: 'who sees all sees all',
        as: 'boss',
        path: `${below}/{version}?diff=true`,
        status: 200,
        has: { code: 'X1', body: 'second words', sign: 'http://site.test/c/X1/', diff: { code: {} } },
      },
      {
        name: '_fields=diff',
        path: `${below}/{version}?diff=true&_fields=diff`,
        status: 200,
        hasNot: ['diff.body'],
        has: { diff: {} },
      },
      { name: 'a search passes over them', as: 'bob', path: `${below}?search=second`, status: 200, items: [] },
      { name: 'a filter is refused', as: 'ann', path: `${below}?code=X1`, status: 403, has: FORBIDDEN },
      write('ann', 'POST', `${below}/{version}/restore`, {}, 403, { has: { code: 'rest_forbidden_field' } }),
      write('boss', 'POST', `${below}/{version}/restore`, {}, 200, { has: { code: 'X1' } }),
    ],
    saved,
  );
});

describe('descriptions in OPTIONS', () => {
  scenario(
    () => stage,
    [
      {
        name: 'OPTIONS of a visitor leaves out what he neither sees nor sets',
        method: 'OPTIONS',
        path: '/deals',
        status: 200,
        check: ({ body }) => {
          const { properties } = body.schema;
          expect(properties).not.toHaveProperty('code');
          expect(properties).not.toHaveProperty('link');
          expect(properties.terms.properties).not.toHaveProperty('margin');
          expect(properties.lines.items.properties.cost.readonly).toBe(true);
          expect(properties.price).toMatchObject({ readonly: true });
          expect(properties.price.description).toContain(
            'Accepted with: owner = the caller or the capability "set_prices".',
          );
          const [list, create] = body.endpoints;
          expect(list.args).not.toHaveProperty('code');
          expect(list.args.orderby.enum).toEqual(['id', 'title', 'price']);
          expect(create.args).not.toHaveProperty('price');
          expect(create.args.lines.items.properties).not.toHaveProperty('cost');
        },
      },
      {
        name: 'OPTIONS of a visitor, who writes nothing, leaves out a field that only its rule `read` hides',
        method: 'OPTIONS',
        path: '/deals',
        status: 200,
        check: ({ body }) => {
          expect(body.schema.properties).not.toHaveProperty('grade');
          expect(body.endpoints[1].args).not.toHaveProperty('grade');
        },
      },
      {
        name: 'OPTIONS of a clerk, who may set it, has that field',
        as: 'ann',
        method: 'OPTIONS',
        path: '/deals',
        status: 200,
        check: ({ body }) => {
          expect(body.schema.properties.grade).toMatchObject({ context: [] });
          expect(body.endpoints[1].args).toHaveProperty('grade');
        },
      },
      {
        name: 'OPTIONS of the boss has all',
        as: 'boss',
        method: 'OPTIONS',
        path: '/deals',
        status: 200,
        check: ({ body }) => {
          expect(body.schema.properties.code).not.toHaveProperty('readonly');
          expect(body.schema.properties).toHaveProperty('hint');
          expect(body.endpoints[0].args).toHaveProperty('code');
          expect(body.endpoints[0].args.orderby.enum).toContain('code');
        },
      },
    ],
    saved,
  );
});
