// Revisions show texts in the same form as their item: raw and rendered.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const TEXTS = {
  title: { type: 'rendered', pipeline: 'title' },
  text: { type: 'rendered' },
  author: { type: 'reference', to: 'account' },
  parent: { type: 'reference', to: 'article' },
};

const VALUES = {
  name: { type: 'string', required: true },
  done: { type: 'boolean', nullable: true },
  size: { type: 'number', nullable: true },
  day: { type: 'date', nullable: true },
};
const KEPT = Object.keys(VALUES);
const open = { read: true, create: true, edit: true, delete: true };

const SCHEMAS = [
  {
    name: 'task',
    path: 'tasks',
    storage: { table: 'tasks', where: { type: 'task' } },
    fields: {
      ...VALUES,
      status: { type: 'string', enum: ['open', 'closed'], default: 'open' },
      author: { type: 'reference', to: 'account' },
      parent: { type: 'reference', to: 'task' },
    },
    traits: { trashable: {}, dated: {}, sluggable: { from: 'name' }, revisioned: { into: 'state', fields: KEPT } },
    permissions: { rules: open },
  },
  {
    name: 'state',
    path: 'states',
    storage: { table: 'tasks', where: { type: 'state' } },
    parent: { resource: 'task', field: 'of' },
    fields: { ...VALUES, of: { type: 'reference', to: 'task', column: 'parent', readOnly: true, onDelete: 'cascade' } },
    traits: { revision: { fields: KEPT } },
  },
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
  site = await startTestSchemas(SCHEMAS);
});

afterAll(() => site?.close());

test('revisions keep rendered texts', async () => {
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

test('values of other types are compared, and restored with missing ones', async () => {
  const { headers } = administrator(site);
  const send = (method: 'GET' | 'POST', path: string, status: number, body?: object) =>
    site.send(method, path, { as: headers, body, status });
  const full = { name: 'Paint', done: true, size: 1.5, day: '2026-01-02' };
  const bare = { name: 'Paint', done: false, size: null, day: null };
  const { id } = (await send('POST', '/tasks', 201, full)).body;
  await send('POST', `/tasks/${id}`, 200, { status: 'closed' });
  await send('POST', `/tasks/${id}`, 200, bare);
  await send('POST', `/tasks/${id}`, 200, { done: null });
  const [none, second, first] = (await send('GET', `/tasks/${id}/states`, 200)).body;
  expect([first, second, none]).toMatchObject([full, bare, { ...bare, done: null }]);
  const changed = async (revision: number) => {
    const { body } = await send('GET', `/tasks/${id}/states/${revision}?diff=true&_fields=diff`, 200);
    return Object.fromEntries(
      Object.entries<{ op: string; text: string }[]>(body.diff).map(([name, steps]) => [
        name,
        steps.map(({ op, text }) => `${op} ${text}`).join(', '),
      ]),
    );
  };
  const days = { name: 'equal Paint', size: 'delete 1.5', day: 'delete 2026-01-02' };
  expect(await changed(first.id)).toMatchObject({ ...days, done: 'delete true' });
  expect(await changed(second.id)).toMatchObject({ done: 'delete false' });
  expect((await send('POST', `/tasks/${id}/states/${first.id}/restore`, 200)).body).toMatchObject({ ...full, id });
  expect(await changed(second.id)).toMatchObject({ done: 'delete false, insert true', size: 'insert 1.5' });
  expect((await send('POST', `/tasks/${id}/states/${none.id}/restore`, 200)).body).toMatchObject({
    done: null,
    day: null,
  });
});
