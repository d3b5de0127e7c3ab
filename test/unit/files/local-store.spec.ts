// The store on disk: whole files only, names claimed once, keys that stay inside.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import files, { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { LocalFileStore } from '../../../src/files/local-store.js';
import { sweepLeftovers } from '../../../src/files/sweep.js';

let root: string;
let store: LocalFileStore;
let source: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'store-'));
  store = new LocalFileStore(join(root, 'uploads'), 'https://example.test/uploads/');
  source = join(root, 'source');
  await writeFile(source, 'content', { mode: 0o600 });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const stored = () => readdir(join(root, 'uploads/2016/05'));

describe('put', () => {
  it('copies the file, readable for a web server, without temporary files', async () => {
    await store.put('2016/05/a.txt', source);
    expect(await stored()).toEqual(['a.txt']);
    expect((await stat(join(root, 'uploads/2016/05/a.txt'))).mode & 0o777).toBe(0o644);
    expect(await text(await store.open('2016/05/a.txt'))).toBe('content');
    expect(await readFile(source, 'utf8')).toBe('content');
    expect(await store.exists('2016/05/a.txt')).toBe(true);
  });

  it('never overwrites', async () => {
    await store.put('2016/05/a.txt', source);
    await writeFile(source, 'other');
    await expect(store.put('2016/05/a.txt', source)).rejects.toMatchObject({
      code: 'rest_upload_file_error',
      fault: 'server',
    });
    expect(await text(await store.open('2016/05/a.txt'))).toBe('content');
    expect(await stored()).toEqual(['a.txt']);
  });

  it('leaves no temporary file when the source is missing', async () => {
    await expect(store.put('2016/05/a.txt', join(root, 'none'))).rejects.toMatchObject({
      code: 'rest_upload_file_error',
      cause: { code: 'ENOENT' },
    });
    expect(await stored()).toEqual([]);
  });
});

describe('reserve', () => {
  it('numbers the names of one folder', async () => {
    const keys = [];
    for (let count = 0; count < 3; count += 1) {
      const key = await store.reserve('2016/05', 'a.jpg');
      await store.put(key, source);
      await store.commit([key]);
      keys.push(key);
    }
    expect(keys).toEqual(['2016/05/a.jpg', '2016/05/a-1.jpg', '2016/05/a-2.jpg']);
    expect(await store.reserve('2016/06', 'a.jpg')).toBe('2016/06/a.jpg');
    expect(await stored()).toEqual(['a-1.jpg', 'a-2.jpg', 'a.jpg']);
  });

  it('gives each key once to concurrent callers in two processes', async () => {
    const other = new LocalFileStore(join(root, 'uploads'), '/');
    const takers = Array.from({ length: 40 }, async (_, index) => {
      const mine = index % 2 ? store : other;
      const key = await mine.reserve('2016/05', 'a.jpg');
      await mine.put(key, source);
      await mine.commit([key]);
      return key;
    });
    expect(new Set(await Promise.all(takers)).size).toBe(40);
    expect((await stored()).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('does not count as a file, and is released by remove', async () => {
    const key = await store.reserve('2016/05', 'a.jpg');
    expect(await store.exists(key)).toBe(false);
    await store.remove([key]);
    expect(await store.reserve('2016/05', 'a.jpg')).toBe(key);
  });

  it('distinguishes names that differ in case, and names of generated copies', async () => {
    await store.put('2016/05/A.jpg', source);
    expect(await store.reserve('2016/05', 'a.JPG')).toBe('2016/05/a-1.JPG');
    expect(await store.reserve('2016/05', 'b-150x150.jpg')).toBe('2016/05/b-150x150-1.jpg');
    expect(await store.reserve('2016/05', 'noextension')).toBe('2016/05/noextension');
  });
});

describe('remove', () => {
  it('removes existing files and ignores missing ones', async () => {
    await store.put('2016/05/a.txt', source);
    await store.remove(['2016/05/a.txt', '2016/05/none.txt', '2099/01/none.txt']);
    expect(await stored()).toEqual([]);
  });
});

describe('a removal that is interrupted before the copies are deleted', () => {
  const { rm: remove } = files;
  afterEach(() => {
    files.rm = remove;
    syncBuiltinESMExports();
  });

  it('is completed by the sweep', async () => {
    await store.put('2016/05/a.png', source);
    await store.put('resized/2016/05/a.png/320x.png', source);
    files.rm = async (...args) => {
      if (String(args[0]).endsWith(join('resized/2016/05/a.png'))) throw new Error('the process was killed');
      return remove(...args);
    };
    syncBuiltinESMExports();
    await expect(store.remove(['2016/05/a.png'])).rejects.toThrow();
    expect(await store.exists('2016/05/a.png')).toBe(false);
    files.rm = remove;
    syncBuiltinESMExports();

    const left = await store.claimed(new Date(Date.now() + 60_000));
    expect(left).toEqual(['2016/05/a.png']);
    await store.remove(left);
    expect(await stored()).toEqual([]);
    expect(await store.exists('resized/2016/05/a.png/320x.png')).toBe(false);
  });
});

describe('reservations', () => {
  const later = () => new Date(Date.now() + 60_000);

  it('last from reserve to commit, and return the key in its original case', async () => {
    const key = await store.reserve('2016/05', 'A.jpg');
    await store.put(key, source);
    expect(await store.claimed(later())).toEqual(['2016/05/A.jpg']);
    expect(await store.claimed(new Date(0))).toEqual([]);
    await store.commit([key]);
    expect(await store.claimed(later())).toEqual([]);
    expect(await store.exists(key)).toBe(true);
  });

  it('mark existing files that are about to be removed', async () => {
    await store.put('2016/05/a.txt', source);
    await store.mark(['2016/05/a.txt', '2016/05/none.txt']);
    expect(await store.claimed(later())).toEqual(['2016/05/a.txt']);
    await store.remove(['2016/05/a.txt']);
    expect(await stored()).toEqual([]);
  });

  it('fall back to the name of the reservation file when a crash left it empty', async () => {
    await mkdir(join(root, 'uploads/2016/05'), { recursive: true });
    await writeFile(join(root, 'uploads/2016/05/.b.jpg.reserved'), '');
    expect(await store.claimed(later())).toEqual(['2016/05/b.jpg']);
  });

  it('are empty for a missing folder', async () => {
    expect(await store.claimed(later())).toEqual([]);
  });
});

describe('keys', () => {
  it('become URLs', () => {
    expect(store.url('2016/05/写 a.jpg')).toBe('https://example.test/uploads/2016/05/%E5%86%99%20a.jpg');
  });

  const hostile = [
    '../x',
    '2016/../../x',
    '/etc/x',
    'a//b',
    '',
    '.',
    '..',
    'a/.hidden',
    'a\\..\\b',
    'a\0b',
    'a/',
    'a\nb',
  ];
  it.each(hostile)('%j is refused everywhere', async (key) => {
    await expect(store.put(key, source)).rejects.toThrow(RangeError);
    await expect(store.exists(key)).rejects.toThrow(RangeError);
    await expect(store.remove([key])).rejects.toThrow(RangeError);
    await expect(store.open(key)).rejects.toThrow(RangeError);

    await expect(store.reserve(key, 'a.jpg')).rejects.toThrow(RangeError);
    expect(() => store.url(key)).toThrow(RangeError);
  });
});

describe('sweepLeftovers', () => {
  it('removes old working files and nothing else', async () => {
    const folder = join(root, 'uploads/2016/05');
    await mkdir(folder, { recursive: true });
    const names = ['.a.part', '.b.jpg.reserved', '.c.upload', 'd.part', '.keep', 'e.jpg'];
    for (const name of names) {
      await writeFile(join(folder, name), '');
      await utimes(join(folder, name), 1, 1);
    }
    await writeFile(join(folder, '.young.part'), '');
    expect(await sweepLeftovers(join(root, 'uploads'), new Date(1_000_000))).toBe(2);
    expect(await stored()).toEqual(['.b.jpg.reserved', '.keep', '.young.part', 'd.part', 'e.jpg']);
    expect(await sweepLeftovers(join(root, 'none'), new Date())).toBe(0);
  });
});

describe('a full disk', () => {
  const { open } = files;
  const full = () => Promise.reject(Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' }));
  const fill = () => {
    // The name of a file still fits, its content does not.
    files.open = async (...args) => Object.assign(await open(...args), { writeFile: full });
    syncBuiltinESMExports();
  };
  afterEach(() => {
    files.open = open;
    syncBuiltinESMExports();
  });

  it('allows files to be removed', async () => {
    await store.put('2016/05/A.txt', source);
    fill();
    await store.mark(['2016/05/A.txt']);
    await store.remove(['2016/05/A.txt']);
    expect(await stored()).toEqual([]);
  });

  it('leaves no reservation of a file that does not fit', async () => {
    fill();
    await expect(store.reserve('2016/05', 'a.txt')).rejects.toMatchObject({ code: 'rest_upload_file_error' });
    expect(await stored()).toEqual([]);
  });
});

it('what the site keeps in the folder of uploads is not listed', async () => {
  const folder = join(root, 'uploads');
  const shared = new LocalFileStore(folder, '/', undefined, [join(folder, 'site.sqlite'), join(folder, 'schemas')]);
  await shared.put('2016/05/a.txt', source);
  await mkdir(join(folder, 'schemas'));
  for (const name of ['site.sqlite', 'site.sqlite-wal', 'schemas/note.json']) await writeFile(join(folder, name), 'x');
  const listed: string[] = [];
  for await (const key of shared.list(new Date(Date.now() + 60_000))) listed.push(key);
  expect(listed).toEqual(['2016/05/a.txt']);
});
