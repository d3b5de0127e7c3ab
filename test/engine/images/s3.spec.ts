// A site whose files are in a bucket: stored, served and deleted as on a disk, and what happens while the bucket is out of reach.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { existsSync, readdirSync } from 'node:fs';
import { fixData } from '../../../src/maintenance/check-data.js';
import { sweepFiles } from '../../../src/maintenance/sweep-files.js';
import { startTestSite, PUBLIC_URL, type TestSite } from '../../support/start-test-site.js';
import { startS3, type S3Server } from '../../support/s3-server.js';
import { auditFiles } from '../../../src/maintenance/check-files.js';

const SCHEMAS = fileURLToPath(new URL('schemas', import.meta.url));
const DAY_MS = 24 * 60 * 60 * 1000;

let s3: S3Server;
let site: TestSite;
const mediaUrl = (more = '') => `s3://${s3.bucket}/media?endpoint=${encodeURIComponent(s3.endpoint)}${more}`;

beforeAll(async () => {
  s3 = await startS3();
  site = await startTestSite(SCHEMAS, { MEDIA_URL: mediaUrl(), MEDIA_DIR: '' });
});
afterAll(async () => {
  await site.close();
  await s3.close();
});
beforeEach(() => s3.objects.clear());
afterEach(() => {
  s3.fault = () => undefined;
});

const names = () => [...s3.objects.keys()].sort();
const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#20c040' } })
    .png()
    .toBuffer();

const send = (content: Buffer | string, name = 'green.png', path = '/photos', on = site) =>
  on.send('POST', path, { file: { name, type: 'image/any', content } });

async function upload(content: Buffer | string, name?: string, path?: string): Promise<Record<string, any>> {
  const { status, body } = await send(content, name, path);
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

const onServer = (url: string) => url.replace(PUBLIC_URL, '');
const fetched = (url: string, headers: Record<string, string> = {}) =>
  site.send('GET', `/${onServer(url)}`, { headers });

test('files and copies are objects, and are served with the same headers as from a disk', async () => {
  const bytes = await flat(400, 200);
  const { source_url: url, media_details: details } = await upload(bytes);
  expect(url).toBe(`${PUBLIC_URL}/uploads/${details.file}`);
  const folder = `media/${details.file.slice(0, 7)}`;
  expect(names()).toEqual(['green-150x150.png', 'green-300x150.png', 'green.png'].map((name) => `${folder}/${name}`));
  expect(s3.objects.get(`media/${details.file}`)).toMatchObject({
    body: bytes,
    headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' },
  });
  const response = await fetched(url);
  expect(response.status).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(bytes.length),
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'accept-ranges': 'bytes',
    etag: expect.stringMatching(/^"\w+"$/),
    'last-modified': expect.any(String),
  });
});

test('ranges, conditions and HEAD are supported', async () => {
  const { source_url: url } = await upload('0123456789', 'a.txt');
  const { etag = '' } = (await fetched(url)).headers;
  const request = async (headers: Record<string, string>) => {
    const { status, text } = await fetched(url, headers);
    return `${status} ${text}`;
  };
  expect(await request({ Range: 'bytes=2-4' })).toBe('206 234');
  expect(await request({ Range: 'bytes=-2' })).toBe('206 89');
  expect(await request({ Range: 'bytes=0-1,4-5' })).toBe('200 0123456789');
  expect(await request({ Range: 'bytes=20-' })).toBe('416 ');
  expect((await fetched(url, { Range: 'bytes=20-' })).headers).toMatchObject({ 'content-range': 'bytes */10' });
  expect(await request({ 'If-None-Match': etag })).toBe('304 ');
  expect(await request({ 'If-Match': '"other"' })).toBe('412 ');
  expect(await request({ Range: 'bytes=2-4', 'If-Range': etag })).toBe('206 234');
  expect(await request({ Range: 'bytes=2-4', 'If-Range': '"other"' })).toBe('200 0123456789');
  const head = await site.send('HEAD', `/${onServer(url)}`);
  expect({ status: head.status, length: head.headers['content-length'], text: head.text }).toEqual({
    status: 200,
    length: '10',
    text: '',
  });
  expect((await fetched(`${PUBLIC_URL}/uploads/2020/01/none.txt`)).body).toMatchObject({ code: 'rest_no_route' });
});

test('private files have a separate prefix, and signed URLs of this server', async () => {
  const { source_url: url, media_details: details } = await upload(await flat(200, 100), 'card.png', '/cards');
  expect(names().every((name) => name.startsWith('media-private/'))).toBe(true);
  expect(names()).toHaveLength(3);
  expect((await fetched(url)).headers['cache-control']).toMatch(/^private, max-age=\d+$/);
  expect((await fetched(details.sizes.tiny.source_url)).status).toBe(200);
  expect((await fetched(url.replace(/signature=.*/, 'signature=A'))).status).toBe(403);
  expect([...s3.objects.values()].some(({ headers }) => 'cache-control' in headers)).toBe(false);
});

test('copies on demand are made once, and removed with their image', async () => {
  const { id, source_url: url } = await upload(await flat(800, 400));
  const before = names();
  const sized = `${url}?width=320&format=webp`;
  const first = await fetched(sized);
  expect({ status: first.status, type: first.headers['content-type'] }).toEqual({ status: 200, type: 'image/webp' });
  expect(names().length - before.length).toBe(1);
  expect((await fetched(sized, { 'If-None-Match': first.headers['etag']! })).status).toBe(304);
  await site.send('DELETE', `/photos/${id}`, { query: { force: true }, status: 200 });
  expect(names()).toEqual([]);
});

test('a copy that another process makes during a deletion is removed with the image', async () => {
  const { id, media_details: details } = await upload(await flat(800, 400));
  const image = `media/${details.file}`;
  s3.fault = (method, name) => {
    if (method !== 'DELETE' || name !== image) return undefined;
    // It has found the image there after it has stored its copy.
    s3.objects.set(`media/resized/${details.file}/640x.webp`, s3.objects.get(image)!);
    return undefined;
  };
  await site.send('DELETE', `/photos/${id}`, { query: { force: true }, status: 200 });
  expect(names()).toEqual([]);
});

test('a copy is made of the current image of the key, even if it was another one at the beginning', async () => {
  const { source_url: url, media_details: details } = await upload(await flat(800, 400));
  const image = `media/${details.file}`;
  const other = await sharp({ create: { width: 800, height: 800, channels: 3, background: '#c02040' } })
    .png()
    .toBuffer();
  let isReplaced = false;
  s3.fault = (method, name) => {
    if (isReplaced || method !== 'PUT' || !name.includes('resized/')) return undefined;
    isReplaced = true;
    // Deleted in between, so its name was free for the next one.
    s3.objects.set(image, { ...s3.objects.get(image)!, body: other, etag: '"other"', modified: new Date() });
    return undefined;
  };
  expect((await fetched(`${url}?width=320`)).status).toBe(200);
  expect(isReplaced).toBe(true);
  const copy = s3.objects.get(`media/resized/${details.file}/320x.png`)!;
  expect(await sharp(copy.body).metadata()).toMatchObject({ width: 320, height: 320 });
});

test('a configured base URL is used for public files', async () => {
  const other = await startTestSite(SCHEMAS, { MEDIA_URL: mediaUrl('&url=https://cdn.test/m'), MEDIA_DIR: '' });
  try {
    const { body } = await send(await flat(200, 100), 'far.png', '/photos', other);
    expect(body.source_url).toBe(`https://cdn.test/m/${body.media_details.file}`);
    expect(body.media_details.sizes.thumbnail.source_url).toMatch(/^https:\/\/cdn\.test\/m\/.*\/far-150x100\.png$/);
    const { body: card } = await send(await flat(200, 100), 'near.png', '/cards', other);
    expect(card.source_url).toMatch(/^http:\/\/api\.test\/uploads\/private\//);
  } finally {
    await other.close();
  }
});

describe('an unavailable bucket', () => {
  const incoming = () => {
    const folder = join(site.folder, 'incoming');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  test.each([
    ['at the reservation', (method: string, name: string) => method === 'PUT' && name.includes('.reserved/')],
    ['at the file', (method: string, name: string) => method === 'PUT' && name.endsWith('/green.png')],
    ['at a copy', (method: string, name: string) => method === 'PUT' && name.endsWith('-300x150.png')],
  ])('causes 503 for an upload %s, without stored files', async (_about, isHit) => {
    const total = async () => (await site.send('GET', '/photos')).headers['x-wp-total'];
    const before = await total();
    s3.fault = (method, name) => (isHit(method, name) ? 500 : undefined);
    const { status, body } = await send(await flat(400, 200));
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'rest_upload_file_error' });
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|bucket/);
    expect(names()).toEqual([]);
    expect(incoming()).toEqual([]);
    expect(await total()).toBe(before);
  });

  test('is 503 for readers, and the server continues', async () => {
    const { source_url: url } = await upload('0123456789', 'a.txt');
    s3.fault = () => 503;
    const { status, body } = await fetched(url);
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'rest_upload_file_error' });
    s3.fault = () => undefined;
    expect((await fetched(url)).status).toBe(200);
  });

  test('leaves no open request when a reader disconnects', async () => {
    const { source_url: url } = await upload('x'.repeat(5_000_000), 'large.txt');
    const { port } = site.server.address() as AddressInfo;
    const request = get({ host: '127.0.0.1', port, path: onServer(url), agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'data');
    request.destroy();
    expect((await fetched(url)).text).toHaveLength(5_000_000);
  });
});

test('unreferenced files after a crash are removed, referenced ones are kept', async () => {
  const { models, store, site: running, writer } = site.site;
  const { media_details: details } = await upload(await flat(400, 200));
  const kept = names();
  const lost = await running.files.reserve('2020/01', 'lost.png');
  await running.files.put(lost, join(SCHEMAS, 'photo.json'));
  await running.files.mark([details.file]);
  await running.files.put('2020/01/stray.png', join(SCHEMAS, 'photo.json'));
  const { now } = running;
  running.now = () => now() + 2 * DAY_MS;
  expect(await sweepFiles(writer)).toBe(1);
  const findings = await auditFiles(models, store, running);
  running.now = now;
  const stray = findings.filter(({ message }) => message.includes('stray'));
  expect(stray.map(({ message }) => message)).toEqual(['the file 2020/01/stray.png belongs to no item']);
  await fixData(stray, store);
  expect(names()).toEqual(kept);
});
