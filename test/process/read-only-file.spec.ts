// A file of SQLite that the user of the server may not write: the start and `doctor` say so, everything but writes is served.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundledProgram, freePort, ROOT, startServer } from '../support/built-program.js';
import { CHEAP_HASHES } from '../support/start-test-site.js';

/** Permissions hold nobody back who is root with these. */
const CAPABILITIES = '-dac_override,-dac_read_search';
const WITHOUT =
  process.getuid?.() === 0 ? ['setpriv', `--bounding-set=${CAPABILITIES}`, `--inh-caps=${CAPABILITIES}`] : [];
const WHY = /site\.sqlite is read-only \(EACCES\): give the user of the server the right to write it/;
const onPosix = process.platform !== 'win32' ? test : test.skip;

let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-read-only-'));
  environment = {
    SCHEMAS_DIR: join(ROOT, 'schemas'),
    ROLES_FILE: join(ROOT, 'roles.json'),
    DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`,
    MEDIA_DIR: join(folder, 'media'),
    PRIVATE_MEDIA_DIR: join(folder, 'media-private'),
    ADMIN_PASSWORD: 'correct horse battery',
    TOKEN_SECRET: 'a secret that only tests know',
    ...CHEAP_HASHES,
  };
  await (await startServer(environment)).kill();
  for (const name of readdirSync(folder)) if (name.includes('.sqlite')) chmodSync(join(folder, name), 0o400);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program with no right to write the file prints until it ends, or until it has said `last`. */
async function said(script: string, args: string[], last?: RegExp): Promise<string> {
  const env = { ...environment, PORT: String(await freePort()), NODE_NO_WARNINGS: '1' };
  const [command = '', ...more] = [...WITHOUT, process.execPath, join(bundledProgram(), script), ...args];
  const child = spawn(command, more, { env: { ...env, PATH: process.env['PATH'] } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (last?.test(output)) child.kill();
    });
  await once(child, 'close');
  return output;
}

onPosix('is named by doctor', async () => {
  expect(await said('dist/cli.js', ['doctor'])).toMatch(new RegExp(`^fail {2}database: .*${WHY.source}`, 'm'));
});

onPosix('is named in the log of a start', async () => {
  const output = await said('dist/main.js', [], /writes will fail|"a periodic task failed"/);
  expect(output).toMatch(WHY);
  expect(output).toMatch(/writes will fail: the database accepts none/);
});

onPosix(
  'a command names the file beside it that is read-only, such as one left by a program that could only read',
  async () => {
    chmodSync(join(folder, 'site.sqlite'), 0o600);
    const shm = join(folder, 'site.sqlite-shm');
    writeFileSync(shm, readFileSync(shm, { flag: 'a+' }));
    chmodSync(shm, 0o400);
    const output = await said('dist/cli.js', ['user', 'create', 'ann', '--email', 'ann@example.org']);
    expect(output).toMatch(
      /^environment DATABASE_URL: .*site\.sqlite-(wal|shm) is read-only \(EACCES\): give the user of the server the right to write it/m,
    );
  },
);
