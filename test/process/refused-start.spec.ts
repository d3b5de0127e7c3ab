// Starts that the system refuses: the server says in one line what to change, and never prints a stack trace.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, run } from '../support/built-program.js';
import { testEngine } from '../support/fresh-database.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-refused-'));
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'extensions'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'extensions/hooks.ts'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a server prints that ends with 1. */
async function refusal(changed: Record<string, string>): Promise<string> {
  const port = String(await freePort());
  const { code, errors } = await run('dist/main.js', [], {
    SCHEMAS_DIR: 'schemas',
    PORT: port,
    DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`,
    MEDIA_DIR: join(folder, 'media'),
    TOKEN_SECRET: 'a secret that only tests know',
    ADMIN_PASSWORD: 'correct horse battery',
    LOG_LEVEL: 'error',
    ...changed,
  }).ended;
  expect(code).toBe(1);
  return errors;
}

describe('a start is refused with a one-line message', () => {
  if (testEngine() === 'sqlite') {
    it('where the folder of extensions is not a folder', async () => {
      expect(await refusal({ EXTENSIONS_DIR: join(folder, 'file') })).toMatch(
        /^environment EXTENSIONS_DIR: the folder cannot be read: ENOTDIR.*\n$/,
      );
    });

    it('where an extension cannot be read', async () => {
      expect(await refusal({ EXTENSIONS_DIR: join(folder, 'extensions') })).toMatch(
        /^\S+hooks\.ts: cannot be read: ENOENT.*\n$/,
      );
    });

    it('where the address of HOST is not available', async () => {
      // Which of the two says the system depends on its interfaces.
      expect(await refusal({ HOST: 'fe80::1' })).toMatch(/^environment HOST: fe80::1:\d+ is .*\n$/);
    });

    it.each([
      [['--help'], 0, /^Usage: node dist\/main\.js \[options\]\n[^]*Other commands: [^]*--sample/],
      [['--hlep'], 1, /^error: unknown option '--hlep'\n[^]*Usage: node dist\/main\.js/],
      [['serve'], 1, /^error: too many arguments[^]*Usage: node dist\/main\.js/],
    ])('or not attempted for the arguments %j', async (args, expected, printed) => {
      const { code, output } = await run('dist/main.js', args, {}).ended;
      expect(code).toBe(expected);
      expect(output).toMatch(printed);
    });
  }

  const onMysql = testEngine() === 'mysql' ? it : it.skip;
  onMysql('where the database server refuses for a reason of its own', async () => {
    const url = process.env['TEST_MYSQL_URL']!.replace(/[^/]*$/, 'x'.repeat(65));
    expect(await refusal({ DATABASE_URL: url })).toMatch(/^server: it cannot start: .*x{65}.*\n$/);
  });
});
