import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { loadSecret, Secret } from '../../../src/auth/secret.js';
import { StartupError } from '../../../src/errors/problem.js';

const folder = () => mkdtempSync(join(tmpdir(), 'typecase-secret-'));

describe('the secret', () => {
  it('is created once, readable only by its owner, and reused', async () => {
    const place = folder();
    const file = join(place, 'new', 'secret');
    const all = await Promise.all(Array.from({ length: 8 }, () => loadSecret(undefined, file)));
    const again = await loadSecret(undefined, file);
    expect(new Set([...all, again].map((secret) => secret.fingerprint('x', 'y'))).size).toBe(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(place, 'new'))).toEqual(['secret']);
  });

  it('is the configured one', async () => {
    const file = join(folder(), 'secret');
    const given = await loadSecret('0123456789abcdef', file);
    expect(given.fingerprint('x', 'y')).toBe(new Secret('0123456789abcdef').fingerprint('x', 'y'));
    expect(() => statSync(file)).toThrow();
  });

  it.each(['', 'short', `${'0'.repeat(63)}\n`])('is not read from an invalid file %j', async (text) => {
    const file = join(folder(), 'secret');
    writeFileSync(file, text);
    await expect(loadSecret(undefined, file)).rejects.toThrow(StartupError);
  });

  it('stops the start without being printed when it is too short', async () => {
    const failed = await loadSecret('tiny-words', '/nowhere').catch((error: Error) => error.message);
    expect(failed).toContain('TOKEN_SECRET');
    expect(failed).not.toContain('tiny-words');
  });

  describe('on a file system that fails', () => {
    const { link, open } = files;
    const fail = (changes: Partial<typeof files>) => (Object.assign(files, changes), syncBuiltinESMExports());
    const fault = (code: string) => Object.assign(new Error(`${code}: write`), { code });
    const noLinks = () => Promise.reject(fault('EPERM'));
    const full = async (...args: Parameters<typeof open>) => {
      const handle = await open(...args);
      return Object.assign(handle, { writeFile: () => Promise.reject(fault('ENOSPC')) });
    };
    afterEach(() => fail({ link, open }));

    it('without hard links is still created only once', async () => {
      const file = join(folder(), 'secret');
      fail({ link: noLinks });
      const all = await Promise.all(Array.from({ length: 8 }, () => loadSecret(undefined, file)));
      expect(new Set(all.map((secret) => secret.fingerprint('x', 'y'))).size).toBe(1);
    });

    it.each([
      ['full', {}, 1],
      ['full and without hard links', { link: noLinks }, 2],
    ])('%s leaves no file, and names the path', async (_, changes, fails) => {
      const place = folder();
      const file = join(place, 'secret');
      let opened = 0;
      fail({ ...changes, open: (...args) => ((opened += 1) < fails ? open : full)(...args) });
      await expect(loadSecret(undefined, file)).rejects.toMatchObject({
        problems: [{ file, message: 'the secret cannot be stored (ENOSPC)' }],
      });
      expect(readdirSync(place)).toEqual([]);
      fail({ link, open });
      await loadSecret(undefined, file);
    });
  });

  it('derives a different key for each purpose and is never serialized', () => {
    const secret = new Secret('0123456789abcdef');
    expect(secret.key('a')).toHaveLength(32);
    expect(secret.key('a').equals(secret.key('b'))).toBe(false);
    expect(JSON.stringify(secret)).toBe('{}');
  });
});
