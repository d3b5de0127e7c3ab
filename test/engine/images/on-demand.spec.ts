// Sizes on demand: which there are, that each is created once and stored, who gets them, and that they are deleted with
// their image.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { fixData } from '../../../src/maintenance/check-data.js';
import { startTestSite, PUBLIC_URL, type TestSite } from '../../support/start-test-site.js';
import { auditFiles } from '../../../src/maintenance/check-files.js';

const SCHEMAS = fileURLToPath(new URL('schemas', import.meta.url));
const DAY_MS = 24 * 60 * 60 * 1000;
const ONE_YEAR = 'public, max-age=31536000, immutable';

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite(SCHEMAS, { IMAGE_ON_DEMAND: '320x, x90, 200x100', IMAGE_ON_DEMAND_FORMATS: 'webp, jpeg' });
});
afterAll(() => site.close());

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2040c0' } });

async function upload(name: string, content: Buffer | string, path = '/photos'): Promise<Record<string, any>> {
  return (await site.send('POST', path, { file: { name, type: 'image/any', content }, status: 201 })).body;
}

/** A request for a public URL, with more in its query. */
async function request(url: string, query = '', headers: Record<string, string> = {}, method = 'GET') {
  const { port } = site.server.address() as { port: number };
  const whole = `${url}${query && (url.includes('?') ? '&' : '?')}${query}`.replace(
    PUBLIC_URL,
    `http://127.0.0.1:${port}`,
  );
  const response = await fetch(whole, { headers, method });
  const bytes = Buffer.from(await response.arrayBuffer());
  const sent = (name: string) => response.headers.get(name);
  return { status: response.status, sent, bytes, json: () => JSON.parse(bytes.toString()) };
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}
const publicFiles = () => filesBelow(join(site.folder, 'media'));
const privateFiles = () => filesBelow(site.config.privateMediaDir);

test.each([
  ['width=320', 'png', 320, 160],
  ['height=90', 'png', 180, 90],
  ['width=200&height=100', 'png', 200, 100],
  ['width=200&height=100&fit=inside', 'png', 200, 100],
  ['width=200&height=100&fit=cover', 'png', 200, 100],
  ['width=320&format=webp', 'webp', 320, 160],
  ['width=320&format=jpeg', 'jpeg', 320, 160],
])('%s is made once, and served like an uploaded image', async (query, format, width, height) => {
  const { source_url: url } = await upload('wide.png', await flat(600, 300).png().toBuffer());
  const before = publicFiles().length;
  const first = await request(url, query);
  expect({ status: first.status, type: first.sent('content-type'), cached: first.sent('cache-control') }).toEqual({
    status: 200,
    type: `image/${format}`,
    cached: ONE_YEAR,
  });
  expect(first.sent('x-content-type-options')).toBe('nosniff');
  expect(first.sent('content-security-policy')).toBe("sandbox; default-src 'none'");
  expect(await sharp(first.bytes).metadata()).toMatchObject({ format, width, height });
  expect(publicFiles().length - before).toBe(1);
  const again = await request(url, query);
  expect([again.sent('etag'), again.bytes.equals(first.bytes)]).toEqual([first.sent('etag'), true]);
  // Not by fetch, which sends Cache-Control: no-cache.
  const known = { 'If-None-Match': first.sent('etag')! };
  expect((await site.send('GET', `${url.replace(PUBLIC_URL, '/')}?${query}`, { headers: known })).status).toBe(304);
  expect((await request(url, query, {}, 'HEAD')).sent('content-length')).toBe(String(first.bytes.length));
  expect(publicFiles().length - before).toBe(1);
});

test('a copy is made once for concurrent requests', async () => {
  const { source_url: url } = await upload('many.png', await flat(900, 900).png().toBuffer());
  const before = publicFiles().length;
  const responses = await Promise.all(Array.from({ length: 12 }, () => request(url, 'width=320')));
  expect(new Set(responses.map(({ status, sent }) => `${status} ${sent('etag')}`)).size).toBe(1);
  expect(responses[0]!.status).toBe(200);
  expect(publicFiles().length - before).toBe(1);
});

test('an image is not enlarged', async () => {
  const { source_url: url } = await upload('small.png', await flat(40, 20).png().toBuffer());
  expect(await sharp((await request(url, 'width=320')).bytes).metadata()).toMatchObject({ width: 40, height: 20 });
  const cut = (await request(url, 'width=200&height=100&fit=cover')).bytes;
  expect(await sharp(cut).metadata()).toMatchObject({ width: 40, height: 20 });
});

describe('refused requests', () => {
  test.each([
    ['width=321', /^width and height must be one of these pairs: 320x, x90, 200x100\.$/],
    ['width=320&height=90', /pairs/],
    ['width=', /pairs/],
    ['width=0320', /pairs/],
    ['width=-320', /pairs/],
    ['width=3e2', /pairs/],
    ['format=webp', /pairs/],
    ['fit=cover', /pairs/],
    ['width=320&fit=fill', /^fit must be one of inside, cover\.$/],
    ['width=320&format=avif', /^format must be one of webp, jpeg\.$/],
    ['width=320&format=../x', /^format must be/],
    ['width=320&width=321', /^width is given more than once\.$/],
  ])('%s', async (query, message) => {
    const { source_url: url } = await upload('no.png', await flat(20, 20).png().toBuffer());
    const before = publicFiles().length;
    const { status, json, sent } = await request(url, query);
    expect({ status, cached: sent('cache-control') }).toMatchObject({ status: 400 });
    expect(json()).toMatchObject({
      code: 'rest_invalid_param',
      message: expect.stringMatching(message),
      data: { status: 400 },
    });
    expect(publicFiles()).toHaveLength(before);
  });

  test('include files that are not images, or damaged (400), and missing ones (404)', async () => {
    const { source_url: text } = await upload('a.txt', 'text');
    const before = publicFiles().length;
    expect((await request(text, 'width=320')).status).toBe(400);
    // As an import may leave it.
    writeFileSync(join(site.folder, 'media', 'broken.png'), 'no image');
    expect((await request(`${PUBLIC_URL}/uploads/broken.png`, 'width=320')).json()).toMatchObject({
      code: 'rest_invalid_param',
    });
    expect((await request(`${PUBLIC_URL}/uploads/none.png`, 'width=320')).status).toBe(404);
    expect((await request(`${PUBLIC_URL}/uploads/2026/11`, 'width=320')).status).toBe(400);
    expect(publicFiles()).toHaveLength(before + 1);
  });

  test('include the keys of copies', async () => {
    const { source_url: url, media_details: details } = await upload('key.png', await flat(600, 300).png().toBuffer());
    expect((await request(url, 'width=320')).status).toBe(200);
    const key = `resized/${details.file}/320x.png`;
    expect(existsSync(join(site.folder, 'media', key))).toBe(true);
    expect((await request(`${PUBLIC_URL}/uploads/${key}`)).status).toBe(404);
    expect((await request(`${PUBLIC_URL}/uploads/${key}`, 'width=320')).status).toBe(404);
  });
});

describe('private images', () => {
  test('have copies behind the same signed URL, which gives access to nothing else', async () => {
    const { source_url: url } = await upload('card.png', await flat(600, 300).png().toBuffer(), '/cards');
    const copy = await request(url, 'width=320&format=webp');
    expect({ status: copy.status, cached: copy.sent('cache-control') }).toMatchObject({
      status: 200,
      cached: expect.stringMatching(/^private, max-age=\d+$/),
    });
    expect(await sharp(copy.bytes).metadata()).toMatchObject({ width: 320, format: 'webp' });
    expect(publicFiles().filter((name) => name.includes('card'))).toEqual([]);
    const wrong = url.replace(/signature=./, (text: string) => (text.endsWith('A') ? 'signature=B' : 'signature=A'));
    expect((await request(wrong, 'width=320')).status).toBe(403);
    const absent = url.split('?')[0]!.replace(/[0-9a-f]{32}/, 'f'.repeat(32));
    expect((await request(absent, 'width=320')).status).toBe(404);
    expect((await request(absent, 'width=1')).status).toBe(404);
  });
});

describe('copies are removed with their image', () => {
  test.each([
    ['/photos', publicFiles],
    ['/cards', privateFiles],
  ] as const)('%s', async (path, files) => {
    const before = files();
    const { id, source_url: url } = await upload('gone.png', await flat(600, 300).png().toBuffer(), path);
    for (const query of ['width=320', 'height=90&format=webp']) expect((await request(url, query)).status).toBe(200);
    expect(files().length).toBeGreaterThan(before.length + 3);
    await site.send('DELETE', `${path}/${id}`, { query: { force: true }, status: 200 });
    expect(files()).toEqual(before);
    expect((await request(url, 'width=320')).status).toBe(404);
  });

  test('and found by the sweep when the image is missing', async () => {
    const { models, store, site: running } = site.site;
    const { source_url: url } = await upload('stays.png', await flat(600, 300).png().toBuffer());
    await request(url, 'width=320');
    const lost = 'resized/2020/01/lost.png/320x.png';
    await running.files.put(lost, join(SCHEMAS, 'photo.json'));
    const { now } = running;
    running.now = () => now() + 2 * DAY_MS;
    const findings = (await auditFiles(models, store, running)).filter(({ message }) => !message.includes('broken'));
    running.now = now;
    expect(findings.map(({ message }) => message)).toEqual([`the file ${lost} belongs to no item`]);
    await fixData(findings, store);
    expect(publicFiles()).not.toContain(lost);
    expect((await request(url, 'width=320')).status).toBe(200);
  });
});

test('a query is ignored when copies on demand are off', async () => {
  const { config, site: running } = site;
  const other = await startTestSite(SCHEMAS, { IMAGE_ON_DEMAND: 'off', MEDIA_DIR: join(site.folder, 'media') });
  try {
    expect(config.imagesOnDemand.boxes).toHaveLength(3);
    const [key] = publicFiles().filter((name) => name.endsWith('wide.png'));
    expect(await running.files.exists(key!)).toBe(true);
    const response = await other.send('GET', `//uploads/${key}?width=320`);
    expect({ status: response.status, code: response.body.code }).toEqual({ status: 400, code: 'rest_invalid_param' });
    expect((await other.send('GET', `//uploads/${key}?v=2`)).status).toBe(200);
  } finally {
    await other.close();
  }
});
