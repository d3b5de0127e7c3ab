// Files of folders that come from elsewhere: ordinary ones are read, links and everything else are refused.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentOf, openBelow, openPlain, readPlain } from '../../../src/transfer/plain-file.js';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'typecase-plain-')));
  mkdirSync(join(folder, 'in/deep'), { recursive: true });
  mkdirSync(join(folder, 'out'));
  for (const [name, content] of Object.entries({
    'in/file': 'hello',
    'in/deep/file': 'below',
    'in/empty': '',
    'out/secret': 'x',
  }))
    writeFileSync(join(folder, name), content);
  symlinkSync(join(folder, 'out/secret'), join(folder, 'in/link'));
  symlinkSync(join(folder, 'in/file'), join(folder, 'in/own'));
  symlinkSync(join(folder, 'out'), join(folder, 'in/away'));
  symlinkSync('/nowhere', join(folder, 'in/dangling'));
  symlinkSync(join(folder, 'in'), join(folder, 'named'));
  execFileSync('mkfifo', [join(folder, 'in/pipe')]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = async (name: string) => text(contentOf(await openBelow(join(folder, 'in'), name)));

describe('below a folder', () => {
  it.each([
    ['file', 'hello'],
    ['deep/file', 'below'],
    ['empty', ''],
  ])('%s is read', async (name, content) => expect(await read(name)).toBe(content));

  it('files are read where the folder itself is reached through a link', async () => {
    expect(await text(contentOf(await openBelow(join(folder, 'named'), 'file')))).toBe('hello');
  });

  it.each(['link', 'own', 'dangling', 'away/secret'])('the link %s is not followed', async (name) => {
    await expect(read(name)).rejects.toThrow(/symbolic link/);
  });

  it.each([
    '../out/secret',
    'deep/../file',
    '/etc/passwd',
    './file',
    '.hidden',
    '',
    'deep//file',
    'a\\b',
    'a\0b',
    'C:x',
  ])('the path %j is refused', async (name) => expect(read(name)).rejects.toThrow('not a path of plain names'));

  it.each([
    ['deep', 'is a folder'],
    ['pipe', 'not an ordinary file'],
  ])('%s is refused without blocking', async (name, why) => expect(read(name)).rejects.toThrow(why));

  it('a socket is not read', async () => {
    const server = createServer().listen(join(folder, 'in/socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    await expect(read('socket')).rejects.toThrow('not an ordinary file');
    server.close();
  });
});

describe('a single file', () => {
  it.each(['/dev/zero', '/dev/null'])('must not be the device %s', async (path) => {
    await expect(openPlain(path)).rejects.toThrow('not an ordinary file');
  });

  it('is read up to its length when it was opened, which is limited', async () => {
    const path = join(folder, 'grows');
    writeFileSync(path, 'abc');
    const file = await openPlain(path);
    writeFileSync(path, 'abcdef');
    expect(await text(contentOf(file))).toBe('abc');
    expect(await readPlain(path, 6)).toBe('abcdef');
    await expect(readPlain(path, 5)).rejects.toThrow('more than 5 bytes');
  });
});
