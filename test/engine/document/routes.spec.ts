// The routes of the index, of OPTIONS and of the OpenAPI document are the same, actions of traits included.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administrator } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { OpenApiDocument } from '../../support/openapi-document.js';

const permissions = { rules: { read: true, create: true, edit: true, delete: true } };
/** An item whose trash is no status has an action that takes it out; the list under a name of its own has none. */
const note = {
  name: 'note',
  path: 'notes',
  fields: { title: { type: 'string' }, day: { type: 'date' } },
  traits: { trashable: { hidden: true } },
  views: { dated: { where: { day: { null: false } } } },
  permissions,
};
const texts = {
  title: { type: 'rendered' },
  author: { type: 'reference', to: 'account' },
  parent: { type: 'reference', to: 'article' },
};
const article = {
  name: 'article',
  path: 'articles',
  storage: { table: 'texts', where: { type: 'article' } },
  fields: texts,
  traits: {
    published: { capabilities: 'posts' },
    trashable: {},
    dated: {},
    sluggable: { from: 'title' },
    revisioned: { into: 'former', fields: ['title'] },
  },
};
/** Listed across all articles too. */
const former = {
  name: 'former',
  path: 'formers',
  storage: { table: 'texts', where: { type: 'former' } },
  parent: { resource: 'article', field: 'parent', across: true },
  fields: texts,
  traits: { revision: { fields: ['title'] } },
};

let site: TestSite;
const directory = mkdtempSync(join(tmpdir(), 'typecase-routes-'));

beforeAll(async () => {
  for (const schema of [note, article, former])
    writeFileSync(join(directory, `${schema.name}.json`), JSON.stringify(schema));
  site = await startTestSite(directory);
});
afterAll(async () => {
  await site?.close();
  rmSync(directory, { recursive: true, force: true });
});

const inBraces = (pattern: string) => pattern.replaceAll(/\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g, '{$1}');

test('the index lists exactly the paths and methods of the OpenAPI document', async () => {
  const { operations } = await OpenApiDocument.of(site);
  const described = operations
    .filter(({ method, path }) => method !== 'options' && path.startsWith('/cms/'))
    .map(({ method, path }) => `${path} ${method.toUpperCase()}`);
  for (const target of ['//', '//cms/v2']) {
    const { routes } = (await site.send('GET', target)).body as { routes: Record<string, { methods: string[] }> };
    const listed = Object.entries(routes)
      .filter(([pattern]) => pattern.startsWith('/cms/'))
      .flatMap(([pattern, { methods }]) => methods.map((method) => `${inBraces(pattern)} ${method}`));
    expect(listed.sort()).toEqual(described.sort());
  }
  expect(described).toContain('/cms/v2/notes/{id}/restore POST');
  expect(described).toContain('/cms/v2/articles/{parent_id}/formers/{id}/restore POST');
  expect(described.filter((each) => /views|v2\/formers/.test(each))).toEqual([
    '/cms/v2/formers GET',
    '/cms/v2/notes/views/dated GET',
  ]);
});

test('OPTIONS on an action of a trait describes it, in agreement with the index', async () => {
  const as = administrator(site).headers;
  const { id } = (await site.send('POST', '/notes', { as, body: { title: 'One' }, status: 201 })).body;
  await site.send('DELETE', `/notes/${id}`, { as, status: 200 });
  const { status, body, headers } = await site.send('OPTIONS', `/notes/${id}/restore`);
  expect({ status, allow: headers['allow'] }).toEqual({ status: 200, allow: 'POST' });
  const { routes } = (await site.send('GET', '//cms/v2')).body;
  const { description, ...entry } = body;
  expect(routes['/cms/v2/notes/(?P<id>[\\d]+)/restore']).toEqual(entry);
  expect(description).toMatch(/\.$/);
  expect(Object.keys(entry.endpoints[0].args)).toEqual(['id']);
  expect((await site.send('POST', `/notes/${id}/restore`, { as })).body).toMatchObject({ id, title: 'One' });
  expect((await site.send('OPTIONS', '/notes/x/restore')).body.code).toBe('rest_no_route');
});
