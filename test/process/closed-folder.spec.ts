// A folder of uploads in which nothing can be made: the start says so, everything but uploads is served.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/config.js';
import { createLogger } from '../../src/http/request/logger.js';
import { startSite } from '../../src/server/start-site.js';
import { CHEAP_HASHES } from '../support/start-test-site.js';

/** Nobody can make anything there, root included. */
const CLOSED = '/proc/self';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-closed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The warnings of a start. */
async function warnings(mediaDir: string): Promise<{ folder?: string; reason?: string; msg: string }[]> {
  const written: string[] = [];
  const config = readConfig(
    {
      SCHEMAS_DIR: 'schemas',
      DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}?synchronous=normal`,
      MEDIA_DIR: mediaDir,
      ADMIN_PASSWORD: 'correct horse battery',
      TOKEN_SECRET: 'a secret that only tests know',
      ...CHEAP_HASHES,
    },
    false,
  );
  const log = createLogger({ level: 'warn', format: 'json' }, { write: (line: string) => void written.push(line) });
  const site = await startSite(config, log);
  await site.close();
  return written.map((line) => JSON.parse(line)).filter(({ msg }) => /uploads/.test(msg));
}

test('a folder of uploads that cannot be written is reported at the start', async () => {
  const path = join(CLOSED, 'media');
  const msg = `uploads will fail: give the user of the server the right to write in ${CLOSED}`;
  expect(await warnings(path)).toMatchObject([{ folder: path, reason: expect.stringMatching(/^E[A-Z]+$/), msg }]);
});

test('a folder of uploads that can be created causes no warning, and no temporary files', async () => {
  expect(await warnings(join(folder, 'media'))).toEqual([]);
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
});
