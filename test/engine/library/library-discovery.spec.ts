// What the invented library says about itself: OPTIONS, the index of the API and of its namespace, OpenAPI, health.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendRow, scenario } from '../../support/scenario.js';
import { openLibrary, type Library } from './stage.js';

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.site.close());
const stage = () => library;
const options = async (path: string) =>
  (await sendRow(library, { name: '', method: 'OPTIONS', path, status: 200 })).body;

describe('OPTIONS', () => {
  test('of a collection', async () => {
    const document = await options('/books');
    expect(document).toMatchObject({
      namespace: 'library/v1',
      methods: ['GET', 'POST'],
      _links: { self: [{ href: 'http://api.test/library/v1/books' }] },
    });
    expect(document.endpoints.map((endpoint: { methods: string[] }) => endpoint.methods)).toEqual([['GET'], ['POST']]);
    const [list, create] = document.endpoints;
    expect(list.allow_batch).toEqual({ v1: true });
    expect(list.args).toMatchObject({
      context: { type: 'string', enum: ['view', 'embed', 'edit'], default: 'view', required: false },
      page: { type: 'integer', default: 1, minimum: 1, required: false },
      per_page: { type: 'integer', default: 5, minimum: 1, maximum: 20, required: false },
      search: { type: 'string', required: false },
      order: { enum: ['asc', 'desc'], default: 'asc' },
      orderby: {
        enum: ['id', 'title', 'pages', 'published', 'date', 'size', 'slug', 'include', 'relevance'],
        default: 'title',
      },
      include: { type: 'array', items: { type: 'integer' }, default: [] },
      genre: { type: 'string', enum: ['novel', 'poetry', 'essay', 'science'], required: false },
      genres: { type: 'array', items: { type: 'string' } },
      author: { type: 'array', items: { type: 'integer' } },
      after: { type: 'string', format: 'date-time' },
      published_after: { type: 'string', format: 'date' },
      min_pages: { type: 'integer' },
      max_weight: { type: 'number' },
      title_contains: { type: 'string' },
      in_stock: { type: 'boolean', default: false },
    });
    for (const name of ['filter', 'field', 'options', 'normalize', 'lenient'])
      expect(list.args.shelf).not.toHaveProperty(name);
    expect(create.args).toMatchObject({
      title: { required: true, type: 'object' },
      pages: { type: 'integer', minimum: 1, maximum: 5000, default: 1, required: false },
      isbn: { type: ['string', 'null'], pattern: '^97[89]-?[0-9]{9}[0-9X]$' },
      genre: { enum: ['novel', 'poetry', 'essay', 'science'], default: 'novel' },
      published: { type: ['string', 'null'], format: 'date' },
      tags: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 30 } },
      authors: { type: 'array', items: { type: 'integer' } },
      editor: { type: ['integer', 'null'] },
      dimensions: { type: 'object', properties: { height: { type: 'number', minimum: 1, required: true } } },
      chapters: { type: 'array', maxItems: 3, uniqueItems: true },
    });
    for (const name of ['id', 'loan_count', 'link', 'modified', 'acquisition', 'trashed_slug', 'kind'])
      expect(create.args).not.toHaveProperty(name);
  });

  test('describes the schema', async () => {
    const { schema } = await options('/books');
    expect(schema).toMatchObject({
      $schema: 'http://json-schema.org/draft-04/schema#',
      title: 'book',
      type: 'object',
      required: ['title'],
    });
    expect(schema.properties.id).toMatchObject({ type: 'integer', readonly: true, context: ['view', 'embed', 'edit'] });
    expect(schema.properties.staff_note.context).toEqual(['edit']);
    expect(schema.properties.loan_count).toMatchObject({ readonly: true });
    expect(schema.properties.title.properties).toMatchObject({
      raw: { context: ['edit'] },
      rendered: { readonly: true },
    });
    expect(schema.properties.dimensions).toMatchObject({
      required: ['height'],
      properties: { measured_by: { context: ['edit'] }, fits: { readonly: true } },
    });
    expect(schema.properties.meta.properties).toMatchObject({
      binding: { type: 'string', enum: ['cloth', 'paper'] },
      prices: { type: 'array', items: { type: 'number' } },
    });
    for (const name of ['acquisition', 'kind', 'trashed_status']) expect(schema.properties).not.toHaveProperty(name);
    expect(schema.links).toContainEqual({
      rel: 'https://api.w.org/action-shelve',
      href: expect.stringContaining('/books/{id}'),
    });
  });

  test('of an item', async () => {
    const document = await options('/books/1');
    expect(document.methods).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
    expect(document.endpoints.map((endpoint: { methods: string[] }) => endpoint.methods)).toEqual([
      ['GET'],
      ['POST', 'PUT', 'PATCH'],
      ['DELETE'],
    ]);
    const [retrieve, update, remove] = document.endpoints;
    expect(retrieve.args).toMatchObject({ id: { type: 'integer' }, context: { default: 'view' } });
    expect(update.args.title.required).toBe(false);
    expect(update.args.pages).not.toHaveProperty('default');
    expect(remove.args).toMatchObject({ force: { type: 'boolean', default: false, required: false } });
    expect(document).not.toHaveProperty('_links');
    expect(document.schema.title).toBe('book');
  });

  test('of nested collections and items', async () => {
    const collection = await options('/books/1/reviews');
    expect(collection.methods).toEqual(['GET', 'POST']);
    expect(collection.endpoints[0].args.book_id).toMatchObject({ type: 'integer' });
    expect(collection.endpoints[1].args.rating).toMatchObject({ required: true, minimum: 1, maximum: 5 });
    const item = await options('/books/1/reviews/1');
    expect(Object.keys(item.endpoints[2].args)).toEqual(['book_id', 'id', 'force']);
  });

  test('of a registry and of items named by a text', async () => {
    expect((await options('/genres')).methods).toEqual(['GET']);
    expect((await options('/genres/novel')).methods).toEqual(['GET']);
    expect((await options('/branches/central')).endpoints[0].args.branch).toMatchObject({ type: 'string' });
  });

  test('describes a password as an argument, but not as a property', async () => {
    const { endpoints, schema } = await options('/members');
    expect(endpoints[1].args.password).toMatchObject({ type: 'string', required: true });
    expect(schema.properties.password.context).toEqual([]);
  });

  test('describes another default context', async () => {
    const { endpoints } = await options('/loans');
    expect(endpoints[0].args.context).toMatchObject({ default: 'edit' });
  });

  scenario(stage, [
    {
      name: 'of an unknown path',
      method: 'OPTIONS',
      path: '/booksellers',
      status: 404,
      has: { code: 'rest_no_route' },
    },
    { name: 'says what nobody may', method: 'OPTIONS', path: '/books', status: 200, sends: { Allow: 'GET' } },
    {
      name: 'says what a librarian may',
      as: 'librarian',
      method: 'OPTIONS',
      path: '/books',
      status: 200,
      sends: { Allow: 'GET, POST' },
    },
  ]);
});

describe('the index', () => {
  test('lists every route with its methods', async () => {
    const { body } = await sendRow(library, { name: '', path: '//', status: 200 });
    expect(body).toMatchObject({
      namespaces: ['library/v1'],
      url: 'http://api.test',
      home: 'http://site.test',
      timezone_string: 'Europe/Tallinn',
      authentication: { bearer: expect.any(Object) },
    });
    const methods = Object.fromEntries(
      Object.entries<{ methods: string[] }>(body.routes).map(([pattern, route]) => [pattern, route.methods.join(' ')]),
    );
    const all = 'GET POST PUT PATCH DELETE';
    expect(methods).toMatchObject({
      '/library/v1': 'GET',
      '/library/v1/books': 'GET POST',
      '/library/v1/books/(?P<id>[\\d]+)': all,
      '/library/v1/books/(?P<book_id>[\\d]+)/reviews': 'GET POST',
      '/library/v1/books/(?P<book_id>[\\d]+)/reviews/(?P<id>[\\d]+)': all,
      '/library/v1/authors': 'GET POST',
      '/library/v1/loans/(?P<id>[\\d]+)': all,
      '/library/v1/branches/(?P<branch>[\\w-]+)': all,
      '/library/v1/genres': 'GET',
      '/library/v1/genres/(?P<genre>[\\w-]+)': 'GET',
      '/library/v1/members/me': all,
    });
  });

  test('contains nothing of the content management schemas', async () => {
    const { body } = await sendRow(library, { name: '', path: '//', status: 200 });
    const own = Object.keys(body.routes)
      .filter((pattern) => pattern.startsWith('/library/v1/'))
      .map((pattern) => pattern.split('/')[3]);
    expect([...new Set(own)].sort()).toEqual(['authors', 'books', 'branches', 'genres', 'loans', 'members']);
  });

  test('of the namespace lists the same routes', async () => {
    const { body } = await sendRow(library, { name: '', path: '', status: 200 });
    expect(body).toMatchObject({ namespace: 'library/v1', _links: { up: [{ href: 'http://api.test/' }] } });
    expect(Object.keys(body.routes)).toContain('/library/v1/books');
  });
});

describe('OpenAPI', () => {
  test('contains every route, parameter and body', async () => {
    const { body } = await sendRow(library, { name: '', path: '//docs-json', status: 200 });
    expect(body.openapi).toMatch(/^3\.1/);
    const operations = (path: string) => Object.keys(body.paths[path] ?? {}).sort();
    expect(operations('/library/v1/books')).toEqual(expect.arrayContaining(['get', 'post']));
    expect(operations('/library/v1/books/{id}')).toEqual(expect.arrayContaining(['delete', 'get', 'post']));
    expect(operations('/library/v1/books/{book_id}/reviews/{id}')).toEqual(expect.arrayContaining(['get']));
    expect(operations('/library/v1/genres')).toEqual(expect.not.arrayContaining(['post']));
    const names = body.paths['/library/v1/books'].get.parameters.map((parameter: { name?: string }) => parameter.name);
    expect(names).toEqual(
      expect.arrayContaining(['context', 'page', 'per_page', 'search', 'genre', 'author', 'shelf', 'orderby']),
    );
    expect(JSON.stringify(body.paths['/library/v1/books'].post.requestBody)).toMatch(/Book/);
  });

  test('has an HTML page', async () => {
    const response = await sendRow(library, { name: '', path: '//docs', status: 200 });
    expect(response.headers['content-type']).toMatch(/text\/html/);
  });
});

describe('health', () => {
  scenario(stage, [
    { name: 'the process is up', path: '//livez', status: 200 },
    { name: 'schema and database are ready', path: '//readyz', status: 200 },
  ]);
});

describe('headers of every response', () => {
  scenario(stage, [
    {
      name: 'type, root link, no index',
      path: '/books',
      status: 200,
      sends: {
        'Content-Type': 'application/json; charset=UTF-8',
        Link: /<http:\/\/api\.test\/>; rel="https:\/\/api\.w\.org\/"/,
        'X-Robots-Tag': 'noindex',
        'X-Content-Type-Options': 'nosniff',
      },
    },
    {
      name: 'errors too',
      path: '/books/999',
      status: 404,
      sends: { 'Content-Type': 'application/json; charset=UTF-8', 'X-Content-Type-Options': 'nosniff' },
    },
    {
      name: 'responses to known callers are not kept',
      as: 'reader',
      path: '/books',
      status: 200,
      sends: { 'Cache-Control': /no-store/ },
    },
    {
      name: 'responses to anonymous callers may be',
      path: '/books',
      status: 200,
      sends: { 'Cache-Control': /^(?!.*no-store)/ },
    },
    { name: 'an override of anything but POST is none', method: 'DELETE', path: '/books?_method=GET', status: 404 },
  ]);
});
