// Files that only readers of their items may fetch: who gets them, by which URLs, for how long, and when they go.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ResourceService } from '../../../src/engine/resource.service.js';
import { ResourceError } from '../../../src/errors/resource-error.js';
import { fixData } from '../../../src/maintenance/check-data.js';
import { administrator, makeActor, type TestActor } from '../../support/actors.js';
import { startTestSite, PUBLIC_URL, type TestSite } from '../../support/start-test-site.js';
import { auditFiles } from '../../../src/maintenance/check-files.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const LIFETIME_MS = 600_000;
const TEXT = 'The contents of the paper.';

let site: TestSite;
let boss: TestActor;
let ann: TestActor;
let bob: TestActor;

beforeAll(async () => {
  site = await startTestSite(here('schemas'), {
    ROLES_FILE: here('../rights/roles.json'),
    FILE_ADDRESS_LIFETIME: `${LIFETIME_MS / 1000}s`,
  });
  boss = administrator(site);
  ann = await makeActor(site, 'clerk', 'ann');
  bob = await makeActor(site, 'clerk', 'bob');
});
afterAll(() => site.close());

/** Puts the clock of the site forward; files with that retention still exist. */
function later(ms: number): void {
  const { site: clock } = site.site as unknown as { site: { now(): number } };
  const { now } = clock;
  clock.now = () => now() + ms;
}

type Headers = Record<string, string>;

async function upload(headers: Headers = ann.headers, fields = '', path = '/papers'): Promise<Record<string, any>> {
  const { status, body } = await site.send('POST', `${path}${fields}`, {
    as: headers,
    file: { name: 'plan.txt', type: 'text/plain', content: TEXT },
  });
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

const read = (path: string, headers: Headers = {}) => site.send('GET', path, { as: headers });
const onServer = (url: string) => `/${url.replace(PUBLIC_URL, '')}`;
const fetchFile = (url: string, headers: Headers = {}) => site.send('GET', onServer(url), { as: headers });
const bare = (url: string) => url.split('?', 1)[0]!;

/** Files of a folder and of those below, without dot files. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => !/(^|\/)\./.test(name) && statSync(join(folder, name)).isFile());
}
const publicFiles = () => filesBelow(join(site.folder, 'media'));
const privateFiles = () => filesBelow(site.config.privateMediaDir);

describe('a signed URL', () => {
  test('is part of an item for its readers, and gives access to the file without credentials', async () => {
    const { source_url: url } = await upload();
    expect(url).toMatch(
      /^http:\/\/api\.test\/uploads\/private\/\d{4}\/\d\d\/[0-9a-f]{32}-plan\.txt\?expires=\d+&signature=[\w-]{43}$/,
    );
    const response = await fetchFile(url);
    expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: TEXT });
    expect(response.headers['cache-control']).toMatch(/^private, max-age=\d{3}$/);
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-type': 'text/plain; charset=utf-8',
    });
    const part = await fetchFile(url, { Range: 'bytes=4-11' });
    expect({ status: part.status, text: part.text }).toEqual({ status: 206, text: 'contents' });
    expect((await fetchFile(url, { 'If-None-Match': response.headers['etag']! })).status).toBe(304);
    const head = await site.send('HEAD', onServer(url));
    expect({ status: head.status, length: head.headers['content-length'] }).toEqual({
      status: 200,
      length: String(TEXT.length),
    });
  });

  test('keeps the file out of the public folder', async () => {
    const before = publicFiles().length;
    await upload();
    expect(publicFiles()).toHaveLength(before);
    expect(statSync(site.config.privateMediaDir).mode & 0o777).toBe(0o700);
  });

  test.each<[string, (url: string) => string, string]>([
    [
      'another signature',
      (url) => url.replace(/signature=./, (text) => (text.endsWith('A') ? 'signature=B' : 'signature=A')),
      'rest_file_url_wrong',
    ],
    ['no signature', (url) => url.replace(/&signature=.*/, ''), 'rest_file_url_wrong'],
    ['a later end', (url) => url.replace(/expires=\d+/, 'expires=99999999999'), 'rest_file_url_wrong'],
    ['another file', (url) => url.replace('plan.txt', 'plan-1.txt'), 'rest_file_url_wrong'],
    ['a short signature', (url) => url.replace(/signature=.*/, 'signature=A'), 'rest_file_url_wrong'],
    ['an empty query', (url) => `${bare(url)}?signature=`, 'rest_file_url_wrong'],
  ])('is refused with %s', async (_about, change, code) => {
    const { source_url: url } = await upload();
    const { status, body } = await fetchFile(change(url));
    expect({ status, code: body.code }).toEqual({ status: 403, code });
  });

  test('expires, and with it cached responses to anonymous callers', async () => {
    const { id } = await upload(ann.headers, '?state=open');
    const first = (await read(`/papers/${id}`)).body.source_url as string;
    expect((await fetchFile(first)).status).toBe(200);
    later(LIFETIME_MS);
    const late = await fetchFile(first);
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 403, code: 'rest_file_url_expired' });
    const second = (await read(`/papers/${id}`)).body.source_url as string;
    expect(second).not.toBe(first);
    expect((await fetchFile(second)).status).toBe(200);
    expect((await read('/papers')).body[0].source_url).toMatch(/signature=/);
  });

  test('does not change the version of the item', async () => {
    const { id } = await upload();
    const tag = (await read(`/papers/${id}`, ann.headers)).headers['etag']!;
    later(LIFETIME_MS / 2);
    const { status } = await site.send('PATCH', `/papers/${id}`, {
      headers: { ...ann.headers, 'If-Match': tag },
      body: { title: 'New' },
    });
    expect(status).toBe(200);
  });
});

describe('without a signature', () => {
  test('the file is served to readers of the item, and missing for others', async () => {
    const { id, source_url: url } = await upload();
    const absent = await fetchFile(bare(url).replace(/[0-9a-f]{32}/, 'f'.repeat(32)));
    const seen = async (headers: Headers = {}) => {
      const { status, text, headers: sent } = await fetchFile(bare(url), headers);
      return { status, text, cached: sent['cache-control'] };
    };
    const missing = { status: 404, text: absent.text, cached: 'no-store' };
    const found = { status: 200, text: TEXT, cached: 'private, no-cache' };
    expect(absent.status).toBe(404);
    expect(await seen()).toEqual(missing);
    expect(await seen(bob.headers)).toEqual(missing);
    expect(await seen(ann.headers)).toEqual(found);
    expect(await seen(boss.headers)).toEqual(found);
    expect((await seen({ Authorization: 'Basic eDp5' })).status).toBe(401);
    await site.send('PATCH', `/papers/${id}`, { as: ann.headers, body: { state: 'open' } });
    expect(await seen()).toEqual(found);
  });

  test('a busy database is not reported as a missing file', async () => {
    const { source_url: url } = await upload();
    const service = site.site.app.get(ResourceService);
    service.retrieve = () => Promise.reject(new ResourceError('rest_unavailable'));
    const busy = await fetchFile(bare(url), ann.headers);
    Reflect.deleteProperty(service, 'retrieve');
    expect([busy.status, busy.body?.code]).toEqual([503, 'rest_unavailable']);
    expect((await fetchFile(bare(url), ann.headers)).status).toBe(200);
  });

  test.each([
    'private',
    'private/',
    'private/2026',
    'private/../private/x',
    '%70rivate/x',
    'private%2fx',
    'private/%2e%2e/x',
    'private/.x',
    'private/%00',
    'private/%ff',
    'PRIVATE/x',
  ])('no path escapes the folder: %s', async (path) => {
    expect((await site.send('GET', `//uploads/${path}`)).status).toBe(404);
  });

  test('other files are public', async () => {
    const { source_url: url } = await upload(ann.headers, '', '/posters');
    expect(url).toMatch(/\/uploads\/\d{4}\/\d\d\/plan(-\d+)?\.txt$/);
    const response = await fetchFile(url);
    expect({ status: response.status, cached: response.headers['cache-control'] }).toEqual({
      status: 200,
      cached: 'public, max-age=31536000, immutable',
    });
  });
});

describe('files are removed with their items', () => {
  const remove = (path: string, headers = boss.headers) => site.send('DELETE', path, { as: headers });

  test('one by one, and in cascades', async () => {
    for (const path of ['/papers', '/posters']) {
      const stored = () => [...privateFiles(), ...publicFiles()].sort();
      const { body: album } = await site.send('POST', '/albums', { as: ann.headers, body: { name: 'A' } });
      const before = stored();
      const own = await upload(ann.headers, '', path);
      await upload(ann.headers, `?album=${album.id}`, path);
      await upload(ann.headers, `?album=${album.id}`, path);
      expect(stored()).toHaveLength(before.length + 3);
      expect((await remove(`${path}/${own['id']}`)).status).toBe(200);
      expect(stored()).toHaveLength(before.length + 2);
      expect((await remove(`/albums/${album.id}`)).status).toBe(200);
      expect(stored()).toEqual(before);
    }
  });

  test('but kept when the deletion fails', async () => {
    const { body: album } = await site.send('POST', '/albums', { as: ann.headers, body: { name: 'B' } });
    const { id, source_url: url } = await upload(ann.headers, `?album=${album.id}&state=open`);
    const { writer, site: running } = site.site;
    const failing = writer.batch(async (batch) => {
      await batch.remove('album', album.id);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect((await read(`/papers/${id}`)).status).toBe(200);
    expect((await fetchFile(bare(url))).status).toBe(200);
    expect(await running.files.claimed(new Date(Date.now() + 60_000))).toEqual([]);
  });
});

test('check --data --files finds private files in the public folder', async () => {
  const { models, store, site: running, writer } = site.site;
  const { id, source_url: former } = await upload();
  // The item gets another file below.
  await running.files.remove([bare(former).slice(`${PUBLIC_URL}/uploads/`.length)]);
  const { source_url: open } = await upload(ann.headers, '', '/posters');
  const key = open.slice(`${PUBLIC_URL}/uploads/`.length);
  const details = JSON.stringify({ file: key, sizes: {} });
  await writer.batch(({ update }) => update('paper', id, {}, { columns: { file: key, media_details: details } }));
  const findings = (await auditFiles(models, store, running)).filter(({ message }) => message.includes('everybody'));
  expect(findings.map(({ message }) => message)).toEqual([`paper ${id}: everybody may fetch its file ${key}`]);
  expect(await fixData(findings, store)).toBe(1);
  const { body } = await read(`/papers/${id}`, ann.headers);
  expect(body.media_details.file).toBe(`private/${key}`);
  expect((await fetchFile(body.source_url)).text).toBe(TEXT);
  expect((await fetchFile(open)).status).toBe(404);
  await site.send('DELETE', `/papers/${id}`, { as: ann.headers });
  await site.send('DELETE', `/posters/${(await read('/posters', boss.headers)).body[0].id}`, { as: boss.headers });
});

test('check --data --files finds missing and unreferenced files', async () => {
  const { models, store, site: running } = site.site;
  const messages = async () => (await auditFiles(models, store, running)).map(({ message }) => message);
  expect(await messages()).toEqual([]);
  const [kept] = privateFiles();
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const [folder, key, age] of [
    [join(site.folder, 'media'), '2020/01/left.txt', old],
    [site.config.privateMediaDir, '2020/01/left.txt', old],
    [join(site.folder, 'media'), '2020/01/new.txt', new Date()],
  ] as const) {
    const path = join(folder, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
    utimesSync(path, age, age);
  }
  utimesSync(join(site.config.privateMediaDir, kept!), old, old);
  const findings = await auditFiles(models, store, running);
  expect(findings.map(({ message }) => message).sort()).toEqual([
    'the file 2020/01/left.txt belongs to no item',
    'the file private/2020/01/left.txt belongs to no item',
  ]);
  expect(await fixData(findings, store)).toBe(2);
  expect(await messages()).toEqual([]);
  expect(publicFiles()).toContain('2020/01/new.txt');
  rmSync(join(site.config.privateMediaDir, kept!));
  expect(await messages()).toEqual([expect.stringMatching(/^paper \d+: its file private\/.* is not there$/)]);
});
