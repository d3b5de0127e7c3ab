// Texts joined from fields: they show what the fields show, and no more than the caller may read of them.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator, type TestActor } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const joined = (template: string) => ({ function: 'joined-text', options: { template } });
const FIELDS = {
  flag: { type: 'boolean' },
  price: { type: 'decimal', precision: 8, scale: 2 },
  rate: { type: 'decimal', precision: 8, scale: 2, as: 'number' },
  made: { type: 'datetime' },
  local: { type: 'datetime', clock: 'site' },
  due: { type: 'date' },
  box: { type: 'object', properties: { a: { type: 'integer' } } },
  text: { type: 'rendered', pipeline: 'title' },
};
const SCHEMAS = [
  {
    name: 'thing',
    path: 'things',
    fields: {
      ...FIELDS,
      ...Object.fromEntries(Object.keys(FIELDS).map((name) => [`shown_${name}`, joined(`<{${name}}>`)])),
    },
    permissions: 'public-read',
  },
  {
    name: 'secret',
    path: 'secrets',
    fields: {
      title: { type: 'string' },
      text: { type: 'rendered' },
      short: { type: 'rendered', pipeline: 'excerpt', from: 'text' },
      all: joined('{title}: {text}'),
      plain: joined('{title}'),
    },
    traits: { protected: { fields: ['text'] } },
    permissions: 'public-read',
  },
];

let site: TestSite;
let admin: TestActor;
beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS, { SITE_TIMEZONE: 'Europe/Tallinn' });
  admin = administrator(site);
});
afterAll(() => site?.close());

const create = (path: string, body: object) => site.send('POST', path, { as: admin.headers, body, status: 201 });

test('every value is shown as its field shows it', async () => {
  const sent = {
    flag: true,
    price: '12.5',
    rate: 1.5,
    made: '2026-01-01T10:00:00Z',
    local: '2026-01-01T10:00:00Z',
    due: '2026-01-02',
    box: { a: 1 },
    text: 'A & B',
  };
  const { id } = (await create('/things', sent)).body;
  const { body } = await site.send('GET', `/things/${id}`, { status: 200 });
  expect(body).toMatchObject({
    shown_flag: '<true>',
    shown_price: '<12.50>',
    shown_rate: '<1.5>',
    shown_made: `<${body.made}>`,
    shown_local: `<${body.local}>`,
    shown_due: '<2026-01-02>',
    shown_box: '<{"a":1}>',
    shown_text: `<${body.text.rendered}>`,
  });
  const empty = (await create('/things', {})).body;
  expect(empty).toMatchObject({ shown_flag: '<false>', shown_made: '<>', shown_due: '<>', shown_text: '<>' });
});

test('what is made of a protected text is as closed as the text', async () => {
  const { id } = (await create('/secrets', { title: 'Open', text: 'Geheim', password: 'key' })).body;
  const closed = (await site.send('GET', `/secrets/${id}`, { status: 200 })).body;
  expect(closed).toMatchObject({ text: { rendered: '', protected: true }, plain: 'Open' });
  for (const path of [`/secrets/${id}`, `/secrets/${id}?_fields=all,short`, '/secrets', '/secrets?_fields=all'])
    expect(JSON.stringify((await site.send('GET', path)).body)).not.toContain('Geheim');
  for (const open of [await site.send('GET', `/secrets/${id}?password=key`, { status: 200 })])
    expect(open.body).toMatchObject({ all: 'Open: <p>Geheim</p>\n', short: { rendered: '<p>Geheim</p>\n' } });
  const edited = await site.send('GET', `/secrets/${id}?context=edit`, { as: admin.headers, status: 200 });
  expect(edited.body.all).toContain('Geheim');
  await site.send('PATCH', `/secrets/${id}`, { as: admin.headers, body: { short: 'Own words' }, status: 200 });
  const own = (await site.send('GET', `/secrets/${id}`, { status: 200 })).body;
  expect(own.short.rendered).toContain('Own words');
});
