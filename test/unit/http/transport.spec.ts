// The transport over real sockets: what every response carries, what requests may hold, and what hostile ones get.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import http from 'node:http';
import zlib from 'node:zlib';
import request from 'supertest';
import type { Actor } from '../../../src/model/actor.js';
import { BodyBudget } from '../../../src/http/memory/body-budget.js';
import { drain } from '../../../src/http/transport/drain.js';
import { exchange } from './raw-socket.js';
import { start, state } from './tiny-app.js';

const LIMIT = 1024 * 1024;
const known: Actor = { id: 7, roles: [], capabilities: new Set(), address: '', agent: '' };

let site: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  const bodyLimit = (req: { url?: string }) => ({
    limit: LIMIT,
    uploads: req.url?.includes('upload') === true,
    mayWrite: () => !req.url?.includes('untrusted'),
  });
  site = await start({ bodyLimit, bodyTimeout: 60_000 }, { forceCloseConnections: true });
});
afterAll(() => site.app.close());

const ask = () => request(site.server);
const json = (body: string | Buffer, type = 'application/json') =>
  ask()
    .post('/echo')
    .set('Content-Type', type)
    .serialize(String)
    .send(body as string);
const post = (body: string | Buffer, headers: Record<string, string | number>) =>
  exchange(site.port, [
    `POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('') +
      '\r\n',
    body,
  ]);

describe('headers of every response', () => {
  it.each([
    ['a response', '/things', 200],
    ['no route', '/nowhere', 404],
    ['an error of ours', '/things/crash', 500],
    ['a refusal', '/things/refused', 401],
    ['text from Nest', '/things/plain', 200],
    ['a response of Express', '/things/own', 200],
  ])('%s', async (_name, path, status) => {
    const response = await ask().get(path).set('X-Request-Id', 'mine-1');
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({
      'x-request-id': 'mine-1',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'x-robots-tag': 'noindex',
      'access-control-allow-origin': '*',
      link: '<http://api.test/>; rel="https://api.w.org/"',
    });
    expect(response.headers['vary']).toMatch(/Authorization/);
    expect(response.headers['vary']).not.toMatch(/Origin/);
    expect(response.headers['access-control-allow-headers']).toMatch(/Authorization.*If-Match/);
    expect(response.headers['access-control-expose-headers']).toMatch(/X-WP-Total, X-WP-TotalPages, Link/);
    expect(response.headers['content-security-policy']).not.toMatch(/upgrade-insecure/);
    expect(response.headers['x-powered-by']).toBeUndefined();
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('include a new request id where none or an invalid one is sent', async () => {
    const ids = new Set<string>();
    for (const id of [undefined, 'a b', 'x'.repeat(65), '<script>']) {
      const asked = ask().get('/things');
      if (id !== undefined) asked.set('X-Request-Id', id);
      ids.add((await asked).headers['x-request-id']!);
    }
    expect(ids.size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}-\w+$/);
  });

  it('include type, length and totals; HEAD has the same without a body', async () => {
    const got = await ask().get('/things');
    const head = await ask().head('/things');
    expect(got.headers).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'x-wp-total': '41',
      'x-wp-totalpages': '5',
      'content-length': String(Buffer.byteLength('[{"id":1,"title":"é"}]')),
    });
    expect(got.body).toEqual([{ id: 1, title: 'é' }]);
    expect(head.status).toBe(200);
    expect(head.text).toBeUndefined();
    const { date: _date, 'x-request-id': _id, ...same } = got.headers;
    expect(head.headers).toMatchObject(same);
    expect((await ask().head('/nowhere')).status).toBe(404);
  });

  it('forbid shared caches for responses to authenticated callers', async () => {
    expect((await ask().get('/things')).headers).toMatchObject({ 'last-modified': 'yesterday' });
    state.actor = known;
    const { headers } = await ask().get('/things');
    state.actor = undefined;
    expect(headers['cache-control']).toBe('no-cache, must-revalidate, max-age=0, no-store, private');
    expect(headers['expires']).toBe('Wed, 11 Jan 1984 05:00:00 GMT');
    expect(headers['last-modified']).toBeUndefined();
    const refused = await ask().post('/nowhere').set('X-HTTP-Method-Override', 'PUT');
    expect(refused.headers['cache-control']).toMatch(/no-store/);
    expect((await ask().get('/nowhere')).headers['cache-control']).toBeUndefined();
  });

  it('return 304 for a known ETag', async () => {
    for (const tag of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) {
      const response = await ask().get('/things').set('If-None-Match', tag);
      expect(response.status).toBe(304);
      expect(response.headers).toMatchObject({ etag: '"v1"', 'x-robots-tag': 'noindex' });
      expect(response.headers['content-type']).toBeUndefined();
      expect(response.headers['content-length']).toBeUndefined();
    }
    expect((await ask().get('/things').set('If-None-Match', '"v2"')).status).toBe(200);
    expect((await ask().get('/things/1').set('If-None-Match', '*')).status).toBe(200);
  });

  it('percent-encode characters that a header cannot contain', async () => {
    const response = await json('{"title":"a\\r\\nSet-Cookie: x=1 \\u263a \\ud800 é"}').expect(200);
    expect(response.body.body.title).toContain('Set-Cookie');
    const made = await ask().post('/things').send({ title: 'a\r\nSet-Cookie: x=1 ☺ é' });
    expect(made.status).toBe(201);
    expect(made.headers['set-cookie']).toBeUndefined();
    expect(made.headers['location']).toBe('http://x/a%0D%0ASet-Cookie: x=1 %E2%98%BA %C3%A9');
    expect(made.headers['link']).toMatch(/^<http:\/\/api.test\/>; rel="https:\/\/api.w.org\/", <http:\/\/x\/a%0D%0A/);
    const lone = await ask()
      .post('/things')
      .set('Content-Type', 'application/json')
      .serialize(String)
      .send('{"title":"\\ud800"}');
    expect(lone.headers['location']).toBe('http://x/%EF%BF%BD');
  });

  it('support _pretty and _envelope, also for errors', async () => {
    expect((await ask().get('/things?_pretty')).text).toContain('\n        "id": 1');
    const wrapped = await ask().get('/things?_envelope');
    expect(wrapped.body).toMatchObject({ status: 200, headers: { 'X-WP-Total': 41 }, body: [{ id: 1 }] });
    const error = await ask().get('/nowhere?_envelope=1');
    expect(error.status).toBe(200);
    expect(error.body).toMatchObject({ status: 404, body: { code: 'rest_no_route' } });
  });
});

describe('cross-origin', () => {
  it('answers preflights and passes other OPTIONS to the route', async () => {
    const preflight = await ask()
      .options('/things')
      .set({ Origin: 'http://a', 'Access-Control-Request-Method': 'PUT' });
    expect(preflight.status).toBe(204);
    expect(preflight.text).toBe('');
    expect(preflight.headers['access-control-allow-methods']).toBe('OPTIONS, GET, POST, PUT, PATCH, DELETE');
    expect((await ask().options('/things').set('Origin', 'http://a')).body).toEqual({ methods: ['GET'] });
    expect((await ask().options('/nowhere')).status).toBe(404);
  });

  it('allows only listed origins, with credentials', async () => {
    const listed = await start({ cors: ['http://good.test'] });
    const good = await request(listed.server).get('/things').set('Origin', 'http://good.test');
    const bad = await request(listed.server).get('/things').set('Origin', 'http://bad.test');
    const none = await request(listed.server).get('/things/own');
    await listed.app.close();
    expect(good.headers).toMatchObject({
      'access-control-allow-origin': 'http://good.test',
      'access-control-allow-credentials': 'true',
      vary: 'Authorization, Accept-Encoding, Origin',
    });
    expect(bad.headers['access-control-allow-origin']).toBeUndefined();
    expect(bad.headers['access-control-allow-credentials']).toBeUndefined();
    expect(none.headers['vary']).toBe('Accept, Authorization, Accept-Encoding, Origin');
  });
});

describe('query strings', () => {
  it.each([
    ['a=1,2', { a: '1,2' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['filter[a]=1&filter[b][c]=2', { filter: { a: '1', b: { c: '2' } } }],
    ['a%5B%5D=1', { a: ['1'] }],
    ['a=x%20y+z%26', { a: 'x y z&' }],
    ['flag&empty=', { flag: '', empty: '' }],
    ['__proto__[x]=1&constructor=2&a[prototype]=3&__proto__=4&a[__proto__][x]=1&b=1', { b: '1' }],
    ['%5f%5fproto%5f%5f[x]=1&b=1', { b: '1' }],
    ['toString=1&hasOwnProperty[x]=2', { toString: '1', hasOwnProperty: { x: '2' } }],
    ['a=%zz&b=%ff&c=%', { a: '%zz', b: '%ff', c: '%' }],
    ['=1&&&b=2', { b: '2' }],
    ['a=http://x/y', { a: 'http://x/y' }],
  ])('%s', async (query, expected) => {
    const response = await exchange(site.port, [`GET /echo?${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`]);
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body).query).toEqual(expected);
    expect(Object.prototype).not.toHaveProperty('x');
  });

  it('decode valid escapes beside an invalid percent sign', async () => {
    const query = 'a=50%+caf%C3%A9&b%5B%C3%A9%5D=%&c=%C3%A9%ff%20%E6%97&d%5b%5d=1%2B1';
    const response = await exchange(site.port, [`GET /echo?${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`]);
    const text = Buffer.from(response.body, 'latin1').toString('utf8');
    // Escapes of bytes that are not UTF-8 stay as they are.
    expect(JSON.parse(text).query).toEqual({ a: '50% café', b: { é: '%' }, c: '%C3%A9%ff%20%E6%97', d: ['1+1'] });
  });

  it('are accepted after a slash, with limited depth', async () => {
    expect((await ask().get('/echo/?a=%C3%A9')).body.query).toEqual({ a: 'é' });
    const deep = await ask().get(`/echo?a${'[b]'.repeat(1000)}=1`);
    expect(deep.status).toBe(200);
    expect(JSON.stringify(deep.body.query).match(/\{/g)!.length).toBeLessThan(10);
  });

  it('are refused when they have too many or too long parameters', async () => {
    const many = Array.from({ length: 201 }, (_, at) => `p${at}=1`).join('&');
    expect((await ask().get(`/echo?${many}`)).body).toMatchObject({
      code: 'rest_invalid_param',
      data: { status: 400 },
    });
    expect((await ask().get('/echo?a[900]=1')).status).toBe(400);
    const long = await ask().get(`/echo?a=${'x'.repeat(16 * 1024)}`);
    expect([long.status, long.body.code]).toEqual([414, 'rest_uri_too_long']);
    const longer = await exchange(site.port, [`GET /echo?a=${'x'.repeat(90_000)} HTTP/1.1\r\nHost: x\r\n\r\n`]);
    expect([longer.status, JSON.parse(longer.body).code]).toEqual([414, 'rest_uri_too_long']);
    expect(longer.head).toMatch(/X-Request-Id: .*nosniff|nosniff[\s\S]*X-Request-Id/);
  });
});

describe('headers and request lines', () => {
  const get = (path: string, extra = '') => exchange(site.port, [`GET ${path} HTTP/1.1\r\nHost: x\r\n${extra}\r\n`]);

  it('are refused when they are too many or too large', async () => {
    const many = await get('/things', Array.from({ length: 150 }, (_, at) => `X-${at}: 1\r\n`).join(''));
    const large = await get('/things', `X-A: ${'x'.repeat(17_000)}\r\n`);
    const huge = await get('/things', `X-A: ${'x'.repeat(90_000)}\r\n`);
    for (const response of [many, large, huge]) {
      expect([response.status, JSON.parse(response.body).code]).toEqual([431, 'rest_headers_too_large']);
    }
  });

  it('of malformed requests are refused with JSON', async () => {
    for (const text of [
      'NONSENSE\r\n\r\n',
      'GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /\xff\xfe?a=\xe9 HTTP/1.1\r\nHost: x\r\n\r\n',
    ]) {
      const response = await exchange(site.port, [Buffer.from(text, 'latin1')]);
      expect([response.status, JSON.parse(response.body).code]).toEqual([400, 'rest_bad_request']);
      expect(response.head).toContain('X-Request-Id');
    }
    for (const hosts of ['', 'Host: x\r\nHOST: x\r\n', 'Host: x\r\nAccept: */*\r\nhost: y\r\n'])
      expect((await exchange(site.port, [`GET /things HTTP/1.1\r\n${hosts}\r\n`])).status).toBe(400);
    expect((await get('/things', 'Accept: host\r\n')).status).toBe(200);
    expect((await exchange(site.port, ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'])).status).toBe(404);
  });

  it.each(['/%zz', '/things/%zz', '/things/%ff', '/things/%', '/%2e%2e/%2e%2e/etc', '//evil//', '/things%2f1'])(
    'with the path %j return a JSON error',
    async (path) => {
      const response = await exchange(
        site.port,
        [Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1')],
        200,
      );
      expect([response.status, JSON.parse(response.body).code]).toEqual([404, 'rest_no_route']);
    },
  );

  it('with URLs that Express cannot parse are refused', async () => {
    for (const target of ['http://[x/', '*', 'http://', 'http://[::1', 'x']) {
      const response = await get(target);
      expect([404, 400]).toContain(response.status);
      expect(() => JSON.parse(response.body)).not.toThrow();
    }
    expect((await get('http://other.test/things')).status).toBe(200);
  });

  it('with unknown expectations are accepted, and pipelined requests are answered in order', async () => {
    expect((await get('/things', 'Expect: wonders\r\n')).status).toBe(200);
    const two = 'GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n';
    expect((await exchange(site.port, [two])).text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });
});

describe('bodies', () => {
  it.each([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/vnd.x+json', '{"a":1}', { a: 1 }],
    ['application/json; charset="UTF-8"', '{"a":"é"}', { a: 'é' }],
    ['application/json', '\ufeff{"a":1}', { a: 1 }],
    ['application/json', ' \n', {}],
    ['application/x-www-form-urlencoded', 'a=1&b[]=2&c[d]=3+4', { a: '1', b: ['2'], c: { d: '3 4' } }],
    ['application/x-www-form-urlencoded', 'a=%zz&constructor=1', { a: '%zz' }],
    ['application/x-www-form-urlencoded', 'a=50%+caf%C3%A9&%5F_proto__=1&%=%25', { a: '50% café', '%': '%' }],
    [
      'application/json',
      '{"a":{"__proto__":{"x":1},"constructor":1,"b":1},"\\u005f_proto__":{"x":1}}',
      { a: { b: 1 } },
    ],
    ['application/json', '[{"prototype":1}]'.replace(/^\[|\]$/g, ''), {}],
  ])('%s %s', async (type, body, expected) => {
    const response = await json(body, type);
    expect(response.status).toBe(200);
    expect(response.body.body).toEqual(expected);
    expect(Object.prototype).not.toHaveProperty('x');
  });

  it('without a media type are parsed as forms', async () => {
    expect(JSON.parse((await post('a=1', {})).body)).toMatchObject({ bodyKind: 'form', body: { a: '1' } });
  });

  it.each(['put', 'patch', 'delete'] as const)('are read for %s', async (method) => {
    expect((await ask()[method]('/echo').send({ a: 1 })).body.body).toEqual({ a: 1 });
  });

  it('are ignored for GET and OPTIONS, and may be empty', async () => {
    const response = await ask().get('/echo').set('Content-Type', 'application/json').send('{broken');
    expect(response.status).toBe(200);
    expect(response.body.body).toBeUndefined();
    expect((await ask().post('/echo').set('Content-Type', 'application/json')).status).toBe(200);
    expect((await ask().post('/echo').set('Content-Type', 'text/plain')).status).toBe(200);
  });

  it.each([
    ['{broken', 4, 'line 1, column 2'],
    ['{"a":1,\n "b" 2}', 4, 'line 2, column 6'],
    ['{"title":}', 4, 'line 1, column 10'],
    ['{"a":1,}', 4, 'line 1, column 8'],
    ['{"a":', 4, 'line 1, column 6'],
    ['{"a":"', 4, ''],
    [`{"a":"${'x'.repeat(70_000)}`, 4, ''],
    ['[1]', 0, 'a list'],
    ['"x"', 0, 'a string'],
    ['null', 0, 'null'],
    ['1', 0, 'a number'],
    ['['.repeat(100_000), 1, '64 levels'],
    ['{"a":'.repeat(65) + '1' + '}'.repeat(65), 1, '64 levels'],
    [`{${Array.from({ length: 10_001 }, (_, at) => `"${at}":1`).join(',')}}`, 1, '10000 members'],
    [`"${'\\\\"'.repeat(100_000)}`, 4, ''],
  ])('of %.30s are refused', async (body, code, reason) => {
    const response = await json(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'rest_invalid_json', data: { status: 400, json_error_code: code } });
    expect(response.body.data.json_error_message).toContain(reason);
    expect(response.text).not.toMatch(/Unexpected token|JSON at|SyntaxError/);
  });

  it('may have depth 64, colons and brackets inside strings, and a huge key', async () => {
    expect((await json('{"a":'.repeat(64) + '1' + '}'.repeat(64))).status).toBe(200);
    expect((await json(JSON.stringify({ a: '[{:"\\'.repeat(20_000) }))).status).toBe(200);
    expect((await json(JSON.stringify({ ['k'.repeat(500_000)]: 1 }))).status).toBe(200);
  });

  it('with other media types, charsets and encodings are refused', async () => {
    expect((await json('x', 'text/plain')).body.code).toBe('rest_unsupported_media_type');
    expect((await json('x', 'nonsense')).status).toBe(415);
    expect((await json('{"a":1}', 'application/json; charset=latin1')).status).toBe(415);
    expect((await post('{}', { 'Content-Type': 'application/json', 'Content-Encoding': 'zstd' })).status).toBe(415);
    expect((await post('{}', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip, gzip' })).status).toBe(
      415,
    );
  });

  it('with invalid UTF-8 are refused', async () => {
    const bad = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]);
    const response = await post(bad, { 'Content-Type': 'application/json' });
    expect(JSON.parse(response.body)).toMatchObject({ code: 'rest_invalid_json', data: { json_error_code: 5 } });
    expect((await post(Buffer.from([0x61, 0x3d, 0xff]), {})).status).toBe(400);
  });

  it('of multipart and raw media types are not read', async () => {
    const multipart = await ask().post('/echo').field('a', '1').attach('file', Buffer.from('x'), 'x.txt');
    expect(multipart.body).toMatchObject({ bodyKind: 'multipart', mediaType: 'multipart/form-data' });
    const raw = await ask().post('/echo?upload').set('Content-Type', 'image/png').send(Buffer.from('x'));
    expect(raw.body).toMatchObject({ bodyKind: 'raw', mediaType: 'image/png' });
  });
});

describe('encoded bodies', () => {
  const text = JSON.stringify({ a: 'x'.repeat(1000) });
  const send = (bytes: Buffer, encoding: string) =>
    post(bytes, { 'Content-Type': 'application/json', 'Content-Encoding': encoding });

  it.each([
    ['gzip', zlib.gzipSync(text)],
    ['x-gzip', zlib.gzipSync(text)],
    ['deflate', zlib.deflateSync(text)],
    ['deflate', zlib.deflateRawSync(text)],
    ['br', zlib.brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('%s', async (encoding, bytes) => {
    expect(JSON.parse((await send(bytes, encoding)).body).body).toEqual(JSON.parse(text));
  });

  it('are counted after decompression', async () => {
    for (const [encoding, bytes] of [
      ['gzip', zlib.gzipSync(Buffer.alloc(200 * LIMIT))],
      [
        'br',
        zlib.brotliCompressSync(Buffer.alloc(50 * LIMIT), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
      ],
    ] as const) {
      expect(bytes.length).toBeLessThan(LIMIT);
      const response = await send(bytes, encoding);
      expect([response.status, JSON.parse(response.body).code]).toEqual([413, 'rest_request_too_large']);
    }
  });

  it('that cannot be decompressed are refused', async () => {
    for (const encoding of ['gzip', 'deflate', 'br']) {
      expect((await send(Buffer.from('certainly not'), encoding)).status).toBe(400);
      expect((await send(zlib.gzipSync(text).subarray(0, 20), encoding)).status).toBe(400);
    }
  });
});

describe('bodies of callers who may not write', () => {
  const send = (body: string, type = 'application/json') =>
    ask().post('/echo?untrusted').set('Content-Type', type).send(body);

  it('have lower limits, which the error names', async () => {
    const large = await send(JSON.stringify({ a: 'x'.repeat(300_000) }));
    expect([large.status, large.body.code]).toEqual([413, 'rest_request_too_large']);
    expect(large.body.message).toContain('262144 bytes allowed to callers who may not write here');
    expect((await send(JSON.stringify({ a: 'x'.repeat(250_000) }))).status).toBe(200);
    expect((await send('a=1&'.repeat(1001), 'application/x-www-form-urlencoded')).status).toBe(400);
    expect((await send('{"a":'.repeat(17) + '1' + '}'.repeat(17))).body.data.json_error_message).toContain('16 levels');
  });

  it('that are compressed are counted while they are decompressed', async () => {
    const bytes = zlib.gzipSync(JSON.stringify({ a: 'x'.repeat(300_000) }));
    const response = await exchange(site.port, [
      `POST /echo?untrusted HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n` +
        `Connection: close\r\nContent-Length: ${bytes.length}\r\n\r\n`,
      bytes,
    ]);
    expect(response.status).toBe(413);
  });

  it('release their memory after the response', async () => {
    const bodyBudget = new BodyBudget({ total: 1000, anonymous: 1000, account: 1000, network: 1000 });
    const small = await start({ bodyBudget });
    const post = (size: number) =>
      request(small.server)
        .post('/things')
        .send({ title: 'x'.repeat(size) });
    for (let at = 0; at < 5; at++) expect((await post(800)).status).toBe(201);
    const over = await post(1200);
    expect([over.status, over.body.code, over.headers['retry-after']]).toEqual([503, 'rest_unavailable', '1']);
    expect((await post(800)).status).toBe(201);
    await small.app.close();
    expect(bodyBudget.size).toBe(0);
  });
});

describe('paths and errors', () => {
  it('have limited lengths', async () => {
    const long = await ask().get(`/${'x'.repeat(5000)}`);
    expect([long.status, long.body.code]).toEqual([414, 'rest_uri_too_long']);
    expect((await ask().get(`/${'x'.repeat(4000)}`)).status).toBe(404);
  });
});

describe('large, slow and interrupted bodies', () => {
  const head = (extra: string) => `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${extra}\r\n`;

  it('do not keep the client from reading the error response', async () => {
    const response = await ask()
      .post('/echo')
      .set('Content-Type', 'application/json')
      .send('x'.repeat(12 * LIMIT));
    expect([response.status, response.body.code]).toEqual([413, 'rest_request_too_large']);
    expect(response.headers['connection']).toBe('close');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const chunked = await exchange(site.port, [
      head('Transfer-Encoding: chunked\r\n'),
      ...Array.from({ length: 40 }, () => chunk),
    ]);
    expect(chunked.status).toBe(413);
  });

  it('that never end lead to a closed connection', async () => {
    const response = await exchange(site.port, [head('Content-Length: 99999999999\r\n'), Buffer.alloc(20 * LIMIT)]);
    expect(response.status).toBe(413);
  });

  it('are not requested with 100-continue when they would be refused', async () => {
    const refused = await exchange(site.port, [head('Content-Length: 9999999\r\nExpect: 100-continue\r\n')]);
    expect(refused.status).toBe(413);
    const wanted = await exchange(site.port, [head('Content-Length: 7\r\nExpect: 100-continue\r\n'), '{"a":1}']);
    expect(wanted.text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200/);
  });

  it('that are small and refused keep the connection open', async () => {
    const bad = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc';
    const response = await exchange(site.port, [bad + 'GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n']);
    expect(response.text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 415', 'HTTP/1.1 200']);
  });

  it('that do not arrive end with a timeout', async () => {
    const bodyLimit = () => ({ limit: LIMIT, uploads: false, mayWrite: () => true });
    const hasty = await start({ bodyLimit, bodyTimeout: 500 }, { forceCloseConnections: true });
    const response = await exchange(hasty.port, [head('Content-Length: 10\r\n'), '{"a"']);
    await hasty.app.close();
    expect([response.status, JSON.parse(response.body).code]).toEqual([408, 'rest_request_timeout']);
  });

  it('that are aborted or malformed cause no crash', async () => {
    const chunked = head('Transfer-Encoding: chunked\r\n');
    await exchange(site.port, [chunked, '5\r\n{"a"'], 50);
    expect((await exchange(site.port, [chunked, 'zz\r\nx'])).status).toBe(400);
    expect(
      (await exchange(site.port, [head('Transfer-Encoding: chunked\r\nContent-Length: 3\r\n'), '0\r\n\r\n'])).status,
    ).toBe(400);
    expect((await exchange(site.port, [head('Content-Length: -1\r\n')])).status).toBe(400);
    expect((await ask().get('/things/1')).status).toBe(200);
  });
});

describe('method override', () => {
  const sent = async (path: string, header?: string) => {
    const asked = ask().post(path);
    if (header !== undefined) asked.set('X-HTTP-Method-Override', header);
    return (await asked.send({ a: 1 })).body;
  };

  it('prefers the query to the header, and accepts known methods only', async () => {
    expect(await sent('/echo?_method=DELETE', 'PUT')).toMatchObject({ method: 'DELETE', body: { a: 1 } });
    expect(await sent('/echo', 'patch')).toMatchObject({ method: 'PATCH' });
    expect(await sent('/echo?_method=BREW')).toMatchObject({ method: 'POST' });
    expect(await sent('/echo?_method[]=PUT')).toMatchObject({ method: 'POST' });
    expect(await sent('/echo', 'HEAD')).toMatchObject({ method: 'POST', body: { a: 1 } });
    expect((await ask().get('/echo?_method=DELETE')).body.method).toBe('GET');
  });

  it('determines the route', async () => {
    expect((await ask().post('/things?_method=GET')).body).toEqual([{ id: 1, title: 'é' }]);
    expect((await ask().post('/things?_method=DELETE')).body.code).toBe('rest_no_route');
  });
});

describe('errors', () => {
  it('differ for anonymous and authenticated callers', async () => {
    const anonymous = await ask().get('/things/refused');
    state.actor = known;
    const caller = await ask().get('/things/refused');
    state.actor = undefined;
    expect([anonymous.status, anonymous.body.data.status]).toEqual([401, 401]);
    expect(anonymous.headers['www-authenticate']).toBe('Basic');
    expect([caller.status, caller.body]).toEqual([
      403,
      { code: 'rest_forbidden', message: 'No.', data: { status: 403 } },
    ]);
  });

  it('do not reveal internal messages, which are logged', async () => {
    const response = await ask().get('/things/crash?secret=hunter2').set('X-Request-Id', 'crash-1');
    expect(response.body).toMatchObject({
      code: 'internal_server_error',
      data: { status: 500, request_id: 'crash-1' },
    });
    expect(response.text).not.toMatch(/SELECT|passwd|at .*\.ts/);
    const line = site.lines.find((text) => text.includes('crash-1') && text.includes('SELECT'));
    expect(line).toContain('"level":50');
    expect((await ask().get('/things/circle')).body).toMatchObject({
      code: 'rest_encode_error',
      data: { status: 500 },
    });
  });

  it('use the messages of guards', async () => {
    const response = await ask().get('/things/guarded');
    expect([response.status, response.body]).toEqual([
      403,
      { code: 'rest_forbidden', message: 'Not you.', data: { status: 403 } },
    ]);
  });

  it('are logged without query, headers and body', async () => {
    await ask()
      .post('/echo?_fields=hunter2')
      .set('Authorization', 'Basic hunter2')
      .set('X-Request-Id', 'log-1')
      .send({ a: 'hunter2' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const line = site.lines.find((text) => text.includes('log-1'))!;
    expect(JSON.parse(line)).toMatchObject({
      id: 'log-1',
      method: 'POST',
      path: '/echo',
      status: 200,
      ms: expect.any(Number),
    });
    expect(site.lines.join('')).not.toContain('hunter2');
  });
});

describe('connections', () => {
  it('end after ten thousand requests, without an error', async () => {
    const asked = 'GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10_000);
    const { text } = await exchange(site.port, [asked], 120_000);
    expect(text.match(/HTTP\/1.1 \d+/g)!.filter((line) => line.endsWith('200')).length).toBe(10_000);
    expect(text.match(/HTTP\/1.1 \d+/g)).toHaveLength(10_000);
    expect(text.match(/Connection: close/g)).toHaveLength(1);
  });

  it('leave no state when they end with pending responses', async () => {
    await exchange(site.port, ['GET /things/late HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50)], 100);
    await new Promise((resolve) => setTimeout(resolve, 50));
    // The other requests wait for the first response.
    expect(state.late).toHaveLength(1);
    state.late.splice(0).forEach((finish) => finish());
    expect(site.adapter.inFlight.size).toBe(0);
  });

  it('survive mutated requests, with only 2xx and 4xx responses', async () => {
    const seeds = [
      'GET /things/1?a[b]=1&_pretty HTTP/1.1\r\nHost: x\r\nIf-None-Match: "v1"\r\nX-Request-Id: a\r\n\r\n',
      'POST /echo?_method=PUT HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":[1]}',
      'POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n3\r\na=1\r\n0\r\n\r\n',
      'OPTIONS /things HTTP/1.1\r\nHost: x\r\nOrigin: http://a\r\nAccess-Control-Request-Method: PUT\r\n\r\n',
    ].map((text) => Buffer.from(text, 'latin1'));
    let random = 20261120;
    const next = (below: number) => (random = (random * 1103515245 + 12345) % 2147483648) % below;
    const seen = new Set<number>();
    for (let round = 0; round < 12; round++) {
      const mutants = Array.from({ length: 50 }, () => {
        const bytes = Buffer.from(seeds[next(seeds.length)]!);
        for (let flips = 1 + next(4); flips > 0; flips--) bytes[next(bytes.length)] = next(256);
        return bytes;
      });
      const responses = await Promise.all(mutants.map((bytes) => exchange(site.port, [bytes], 60)));
      for (const response of responses) seen.add(Math.floor(response.status / 100));
    }
    expect([...seen].filter((hundred) => ![0, 2, 3, 4].includes(hundred))).toEqual([]);
    expect((await ask().get('/things/1')).status).toBe(200);
  });
});

describe('the lifecycle of the server', () => {
  it('includes the probes /livez and /readyz', async () => {
    expect((await ask().get('/livez')).body).toEqual({ status: 'ok' });
    expect((await ask().get('/readyz')).status).toBe(200);
    state.ready = false;
    const response = await ask().get('/readyz');
    state.ready = true;
    expect([response.status, response.body.code, response.body.message]).toEqual([
      503,
      'rest_unavailable',
      'No database.',
    ]);
    expect(response.headers['retry-after']).toBe('1');
  });

  it('includes a timeout of responses', async () => {
    const slow = await start({ responseTimeout: 100 });
    const response = await request(slow.server).get('/things/late');
    expect([response.status, response.body.code]).toEqual([503, 'rest_unavailable']);
    state.late.splice(0).forEach((finish) => finish());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await request(slow.server).get('/things')).status).toBe(200);
    await slow.app.close();
  });

  it('includes a timeout of writes, whose error warns that the change may still be saved', async () => {
    const slow = await start({ responseTimeout: 100 });
    const response = await request(slow.server).post('/things/late').send({});
    expect([response.status, response.body.code]).toEqual([503, 'rest_unavailable']);
    expect(response.body.message).toMatch(/may still be saved.*before you repeat/);
    expect(response.headers['retry-after']).toBeUndefined();
    state.late.splice(0).forEach((finish) => finish());
    await slow.app.close();
  });

  it('includes draining: requests in progress are completed, their connections closed, new ones refused', async () => {
    const old = await start();
    const agent = new http.Agent({ keepAlive: true });
    const inFlight = new Promise<http.IncomingMessage>((resolve) =>
      http.get({ port: old.port, path: '/things/late', agent }, resolve),
    );
    const idle = exchange(old.port, [], 5_000);
    while (state.late.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const drained = drain(old.server, { timeoutMs: 5_000 });
    expect((await exchange(old.port, ['GET / HTTP/1.1\r\nHost: x\r\n\r\n'])).status).toBe(0);
    setTimeout(() => state.late.splice(0).forEach((finish) => finish()), 100);
    const response = await inFlight;
    expect([response.statusCode, response.headers['connection']]).toEqual([200, 'close']);
    response.resume();
    expect(await drained).toBe(true);
    expect((await idle).status).toBe(0);
    agent.destroy();
    await old.app.close();
  });

  it('includes aborting requests that do not end in time', async () => {
    const old = await start();
    const cut = request(old.server)
      .get('/things/late')
      .then(
        () => 'received',
        () => 'cut',
      );
    while (state.late.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await drain(old.server, { timeoutMs: 100 })).toBe(false);
    expect(await cut).toBe('cut');
    state.late.splice(0).forEach((finish) => finish());
    await old.app.close();
  });

  it('includes refusing requests while Nest closes, on demand', async () => {
    const old = await start({}, { return503OnClosing: true });
    old.adapter.beforeClose();
    const response = await request(old.server).get('/things');
    expect([response.status, response.body.code, response.headers['connection']]).toEqual([
      503,
      'rest_unavailable',
      'close',
    ]);
    await old.app.close();
  });
});
