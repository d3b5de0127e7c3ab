// What a first startup creates is for its owner alone; what an operator created is left as it is, and reported.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.js';
import { openSite } from '../../src/server/open-site.js';

let top: string;
let remarks: { file?: string }[];

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'typecase-modes-'));
  remarks = [];
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const open = async (folder: string) => {
  const config = readConfig(
    {
      SCHEMAS_DIR: 'schemas',
      DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`,
      MEDIA_DIR: join(folder, 'media'),
      ADMIN_PASSWORD: 'a password of tests',
      LOG_LEVEL: 'silent',
    },
    false,
  );
  return openSite(config, { warn: (data: unknown) => void remarks.push(data as object) } as never);
};

describe('the files of a site', () => {
  test('are accessible to their owner only, with the folders that are created for them', async () => {
    const folder = join(top, 'new', 'data');
    const site = await open(folder);
    try {
      await site.store.rateCounters!.add('one', 1, 60);
      expect([mode(join(top, 'new')), mode(folder)]).toEqual(['700', '700']);
      const files = readdirSync(folder);
      expect(files).toEqual(
        expect.arrayContaining(['secret', 'site.sqlite', 'site.sqlite-wal', 'site.sqlite-shm', 'site.sqlite.tallies']),
      );
      expect(files.map((name) => `${name} ${mode(join(folder, name))}`)).toEqual(files.map((name) => `${name} 600`));
      expect(remarks).toEqual([]);
    } finally {
      await site.close();
    }
  });

  test('have the same modes in an existing folder, which is unchanged', async () => {
    const folder = join(top, 'shared');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const site = await open(folder);
    await site.close();
    expect([mode(folder), mode(join(folder, 'site.sqlite')), mode(join(folder, 'secret'))]).toEqual([
      '755',
      '600',
      '600',
    ]);
  });

  test('that other users may read cause a warning and are unchanged', async () => {
    const folder = join(top, 'old');
    await (await open(folder)).close();
    const file = join(folder, 'site.sqlite');
    chmodSync(file, 0o644);
    writeFileSync(join(folder, 'secret'), `${'0'.repeat(64)}\n`);
    chmodSync(join(folder, 'secret'), 0o640);
    const site = await open(folder);
    await site.close();
    expect(mode(file)).toBe('644');
    expect(remarks.map((each) => each.file)).toEqual(expect.arrayContaining([file, join(folder, 'secret')]));
  });
});
