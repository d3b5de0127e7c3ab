// Values that must be unique and are taken: which callers learn of it, and what the message names.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { makeActor, type Headers } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const owned = { is: { owner: '$me' } };
const SCHEMAS = [
  {
    name: 'show',
    path: 'shows',
    fields: { owner: { type: 'reference', to: 'account', default: '$me', readOnly: true } },
    permissions: { rules: { read: owned, create: { signedIn: true }, edit: owned } },
  },
  {
    name: 'program',
    path: 'programs',
    parent: { resource: 'show', param: 'show_id', field: 'show' },
    fields: {
      show: { type: 'reference', to: 'show', readOnly: true },
      language: { type: 'string', required: true },
    },
    unique: [['show', 'language']],
    checks: [{ rule: { through: 'show', rule: 'edit' }, fields: ['language'], message: 'Not your show.' }],
    permissions: { rules: { read: true, create: { signedIn: true }, edit: { signedIn: true } } },
  },
  {
    name: 'text',
    path: 'texts',
    fields: {
      show: { type: 'reference', to: 'show', required: true, minimum: 1 },
      language: { type: 'string', required: true },
      page: { type: 'integer', default: 1 },
      // 1 while it counts, null afterwards.
      claim: { type: 'integer', nullable: true, default: 1, hidden: true },
    },
    unique: [['show', 'language', 'page', 'claim']],
    checks: [{ rule: { through: 'show', rule: 'edit' }, fields: ['show'], message: 'Not your show.' }],
    permissions: { rules: { read: true, create: { signedIn: true }, edit: { signedIn: true } } },
  },
];

let site: TestSite;
let owner: Headers;
let stranger: Headers;
let show = 0;
beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
  owner = (await makeActor(site, 'subscriber')).headers;
  stranger = (await makeActor(site, 'author')).headers;
  show = (await site.send('POST', '/shows', { as: owner, body: {}, status: 201 })).body.id;
  await site.send('POST', '/texts', { as: owner, body: { show, language: 'de' }, status: 201 });
});
afterAll(() => site.close());
const add = (as: Headers, language: string) => site.send('POST', '/texts', { as, body: { show, language } });

it('callers whose item fails a check do not learn which values exist', async () => {
  const [taken, free] = [await add(stranger, 'de'), await add(stranger, 'et')];
  expect(taken).toMatchObject({ status: 400, body: { data: { params: { show: 'Not your show.' } } } });
  expect(taken.body).toEqual(free.body);
});

it('nor do they learn it from an update', async () => {
  const mine = (await site.send('POST', '/shows', { as: stranger, body: {}, status: 201 })).body.id;
  const body = { show: mine, language: 'de' };
  const { id } = (await site.send('POST', '/texts', { as: stranger, body, status: 201 })).body;
  const move = (language: string) =>
    site.send('PATCH', `/texts/${id}`, { as: stranger, body: { show, language }, status: 400 });
  const [taken, free] = [await move('de'), await move('et')];
  expect(taken.body.data.params).toEqual({ show: 'Not your show.' });
  expect(taken.body).toEqual(free.body);
});

it('an error about values that are unique together lists the fields that clients know', async () => {
  const text = 'A text with this show, language and page already exists.';
  const { body } = await add(owner, 'de');
  expect(body.data.params).toEqual({ show: text, language: text, page: text });
});

it('items created with their parent are checked in its transaction', async () => {
  const programs = [{ language: 'de' }, { language: 'de' }];
  const { body } = await site.send('POST', '/shows', { as: owner, body: { programs }, status: 400 });
  expect(body.data.details['programs[1][language]'].code).toBe('rest_not_unique');
});
