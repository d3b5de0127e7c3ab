// Items that are as visible as what they refer to, whatever their own rule says: lists show to every caller what single reads show.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { administrator, makeActor, type Headers } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const remark = (name: string, read: unknown) => ({
  name,
  path: `${name}s`,
  fields: { text: { type: 'string' }, about: { type: 'reference', to: 'page', filterable: 'in' } },
  traits: { guarded: { through: 'about' } },
  permissions: { rules: { read } },
});

const SCHEMAS = [
  {
    name: 'page',
    path: 'pages',
    fields: {
      secret: { type: 'boolean' },
      text: { type: 'rendered' },
      notes: { function: 'expression', options: { value: { count: 'note.about' } } },
    },
    traits: { protected: { fields: ['text'] } },
    permissions: { rules: { read: { any: [{ is: { secret: false } }, 'manage_options'] } } },
  },
  remark('note', true),
  remark('reply', { through: 'about', rule: 'read' }),
  remark('answer', {
    all: [
      { through: 'about', rule: 'read' },
      { through: 'about', rule: 'open' },
    ],
  }),
];

describe('lists of guarded items', () => {
  let site: TestSite;
  const callers: Record<string, Headers> = { 'a visitor': {} };
  beforeAll(async () => {
    site = await startTestSchemas(SCHEMAS);
    callers['a reader'] = (await makeActor(site, 'subscriber')).headers;
    callers['the administrator'] = administrator(site).headers;
    await site.site.writer.batch(async ({ create }) => {
      for (const page of [{ secret: false }, { secret: true }, { secret: false, password: 'sesame' }]) {
        const id = await create('page', { text: 'x', ...page });
        for (const name of ['note', 'reply', 'answer']) await create(name, { about: id });
      }
    });
  });
  afterAll(() => site?.close());

  const CASES = ['a visitor', 'a reader', 'the administrator'].flatMap((who) =>
    ['notes', 'replys', 'answers'].map((path) => [who, path] as const),
  );
  it.each(CASES)('show %s of %s what single reads show', async (who, path) => {
    const as = callers[who]!;
    const readable: number[] = [];
    for (const id of [1, 2, 3])
      if ((await site.send('GET', `/${path}/${id}`, { as })).status === 200) readable.push(id);
    const { body, headers } = await site.send('GET', `/${path}?order=asc`, { as, status: 200 });
    expect(body.map(({ id }: { id: number }) => id)).toEqual(readable);
    expect(headers['x-wp-total']).toBe(String(readable.length));
    expect(readable).toEqual(who === 'the administrator' ? [1, 2, 3] : [1]);
  });

  it.each([
    ['a visitor', [1, 0]],
    ['a reader', [1, 0]],
    ['the administrator', [1, 1]],
  ])('numbers of them are for %s those of the lists', async (who, wanted) => {
    const shown = [1, 3].map(async (id) => (await site.send('GET', `/pages/${id}`, { as: callers[who]! })).body.notes);
    expect(await Promise.all(shown)).toEqual(wanted);
  });

  it('give access to dependent items with the password of their item', async () => {
    for (const path of ['notes', 'replys', 'answers']) {
      const { body } = await site.send('GET', `/${path}?about=3&password=sesame`);
      expect(body).toMatchObject([{ id: 3, about: 3 }]);
      expect((await site.send('GET', `/${path}?about=3&password=wrong`)).status).toBe(401);
    }
  });
});
