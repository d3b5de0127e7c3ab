// A second SIGTERM ends a server at once, although it still handles a request, and loses no line of its log.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startServer } from '../support/built-program.js';
import { CHEAP_HASHES } from '../support/start-test-site.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-signal-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const onPosix = process.platform !== 'win32' ? test : test.skip;

onPosix('loses no line', async () => {
  const server = await startServer({
    SCHEMAS_DIR: 'schemas',
    DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}?synchronous=normal`,
    MEDIA_DIR: join(folder, 'media'),
    ADMIN_PASSWORD: 'correct horse battery',
    TOKEN_SECRET: 'a secret that only tests know',
    LOG_FORMAT: 'json',
    ...CHEAP_HASHES,
  });
  // The server waits for the rest of this body.
  const slow = connect(server.port, '127.0.0.1').on('error', () => undefined);
  slow.write(
    'POST /auth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{',
  );
  await new Promise((resolve) => slow.once('data', resolve));
  await fetch(`http://127.0.0.1:${server.port}/livez?last`);
  process.kill(server.pid, 'SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { code, signal, output } = await server.kill('SIGTERM');
  expect([code, signal]).toEqual([143, null]);
  expect(output).toContain('"path":"/livez"');
  slow.destroy();
});
