// References of any resource become links that `_embed` follows, and batches write it, without a line of its own.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { administrator, type Headers } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';

let site: TestSite;
let headers: Headers;
const made: Record<string, number> = {};

beforeAll(async () => {
  site = await startTestSite(fileURLToPath(new URL('schemas', import.meta.url)));
  headers = administrator(site).headers;
  const requests = [
    { path: '/cms/v2/authors', body: { name: 'Ann', salary: 3 } },
    { path: '/cms/v2/authors', body: { name: 'Old', retired: true } },
    { path: '/cms/v2/books', body: { title: 'Two', author: { $ref: '#/responses/1/body/id' } } },
    {
      path: '/cms/v2/books',
      body: {
        title: 'One',
        author: { $ref: '#/responses/0/body/id' },
        editor: { $ref: '#/responses/0/body/id' },
        sequel: { $ref: '#/responses/2/body/id' },
      },
    },
  ];
  const { body } = await site.send('POST', '//batch/v1', { as: headers, body: { validation: 'atomic', requests } });
  ['ann', 'old', 'two', 'one'].forEach((name, at) => (made[name] = body.responses[at].body.id));
});

afterAll(() => site?.close());

const get = async (path: string, as: Headers = {}) => (await site.send('GET', path, { as })).body;

test('S-08 every reference is an embeddable link, unless its field opts out', async () => {
  const { _links: links } = await get(`/books/${made['one']}`);
  expect(Object.keys(links)).toEqual(['self', 'collection', 'author', 'sequel']);
  expect(links.author).toEqual([{ embeddable: true, href: `http://api.test/cms/v2/authors/${made['ann']}` }]);
  expect(Object.keys((await get(`/books/${made['two']}`))._links)).toEqual(['self', 'collection', 'author']);
});

test('S-08 embedded items depend on the rights of the caller to rows and fields', async () => {
  const stranger = await get('/books?orderby=id&order=asc&_embed');
  const [two, one] = stranger;
  expect(one._embedded.author[0]).toMatchObject({ id: made['ann'], name: 'Ann' });
  expect(one._embedded.author[0]).not.toHaveProperty('salary');
  expect(one._embedded.sequel[0]).toMatchObject({ id: made['two'], title: 'Two' });
  expect(two._embedded.author[0]).toMatchObject({ code: expect.any(String), data: { status: 401 } });
  expect(JSON.stringify(stranger)).not.toContain('Old');
  const known = await get('/books?orderby=id&order=asc&_embed', headers);
  expect(known[1]._embedded.author[0]).toMatchObject({ salary: 3 });
  expect(known[0]._embedded.author[0]).toMatchObject({ name: 'Old' });
});

test('S-08 lists of a resource are embedded too', async () => {
  const { _embedded: embedded } = await get(`/authors/${made['ann']}?_embed=books`);
  expect(embedded.books).toEqual([[expect.objectContaining({ id: made['one'], title: 'One' })]]);
});

test('S-13 OPTIONS shows that batches may write', async () => {
  const { body } = await site.send('OPTIONS', '/books');
  expect(body.endpoints[1].allow_batch).toEqual({ v1: true });
});
