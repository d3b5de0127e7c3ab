// The bound routes of invented resources, over HTTP: keys, parameters, bodies, headers, refusals.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import request from 'supertest';
import { openLibrary } from './library-app.js';

let library: Awaited<ReturnType<typeof openLibrary>>;
const api = '/lib/v1';
const get = (path: string) => request(library.server).get(api + path);
const send = (method: 'post' | 'put' | 'patch' | 'delete', path: string, as?: string) => {
  const sent = request(library.server)[method](api + path);
  return as === undefined ? sent : sent.set('Authorization', as);
};

beforeAll(async () => {
  library = await openLibrary();
  for (const title of ['Emma', 'Dracula', 'Ulysses', 'Kim', 'She']) await send('post', '/books', '1').send({ title });
  await send('post', '/members', '1').send({ name: 'Ada' });
});
afterAll(() => library.close());

describe('creating', () => {
  it('returns 201 with Location, Allow and the item in edit context', async () => {
    const response = await send('post', '/books', '1').send({
      title: 'Dune',
      loans: 9,
      secret: 'x',
      notes: 'n',
      unknown: 1,
    });
    expect(response.status).toBe(201);
    expect(response.headers['location']).toBe(`http://lib.test/lib/v1/books/${response.body.id}`);
    expect(response.headers['allow']).toBe('GET, POST');
    expect(response.headers['link']).toBe('<http://lib.test/>; rel="https://api.w.org/"');
    expect(response.body).toMatchObject({ title: 'Dune', shelf: 'a', copies: 1, loans: 0, notes: 'n', lent: null });
    expect(response.body).not.toHaveProperty('secret');
    await send('delete', `/books/${response.body.id}?heir=1`, '1').expect(200);
  });

  it('reports missing fields before invalid ones, and both before missing rights', async () => {
    const missing = await send('post', '/books').send({ copies: 'many', title: null });
    expect(missing.status).toBe(400);
    expect(missing.body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { status: 400, params: ['title'] },
    });
    expect(missing.headers['allow']).toBe('GET');
    const invalid = await send('post', '/books').send({ title: 't', copies: 'many', shelf: 'z', extra: { size: 'x' } });
    expect(invalid.body.code).toBe('rest_invalid_param');
    expect(Object.keys(invalid.body.data.params)).toEqual(['shelf', 'copies', 'extra']);
    expect(invalid.body.data.details.copies).toMatchObject({ code: 'rest_invalid_type', data: { param: 'copies' } });
    expect(invalid.body.data.details.shelf).toMatchObject({ code: 'rest_not_in_enum', data: null });
    const refused = await send('post', '/books').send({ title: 't' });
    expect([refused.status, refused.body.code]).toEqual([401, 'rest_cannot_create']);
    const known = await send('post', '/books', 'reader 5').send({ title: 't' });
    expect([known.status, known.headers['allow']]).toEqual([403, 'GET']);
  });

  it('prefers the body to the query and accepts both kinds of forms', async () => {
    const query = await send('post', '/books?title=Query&copies=4', '1').send({ title: 'Body' });
    expect(query.body).toMatchObject({ title: 'Body', copies: 4 });
    const form = await send('post', '/books', '1').type('form').send('title=Form&extra[colour]=red&extra[size]=3');
    expect(form.body).toMatchObject({ title: 'Form', extra: { colour: 'red', size: 3 } });
    const parts = await send('post', '/books', '1')
      .field('title', 'Parts')
      .field('extra[colour]', 'blue')
      .attach('file', Buffer.from('x'), 'x.txt');
    expect(parts.body).toMatchObject({ title: 'Parts', extra: { colour: 'blue' } });
    for (const { body } of [query, form, parts])
      await send('delete', `/books/${body.id}`, '1').send({ heir: 1 }).expect(200);
    expect(readdirSync(library.uploadDirectory)).toEqual([]);
  });

  it('refuses malformed JSON before anything else', async () => {
    const response = await send('post', '/books').type('json').send('{"title":');
    expect([response.status, response.body.code]).toEqual([400, 'rest_invalid_json']);
  });
});

describe('updating', () => {
  it('works alike with POST, PUT and PATCH, and changes only the fields that are sent', async () => {
    for (const [method, copies] of [
      ['post', 2],
      ['put', 3],
      ['patch', 4],
    ] as const) {
      const response = await send(method, '/books/1', '1').send({ copies, title: null, lent: '2024-01-02T03:04:05' });
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({ id: 1, title: 'Emma', copies, lent: '2024-01-02T03:04:05' });
      expect(response.headers['allow']).toBe('GET, POST, PUT, PATCH, DELETE');
    }
    expect((await send('post', '/books/1', '1').send({ lent: null })).body.lent).toBe(null);
  });

  it('ignores an id in the body', async () => {
    const response = await send('post', '/books/2?id=1', '1').send({ id: 1, copies: 7 });
    expect(response.body.id).toBe(2);
  });

  it('returns 404 for an unknown item, with the methods that an existing one allows', async () => {
    const response = await send('post', '/books/999', '1').send({ copies: 1 });
    expect([response.status, response.body.code, response.headers['allow']]).toEqual([
      404,
      'rest_book_invalid_id',
      'GET, POST, PUT, PATCH, DELETE',
    ]);
  });
});

describe('deleting', () => {
  it('accepts parameters in query or body, prefers the body, and requires the mandatory one', async () => {
    const { body } = await send('post', '/books', '1').send({ title: 'Gone', notes: 'n' });
    const missing = await send('delete', `/books/${body.id}`);
    expect(missing.body).toMatchObject({ code: 'rest_missing_callback_param', data: { params: ['heir'] } });
    const invalid = await send('delete', `/books/${body.id}?heir=2`, '1').send({ heir: 'nobody' });
    expect(invalid.body.data.details).toMatchObject({ heir: { code: 'rest_invalid_type' } });
    const gone = await send('delete', `/books/${body.id}?heir=x&_fields=deleted,previous`, '1').send({ heir: 2 });
    expect(gone.body).toMatchObject({ deleted: true, previous: { title: 'Gone' } });
    expect(gone.headers['allow']).toBe('GET, POST, PUT, PATCH, DELETE');
  });
});

describe('keys', () => {
  it.each(['abc', '-1', '1.5', '1e3', '%31x', '1%20'])('make %s no route', async (key) => {
    const response = await get(`/books/${key}`);
    expect([response.status, response.body.code]).toEqual([404, 'rest_no_route']);
    expect(response.headers['allow']).toBeUndefined();
  });

  it.each(['0', '00', '9007199254740993', '99999999999999999999'])('make %s no item', async (key) => {
    const response = await get(`/books/${key}`);
    expect([response.status, response.body.code]).toEqual([404, 'rest_book_invalid_id']);
  });

  it('may be the alias of the caller', async () => {
    const nobody = await get('/members/me');
    expect([nobody.status, nobody.body.code, nobody.headers['allow']]).toEqual([401, 'rest_not_logged_in', 'GET']);
    expect((await get('/members/me').set('Authorization', '1')).body).toMatchObject({ id: 1, name: 'Ada' });
    expect((await get('/books/me').set('Authorization', '1')).body.code).toBe('rest_no_route');
  });

  it('may be any segment where items have names', async () => {
    expect((await get('/genres/sci-fi')).body).toMatchObject({ slug: 'sci-fi' });
    expect((await get('/genres/none')).status).toBe(404);
    expect((await get('/genres')).body).toMatchObject({ crime: { label: 'Crime' } });
    expect((await send('post', '/genres', '1').send({})).body.code).toBe('rest_no_route');
  });

  it('of parents are read from the path', async () => {
    const made = await send('post', '/books/2/chapters', '1').send({ content: 'One', book: 1 });
    expect([made.status, made.body.book]).toEqual([201, 2]);
    expect(made.headers['location']).toBe(`http://lib.test/lib/v1/books/2/chapters/${made.body.id}`);
    expect((await get(`/books/1/chapters/${made.body.id}`)).status).toBe(404);
    expect((await get('/books/2/chapters')).body).toHaveLength(1);
    expect((await get('/books/x/chapters')).body.code).toBe('rest_no_route');
    expect((await send('put', `/books/2/chapters/${made.body.id}`, '1').send({})).body.code).toBe('rest_no_route');
  });
});

describe('lists', () => {
  it('return totals and links that keep the parameters of the request', async () => {
    const response = await get('/books?per_page=2&page=2&_fields=id,title&shelf[]=a&x=%3E%22;');
    expect(response.body).toEqual([
      { id: 3, title: 'Ulysses' },
      { id: 4, title: 'Kim' },
    ]);
    expect(response.headers).toMatchObject({ 'x-wp-total': '5', 'x-wp-totalpages': '3', allow: 'GET' });
    const at = (page: number) =>
      `<http://lib.test/lib/v1/books?per_page=2&page=${page}&_fields=id%2Ctitle&shelf%5B0%5D=a&x=%3E%22%3B>`;
    expect(response.headers['link']).toBe(
      `<http://lib.test/>; rel="https://api.w.org/", ${at(1)}; rel="prev", ${at(3)}; rel="next"`,
    );
  });

  it('limit the previous page to existing ones and append the next page', async () => {
    const far = await get('/books?per_page=2&page=9');
    expect(far.headers['link']).toContain('page=3>; rel="prev"');
    expect(far.headers['link']).not.toContain('next');
    expect((await get('/books/?per_page=4')).headers['link']).toContain(
      '<http://lib.test/lib/v1/books?per_page=4&page=2>; rel="next"',
    );
  });

  it('report all invalid parameters together and ignore lenient and unknown ones', async () => {
    const response = await get('/books?per_page=0&order=up&shelf=a,c&hint=x&nonsense=1');
    expect(response.status).toBe(400);
    expect(Object.keys(response.body.data.params)).toEqual(['per_page', 'order', 'shelf']);
    expect(response.body.data.details.per_page.code).toBe('rest_out_of_bounds');
    expect(response.headers['allow']).toBe('GET');
    expect((await get('/books?hint=x')).status).toBe(200);
  });

  it('handles HEAD like GET, without a body', async () => {
    const response = await request(library.server).head(`${api}/books?per_page=2`);
    expect(response.headers).toMatchObject({ 'x-wp-total': '5', allow: 'GET' });
    expect(response.text).toBeUndefined();
  });

  it('support _envelope with status and headers', async () => {
    const response = await get('/books/999?_envelope');
    expect([response.status, response.body.status, response.body.body.code]).toEqual([
      200,
      404,
      'rest_book_invalid_id',
    ]);
    expect((await get('/books?per_page=1&_envelope=1')).body.headers).toMatchObject({ Allow: 'GET', 'X-WP-Total': 5 });
  });
});

describe('_fields', () => {
  it('selects members, including nested ones', async () => {
    expect((await get('/books/1?_fields=id, title')).body).toEqual({ id: 1, title: 'Emma' });
    expect((await get('/books/1?_fields[]=id&_fields[]=nothing')).body).toEqual({ id: 1 });
    expect((await get('/books/1?_fields=_links.self')).body).toMatchObject({ _links: { self: [{}] } });
    expect((await get('/books/1?_fields=')).body).toHaveProperty('title');
    expect((await get('/books/1?_fields=notes')).body).toEqual({});
  });
});

describe('callers', () => {
  it('with wrong credentials are refused everywhere', async () => {
    for (const path of ['/lib/v1/books', '/nowhere', '/']) {
      const response = await request(library.server).get(path).set('Authorization', 'wrong');
      expect([response.status, response.body.code]).toEqual([401, 'incorrect_password']);
    }
    await request(library.server).get('/livez').set('Authorization', 'wrong').expect(200);
  });

  it('get 404 for unsupported methods of a route', async () => {
    for (const method of ['put', 'patch', 'delete'] as const) {
      expect((await send(method, '/books', '1').send({})).body.code).toBe('rest_no_route');
    }
  });
});

describe('bodies', () => {
  it('may be larger where a resource has rendered text', async () => {
    const long = 'x'.repeat(5_000);
    expect((await send('post', '/books', '1').send({ title: long })).status).toBe(413);
    expect((await send('post', '/BOOKS/2/chapters/', '1').send({ content: long })).status).toBe(201);
  });
});

describe('uploads', () => {
  const bytes = Buffer.from('a plain text\n');
  const upload = (as?: string) => send('post', '/scans?label=L', as).set('Content-Type', 'text/plain');
  const name = 'attachment; filename="a.txt"';

  it('can be sent raw, with fields in the query', async () => {
    const response = await upload('1').set('Content-Disposition', name).send(bytes.toString());
    expect([response.status, response.body.label]).toEqual([201, 'L']);
    expect(library.kept.at(-1)).toBe('x/a.txt');
  });

  it('can be sent as forms with fields', async () => {
    const response = await send('post', '/scans', '1')
      .field('label', 'F')
      .field('extra[colour]', 'red')
      .attach('file', bytes, 'b.txt');
    expect(response.body).toMatchObject({ label: 'F', extra: { colour: 'red' } });
  });

  it('are refused when a required part is missing', async () => {
    const refusal = async (sent: ReturnType<typeof upload>) => {
      const { status, body } = await sent;
      return [status, body.code];
    };
    expect(await refusal(upload().set('Content-Disposition', name).send('x'))).toEqual([401, 'rest_cannot_create']);
    expect(await refusal(upload('1').send('x'))).toEqual([400, 'rest_upload_no_content_disposition']);
    expect(await refusal(upload('1').set('Content-Disposition', 'attachment').send('x'))).toEqual([
      400,
      'rest_upload_invalid_disposition',
    ]);
    expect(await refusal(upload('1').set('Content-Disposition', name).set('Content-MD5', 'beef').send('x'))).toEqual([
      412,
      'rest_upload_hash_mismatch',
    ]);
    expect(await refusal(upload('1').set('Content-Disposition', name).send('x'.repeat(6_000)))).toEqual([
      413,
      'rest_upload_file_too_big',
    ]);
    expect(await refusal(send('post', '/scans', '1').send({ label: 'J' }))).toEqual([400, 'rest_upload_no_data']);
    expect(
      await refusal(
        send('post', '/scans?label=012345678901234567890', '1').set('Content-Type', 'text/plain').send('x'),
      ),
    ).toEqual([400, 'rest_invalid_param']);
    expect(await refusal(send('post', '/scans').attach('file', bytes, 'c.txt'))).toEqual([401, 'rest_cannot_create']);
    expect(
      await refusal(send('post', '/scans', '1').field('label', 'x'.repeat(30)).attach('file', bytes, 'c.txt')),
    ).toEqual([400, 'rest_invalid_param']);
    expect(await refusal(send('post', '/scans', '1').attach('file', Buffer.from('MZ'), 'c.exe'))).toEqual([
      400,
      'rest_upload_unknown_error',
    ]);
  });

  it('leave no temporary files', () => {
    expect(readdirSync(library.uploadDirectory)).toEqual([]);
  });

  it('are accepted only by creation', async () => {
    const response = await send('post', '/scans/1', '1').field('label', 'New').attach('file', bytes, 'd.txt');
    expect([response.status, response.body.label]).toEqual([200, 'New']);
    expect((await send('put', '/scans/1', '1').set('Content-Type', 'text/plain').send('x')).status).toBe(415);
  });
});

it('the requests above log nothing unexpected', () => {
  expect(library.lines.filter((line) => JSON.parse(line).err !== undefined)).toEqual([]);
});
