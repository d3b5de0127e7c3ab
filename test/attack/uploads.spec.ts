// Files that are not what they seem, names that lead elsewhere, uploads that end half-way: refused with a clear error
// or stored safely, without leftover files.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { administrator } from '../support/actors.js';
import { startTestSite, PUBLIC_URL, type TestSite } from '../support/start-test-site.js';
import { exchange } from '../unit/http/raw-socket.js';
import { until } from '../support/server-process.js';

const SCHEMAS = fileURLToPath(new URL('../../schemas', import.meta.url));

let site: TestSite;
let folder: string;
let as: Record<string, string>;
let before: string[];
beforeAll(async () => {
  // Whatever the engine: files on their way in lie beside the database file, where no other suite puts any.
  folder = mkdtempSync(join(tmpdir(), 'typecase-uploads-'));
  site = await startTestSite(SCHEMAS, { DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}?synchronous=normal` });
  as = administrator(site).headers;
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  before = files();
});

/** Everything below the folders of files, hidden files of unfinished work included. */
function files(): string[] {
  const places = { media: site.folder, 'media-private': site.folder, incoming: folder };
  return Object.entries(places).flatMap(([name, parent]) => {
    const path = join(parent, name);
    if (!existsSync(path)) return [];
    const names = readdirSync(path, { recursive: true }).map(String);
    return names.filter((each) => statSync(join(path, each)).isFile()).map((each) => `${name}/${each}`);
  });
}
const added = () => files().filter((name) => !before.includes(name));
const send = (name: string, content: Buffer | string) =>
  site.send('POST', '/media', { as, file: { name, type: 'image/jpeg', content } });

const jpeg = () =>
  sharp({
    create: {
      width: 400,
      height: 300,
      channels: 3,
      background: '#345',
      noise: { type: 'gaussian', mean: 99, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer();
const flat = () => sharp({ create: { width: 200, height: 100, channels: 3, background: '#345' } });

/** A black PNG of one bit a point, whole and valid. */
function blackPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 1 });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

const REFUSED: [string, string, () => Promise<Buffer | string> | Buffer | string, number, string][] = [
  ['a PNG of 30,000 x 30,000 points', 'bomb.png', () => blackPng(30_000, 30_000), 413, 'rest_upload_file_too_big'],
  [
    'a JPEG that is cut off',
    'cut.jpg',
    async () => (await jpeg()).subarray(0, 3000),
    400,
    'rest_upload_sideload_error',
  ],
  ['the head of a JPEG', 'head.jpg', async () => (await jpeg()).subarray(0, 40), 400, 'rest_upload_sideload_error'],
  ['text', 'text.jpg', () => 'only text', 400, 'rest_upload_sideload_error'],
  ['a script', 'shell.jpg', () => '<?php system($_GET[0]); ?>', 400, 'rest_upload_sideload_error'],
  ['a script behind the head of a GIF', 'head.gif', () => 'GIF89a<?php system(1);', 400, 'rest_upload_sideload_error'],
  [
    'SVG',
    'x.svg',
    () => '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    400,
    'rest_upload_sideload_error',
  ],
  [
    'SVG',
    'x.png',
    () => '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    400,
    'rest_upload_sideload_error',
  ],
  ['PHP', 'x.php', () => '<?php', 400, 'rest_upload_sideload_error'],
  ['a server’s settings', '.htaccess', () => 'AddType x', 400, 'rest_upload_sideload_error'],
  ['nothing', 'empty.png', () => '', 400, 'rest_upload_no_data'],
];
test.each(REFUSED)('%s as %s is refused without stored files', async (_about, name, make, status, code) => {
  const response = await send(name, await make());
  expect({ status: response.status, code: response.body.code }).toEqual({ status, code });
  expect(response.text).not.toMatch(/\/tmp|vips|sharp|at Object|libspng/i);
  expect(added()).toEqual([]);
});

test.each<[string, Record<string, string>, string, number]>([
  ['an idempotency key that is none', { 'Idempotency-Key': 'a b' }, '', 400],
  ['fields that are too deep', {}, '?_fields=a.b.c.d.e.f.g.h.i.j', 400],
])('an image with %s is refused without stored files', async (_about, headers, query, status) => {
  const file = { name: 'good.jpg', type: 'image/jpeg', content: await jpeg() };
  expect((await site.send('POST', `/media${query}`, { as, headers, file })).status).toBe(status);
  expect(added()).toEqual([]);
});

test('an image with an appended script is served as an image, and its copies contain only the image', async () => {
  const script = '<?php system($_GET[0]); ?><script>alert(1)</script>';
  const { status, body } = await send(
    'poly.php.png',
    Buffer.concat([await flat().png().toBuffer(), Buffer.from(script)]),
  );
  expect({ status, mime: body.mime_type }).toEqual({ status: 201, mime: 'image/png' });
  expect(body.source_url).toMatch(/\/poly\.php_\.png$/);
  for (const { source_url: url } of Object.values<any>(body.media_details.sizes)) {
    const response = await site.send('GET', url.replace(PUBLIC_URL, '/'));
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    if (url !== body.source_url) expect(response.text).not.toContain('<?php');
  }
});

test.each([
  ['../../../../etc/passwd.png', /^passwd\.png$/],
  ['..\\..\\windows\\win.png', /^win\.png$/],
  ['/etc/cron.d/job.png', /^job\.png$/],
  ['C:\\boot.png', /^boot\.png$/],
  ['....//....//up.png', /^up\.png$/],
  ['%2e%2e%2fx.png', /^2e2e2fx\.png$/],
  ['con.png', /^con-file\.png$/],
  ['LPT1.png', /^LPT1-file\.png$/],
  ['nul.tar.png', /^nul-file\.tar\.png$/],
  ['x.png.', /^x\.png$/],
  ['-rf.png', /^rf\.png$/],
  ['a\u202egnp.png', /^agnp\.png$/],
  [`${'long'.repeat(100)}.png`, /^(long)+(lon|lo|l)?\.png$/],
])('the name %s is sanitized', async (name, expected) => {
  const image = await sharp({ create: { width: 2, height: 2, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(image)], { type: 'image/png' }), name);
  const response = await site.send('POST', '/media', { as, body });
  expect(response.status).toBe(201);
  const [stored, ...others] = added();
  expect(others).toEqual([]);
  expect(stored).toMatch(/^media\/\d{4}\/\d\d\/[^/]+$/);
  expect(stored!.replace(/^.*\//, '')).toMatch(expected);
});

test('a file is checked in an absolute request URL as in a path', async () => {
  const content = await jpeg();
  const head = [
    `POST ${PUBLIC_URL}/cms/v2/media HTTP/1.1`,
    'Host: api.test',
    `Authorization: ${as['Authorization']}`,
    'Content-Type: image/jpeg',
    'Content-Disposition: attachment; filename="whole.jpg"',
    `Content-Length: ${content.length}`,
    'Connection: close',
  ].join('\r\n');
  const { port } = site.server.address() as AddressInfo;
  const { status } = await exchange(port, [`${head}\r\n\r\n`, content]);
  expect(status).toBe(201);
});

test('concurrent uploads of one name get different keys', async () => {
  const images = await Promise.all(
    ['#111', '#222', '#333', '#444'].map((background) =>
      sharp({ create: { width: 200, height: 100, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const responses = await Promise.all(images.map((image) => send('one.png', image)));
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  for (const [index, { body }] of responses.entries()) {
    const { dominant } = await sharp(join(site.folder, 'media', body.media_details.file)).stats();
    expect(Math.abs(dominant.r - 0x11 * (index + 1))).toBeLessThan(12);
  }
  // The image, thumbnail and no medium: it is 200 wide.
  expect(added()).toHaveLength(8);
});

test.each([
  [
    'raw',
    (length: number) =>
      `Content-Type: image/jpeg\r\nContent-Disposition: attachment; filename=cut.jpg\r\nContent-Length: ${length}\r\n\r\n`,
  ],
  [
    'a form',
    (length: number) =>
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length + 99}\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="cut.jpg"\r\n\r\n`,
  ],
])('an upload that is interrupted leaves no files: %s', async (_about, head) => {
  const image = await jpeg();
  const { port } = site.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /cms/v2/media HTTP/1.1\r\nHost: x\r\nAuthorization: ${as['Authorization']}\r\n${head(image.length)}`,
  );
  socket.write(image.subarray(0, image.length >> 1));
  await until(added, ({ length }) => length === 1);
  socket.destroy();
  await until(added, ({ length }) => length === 0);
  expect((await send('whole.jpg', image)).status).toBe(201);
});

test('the server responds afterwards, and has no temporary files', async () => {
  expect((await site.send('GET', '/media')).status).toBe(200);
  expect(files().filter((name) => /\/\.[^/]*$/.test(name))).toEqual([]);
});

test('uploads are stored relative to the folder of the start, even when the program changes its working directory', async () => {
  const [start, later] = [
    mkdtempSync(join(tmpdir(), 'typecase-start-')),
    mkdtempSync(join(tmpdir(), 'typecase-later-')),
  ];
  const here = process.cwd();
  process.chdir(start);
  let moved: TestSite | undefined;
  try {
    const folders = {
      DATABASE_URL: 'sqlite:data/site.sqlite',
      MEDIA_DIR: 'media',
      ROLES_FILE: join(here, 'roles.json'),
    };
    moved = await startTestSite(SCHEMAS, folders);
    process.chdir(later);
    const file = { name: 'a.jpg', type: 'image/jpeg', content: await jpeg() };
    const { status, body } = await moved.send('POST', '/media', { as: administrator(moved).headers, file });
    expect({ status, body }).toMatchObject({ status: 201 });
    expect(readdirSync(later)).toEqual([]);
    expect(readdirSync(join(start, 'media'), { recursive: true })).toContain(body.source_url.split('/uploads/')[1]);
  } finally {
    process.chdir(here);
    await moved?.close();
    for (const each of [start, later]) rmSync(each, { recursive: true, force: true });
  }
});
