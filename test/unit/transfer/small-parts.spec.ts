// Small parts of the import: PHP's serialisation, storage keys, the progress bar, the fetcher.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LocalFileStore } from '../../../src/files/local-store.js';
import { fileFetcher } from '../../../src/transfer/wxr/fetch-file.js';
import { fileKeyOf, mimeTypeOf } from '../../../src/transfer/wxr/file-key.js';
import { isSerialized, unserialize } from '../../../src/transfer/wxr-file/php-serialized.js';
import { copyFilesOut } from '../../../src/transfer/dump/dump-files.js';
import { ProgressBar, type BarStream, type BarUnit } from '../../../src/transfer/progress-bar.js';
import { writtenText } from '../../support/written-text.js';
import { freshPath } from './wxr-files.js';

describe('PHP serialisation', () => {
  it.each([
    ['N;', null],
    ['b:1;', true],
    ['i:-3;', -3],
    ['d:0.5;', 0.5],
    ['s:2:"é";', 'é'],
    ['s:5:"a";b"";', 'a";b"'],
    ['a:2:{i:0;i:1;i:1;s:1:"x";}', [1, 'x']],
    ['a:1:{s:1:"k";a:0:{}}', { k: [] }],
  ])('reads %s', (text, value) => {
    expect(isSerialized(text)).toBe(true);
    expect(unserialize(text)).toEqual(value);
  });

  it.each([
    '',
    'plain',
    'a',
    'a:',
    'i:1',
    's:9:"short";',
    'a:9999999:{}',
    'a:1:{i:0;}',
    'i:1;i:2;',
    'O:8:"stdClass":0:{}',
    's:-1:"";',
    'a:1:{a:0:{}i:1;}',
    'a:1:{i:0;'.repeat(200),
  ])('ignores %s', (text) => {
    expect(unserialize(text)).toBeUndefined();
  });

  it('keeps PHP objects as text, and sets no prototype', () => {
    expect(isSerialized('O:8:"stdClass":0:{}')).toBe(true);
    const value = unserialize('a:1:{s:9:"__proto__";a:1:{s:1:"x";i:1;}}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it.each(['plain', 'a:b', '{"a":1}', 's:x', 'http://x'])('treats %s as text', (text) =>
    expect(isSerialized(text)).toBe(false),
  );
});

describe('storage keys', () => {
  it.each([
    ['https://x.example/wp-content/uploads/2024/03/a.jpg', '2024/03/a.jpg'],
    ['https://x.example/wp-content/uploads/sites/3/2024/03/a%20b.jpg?w=3#x', 'sites/3/2024/03/a b.jpg'],
    ['https://cdn.example/2024/03/a.jpg', '2024/03/a.jpg'],
    ['https://cdn.example/any/where/a.jpg', 'a.jpg'],
    ['https://x.example/uploads/../../etc/passwd', 'passwd'],
    ['https://x.example/uploads/..%2f..%2fetc/.htaccess', 'etc/htaccess'],
    ['/uploads/..\\..\\boot.ini', 'boot.ini'],
    ['https://x.example/uploads/a%00b.jpg', 'ab.jpg'],
    ['https://x.example/uploads/%E0%A4%A', 'E0A4A'],
    ['', ''],
    ['https://x.test/wp-content/uploads/private/2024/01/a.jpg', '2024/01/a.jpg'],
    [`/uploads/a../${'b/'.repeat(196)}name.jpg`, `${'b/'.repeat(196)}name.jpg`],
    [`/uploads/x/private/${'b/'.repeat(192)}name.jpg`, `${'b/'.repeat(192)}name.jpg`],
    [`/uploads/2024/${'a'.repeat(394)}..b.jpg`, `${'a'.repeat(393)}..b.jpg`],
    [`/uploads/2024/a${'😀'.repeat(198)}.jpeg`, `${'😀'.repeat(197)}.jpeg`],
    ['https://x.test/wp-content/uploads/Resized/private/2024/01/a.jpg/9x.webp', '2024/01/a.jpg/9x.webp'],
  ])('%s', (url, key) => expect(fileKeyOf(url)).toBe(key));

  it.each([
    ['a.JPG', 'image/jpeg'],
    ['2024/a.b.mp3', 'audio/mpeg'],
    ['a.php', ''],
    ['a.svg', ''],
    ['jpg', ''],
    ['a.constructor', ''],
  ])('%s is %s', (name, mime) => expect(mimeTypeOf(name)).toBe(mime));
});

describe('the files of a dump', () => {
  it('are complete or missing', async () => {
    const upload = { keysOf: () => ['2024/a.txt', '2024/b.txt', '2024/a.txt'] };
    const broken = async function* () {
      yield Buffer.from('half');
      throw new Error('the connection was lost');
    };
    let opened = 0;
    const open = async () => Readable.from(++opened === 1 ? [Buffer.from('whole')] : broken());
    const folder = freshPath('dump');
    const summary = { files: 0, missing: 0, notes: [] as string[] };
    const items = [{ row: {}, many: new Map(), entries: [] }];
    await copyFilesOut({ model: { faces: { upload } } } as never, items, { open } as never, folder, summary);
    expect(summary.files).toBe(1);
    expect(summary.notes[0]).toBe('the file 2024/b.txt could not be copied (the connection was lost)');
    expect(readdirSync(join(folder, 'files/2024'))).toEqual(['a.txt']);
    expect(readFileSync(join(folder, 'files/2024/a.txt'), 'utf8')).toBe('whole');
  });

  it('are reported with the reason when they are missing in the storage', async () => {
    const upload = { keysOf: () => ['2024/gone.txt'] };
    const uploads = new LocalFileStore(freshPath('uploads'), 'http://files.test');
    const summary = { files: 0, missing: 0, notes: [] as string[] };
    const items = [{ row: {}, many: new Map(), entries: [] }];
    await copyFilesOut({ model: { faces: { upload } } } as never, items, uploads as never, freshPath('dump'), summary);
    expect(summary).toEqual({
      files: 0,
      missing: 1,
      notes: ['the file 2024/gone.txt could not be copied (there is no such file)'],
    });
  });
});

describe('the progress bar', () => {
  const drawn = (isTTY: boolean, unit: BarUnit, ...steps: [done: number, total: number][]) => {
    const stream: BarStream = new PassThrough();
    stream.isTTY = isTTY;
    const bar = new ProgressBar(stream, 'load', unit);
    for (const step of steps) bar.update(...step);
    bar.end();
    bar.end();
    return writtenText(stream as PassThrough);
  };

  it('shows percentage, counts and rate, and clears itself', () => {
    const text = drawn(true, 'items', [50, 200], [200, 200]);
    expect(text).toMatch(/load \[#{20}\] 100% \| 200 of 200 items \| \d+\/s/);
    // The line is cleared, and wrapping is on again.
    expect(text.endsWith('\x1b[1G\x1b[2K')).toBe(true);
    expect(text).not.toContain('\n');
    expect(text.lastIndexOf('\x1b[?7l')).toBeLessThan(text.lastIndexOf('\x1b[?7h'));
    expect(text).not.toContain('\x1b[?25l');
  });

  it('counts bytes in kilobytes and megabytes', () => {
    expect(drawn(true, 'bytes', [1_500_000, 3_000_000])).toMatch(/50% \| 1\.5 of 3\.0 MB \| [\d.]+ MB\/s/);
    expect(drawn(true, 'bytes', [500, 8_000])).toContain('1 of 8 kB');
  });

  it('prints nothing without a terminal', () => expect(drawn(false, 'items', [1, 2])).toBe(''));
});

describe('the fetcher', () => {
  const fetchFile = fileFetcher([{ hostname: '127.0.0.1' }]);
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/file') response.end('hello');
      else if (request.url === '/endless') {
        const timer = setInterval(() => response.write('x'.repeat(1000)), 1);
        response.on('close', () => clearInterval(timer));
      } else if (request.url === '/there') response.writeHead(302, { location: '/file' }).end();
      else if (request.url === '/local') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
      else response.writeHead(404).end('no');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['no host is named', []],
    ['another one is', [{ hostname: 'example.com' }]],
    ['another port is', [{ hostname: 'example.org', port: 80 }]],
  ])('sends no request where %s', async (_about, hosts) => {
    await expect(fileFetcher(hosts, true)('https://example.org/a', freshPath(), 100)).rejects.toThrow(
      'example.org is not among the allowed hosts',
    );
  });

  it.each(['/file', '/there'])('downloads %s', async (path) => {
    const target = freshPath();
    await fetchFile(base + path, target, 5);
    expect(readFileSync(target, 'utf8')).toBe('hello');
  });

  it.each([
    ['/file', 4, /larger than 4/],
    ['/endless', 5000, /larger than 5000/],
    ['/gone', 100, /responded with 404/],
    ['/local', 100, /only http/],
    ['/loop', 100, /too many redirects/],
  ])('%s with at most %i bytes', async (path, limit, reason) => {
    await expect(fetchFile(base + path, freshPath(), limit)).rejects.toThrow(reason);
  });

  it.each(['file:///etc/passwd', 'data:text/plain,x', 'ftp://x/y', 'x', 'http://a:b@127.0.0.1/'])(
    'never requests %s',
    async (url) => {
      await expect(fetchFile(url, freshPath(), 100)).rejects.toThrow(/fetched|cannot be parsed/);
    },
  );
});
