// Creating folders where the file system refuses it: with `recursive` of mkdir, Node 20 never returns below /proc.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadSecret } from '../../../src/auth/secret.js';
import { makeFolder, makeFolderAtOnce } from '../../../src/disk/folders.js';
import { LocalFileStore } from '../../../src/files/local-store.js';
import { S3FileStore } from '../../../src/files/s3/s3-store.js';
import type { ObjectStore } from '../../../src/files/s3/object-store.js';
import { Spool } from '../../../src/files/spool.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'typecase-disk-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ways = [
  ['makeFolder', makeFolder],
  ['makeFolderAtOnce', async (path: string, mode?: number) => makeFolderAtOnce(path, mode)],
] as const;

describe.each(ways)('%s', (_, make) => {
  it('creates a folder and its parents with a mode, also concurrently', async () => {
    const path = join(folder, 'a/b/c');
    await Promise.all([make(path, 0o700), make(path, 0o700), make(join(folder, 'a/b/d'), 0o700)]);
    await make(path);
    expect(['a', 'a/b', 'a/b/c', 'a/b/d'].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual(
      Array(4).fill(0o700),
    );
  });

  it('fails where a file has the name of the folder or of a parent', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(make(join(folder, 'file'))).rejects.toThrow(/EEXIST/);
    await expect(make(join(folder, 'file/below'))).rejects.toThrow(/ENOTDIR/);
  });
});

const onProc = process.platform === 'linux' ? describe : describe.skip;

onProc('below /proc', () => {
  const refused: [string, () => Promise<unknown>, RegExp][] = [
    ['the secret', () => loadSecret(undefined, '/proc/nowhere/secret'), /the secret cannot be stored \(ENOENT\)/],
    ['a file on its way in', () => spooled('/proc/nowhere/incoming'), /could not store the file/],
    [
      'a stored file',
      () => new LocalFileStore('/proc/nowhere', '/').put('a/b.txt', Readable.from('x')),
      /could not store/,
    ],
    [
      'a private file',
      () => new LocalFileStore(folder, '/', '/proc/nowhere').put('private/a/b.txt', Readable.from('x')),
      /could not store/,
    ],
    ['a file for a bucket', () => inBucket('/proc/nowhere/incoming'), /could not store the file/],
  ];
  it.each(refused)('%s is refused', async (_, work, message) => {
    await expect(work()).rejects.toThrow(message);
  });
});

function spooled(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const spool = new Spool(path, 100);
    spool.once('error', reject).once('finish', resolve).end('x');
  });
}

function inBucket(incoming: string): Promise<void> {
  const store = new S3FileStore({} as ObjectStore, { prefix: '', publicBase: '/', incoming });
  return store.put('a/b.txt', Readable.from('x'));
}
