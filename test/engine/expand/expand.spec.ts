// `expand` behind a reference to several resources, whose fields of one name lead to different ones.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const resource = (name: string, fields: object, more: object = {}) => ({
  name,
  path: `${name}s`,
  fields: { title: { type: 'string' }, ...fields },
  permissions: { rules: { read: true } },
  ...more,
});
const text = (name: string, owner: string) =>
  resource(name, { owner: { type: 'reference', to: owner } }, { storage: { table: 'texts', where: { kind: name } } });

const SCHEMAS = [
  resource('person', {}),
  resource('firm', {}),
  text('letter', 'person'),
  text('contract', 'firm'),
  resource('use', { text: { type: 'reference', to: ['letter', 'contract'] } }),
  resource('shelf', { code: { type: 'string', required: true, unique: true } }, { key: 'code', path: 'shelves' }),
  resource(
    'box',
    { shelf: { type: 'reference', to: 'shelf' }, all: { type: 'references', to: 'shelf' } },
    { path: 'boxes' },
  ),
];

describe('expand', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSchemas(SCHEMAS);
    await site.site.writer.batch(async ({ create }) => {
      // Both have the same id.
      const owners = [await create('person', { title: 'Ada' }), await create('firm', { title: 'Ada & Sons' })];
      expect(owners[0]).toBe(owners[1]);
      await create('use', { text: await create('letter', { owner: owners[0] }) });
      await create('use', { text: await create('contract', { owner: owners[1] }) });
    });
  });
  afterAll(() => site?.close());

  it('uses the field of the resource of the item', async () => {
    const { body } = await site.send('GET', '/uses?order=asc&expand=text.owner', { status: 200 });
    expect(body.map((use: any) => use.text.owner.title)).toEqual(['Ada', 'Ada & Sons']);
    expect((await site.send('GET', '/uses/2?expand=text.owner')).body.text.owner.title).toBe('Ada & Sons');
  });

  it('includes items whose URL has no id', async () => {
    await site.site.writer.batch(async ({ create }) => {
      const shelves = [await create('shelf', { title: 'Left', code: 'l' }), await create('shelf', { code: '1' })];
      await create('box', { shelf: shelves[0], all: shelves });
    });
    const { body } = await site.send('GET', '/boxes/1?expand=shelf,all&_fields=shelf,all.code', { status: 200 });
    expect(body).toEqual({ shelf: { id: 1, title: 'Left', code: 'l' }, all: [{ code: 'l' }, { code: '1' }] });
  });

  it('lists the expandable fields of all of these resources', async () => {
    const { status, body } = await site.send('GET', '/uses?expand=text.nothing');
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(JSON.stringify(body.data)).toContain('Allowed there: owner');
  });
});
