// Commands that write files, where the disk takes only a part: nothing half-written takes the place of what was there, and the
// message names the file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { bundledProgram, ROOT } from '../support/built-program.js';
import { CHEAP_HASHES } from '../support/start-test-site.js';

const onLinux = process.platform === 'linux' ? test : test.skip;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-whole-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command that may make files of so many KiB; an attempt to write more is refused as too large, as by a full disk. */
function run(kib: number, ...args: string[]): { status: number | null; errors: string } {
  return runIn(`trap '' XFSZ; ulimit -f ${kib}; exec "$@"`, args);
}

/** Runs a command, which the shell script gets as its arguments. */
function runIn(script: string, args: string[]): { status: number | null; errors: string } {
  const command = ['-c', script, 'bash', process.execPath, join(bundledProgram(), 'dist/cli.js'), ...args];
  const env = {
    PATH: process.env['PATH'],
    SCHEMAS_DIR: join(ROOT, 'schemas'),
    ROLES_FILE: join(ROOT, 'roles.json'),
    DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`,
    MEDIA_DIR: join(folder, 'media'),
    ADMIN_PASSWORD: 'correct horse battery',
    TOKEN_SECRET: 'a secret that only tests know',
    ...CHEAP_HASHES,
  };
  const { status, stderr } = spawnSync('bash', command, { env, encoding: 'utf8' });
  return { status, errors: stderr };
}

onLinux('types keeps the former file', () => {
  const file = join(folder, 'site.ts');
  writeFileSync(file, 'former');
  expect(run(8, 'types', '--out', file)).toEqual({
    status: 1,
    errors: expect.stringMatching(/site\.ts: cannot be written: EFBIG/) as unknown,
  });
  expect(readFileSync(file, 'utf8')).toBe('former');
  expect(readdirSync(folder)).toEqual(['site.ts']);
  expect(run(10_000, 'types', '--out', file).status).toBe(0);
  expect(readFileSync(file, 'utf8')).toMatch(/export/);
  expect(readdirSync(folder)).toEqual(['site.ts']);
});

onLinux('dump names its folder', () => {
  const lines = join(folder, 'tag.jsonl');
  writeFileSync(lines, `${JSON.stringify({ id: 7, name: 'Long', slug: 'long', description: 'x'.repeat(200_000) })}\n`);
  expect(run(100_000, 'load', lines)).toMatchObject({ status: 0 });
  expect(run(100, 'dump', '--out', join(folder, 'backup'))).toEqual({
    status: 1,
    errors: expect.stringMatching(/backup: the dump cannot be written: EFBIG.*Delete the folder/) as unknown,
  });
});

onLinux('an output that cannot be written is told once', () => {
  const { status, errors } = runIn('exec "$@" > /dev/full', ['explain', 'tag', '--plan', 'search=long']);
  expect(errors.match(/standard output cannot be written: ENOSPC/g)).toHaveLength(1);
  expect(status).toBe(1);
});
