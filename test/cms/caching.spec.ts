// Tags, caching headers and compression, as clients and caches see them.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request as ask, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { administrator, type TestActor } from '../support/actors.js';
import { PNG } from './stage.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';

let site: TestSite;
let admin: TestActor;
let post: number;
let shut: number;

interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A request without the help of a client that decompresses. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<HttpResponse> {
  const { port } = site.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = ask({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode!, headers: response.headers, body }),
        reject,
      );
    });
    sent.on('error', reject).end();
  });
}

const list = '/cms/v2/posts';
const text = 'Words that repeat. '.repeat(400);

beforeAll(async () => {
  site = await startTestSite('schemas');
  admin = administrator(site);
  for (let at = 0; at < 20; at += 1) {
    const created = await site.send('POST', '/posts', {
      as: admin.headers,
      body: { title: `Post ${at}`, content: text, status: 'publish' },
    });
    post = created.body.id;
  }
  const guarded = await site.send('POST', '/posts', {
    as: admin.headers,
    body: { title: 'Shut', status: 'publish', password: 'open', content: text },
  });
  shut = guarded.body.id;
  await site.send('POST', '/tags', { as: admin.headers, body: { name: 'Small' } });
});
afterAll(() => site?.close());

describe('compression', () => {
  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0.5', 'gzip'],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
    ['deflate', undefined],
    ['gzip;q=nonsense', undefined],
  ])('Accept-Encoding: %s', async (accepted, encoding) => {
    const plain = await get(list);
    const response = await get(list, { 'Accept-Encoding': accepted });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers['vary']).toMatch(/Accept-Encoding/);
    expect(Number(response.headers['content-length'])).toBe(response.body.length);
    const read = { gzip: gunzipSync, br: brotliDecompressSync }[encoding!] ?? ((body: Buffer) => body);
    expect(read(response.body).equals(plain.body)).toBe(true);
    const head = await get(list, { 'Accept-Encoding': accepted }, 'HEAD');
    const described = ({ headers }: HttpResponse) => ({ ...headers, date: '', 'x-request-id': '' });
    expect(described(head)).toEqual(described(response));
    expect(head.body).toHaveLength(0);
  });

  test.each([
    ['a list of one caller', `${list}?context=edit`, true],
    ['an item', `${list}/:post`, true],
    ['a small and a large list', `${list}?per_page=1&_fields=id`, false],
    ['more than fits into one piece', `${list}?per_page=100&context=edit`, true],
    ['the index', '/', true],
    ['the document', '/docs-json', true],
    ['a small response', '/cms/v2/tags', false],
    ['an envelope', `${list}?_envelope`, false],
    ['what is not there', '/nothing', false],
  ])('%s', async (_what, path, isCompressed) => {
    const headers = { ...admin.headers };
    const target = path.replace(':post', String(post));
    const plain = await get(target, headers);
    for (let times = 0; times < 2; times += 1) {
      const response = await get(target, { ...headers, 'Accept-Encoding': 'gzip' });
      expect(response.headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
      if (isCompressed) expect(gunzipSync(response.body).equals(plain.body)).toBe(true);
    }
  });

  test('is not used for content behind a password and for responses to writes', async () => {
    const opened = await get(`${list}/${shut}?password=open`, { 'Accept-Encoding': 'gzip' });
    expect(JSON.parse(String(opened.body)).content.rendered).toContain('Words');
    const created = await site.send('POST', `/posts/${post}`, {
      as: admin.headers,
      headers: { 'Accept-Encoding': 'gzip' },
    });
    expect([opened.headers['content-encoding'], created.headers['content-encoding']]).toEqual([undefined, undefined]);
  });

  test('gives concurrent requests the same response', async () => {
    const all = await Promise.all(
      Array.from({ length: 40 }, () => get(`${list}?per_page=19`, { 'Accept-Encoding': 'br' })),
    );
    const plain = await get(`${list}?per_page=19`);
    for (const { body, headers } of all)
      expect((headers['content-encoding'] ? brotliDecompressSync(body) : body).equals(plain.body)).toBe(true);
  });
});

describe('ETags', () => {
  test.each([
    ['an anonymous list', list, false],
    ['a list of a caller', `${list}?context=edit`, true],
    ['an item', `${list}/:post?context=edit`, true],
    ['the index', '/', false],
    ['the namespace', '/cms/v2', false],
    ['the document', '/docs-json', false],
  ])('of %s differ per encoding, and give 304', async (_what, path, known) => {
    const headers: Record<string, string> = known ? { ...admin.headers } : {};
    const target = path.replace(':post', String(post));
    const tags = new Set<string>();
    for (const encoding of ['identity', 'gzip', 'br']) {
      const accepting = { ...headers, 'Accept-Encoding': encoding };
      const response = await get(target, accepting);
      const tag = response.headers.etag!;
      expect(tag).toMatch(/^"[^"]+"$/);
      tags.add(tag);
      for (const method of ['GET', 'HEAD']) {
        const again = await get(target, { ...accepting, 'If-None-Match': tag }, method);
        expect([again.status, again.headers.etag, again.body.length]).toEqual([304, tag, 0]);
      }
      expect((await get(target, { ...accepting, 'If-None-Match': '"other"' })).status).toBe(200);
    }
    expect(tags.size).toBe(3);
  });

  test('of a compressed item can be used with If-Match', async () => {
    const target = `${list}/${post}?context=edit`;
    const { headers } = await get(target, { ...admin.headers, 'Accept-Encoding': 'br' });
    const change = (title: string) =>
      site.send('POST', `/posts/${post}`, {
        as: admin.headers,
        headers: { 'If-Match': headers.etag! },
        body: { title },
      });
    expect((await change('New')).status).toBe(200);
    expect((await change('Newer')).status).toBe(412);
  });

  test('of the list of a caller change with a write', async () => {
    const target = `${list}?context=edit&_fields=id,title`;
    const before = (await get(target, { ...admin.headers })).headers.etag!;
    await site.send('POST', `/posts/${post}`, { as: admin.headers, body: { title: 'Changed once more' } });
    expect((await get(target, { ...admin.headers, 'If-None-Match': before })).status).toBe(200);
  });
});

describe('Cache-Control', () => {
  const PUBLIC = 'public, max-age=0, s-maxage=5';
  const PRIVATE = 'no-cache, must-revalidate, max-age=0, no-store, private';
  test.each([
    ['an anonymous list', list, {}, PUBLIC],
    ['an anonymous item', `${list}/:post`, {}, PUBLIC],
    ['the index', '/', {}, PUBLIC],
    ['a signed-in list', list, 'admin', PRIVATE],
    ['a password', `${list}/:shut?password=open`, {}, PRIVATE],
    ['a wrong password', `${list}/:shut?password=no`, {}, undefined],
    ['what is not there', `${list}/987654`, {}, undefined],
    ['an item in an envelope', `${list}/:post?_envelope`, {}, PUBLIC],
    ['an error in an envelope', `${list}/987654?_envelope`, {}, 'no-store'],
    ['health', '/livez', {}, 'no-store'],
  ])('%s', async (_what, path, headers, wanted) => {
    const target = path.replace(':post', String(post)).replace(':shut', String(shut));
    const response = await get(target, headers === 'admin' ? { ...admin.headers } : {});
    expect(response.headers['cache-control']).toBe(wanted);
    expect(response.headers['vary']).toMatch(/Authorization/);
  });

  test('forbids caching a random order', async () => {
    const response = await get(`${list}?filter[orderby]=rand`);
    expect([response.status, response.headers['cache-control']]).toEqual([200, 'no-store']);
  });

  test('is accompanied by Vary: Prefer for lists and items', async () => {
    expect((await get(`${list}?unknown=1`)).headers['vary']).toMatch(/Prefer/);
    expect((await get(`${list}/${post}?unknown=1`)).headers['vary']).toMatch(/Prefer/);
  });
});

describe('uploads', () => {
  /** Path of the last file that was put. */
  let kept = '';
  const put = async (name: string, type: string, content: Buffer): Promise<HttpResponse> => {
    const created = await site.send('POST', '/media', {
      as: admin.headers,
      file: { name, type, content },
    });
    expect(created.status).toBe(201);
    kept = new URL(created.body.source_url).pathname.slice('/uploads/'.length);
    return get(`/uploads/${kept}`);
  };

  // The head of a sound without a sample, and the first box of a film.
  const WAV = Buffer.from(
    'RIFF\u0024\0\0\0WAVEfmt \u0010\0\0\0\u0001\0\u0001\0@\u001f\0\0@\u001f\0\0\u0001\0\u0008\0data\0\0\0\0',
    'latin1',
  );
  const MP4 = Buffer.from('\0\0\0\u0018ftypisom\0\0\u0002\0isomiso2\0\0\0\u0008mdat', 'latin1');
  const MP3 = Buffer.concat([Buffer.from('ID3\u0003\0\0\0\0\0\0', 'latin1'), Buffer.from([0xff, 0xfb, 0x90, 0x44])]);

  test.each([
    ['a.wav', 'audio/wav', WAV],
    ['a.mp3', 'audio/mpeg', MP3],
    ['a.mp4', 'video/mp4', MP4],
  ])('of %s can be played directly, and in pages of other origins, from any position', async (name, type, content) => {
    const { headers } = await put(name, type, content);
    expect(headers).toMatchObject({
      'content-type': type,
      'accept-ranges': 'bytes',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; media-src 'self'/),
    });
    expect(headers['content-disposition']).toBeUndefined();
    const part = await get(`/uploads/${kept}`, { Range: 'bytes=4-7', 'If-Range': headers.etag! });
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 4-7/${content.length}`]);
    expect(part.body.equals(content.subarray(4, 8))).toBe(true);
  });

  test('allow framing a PDF and indexing an image; a text has a sandbox', async () => {
    const pdf = await put('a.pdf', 'application/pdf', Buffer.from('%PDF-1.4\n%%EOF\n'));
    expect(pdf.headers['x-frame-options']).toBeUndefined();
    expect(pdf.headers['content-security-policy']).toMatch(/frame-ancestors \*/);
    expect(pdf.headers['x-robots-tag']).toBe('noindex');
    const image = await put('a.png', 'image/png', PNG);
    expect(image.headers['x-robots-tag']).toBe('all');
    expect(image.headers['x-frame-options']).toBe('SAMEORIGIN');
    const words = await put('a.txt', 'text/plain', Buffer.from(text));
    expect(words.headers['content-security-policy']).toMatch(/^sandbox/);
    expect(words.headers['content-encoding']).toBeUndefined();
  });
});

test('pages of other origins may send and read the required headers', async () => {
  const { headers } = await get(list, { Origin: 'https://app.test' });
  for (const name of ['Idempotency-Replayed', 'Content-Range', 'ETag', 'X-WP-Total', 'Link'])
    expect(headers['access-control-expose-headers']).toContain(name);
  for (const name of ['X-Requested-With', 'Range', 'Prefer', 'If-None-Match', 'Authorization'])
    expect(headers['access-control-allow-headers']).toContain(name);
});
