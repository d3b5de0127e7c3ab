// A site that cannot be opened completely, such as for a change of files while a server runs, leaves nothing open.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { readConfig } from '../../../src/config/config.js';
import { S3FileStore } from '../../../src/files/s3/s3-store.js';
import { openSite } from '../../../src/server/open-site.js';
import { TextPool } from '../../../src/text/pool/text-pool.js';

afterEach(() => void jest.restoreAllMocks());

it('closes the threads for texts and the connections to a bucket', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-half-'));
  // In place of the file of the secret, which is read after both have been made.
  mkdirSync(join(folder, 'data', 'secret'), { recursive: true });
  const closed = [jest.spyOn(TextPool.prototype, 'close'), jest.spyOn(S3FileStore.prototype, 'close')];
  const config = readConfig({
    SCHEMAS_DIR: 'test/engine/accounts/schemas',
    DATABASE_URL: `sqlite:${join(folder, 'data', 'site.sqlite')}`,
    MEDIA_URL: 's3://bucket/?endpoint=http://127.0.0.1:9&region=x',
  });
  await expect(openSite(config, { warn: () => undefined })).rejects.toThrow('the secret cannot be read');
  for (const close of closed) expect(close).toHaveBeenCalledTimes(1);
  rmSync(folder, { recursive: true });
});
