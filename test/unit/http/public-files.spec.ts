// Stored files over HTTP: headers that keep them harmless, and paths that lead nowhere.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import request from 'supertest';
import { SizesOnDemand } from '../../../src/files/images/sizes-on-demand.js';
import { LocalFileStore } from '../../../src/files/local-store.js';
import { servePublicFiles } from '../../../src/http/files/public-files.js';

let root: string;
let server: Server;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'serve-'));
  const folder = join(root, 'uploads/2016/05');
  await mkdir(join(folder, '.git'), { recursive: true });
  await writeFile(join(root, 'secret.txt'), 'secret');
  for (const name of [
    'a.txt',
    'a.jpg',
    'a.html',
    'a.svg',
    'a.pdf',
    'a.zip',
    'a.mp3',
    'noext',
    'index.html',
    '写 a.txt',
    '.hidden.txt',
    '.git/x.txt',
  ]) {
    await writeFile(join(folder, name), '0123456789');
  }
  await writeFile(join(root, 'uploads/site.sqlite'), 'everything');
  await writeFile(join(root, 'uploads/site.sqlite-journal'), 'everything');
  const files = new LocalFileStore(join(root, 'uploads'), '/uploads', undefined, [join(root, 'uploads/site.sqlite')]);
  const middleware = servePublicFiles({
    files,
    sizes: new SizesOnDemand(files, { boxes: [], formats: [] }, root),
    fail: (_error, _request, response) => response.writeHead(500).end(),
  });
  server = createServer((req, res) => middleware(req, res, () => res.writeHead(299).end()));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
});
afterAll(async () => {
  server.close();
  await rm(root, { recursive: true, force: true });
});

describe('servePublicFiles', () => {
  it.each([
    ['a.jpg', 'image/jpeg', undefined],
    ['a.mp3', 'audio/mpeg', undefined],
    ['a.pdf', 'application/pdf', undefined],
    ['a.txt', 'text/plain; charset=utf-8', undefined],
    ['a.html', 'text/html; charset=utf-8', 'attachment'],
    ['a.svg', 'application/octet-stream', 'attachment'],
    ['a.zip', 'application/zip', 'attachment'],
    ['noext', 'application/octet-stream', 'attachment'],
  ])('%s', async (name, type, disposition) => {
    const { headers } = await request(server).get(`/2016/05/${name}`).expect(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringMatching(
        /\.(mp3|pdf)$/.test(name) ? /^default-src 'none'; (media|object)-src 'self'/ : /^sandbox; default-src 'none'$/,
      ),
    });
    expect(headers['content-disposition']).toBe(disposition);
  });

  it('supports HEAD, queries, ranges and 304', async () => {
    const whole = await request(server).get('/2016/05/a.txt?x=1').expect(200, '0123456789');
    await request(server).head('/2016/05/a.txt').expect(200).expect('content-length', '10');
    await request(server)
      .get('/2016/05/a.txt')
      .set('Range', 'bytes=2-4')
      .expect(206, '234')
      .expect('content-range', 'bytes 2-4/10');
    expect(whole.headers.etag).toMatch(/^"[^"]+"$/);
    await request(server).get('/2016/05/a.txt').set('If-None-Match', whole.headers.etag!).expect(304);
    const part = () => request(server).get('/2016/05/a.txt').set('Range', 'bytes=2-4');
    await part().set('If-Range', whole.headers.etag!).expect(206, '234');
    await part().set('If-Range', '"other"').expect(200, '0123456789');
    await request(server)
      .get('/2016/05/a.txt')
      .set('Range', 'bytes=20-')
      .expect(416)
      .expect('content-range', 'bytes */10');
    await request(server).get('/2016/05/a.txt').set('If-Match', '"other"').expect(412);
    await request(server).get('/2016/05/%E5%86%99%20a.txt').expect(200);
  });

  it('passes other methods to the next handler', async () => {
    await request(server).post('/2016/05/a.txt').expect(299);
  });

  it.each([
    '/',
    '/2016',
    '/2016/',
    '/2016/05/',
    '/2016/05/none.jpg',
    '/2016/05/a.txt/',
    '/2016/05/a.txt/x',
    '/2016/05/.hidden.txt',
    '/2016/05/.git/x.txt',
    '/site.sqlite',
    '/Site.SQLite',
    '/2016/../site.sqlite',
    '/%73ite.sqlite',
    '/site.sqlite-journal',
    '/.%2fsite.sqlite',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/2016/05/..%5c..%5c..%5csecret.txt',
    '/2016/../../secret.txt',
    '//etc/passwd',
    '/%00',
    '/2016/05/a.txt%00.jpg',
    '/%zz',
    `/${'a'.repeat(300)}`,
    '/2016/05/%2e%2e/%2e%2e/%2e%2e/secret.txt',
    'http://x/../secret.txt',
    '*',
  ])('GET %s is a miss', async (path) => {
    // sent by hand: clients tidy such paths up before they send them
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 404 /);
    expect(head).toMatch(/cache-control: no-store/i);
    expect(JSON.parse(body)).toEqual({ code: 'rest_no_route', message: expect.any(String), data: { status: 404 } });
  });
});
