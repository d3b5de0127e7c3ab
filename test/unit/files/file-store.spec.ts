// What every storage of files must do, of each that there is.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FileStore } from '../../../src/files/file-store.js';
import { LocalFileStore } from '../../../src/files/local-store.js';
import { ObjectStore } from '../../../src/files/s3/object-store.js';
import { S3FileStore } from '../../../src/files/s3/s3-store.js';
import { startS3, type S3Server } from '../../support/s3-server.js';

let root: string;
let source: string;
let s3: S3Server;
let folders = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'stores-'));
  source = join(root, 'source');
  await writeFile(source, 'content');
  s3 = await startS3();
});
afterAll(async () => {
  await s3.close();
  await rm(root, { recursive: true, force: true });
});

const BASE = 'https://example.test/uploads/';

/** Two clients of one storage, as of two processes, which is empty. */
const KINDS: Record<string, () => Promise<FileStore[]>> = {
  async local() {
    const folder = join(root, `local-${(folders += 1)}`);
    return [new LocalFileStore(folder, BASE), new LocalFileStore(folder, BASE)];
  },
  async s3() {
    const prefix = `folder/${(folders += 1)}/`;
    const { bucket, endpoint } = s3;
    const options = { prefix, publicBase: BASE, incoming: join(root, 'incoming') };
    const open = () => ObjectStore.open({ bucket, prefix, endpoint, region: 'us-east-1', pathStyle: true });
    return [new S3FileStore(await open(), options), new S3FileStore(await open(), options)];
  },
};

const later = () => new Date(Date.now() + 60_000);
const never = new Date(0);

describe.each(Object.keys(KINDS))('%s', (kind) => {
  let store: FileStore;
  let other: FileStore;
  beforeEach(async () => {
    [store, other] = (await KINDS[kind]!()) as [FileStore, FileStore];
  });
  it('distinguishes successive files with the same key by version', async () => {
    const key = '2026/11/a.txt';
    expect(await store.version(key)).toBeUndefined();
    await store.put(key, source);
    const first = await store.version(key);
    expect(first).toEqual(expect.any(String));
    expect(await other.version(key)).toBe(first);
    await store.remove([key]);
    await store.put(key, Readable.from(['another content']));
    expect(await store.version(key)).not.toBe(first);
  });

  const listed = async (before = later()) => {
    const keys: string[] = [];
    for await (const key of store.list(before)) keys.push(key);
    return keys.sort();
  };

  it.each(['2016/05/a.txt', 'private/2016/05/a.txt', '2016/05/写 a+b.txt'])('stores a file: %s', async (key) => {
    expect(await store.exists(key)).toBe(false);
    await store.put(key, source);
    expect(await other.exists(key)).toBe(true);
    expect(await text(await other.open(key))).toBe('content');
    expect(await listed()).toEqual([key]);
    expect(await listed(never)).toEqual([]);
    await other.remove([key]);
    expect(await store.exists(key)).toBe(false);
    expect(await listed()).toEqual([]);
  });

  it('stores the content of a stream', async () => {
    await store.put('2016/05/a.txt', Readable.from([Buffer.from('one '), Buffer.from('two')]));
    expect(await text(await store.open('2016/05/a.txt'))).toBe('one two');
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('cut off');
      })(),
    );
    await expect(store.put('2016/05/b.txt', broken)).rejects.toMatchObject({ code: 'rest_upload_file_error' });
    expect(await listed()).toEqual(['2016/05/a.txt']);
    if (kind === 's3') expect((await stat(join(root, 'incoming'))).mode & 0o777).toBe(0o700);
  });

  it('never overwrites', async () => {
    await store.put('2016/05/a.txt', source);
    const again = other.put('2016/05/a.txt', Readable.from(['other']));
    await expect(again).rejects.toMatchObject({
      code: 'rest_upload_file_error',
      fault: 'server',
      cause: { code: 'EEXIST' },
    });
    expect(await text(await store.open('2016/05/a.txt'))).toBe('content');
  });

  it('rejects missing files and sources', async () => {
    await expect(store.open('2016/05/none.txt')).rejects.toMatchObject({ code: 'rest_upload_file_error' });
    await expect(store.put('2016/05/a.txt', join(root, 'none'))).rejects.toMatchObject({ cause: { code: 'ENOENT' } });
    await store.remove(['2016/05/none.txt']);
    expect(await listed()).toEqual([]);
  });

  it('numbers names in one folder', async () => {
    const keys: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const key = await store.reserve('2016/05', 'a.jpg');
      await store.put(key, source);
      await store.commit([key]);
      keys.push(key);
    }
    expect(keys).toEqual(['2016/05/a.jpg', '2016/05/a-1.jpg', '2016/05/a-2.jpg']);
    expect(await store.reserve('2016/06', 'a.jpg')).toBe('2016/06/a.jpg');
    expect(await store.reserve('2016/05', 'b-150x150.jpg')).toBe('2016/05/b-150x150-1.jpg');
    expect(await store.reserve('2016/05', 'b-150x150.jpg', true)).toBe('2016/05/b-150x150.jpg');
    expect(await store.reserve('private/2016/05', 'a.jpg')).toBe('private/2016/05/a.jpg');
  });

  it('gives each key once to concurrent callers in two processes', async () => {
    const takers = Array.from({ length: 24 }, async (_, index) => {
      const mine = index % 2 ? store : other;
      const key = await mine.reserve('2016/05', 'a.jpg');
      await mine.put(key, source);
      await mine.commit([key]);
      return key;
    });
    expect(new Set(await Promise.all(takers)).size).toBe(24);
    expect(await listed()).toHaveLength(24);
    expect(await store.claimed(later())).toEqual([]);
  });

  it('distinguishes names that differ in case', async () => {
    await store.put('2016/05/a.jpg', source);
    expect(await store.reserve('2016/05', 'a.JPG')).toBe('2016/05/a-1.JPG');
  });

  it('does not count a reservation as a file, and releases it with remove', async () => {
    const key = await store.reserve('2016/05', 'A.jpg');
    expect(await store.exists(key)).toBe(false);
    expect(await listed()).toEqual([]);
    expect(await other.claimed(later())).toEqual([key]);
    expect(await other.claimed(never)).toEqual([]);
    expect(await other.reserve('2016/05', 'A.jpg')).not.toBe(key);
    await store.remove([key]);
    expect(await other.reserve('2016/05', 'A.jpg')).toBe(key);
  });

  it('reserves existing files that are about to be removed', async () => {
    await store.put('2016/05/a.txt', source);
    await store.mark(['2016/05/a.txt', '2016/05/none.txt']);
    expect(await store.claimed(later())).toEqual(['2016/05/a.txt']);
    await store.commit(['2016/05/a.txt']);
    expect([await store.claimed(later()), await listed()]).toEqual([[], ['2016/05/a.txt']]);
    await store.mark(['2016/05/a.txt']);
    await store.remove(['2016/05/a.txt']);
    expect([await store.claimed(later()), await listed()]).toEqual([[], []]);
  });

  it.each(['', 'private/'])('removes the copies of a file with it: %j', async (prefix) => {
    const [own, next] = [`${prefix}2016/05/a.jpg`, `${prefix}2016/05/a.jpg2`];
    const [copy, copyOfNext] = [`${prefix}resized/2016/05/a.jpg/9x.webp`, `${prefix}resized/2016/05/a.jpg2/9x.webp`];
    for (const key of [own, next, copy, copyOfNext]) await store.put(key, source);
    expect([copy, own].map((key) => store.originOf(key))).toEqual([own, own]);
    await store.remove([own]);
    expect(await listed()).toEqual([next, copyOfNext].sort());
  });

  it('makes URLs of keys', () => {
    expect(store.url('2016/05/写 a.jpg')).toBe('https://example.test/uploads/2016/05/%E5%86%99%20a.jpg');
  });

  it.each(['../x', '2016/../../x', '/etc/x', 'a//b', '', '.', '..', 'a/.hidden', 'a\\..\\b', 'a\0b', 'a/', 'a\nb'])(
    'refuses %j everywhere',
    async (key) => {
      await expect(store.put(key, source)).rejects.toThrow(RangeError);
      await expect(store.exists(key)).rejects.toThrow(RangeError);
      await expect(store.remove([key])).rejects.toThrow(RangeError);
      await expect(store.open(key)).rejects.toThrow(RangeError);
      await expect(store.reserve(key, 'a.jpg')).rejects.toThrow(RangeError);
      expect(() => store.url(key)).toThrow(RangeError);
    },
  );
});

it('s3 without a prefix separates private files, and reads lists of many pages', async () => {
  const { bucket, endpoint } = s3;
  s3.objects.clear();
  const objects = await ObjectStore.open({ bucket, prefix: '', endpoint, region: 'us-east-1', pathStyle: true });
  const store = new S3FileStore(objects, { prefix: '', publicBase: BASE, incoming: join(root, 'incoming') });
  const keys = Array.from({ length: 26 }, (_, index) => `${index % 2 ? 'private/' : ''}2016/05/${index}.txt`);
  await Promise.all(keys.map((key) => store.put(key, source)));
  await store.mark(keys);
  const listed: string[] = [];
  for await (const key of store.list(later())) listed.push(key);
  expect(listed.sort()).toEqual([...keys].sort());
  expect((await store.claimed(later())).sort()).toEqual([...keys].sort());
  expect(s3.objects.has('private/2016/05/1.txt')).toBe(true);
  await store.remove(keys);
  expect([...s3.objects.keys()]).toEqual([]);
});

it('s3 reports an unavailable service as a temporary error of the server', async () => {
  const location = { bucket: 'bucket', prefix: '', region: 'us-east-1', pathStyle: true };
  const objects = await ObjectStore.open({ ...location, endpoint: 'http://127.0.0.1:1' });
  const store = new S3FileStore(objects, { prefix: '', publicBase: BASE, incoming: root });
  const problem = { code: 'rest_upload_file_error', fault: 'server', cause: { code: 'EIO' } };
  await expect(store.reserve('2016/05', 'a.jpg')).rejects.toMatchObject(problem);
  await expect(store.put('2016/05/a.txt', source)).rejects.toMatchObject(problem);
  await expect(store.exists('2016/05/a.txt')).rejects.toMatchObject(problem);
  await expect(store.claimed(later())).rejects.toMatchObject(problem);
});
