// References that lead to another resource than before: the stored ids would name other items, so a start asks first.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EvolvingSite, OPEN } from './evolving-site.js';

const text = (more: object = {}) => ({ type: 'string', maxLength: 60, ...more });
const to = (resource: string, more: object = {}) => ({ type: 'reference', to: resource, ...more });
const some = (resource: string, more: object = {}) => ({ type: 'references', to: resource, ...more });

const artist = { ...OPEN, fields: { name: text() } };
const piece = { ...OPEN, fields: { title: text() } };
const loan = (fields: object, more: object = {}) => ({ ...OPEN, fields: { borrower: text(), ...fields }, ...more });
const BEFORE = { item: to('piece'), items: some('piece'), number: { type: 'integer' } };

let site: EvolvingSite;
beforeEach(async () => {
  site = await EvolvingSite.make();
  site.write({ artist, piece, loan: loan(BEFORE) });
  await site.serving(async (served) => {
    for (const name of ['Ada', 'Bo']) await served.post('/artists', { name });
    for (const title of ['a', 'b', 'c']) await served.post('/pieces', { title });
    await served.post('/loans', { item: 1, items: [1, 3], number: 2 });
    await served.post('/loans', { item: 3, items: [2], number: 9 });
    await served.post('/loans', {});
  });
});
afterEach(() => site.close());

const accept = (words: string) => (site.environment['DATABASE_ACCEPT'] = words);
const loans = () => site.serving((served) => served.all('/loans'));

describe('ids that would identify other items, or none, are reported before anything is changed', () => {
  const others = (count: number, ids: string) =>
    `${count} stored values are ids of items of piece, and the field leads to artist now: ids ${ids}`;

  it.each<[string, string, object, string]>([
    ['a reference', 'item', { item: to('artist') }, others(2, '1, 2')],
    ['a list', 'items', { items: some('artist') }, others(3, '1, 2')],
    [
      'a renamed reference',
      'maker',
      { item: undefined, maker: to('artist', { renamedFrom: 'item' }) },
      others(2, '1, 2'),
    ],
    [
      'a renamed list',
      'makers',
      { items: undefined, makers: some('artist', { renamedFrom: 'items' }) },
      others(3, '1, 2'),
    ],
    ['a reference that becomes a list', 'item', { item: some('artist') }, others(2, '1, 2')],
    [
      'a reference that becomes a list of another name',
      'makers',
      { item: undefined, makers: some('artist', { renamedFrom: 'item' }) },
      others(2, '1, 2'),
    ],
    ['a number', 'number', { number: to('artist') }, '1 stored value is the id of no item of artist: id 2'],
  ])('of %s', async (_, name, change, message) => {
    const rows = await site.sql('SELECT * FROM loans');
    site.write({ loan: loan({ ...BEFORE, ...change }) });
    const asked = `loan.${name}: ${message} (Change these values first`;
    expect(await site.startFailure()).toContain(asked);
    expect(await site.startFailure('check')).toContain(asked);
    expect(await site.cli('diff')).toMatchObject({
      code: 2,
      out: expect.stringContaining(`keep values loans.${name}: ${message}`),
    });
    expect(await site.cli('migrate')).toMatchObject({ code: 1, err: expect.stringContaining(asked) });
    expect(await site.sql('SELECT * FROM loans')).toEqual(rows);
    accept('values');
    expect(await site.cli('migrate')).toMatchObject({ code: 0, err: '' });
    accept('');
    // Asked once.
    expect(await site.startFailure()).toBeUndefined();
  });

  it('of a resource that has moved below another one', async () => {
    const parent = { parent: { resource: 'artist', param: 'artist_id', field: 'item' } };
    site.write({ loan: loan({ ...BEFORE, item: to('artist', { readOnly: true, onDelete: 'cascade' }) }, parent) });
    expect(await site.startFailure()).toContain(`loan.item: ${others(2, '1, 2')}`);
  });
});

it.each<[string, Record<string, object | null>]>([
  ['another name', { piece: null, work: { ...piece, path: 'pieces' } }],
  ['another name and table', { piece: null, work: { ...piece, storage: { movedFrom: 'pieces' } } }],
  [
    'another name in a shared table',
    { piece: null, work: { ...piece, storage: { table: 'things', where: { kind: 'work' }, movedFrom: 'pieces' } } },
  ],
])('no decision is required where the target resource has %s', async (_, files) => {
  const before = await loans();
  site.write({ ...files, loan: loan({ ...BEFORE, item: to('work'), items: some('work') }) });
  expect((await site.cli('diff')).out).not.toMatch(/^refused/m);
  expect(await site.cli('migrate')).toMatchObject({ code: 0 });
  expect(await loans()).toEqual(before);
  expect(await site.cli('check', '--data')).toMatchObject({ code: 0 });
});

it('ids of a resource of a shared table that a reference no longer refers to', async () => {
  const shared = (kind: string) => ({ ...piece, storage: { table: 'things', where: { kind } } });
  const kinds = { vase: shared('vase'), coin: shared('coin') };
  site.write({ ...kinds, loan: loan({ ...BEFORE, thing: to(['vase', 'coin'] as never) }) });
  await site.serving(async (served) => {
    await served.post('/vases', { title: 'first' });
    await served.post('/coins', { title: 'second' });
    for (const thing of [1, 2]) await served.post('/loans', { thing });
  });
  site.write({ loan: loan({ ...BEFORE, thing: to('vase') }) });
  expect(await site.startFailure()).toContain('loan.thing: 1 stored value is the id of no item of vase: id 5');
  site.write({ loan: loan({ ...BEFORE, thing: to(['coin', 'vase'] as never) }) });
  expect(await site.startFailure()).toBeUndefined();
});

it('ids of items that were deleted while the schema lacked the field', async () => {
  site.write({ loan: loan({ number: BEFORE.number }) });
  await site.serving((served) => served.site.send('DELETE', '/pieces/3'));
  site.write({ loan: loan({ ...BEFORE, thing: to('piece') }) });
  const message =
    /loan\.item: 1 stored value is the id of no item of piece: id 2 \(Give the new field.*check --data --fix/;
  const problems = await site.startFailure();
  expect(problems).toMatch(message);
  expect(problems).toMatch(/loan\.items: 1 stored value is the id of no item of piece: id 1/);
  expect(problems).not.toMatch(/loan\.thing/);
  accept('values');
  expect(await site.cli('migrate')).toMatchObject({ code: 0 });
  expect(await site.cli('check', '--data', '--fix')).toMatchObject({ out: expect.stringMatching(/2 .*fixed/) });
  expect(await loans()).toMatchObject([
    { item: 1, items: [1] },
    { item: 0, items: [2] },
    { item: 0, items: [] },
  ]);
});

it('diff and a dry run report decisions about lists and traits, and the work of a new trait', async () => {
  site.write({
    loan: loan({ ...BEFORE, item: some('piece') }),
    artist: { ...artist, fields: { name: text(), above: to('artist') } },
  });
  expect(await site.cli('migrate')).toMatchObject({ code: 0 });
  site.write({
    loan: loan(BEFORE),
    artist: { ...artist, fields: { name: text(), above: to('artist') }, traits: { nested: { field: 'above' } } },
    piece: { ...piece, traits: { uploaded: {} } },
  });
  const said = [
    /^refused +keep values loans\.item: the field was a list, and the table loans_item has its values\n/m,
    /^refused +adopt items pieces \(uploaded\): items have no file: ids 1, 2, 3/m,
    /^safe +adopt items artists \(nested\): what the new trait needs is computed/m,
  ];
  for (const words of [['diff'], ['migrate', '--dry-run']])
    for (const line of said) expect((await site.cli(...words)).out).toMatch(line);
  site.write({ loan: loan({ ...BEFORE, item: some('piece') }), piece });
  expect(await site.cli('diff')).toMatchObject({ code: 2, out: expect.stringMatching(/^safe +adopt items artists/m) });
  expect(await site.startFailure('check')).toMatch(/artist\.traits\.nested: what this trait needs/);
  expect(await site.cli('migrate')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^done: adopt items artists \(nested\)$/m),
  });
  expect(await site.cli('diff')).toMatchObject({ code: 0, out: expect.not.stringMatching(/adopt/) });
});
