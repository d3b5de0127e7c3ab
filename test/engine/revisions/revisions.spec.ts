// Revisions whose texts are shown as those of their item: raw and rendered.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator } from '../../support/actors.js';
import { bootSchemas, type TestSite } from '../../support/boot-site.js';

const TEXTS = {
  title: { type: 'rendered', pipeline: 'title' },
  text: { type: 'rendered' },
  author: { type: 'reference', to: 'account' },
  parent: { type: 'reference', to: 'article' },
};

const SCHEMAS = [
  {
    name: 'article',
    path: 'articles',
    storage: { table: 'texts', where: { type: 'article' } },
    fields: TEXTS,
    traits: {
      published: { capabilities: 'posts' },
      trashable: {},
      dated: {},
      sluggable: { from: 'title' },
      revisioned: { into: 'former', fields: ['title', 'text'] },
    },
  },
  {
    name: 'former',
    path: 'formers',
    storage: { table: 'texts', where: { type: 'former' } },
    parent: { resource: 'article', field: 'parent' },
    fields: TEXTS,
    traits: { revision: { fields: ['title', 'text'] } },
  },
];

let site: TestSite;

beforeAll(async () => {
  site = await bootSchemas(SCHEMAS);
});

afterAll(() => site?.close());

test('rendered texts are kept as they were', async () => {
  const { headers } = administrator(site);
  const send = (method: 'GET' | 'POST', path: string, status: number, body?: object) =>
    site.send(method, path, { as: headers, body, status });
  const { body: article } = await send('POST', '/articles', 201, { title: 'One', text: 'First' });
  await send('POST', `/articles/${article.id}`, 200, { title: '"Two"', text: 'Second' });
  const { body: formers } = await send('GET', `/articles/${article.id}/formers?context=edit`, 200);
  expect(formers).toMatchObject([
    {
      title: { raw: '"Two"', rendered: '&#8220;Two&#8221;' },
      text: { raw: 'Second', rendered: '<p>Second</p>\n', block_version: 0 },
    },
  ]);
});
