// What an operator is handed and runs a command on: exports that name URLs inside the network, dumps with links out of
// their folder. The commands run as processes of the built program.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CHEAP_HASHES } from '../support/start-test-site.js';
import { ROOT } from '../support/built-program.js';
import { runCommand, type CommandResult } from '../support/run-command.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';

const SECRET = 'the secret of another service';
let folder: string;
let database: FreshDatabase;
let inside: Server;
let requested: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-operator-'));
  database = await freshDatabase();
  requested = [];
  inside = createServer((request, response) => {
    requested.push(request.url!);
    response.end(SECRET);
  });
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  inside.closeAllConnections();
  inside.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const command = (...args: string[]): Promise<CommandResult> =>
  runCommand(args, {
    SCHEMAS_DIR: join(ROOT, 'schemas'),
    ROLES_FILE: join(ROOT, 'roles.json'),
    DATABASE_URL: database.url,
    MEDIA_DIR: join(folder, 'media'),
    ADMIN_PASSWORD: 'correct horse battery',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    ...CHEAP_HASHES,
  });

/** Texts of all stored files. */
const stored = (): string[] =>
  existsSync(join(folder, 'media'))
    ? readdirSync(join(folder, 'media'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    : [];

describe('an export with files', () => {
  const port = () => (inside.address() as AddressInfo).port;
  const exported = (...addresses: string[]): string => {
    const items = addresses.map(
      (address, at) => `<item><title>F${at}</title><guid>${address}</guid><wp:post_id>${at + 1}</wp:post_id>
        <wp:post_name>f${at}</wp:post_name><wp:status>inherit</wp:status><wp:post_type>attachment</wp:post_type>
        <wp:attachment_url>${address}</wp:attachment_url>
        <wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>2020/01/f${at}.txt</wp:meta_value></wp:postmeta></item>`,
    );
    const path = join(folder, 'export.xml');
    writeFileSync(
      path,
      `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
       xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
       <wp:wxr_version>1.2</wp:wxr_version>${items.join('')}</channel></rss>`,
    );
    return path;
  };

  it('requests no host of the internal network, in whatever spelling', async () => {
    const hosts = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '0'];
    const path = exported(...hosts.map((host) => `http://${host}:${port()}/secret.txt`));
    const { code, output } = await command('import', path, '--files');
    expect(output).toContain('has no public IP address');
    expect({ code, asked: requested, stored: stored() }).toEqual({ code: 0, asked: [], stored: [] });
  });

  it('downloads from a host that the operator allows by name', async () => {
    const path = exported(`http://127.0.0.1:${port()}/a.txt`, `http://localhost:${port()}/b.txt`);
    const { code } = await command('import', path, '--files', '--allow-host', `127.0.0.1:${port()}`);
    expect({ code, asked: requested, stored: stored() }).toEqual({ code: 0, asked: ['/a.txt'], stored: [SECRET] });
  });

  it('requests no host that is not allowed, public or not', async () => {
    const path = exported('http://files.example/a.txt', `http://127.0.0.1:${port()}/b.txt`);
    const { code, output } = await command('import', path, '--files', '--allow-host', `127.0.0.1:${port() + 1}`);
    expect(output).toContain('files.example is not among the allowed hosts');
    expect({ code, asked: requested, stored: stored() }).toEqual({ code: 0, asked: [], stored: [] });
  });

  it('with an invalid host is refused', async () => {
    const { code, output } = await command('import', exported(), '--files', '--allow-host', 'http://x/');
    expect(code).toBe(1);
    expect(output).toContain('Give a host name or an IP address');
  });
});

describe('a dump', () => {
  const line = (file: string, id = 1) =>
    `${JSON.stringify({ $resource: 'attachment', id, title: 'F', file, mime_type: 'text/plain', status: 'inherit' })}\n`;
  const dump = (files: Record<string, string>): string => {
    const path = join(folder, 'dump');
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    }
    return path;
  };
  const secret = (): string => {
    mkdirSync(join(folder, 'elsewhere'), { recursive: true });
    writeFileSync(join(folder, 'elsewhere/secret.txt'), SECRET);
    return join(folder, 'elsewhere/secret.txt');
  };

  it('with a link among its files is refused, whatever the target', async () => {
    for (const target of [secret(), join(folder, 'dump/tag.jsonl'), '/nowhere', '/dev/zero']) {
      const path = dump({ 'tag.jsonl': '{"id":1,"name":"One"}\n' });
      symlinkSync(target, join(path, 'post.jsonl'));
      const { code, output } = await command('load', path);
      expect({ target, code, output }).toMatchObject({
        code: 1,
        output: expect.stringContaining('is a symbolic link'),
      });
      expect(output).not.toContain(SECRET);
      rmSync(path, { recursive: true });
    }
  });

  it('with a named pipe or a folder in place of a file is refused without blocking', async () => {
    const path = dump({ 'tag.jsonl': '{"id":1,"name":"One"}\n', 'page.jsonl/x': '' });
    execFileSync('mkfifo', [join(path, 'post.jsonl')]);
    const { code, output } = await command('load', path);
    expect(code).toBe(1);
    expect(output).toContain('not an ordinary file');
    expect(output).toContain('is a folder');
  });

  it('with a manifest that is a link, or contains paths, is refused', async () => {
    const path = dump({ 'tag.jsonl': '' });
    symlinkSync(secret(), join(path, 'manifest.json'));
    expect((await command('load', path)).output).toContain('symbolic link');
    for (const name of ['../elsewhere/secret', '/etc/passwd', 'a\u0000b', '']) {
      rmSync(join(path, 'manifest.json'));
      writeFileSync(
        join(path, 'manifest.json'),
        JSON.stringify({ format: 1, resources: { [name]: { count: 0, schema: 'x' } } }),
      );
      const { code, output } = await command('load', path);
      expect({ name, code, output }).toMatchObject({
        code: 1,
        output: expect.stringContaining('not the manifest of a dump'),
      });
    }
  });

  it('imports no file through its links', async () => {
    const path = dump({
      'attachment.jsonl': line('2020/01/a.txt') + line('2021/01/b.txt', 2) + line('2022/01/c.txt', 3),
    });
    mkdirSync(join(path, 'files/2020/01'), { recursive: true });
    symlinkSync(secret(), join(path, 'files/2020/01/a.txt'));
    symlinkSync(join(folder, 'elsewhere'), join(path, 'files/2021'));
    mkdirSync(join(folder, 'elsewhere/01'));
    writeFileSync(join(folder, 'elsewhere/01/b.txt'), SECRET);
    mkdirSync(join(path, 'files/2022/01'), { recursive: true });
    writeFileSync(join(path, 'files/2022/01/c.txt'), 'its own');
    const { code, output } = await command('load', path);
    expect({ code, output: output.match(/symbolic link/g)?.length, stored: stored() }).toEqual({
      code: 1,
      output: 2,
      stored: ['its own'],
    });
    expect(output).toContain('2 files could not be put in place');
    // Once they are ordinary files, another load copies only them.
    rmSync(join(path, 'files/2020'), { recursive: true });
    rmSync(join(path, 'files/2021'));
    for (const name of ['2020/01/a.txt', '2021/01/b.txt']) dump({ [`files/${name}`]: name });
    expect((await command('load', path)).code).toBe(0);
    expect(stored().sort()).toEqual(['2020/01/a.txt', '2021/01/b.txt', 'its own']);
  });

  it('with lines that name files outside of the folder imports none of them', async () => {
    secret();
    const names = ['../elsewhere/secret.txt', '../../elsewhere/secret.txt', join(folder, 'elsewhere/secret.txt')];
    const path = dump({ 'attachment.jsonl': names.map((name, at) => line(name, at + 1)).join(''), 'files/x.txt': 'x' });
    const { output } = await command('load', path);
    expect(output).not.toContain(SECRET);
    expect(stored()).toEqual([]);
    expect(existsSync(join(folder, 'media/..', 'secret.txt'))).toBe(false);
  });

  it('may itself be reached through a link', async () => {
    const path = dump({ 'tag.jsonl': '{"id":1,"name":"One"}\n' });
    symlinkSync(path, join(folder, 'latest'));
    symlinkSync(join(path, 'tag.jsonl'), join(folder, 'tag.jsonl'));
    expect((await command('load', join(folder, 'tag.jsonl'))).code).toBe(0);
    expect((await command('load', join(folder, 'latest'))).code).toBe(0);
  });
});

it('a file of a new site or resource that cannot be written is reported with the reason, without endless attempts', async () => {
  for (const args of [
    ['init', '/proc/nowhere'],
    ['new', 'book', 'title!'],
  ]) {
    const result = await runCommand(args, { SCHEMAS_DIR: '/proc/nowhere/schemas' });
    expect(result).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^\/proc\/nowhere\S*: the folder cannot be made: ENOENT/),
    });
  }
});

it('a dump into a folder that cannot be created is reported with the reason, without endless attempts', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await command('migrate');
  // The file system makes no folders below /proc: with `recursive`, Node 20 never returns there.
  for (const out of [file, '/proc/nowhere']) {
    const result = await command('dump', '--out', out);
    expect(result.code).toBe(1);
    expect(result.output).toContain(`${out}: the folder cannot be made: `);
  }
});

it('a dump that lacks files says so, and how many', async () => {
  await command('migrate');
  const lines = join(folder, 'attachment.jsonl');
  const line = {
    $resource: 'attachment',
    id: 1,
    title: 'F',
    file: '2024/gone.txt',
    mime_type: 'text/plain',
    status: 'inherit',
  };
  writeFileSync(lines, `${JSON.stringify(line)}\n`);
  expect((await command('load', lines)).code).toBe(0);
  const { code, output } = await command('dump', '--files', '--out', join(folder, 'lacking'));
  expect(code).toBe(1);
  expect(output).toContain('the file 2024/gone.txt could not be copied (there is no such file)');
  expect(output).toContain('1 file is missing from the dump');
  expect((await command('dump', '--out', join(folder, 'whole'))).code).toBe(0);
});
