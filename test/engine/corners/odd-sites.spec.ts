// Unusual sites: static resources of every form, references to singletons, defaults that are empty, seeds and first accounts that
// are refused.
import { describe, expect, it } from '@jest/globals';
import { StartupError } from '../../../src/errors/problem.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

type Schema = Record<string, unknown> & { name: string };

const permissions = { rules: { read: true, create: true, edit: true, delete: true } };
const thing = (fields: object, more: object = {}): Schema => ({
  name: 'thing',
  path: 'things',
  fields,
  permissions,
  ...more,
});
const kind = (fields: object, rows: object[], more: object = {}): Schema => ({
  name: 'kind',
  path: 'kinds',
  key: 'code',
  storage: { static: 'kind', rows },
  fields: { code: { type: 'string' }, ...fields },
  permissions: { rules: { read: true } },
  ...more,
});

async function on<T>(schemas: readonly Schema[], work: (site: TestSite) => Promise<T>): Promise<T> {
  const site = await startTestSchemas(schemas);
  try {
    return await work(site);
  } finally {
    await site.close();
  }
}

/** What a start with these schemas is refused with. */
async function refused(schemas: readonly Schema[], environment: Record<string, string> = {}): Promise<string[]> {
  try {
    const site = await startTestSchemas(schemas, environment);
    await site.close();
    return [];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}

describe('static resources', () => {
  it('offer no parameters of pages and orders, which would have no effect', async () => {
    await on([kind({}, [{ code: 'a' }, { code: 'b' }])], async ({ send }) => {
      const { body } = await send('OPTIONS', '/kinds');
      expect(Object.keys(body.endpoints[0].args)).toEqual(['context']);
      expect((await send('GET', '/kinds?per_page=1&page=2')).body).toHaveLength(2);
    });
  });

  it('are named by numbers, too', async () => {
    await on([kind({ code: { type: 'integer' } }, [{ code: 5 }])], async ({ send }) => {
      expect((await send('GET', '/kinds/5', { status: 200 })).body.code).toBe(5);
    });
  });

  it('are keyed by the column of a field', async () => {
    const rows = [
      { sign: 'x', code: 'a' },
      { sign: 'y', code: 'b' },
    ];
    const list = { paginated: false, keyedBy: 'label' };
    await on([kind({ label: { type: 'string', column: 'sign' } }, rows, { list })], async ({ send }) => {
      expect(Object.keys((await send('GET', '/kinds')).body)).toEqual(['x', 'y']);
    });
  });

  it('are refused where rows have no name, share one, or would be keyed by what not everybody may read', async () => {
    expect(await refused([kind({}, [{ code: 'a' }, { code: 'a' }, {}])])).toEqual([
      'storage.rows.1.code: another row is named "a" already',
      'storage.rows.2: the row has no "code", which names it',
    ]);
    for (const more of [{ read: 'see' }, { contexts: ['edit'] }])
      expect(
        await refused([kind({ x: { type: 'string', ...more } }, [{ code: 'a', x: 's' }], { list: { keyedBy: 'x' } })]),
      ).toEqual(['list.keyedBy: the field "x" is not shown to everybody who may read the rows']);
  });
});

it('references to a singleton have no link, because its item has no URL with an id', async () => {
  const house = { name: 'house', path: 'house', singleton: true, fields: { a: { type: 'string' } }, permissions };
  await on([house, thing({ house: { type: 'reference', to: 'house' } })], async ({ send }) => {
    const { body } = await send('POST', '/things', { body: { house: 1 }, status: 201 });
    expect(body.house).toBe(1);
    expect(Object.keys(body._links)).toEqual(['self', 'collection']);
  });
});

it('defaults of null and empty lists are what items show, and can be sent back', async () => {
  const fields = {
    day: { type: 'date', default: null },
    tags: { type: 'array', items: { type: 'string' }, default: '' },
    none: { type: 'string', nullable: true, maxLength: 0 },
    words: { type: 'strings', items: { enum: ['a', 'b'] } },
  };
  await on([thing(fields)], async ({ send }) => {
    const { body } = await send('POST', '/things', { body: {}, status: 201 });
    expect(body).toMatchObject({ day: null, tags: [], none: null, words: [] });
    const { _links, ...item } = body;
    expect((await send('PUT', '/things/1', { body: item, status: 200 })).body).toMatchObject(item);
    expect((await send('POST', '/things', { body: { words: ['a', 1] }, status: 400 })).body.code).toBe(
      'rest_invalid_param',
    );
  });
});

it('rows are counted by columns with long values, too', async () => {
  const state = { type: 'string', maxLength: 1000, filterable: true };
  const schema = thing({ state, part: state }, { storage: { partition: ['state', 'part'] } });
  const long = (sign: string) => sign.repeat(900);
  await on([schema], async ({ send }) => {
    for (const [one, other] of ['aa', 'aa', 'ab', 'b"'].map(([first, second]) => [long(first!), long(second!)]))
      await send('POST', '/things', { body: { state: one, part: other }, status: 201 });
    await send('POST', '/things', { body: { state: 'x', part: 'y' }, status: 201 });
    const total = async (query: Record<string, string>) =>
      (await send('GET', '/things', { query, status: 200 })).headers['x-wp-total'];
    expect(await total({})).toBe('5');
    expect(await total({ state: long('a') })).toBe('3');
    expect(await total({ state: long('a'), part: long('a') })).toBe('2');
    expect(await total({ state: 'x' })).toBe('1');
    await send('PATCH', '/things/1', { body: { part: long('b') }, status: 200 });
    expect(await total({ state: long('a'), part: long('a') })).toBe('1');
    expect(await total({ state: long('a'), part: long('b') })).toBe('2');
  });
});

it('a write of a singleton without fields in the context edit returns what the context view shows', async () => {
  const fields = { a: { type: 'string', contexts: ['view'] }, b: { type: 'string', contexts: ['embed'] } };
  await on([{ name: 'house', path: 'house', singleton: true, fields, permissions }], async ({ send }) => {
    const { body } = await send('POST', '/house', { body: { a: 'x', b: 'y' }, status: 200 });
    expect(body).toMatchObject({ a: 'x' });
    expect((await send('GET', '/house?context=embed')).body).toMatchObject({ b: 'y' });
  });
});

describe('seeds that are refused', () => {
  it.each<[string, Schema, string]>([
    [
      'share unique values',
      thing(
        { a: { type: 'string', required: true, unique: { ignore: ['case'] } } },
        { seeds: [{ a: 'x' }, { a: 'X' }] },
      ),
      'seeds.1: another item has its unique values already',
    ],
    [
      'refer to nothing',
      thing({ a: { type: 'reference', to: 'thing' } }, { seeds: [{ a: 77 }] }),
      'seeds.0: There is no thing with ID 77.',
    ],
  ])('%s', async (_what, schema, message) => {
    expect(await refused([schema])).toEqual([message]);
  });
});

it('a first account that the resource of the accounts refuses is named by its variables', async () => {
  const ADMIN_EMAIL = `a@${'b'.repeat(150)}.org`;
  const [message, ...more] = await refused([thing({})], { ADMIN_EMAIL });
  expect(more).toEqual([]);
  expect(message).toMatch(
    /the first account cannot be created with ADMIN_USERNAME and ADMIN_EMAIL: email must have at most/,
  );
});
