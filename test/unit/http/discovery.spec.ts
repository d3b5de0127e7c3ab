// OPTIONS, the indexes, the root of the site and the OpenAPI document of an invented library.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import request from 'supertest';
import { openLibrary } from './library-app.js';

let library: Awaited<ReturnType<typeof openLibrary>>;
const at = (path: string) => request(library.server).get(path);
const options = (path: string) => request(library.server).options(path);

beforeAll(async () => {
  library = await openLibrary('/api');
  await request(library.server).post('/api/lib/v1/books').set('Authorization', '1').send({ title: 'Emma' });
});
afterAll(() => library.close());

/** Compares with a reviewed file; a missing one is written. */
// UPDATE_GOLDEN=1 writes the files again.
function expectGolden(name: string, value: unknown): void {
  const file = new URL(`golden/${name}.json`, import.meta.url);
  if (process.env['UPDATE_GOLDEN']) writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  expect(value).toEqual(JSON.parse(readFileSync(file, 'utf8')));
}

describe('OPTIONS', () => {
  it('describes collection and item', async () => {
    expectGolden('options-books', (await options('/api/lib/v1/books')).body);
    expectGolden('options-book', (await options('/api/lib/v1/books/1')).body);
  });

  it('describes nested, alias and named items', async () => {
    const chapter = (await options('/api/lib/v1/books/1/chapters/5')).body;
    expect(chapter.methods).toEqual(['GET']);
    expect(Object.keys(chapter.endpoints[0].args)).toEqual(['book_id', 'id', 'context']);
    expect(chapter).not.toHaveProperty('_links');
    expect((await options('/api/lib/v1/members/me')).body.methods).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
    const genre = (await options('/api/lib/v1/genres/crime')).body;
    expect(genre.endpoints[0].args.genre).toMatchObject({ type: 'string', required: false });
  });

  it('needs no credentials, checks no rights, and lists the methods that the caller may use', async () => {
    const nobody = await options('/api/lib/v1/books/1?per_page=zero');
    expect([nobody.status, nobody.headers['allow']]).toEqual([200, 'GET']);
    const known = await options('/api/lib/v1/books/1').set('Authorization', '1');
    expect(known.headers['allow']).toBe('GET, POST, PUT, PATCH, DELETE');
    const unknown = await options('/api/lib/v1/books/999').set('Authorization', '1');
    expect([unknown.status, unknown.headers['allow']]).toEqual([200, 'GET, POST, PUT, PATCH, DELETE']);
    expect((await options('/api/lib/v1/nothing')).body.code).toBe('rest_no_route');
    expect((await options('/api/lib/v1/books/abc')).body.code).toBe('rest_no_route');
  });

  it('supports _envelope and _pretty', async () => {
    expect((await options('/api/lib/v1/books?_envelope')).body).toMatchObject({
      status: 200,
      body: { namespace: 'lib/v1' },
    });
    expect((await options('/api/lib/v1/books?_pretty')).text).toContain('\n    "namespace"');
  });
});

describe('the index', () => {
  it('is served with and without a trailing slash', async () => {
    const response = await at('/api');
    expect((await at('/api/')).body).toEqual(response.body);
    expect(response.body).toMatchObject({
      name: 'The library',
      description: 'Books & more',
      url: 'http://lib.test',
      home: 'http://public.test',
      gmt_offset: 5.5,
      timezone_string: 'Asia/Kolkata',
      namespaces: ['lib/v1'],
      authentication: {
        'application-passwords': { endpoints: {} },
        bearer: { endpoints: { token: 'http://lib.test/api/auth/token', revoke: 'http://lib.test/api/auth/revoke' } },
      },
    });
    expect(response.headers['link']).toBe('<http://lib.test/api/>; rel="https://api.w.org/"');
  });

  it('lists every route with arguments, and schemas only on request', async () => {
    const { routes } = (await at('/api/')).body;
    expect(Object.keys(routes)).toEqual([
      '/',
      '/batch/v1',
      '/lib/v1',
      '/lib/v1/members',
      '/lib/v1/members/(?P<id>[\\d]+)',
      '/lib/v1/members/me',
      '/lib/v1/books',
      '/lib/v1/books/(?P<id>[\\d]+)',
      '/lib/v1/books/(?P<book_id>[\\d]+)/chapters',
      '/lib/v1/books/(?P<book_id>[\\d]+)/chapters/(?P<id>[\\d]+)',
      '/lib/v1/scans',
      '/lib/v1/scans/(?P<id>[\\d]+)',
      '/lib/v1/genres',
      '/lib/v1/genres/(?P<genre>[\\w-]+)',
    ]);
    const { schema, query: _query, ...entry } = (await options('/api/lib/v1/books')).body;
    expect(routes['/lib/v1/books']).toEqual(entry);
    expect((await at('/api/?context=help')).body.routes['/lib/v1/books'].schema).toEqual(schema);
    const ownRoute = '/lib/v1/members/me';
    expect((await at('/api/?context=help')).body.routes[ownRoute]).toEqual((await options(`/api${ownRoute}`)).body);
    expect((await at('/api/?_fields=name,namespaces')).body).toEqual({ name: 'The library', namespaces: ['lib/v1'] });
    const withLinks = Object.keys(routes).filter((path) => routes[path]._links);
    expect(withLinks.every((path) => !path.includes('?P<'))).toBe(true);
    expect(withLinks).toHaveLength(8);
  });

  it('of the namespace has its own routes and a link to the root', async () => {
    const { body } = await at('/api/lib/v1');
    expect(body).toMatchObject({ namespace: 'lib/v1', _links: { up: [{ href: 'http://lib.test/api/' }] } });
    expect(body.routes).not.toHaveProperty('/');
    expect((await options('/api/lib/v1')).body.methods).toEqual(['GET']);
    expect((await at('/api/lib/v2')).body.code).toBe('rest_no_route');
  });

  it('is linked from the root of the site', async () => {
    const response = await at('/');
    expect(response.body).toEqual({ api: 'http://lib.test/api/', docs: 'http://lib.test/docs' });
    expect((await options('/')).body).toMatchObject({
      methods: ['GET'],
      _links: { self: [{ href: 'http://lib.test/' }] },
    });
    expect(response.headers['link']).toContain('rel="https://api.w.org/"');
  });
});

describe('OpenAPI', () => {
  it('documents every route, parameter, body and response', async () => {
    const { body, status } = await at('/docs-json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/api/lib/v1/books',
        '/api/lib/v1/books/{id}',
        '/api/lib/v1/books/{book_id}/chapters',
        '/api/lib/v1/books/{book_id}/chapters/{id}',
        '/api/lib/v1/genres/{genre}',
      ]),
    );
    expectGolden('openapi-books', {
      '/books': body.paths['/api/lib/v1/books'],
      '/books/{id}': body.paths['/api/lib/v1/books/{id}'],
    });
    expectGolden(
      'openapi-book-schemas',
      Object.fromEntries(Object.entries(body.components.schemas).filter(([name]) => name.startsWith('Book'))),
    );
    const ids = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((path) => Object.values(path))
      .map((operation) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('refers only to schemas that it contains', async () => {
    const { body } = await at('/docs-json');
    const names = [...JSON.stringify(body).matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1]!);
    expect(names.filter((name) => !(name in body.components.schemas))).toEqual([]);
  });

  it('has a page that works under its own content security policy', async () => {
    const page = await at('/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=UTF-8');
    expect(page.headers['content-security-policy']).toContain('connect-src *');
    expect(page.text).not.toMatch(/<script>[^<]/);
    for (const [, path] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const asset = await at(path!);
      expect([path, asset.status]).toEqual([path, 200]);
    }
    expect((await at('/docs/swagger-ui.css')).headers['content-type']).toMatch(/^text\/css/);
    expect((await at('/docs/package.json')).body.code).toBe('rest_no_route');
    expect((await at('/docs/..%2fpackage.json')).body.code).toBe('rest_no_route');
  });
});

it('the requests above log nothing unexpected', () => {
  expect(library.lines.filter((line) => JSON.parse(line).err !== undefined)).toEqual([]);
});
